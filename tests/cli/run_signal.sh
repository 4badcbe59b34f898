# run_signal.sh - a signal that a process sends to the tool reaches the program
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" run -- "$PROBE" wait >output 2>summary &
tool=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 \
	34 35 36 37 38 39 40; do
	grep -q ready output && break
	sleep 0.1
done
kill -TERM "$tool"
wait "$tool"
echo "status $?"
cat output summary
