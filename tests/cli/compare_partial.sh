# compare_partial.sh - an interrupted compare shows what there is so far, and exports it
# SPDX-License-Identifier: Apache-2.0
mkfifo fifo
# The seventh run, of the fourth pair, waits.
cat >program <<'END'
n=$(cat count 2>/dev/null || echo 0)
n=$((n + 1))
echo $n >count
echo "result 1.5"
[ $n -lt 7 ] || { trap "$1" TERM INT; echo ready >fifo; while :; do sleep 0.1; done; }
END
# The shell ignores SIGINT of commands in the background; env gives it back.
try() {
	rm -f count out.json
	env --default-signal=INT "$GPUSHIM" compare --warmup-runs 0 --export out.json -- \
		sh program "$2" >report 2>errors &
	read -r line <fifo
	kill "-$1" $!
	[ -z "$3" ] || { until grep -q waiting errors; do sleep 0.05; done; kill "-$1" $!; }
	wait $!
	echo "$line, status $?"
	grep -E '^(INCOMPLETE|3 pairs|output|exit|prediction)' report
	cat errors
	grep -o '"stopped":"[a-z]*"' out.json
	grep -c '"status":\[0,0,0\]' out.json
}
try TERM - ''
try INT - ''
echo "== a program that ignores the signal is killed by the second one"
try INT '' again
echo "== on a terminal Ctrl-C reaches the program by itself"
command -v script >/dev/null || exit 0
rm -f count
command="exec '$GPUSHIM' compare --warmup-runs 0 -- sh program -"
{
	read -r line <fifo
	printf '\003'
	# The terminal must not close before the tool has ended.
	until grep -q 'gpushim: interrupted' typescript; do sleep 0.05; done
} | env --default-signal=INT NO_COLOR=1 script -qfec "$command" typescript >terminal
echo "status $?"
tr -d '\r' <typescript | sed 's/^.*\x1b\[K//' | grep -E '^(INCOMPLETE|gpushim)'
