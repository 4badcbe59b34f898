# top_real.sh - programs with files of counters: killed, executing another program
# SPDX-License-Identifier: Apache-2.0
probe=$(dirname "$PROBE")/top_probe
shim=$(dirname "$GPUSHIM")/libgpushim.so
until_seen() {
	tries=0
	until grep -sq "$1" log || [ $((tries += 1)) -gt 600 ]; do sleep 0.05; done
}
watch() {
	rm -f log
	"$GPUSHIM" top --folder "$1" --interval 0.1 --count 600 --json >log &
	top=$!
}
leave() {
	kill $top
	wait $top
	grep -oE '"program":"top_probe","state":"[a-z]+"|"reasons":\{"[a-z_]+":' log | sort -u
}
mkdir files
EPOCHLY_GPU_COUNTERS=$WORK/files LD_PRELOAD=$shim "$probe" &
probe_pid=$!
watch files
until_seen '"running","calls":[1-9]'
kill -9 $probe_pid
wait $probe_pid
echo "killed: $?"
until_seen '"killed"'
leave
"$GPUSHIM" top --folder files --interval 0.1 2>&1 >/dev/null
rm files/*

EPOCHLY_GPU_COUNTERS=$WORK/files LD_PRELOAD=$shim "$probe" "$probe" &
probe_pid=$!
watch files
until_seen '"running","calls":[1-9]'
kill -USR1 $probe_pid
until_seen '"replaced"'
leave
kill -9 $probe_pid
