# run_summary.sh - the program's output and status, the summary on stderr
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" run --warmup wait -- "$PROBE" calls 2>summary
echo "status $?"
cat summary
# --summary off and --quiet are silent, a file means that file alone.
"$GPUSHIM" run --summary off -- "$PROBE" calls 2>&1
"$GPUSHIM" run --quiet -- "$PROBE" killed 2>&1
echo "status $?"
# A word of a switch is off or stderr, without run, too: no file has its name.
shim=$(dirname "$GPUSHIM")/libgpushim.so
for word in on 1 no; do
	export EPOCHLY_GPU_SUMMARY="$word"
	"$GPUSHIM" run -- "$PROBE" calls 2>&1 | grep -c calls,
	LD_PRELOAD=$shim "$PROBE" calls 2>&1 | grep -c calls,
	ls "$word" 2>/dev/null
done
unset EPOCHLY_GPU_SUMMARY
EPOCHLY_GPU_SUMMARY=off "$GPUSHIM" run -- "$PROBE" calls 2>&1
"$GPUSHIM" run --quiet -- "$STATIC" 2>&1
"$GPUSHIM" run --summary one -- "$PROBE" fork 2>&1
"$GPUSHIM" run --summary=one -- true 2>&1
cat one
# A name for each process: each writes its own.
"$GPUSHIM" run --summary=each-%p -- "$PROBE" fork 2>&1
cat each-* | grep gpushim | sort
# Where the file cannot be written the summary is not lost.
"$GPUSHIM" run --summary /dev/full -- "$PROBE" fork 2>&1 | grep gpushim
"$GPUSHIM" run --summary nowhere/file -- "$PROBE" fork 2>&1 | grep gpushim
# stderr alone has it once.
"$GPUSHIM" run --summary stderr -- "$PROBE" calls 2>&1 | grep -c calls,
# The other commands under --quiet: nothing but their status.
"$GPUSHIM" doctor --quiet 2>&1
echo "doctor $?"
"$GPUSHIM" compare --quiet --runs 1 --warmup-runs 0 --export results -- "$PROBE" calls 2>&1
echo "compare $? $(head -c 1 results)"
"$GPUSHIM" run --quiet --log log -- "$PROBE" calls >/dev/null
"$GPUSHIM" report --quiet --html page log 2>&1
echo "report $? $(head -n 1 page)"
"$GPUSHIM" tune --quiet --write settings log 2>&1
echo "tune $? $(head -c 14 settings)"
"$GPUSHIM" calibrate --quick --quiet --output profile 2>&1 | grep measuring
echo "calibrate $(grep -c = profile | sed 's/[0-9][0-9]*/many/')"
