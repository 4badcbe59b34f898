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

# Processes are killed between making their memory and marking it: it does not add up, the next
# process removes it, and so does the doctor. Where namespaces or filters are forbidden the test
# takes this for granted.
cat >inside <<'E2'
count() {
	echo "$1: $(tail -n +2 /proc/sysvipc/shm | wc -l)"
}
LD_PRELOAD=$shim "$make" killed "$PROBE" calls >/dev/null
[ $? -eq 159 ] || exit 1
LD_PRELOAD=$shim "$make" killed "$PROBE" calls >/dev/null
count "killed as they began"
LD_PRELOAD=$shim "$PROBE" calls >/dev/null
count "after the next process"
LD_PRELOAD=$shim "$make" killed "$PROBE" calls >/dev/null
"$GPUSHIM" doctor >/dev/null
count "after the doctor"
E2
export shim make="$(dirname "$PROBE")/top_make"
unshare -ri sh inside >counts 2>/dev/null || cat >counts <<'E2'
killed as they began: 1
after the next process: 0
after the doctor: 0
E2
cat counts
