# tune_broken.sh - broken or cut logs and files that cannot be written: one sentence and a status
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
row() {
	printf \
		'{"time":"2026-11-21T02:10:25.123456Z","pid":7,"tid":7,"object":"prog","symbol":"dgemm_","routine":"dgemm","sizes":{"m":%d,"n":%d,"k":%d},"bytes":%d,"flops":%d,"target":"cpu","reason":"dry_run_faster","device":-1,"math":"-","predicted_cpu_ns":%d,"predicted_gpu_ns":%d,"elapsed_ns":%d}\n' \
		"$1" "$1" "$1" $((24 * $1 * $1)) $((2 * $1 * $1 * $1)) $(($1 * $1 * $1 / 10)) \
			$((40000 + $1 * $1 * $1 / 500)) $(($1 * $1 * $1 / 10))
}
try() {
	echo "-- $*"
	shift
	"$GPUSHIM" tune --threads 1 --profile a100 "$@" >out
	status=$?
	grep -E '^(log|proposed:|N[a-z]+ )' out
	echo "status $status"
}
{ row 500; row 1000; row 2000; row 4000; } >good.log
try 'a log' good.log
: >empty.log
try 'an empty one' empty.log
try 'none' nosuch.log
try 'a folder' .
head -c 4096 /bin/sh >garbage.log
try 'garbage' garbage.log
head -c -30 good.log >cut.log
try 'cut off' cut.log
{ cat good.log; echo 'not a record'; echo '{"time":1}'; } >mixed.log
try 'other lines' mixed.log
sed -e 's/"math":"-",//' good.log >old.log
try 'an older version' old.log
sed -e 's/"math":/"colour":"red","math":/' good.log >new.log
try 'a newer version' new.log
sed -e 's/"elapsed_ns":[0-9]*/"elapsed_ns":-1/' good.log >untimed.log
try 'no call was timed' untimed.log
sed -e 's/"m":[0-9]*/"m":9223372036854775807/' good.log >huge.log
try 'sizes beyond memory' huge.log
try 'twice' good.log ./good.log
# Lines that are appended during the reading are left out: the second reading ends where the first
# did.
{ cat good.log; row 300; } >growing.log
( i=0; while [ $i -lt 200 ]; do row 600; i=$((i + 1)); done >>growing.log ) &
"$GPUSHIM" tune --threads 1 --profile a100 growing.log >out 2>&1
echo "growing: status $?"
wait
try 'by a pipe' - <good.log
head -n 4 good.log | "$GPUSHIM" tune --threads 1 --profile a100 - |
	grep -c 'a pipe cannot be read twice'
echo "-- files to be written"
try 'to a new file' good.log --write new.conf
try 'to the same' good.log --write new.conf
try 'with force' good.log --write new.conf --force
try 'to a folder' good.log --write . --force
try 'in no folder' good.log --write nosuch/new.conf
if [ -w /dev/full ]; then
	"$GPUSHIM" tune --threads 1 --profile a100 good.log >/dev/full
	echo "stdout is full: status $?"
fi
# If files may not grow, as on a full disk, no partial file is left and the old one stays.
cp new.conf old.conf
sh -c 'ulimit -f 0; "$0" tune --threads 1 --profile a100 good.log --write new.conf --force 2>&1; echo "full: status $?"' \
	"$GPUSHIM" | grep -E '^(gpushim: cannot write|full|proposed)'
cmp new.conf old.conf && echo "the old file stays"
find . -name 'new.conf.*'
