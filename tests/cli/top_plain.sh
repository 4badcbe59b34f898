# top_plain.sh - rows of processes that are idle, and of one that works
# SPDX-License-Identifier: Apache-2.0
make=$(dirname "$PROBE")/top_make
until_seen() {
	tries=0
	until grep -sq "$1" "$2" || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
}
mask() {
	sed -E -e 's/[0-9]{2}:[0-9]{2}:[0-9]{2}/CLOCK/' -e 's/^ *[0-9]+ ([a-z])/PID \1/' "$@"
}
mkdir files
start=$(date +%s%N)
sleep 100 &
idle=$!
"$make" files $$ "$start" /opt/bin/simulation memory 512000000 1230000000 forwarded 77 gpu 1 1 1
"$make" files "$idle" "$start" "/opt/bin/red$(printf '\033[31mname')"
"$GPUSHIM" top --folder files --interval 0.1 >idle_page
echo "status $?"
mask idle_page | sort

"$GPUSHIM" top --folder files --interval 0.2 --count 600 >page &
top=$!
until_seen running page
"$make" files $$ "$start" - forwarded 100000000 gpu 1000 3000000000 4000000000 slower 1000 \
	1000000000
until_seen predicted_slower: page
kill $top
wait $top
echo "ended with $?"
grep -E 'simulation +[0-9.]+M|total +[0-9.]+M|/s [a-z_]+:' page |
	mask -E -e 's|^ *[0-9.]+[kM]/s|RATE|' \
	-e 's/(simulation|total) +[0-9.]+M/\1 RATE/' -e 's/% +[0-9.]+ +[0-9.]+[MG]/% RATE RATE/'
kill $idle
