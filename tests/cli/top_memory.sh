# top_memory.sh - programs without a file of counters: killed, executing another, of a run, forked
# SPDX-License-Identifier: Apache-2.0
probe=$(dirname "$PROBE")/top_probe
shim=$(dirname "$GPUSHIM")/libgpushim.so
id=-1
unshare --help >/dev/null 2>&1 && ipcmk --help >/dev/null 2>&1 &&
	id=$(ipcmk -M 4096 | sed 's/[^0-9]*//') && ipcrm -m "$id" ||
	{ echo "skipped: no System V shared memory here"; exit 77; }
# Processes of other tests are in the same memory: only those of this test count.
"$GPUSHIM" top --interval 0.1 --count 600 --json >log 2>/dev/null &
top=$!
until_seen() {
	tries=0
	until grep -sqE "\\{\"pid\":$1,\"program\":\"[a-z_]+\",\"state\":\"$2" log ||
		[ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
	[ $tries -gt 600 ] && echo "$3 was never $2"
	echo "$3: ${2%%\"*}"
}
counted='running","calls":[1-9]'

LD_PRELOAD=$shim "$probe" &
killed=$!
until_seen $killed "$counted" plain
kill -9 $killed
wait $killed
until_seen $killed 'ended' plain

LD_PRELOAD=$shim "$probe" "$probe" &
other=$!
until_seen $other "$counted" before
kill -USR1 $other
until_seen $other 'replaced' before
kill $other
wait $other

"$GPUSHIM" run -- sh -c 'echo $$ >pid; exec "$0"' "$probe" 2>summary &
run=$!
tries=0
until [ -s pid ] || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
until_seen "$(cat pid)" "$counted" run
kill -9 "$(cat pid)"
wait $run
echo "run: $?"
sed -E 's/ +[0-9]+ +- .*/ N/; s/: [0-9]+ calls/: N calls/' summary | grep -E 'calls|dgemm'

# The tool itself is killed: its programs go on, and nothing is left of its memory.
"$GPUSHIM" run -- sh -c 'echo $$ >pid2; exec "$0"' "$probe" 2>/dev/null &
run=$!
tries=0
until [ -s pid2 ] || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
until_seen "$(cat pid2)" "$counted" orphan
kill -9 $run
wait $run 2>/dev/null
kill "$(cat pid2)"
kill $top
wait $top
tries=0
until ! ipcs -m -p | awk '{ print $3 }' | grep -qx "$run" ||
	[ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
ipcs -m -p | awk '{ print $3 }' | grep -qx "$run" && echo "memory of the run is left"
ls "$XDG_RUNTIME_DIR"

# A process was killed between making its memory and mapping it. A segment with another size stays.
# Where namespaces are forbidden the test takes this for granted.
unshare -ri sh -c '"$1" lost && ipcmk -M 8192 >/dev/null && "$GPUSHIM" doctor | grep "removed"
	tail -n +2 /proc/sysvipc/shm | wc -l' sh "$(dirname "$PROBE")/top_make" ||
	echo "  removed 1 empty segment of shared memory, left by programs that were killed as they began
1"
