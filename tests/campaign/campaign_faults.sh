#!/bin/sh
# campaign_faults.sh - run.sh of the bundle with programs that hang, crash, write without end
# SPDX-License-Identifier: Apache-2.0
# usage: campaign_faults.sh SOURCE
# The bundle's programs are scripts here. All folders have blanks in their names.
set -eu
source=$1
work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
bundle="$work/a bundle" results="$work/the results" part=
mkdir -p "$bundle/campaign" "$bundle/bench" "$bundle/tests" "$bundle/simcuda" "$bundle/lib"
cp "$source/bench/campaign/run.sh" "$bundle/"
cp "$source"/bench/campaign/campaign_*.sh "$source"/bench/campaign/*.awk \
	"$source/bench/campaign/residency.txt" "$bundle/campaign/"

fail() {
	echo "FAILED: $*"
	cat "$work/out" "$results/$part/summary.txt" 2>/dev/null
	exit 1
}

# plant PROGRAM: a program of the bundle is the script on stdin.
plant() {
	{
		echo '#!/bin/sh'
		cat
	} >"$bundle/$1"
	chmod +x "$bundle/$1"
}

# has FILE PATTERN: a line of that result has it. FILE may have wildcards.
has() {
	# shellcheck disable=SC2086
	grep -qE -- "$2" "$results/$part/"$1 || fail "no line of $1 has $2"
}

# run STATUS PART [ARGUMENT...]
run() {
	expected=$1 part=$2 status=0
	shift 2
	"$bundle/run.sh" "$part" --results "$results" "$@" >"$work/out" 2>&1 || status=$?
	[ "$status" -eq "$expected" ] || fail "status $status, not $expected"
	check_archive "$results"
}

# The archive of the part is whole, and has the summary.
check_archive() {
	tar -tzf "$1/results-$part.tar.gz" >"$work/list" || fail "the archive is broken"
	grep -q "^$part/summary.txt$" "$work/list" || fail "the archive has no summary"
	[ "$(wc -c <"$1/results-$part.tar.gz")" -le 16777216 ] || fail "the archive is too large"
	[ -z "$(find "$1" -name '.results*')" ] || fail "half an archive is left"
}

# gone FILE: the processes whose numbers stand there have ended.
gone() {
	while read -r number; do
		state=$(sed 's/.*) //' "/proc/$number/stat" 2>/dev/null) || state=
		case $state in
		'' | Z*) ;;
		*) fail "process $number of a step is still there" ;;
		esac
	done <"$1"
}

plant gpushim <<'P'
if [ "$1" = doctor ]; then
	echo "  taken: CUDA 12, runtime 12.9, driver for CUDA 13.0"
	echo "  cudart:"
	echo "    /with"
	echo "    blank/runtime/libcudart.so.12"
	echo "  cublas: /blas/libcublas.so.12"
	echo "  cufft: /fft/libcufft.so.11"
fi
P
for program in simulation simcuda_rules_test bench/memory bench/orders bench/overhead bench/sweep \
	bench/crossover
do
	# shellcheck disable=SC2016 # for the planted script
	echo 'echo "$0: $*; $LD_LIBRARY_PATH"' | plant "$program"
done
plant bench/link <<'P'
while [ "$1" != --profile ]; do shift; done
echo "link_up_bytes = 1e9" >"$2"
P
plant bench/peers <<'P'
echo "$*"
while [ $# -gt 0 ]; do
	[ "$1" != --group ] || group=$2
	[ "$1" != --figures ] || figures=$2
	shift
done
echo "case $group,CPU library,2,1,3,5,1.5,20,0.5,4,not compared,1000,1980,500" >>"$figures"
echo "case $group,shim,1,1,1,5,3,40,0.5,2,alike,1000,1980,500" >>"$figures"
P
cat >"$bundle/bench/clients.py" <<'P'
import os
print("python has", os.environ.get("LD_LIBRARY_PATH", "no path"))
P
echo 'echo fine' | plant tests/gpu_fine_test

# Without a word it explains itself, and wrong words are refused.
"$bundle/run.sh" >"$work/out" || fail "no explanation"
grep -q 'first .*8 min' "$work/out" || fail "the explanation names no part"
for wrong in second '--scale' 'first --scale 1x' 'first peers' '--results'; do
	status=0
	# shellcheck disable=SC2086 # several words
	"$bundle/run.sh" $wrong >"$work/out" 2>&1 || status=$?
	[ "$status" -eq 2 ] || fail "status $status for $wrong"
done

# All is well: the rules come last, with the folders that the doctor found.
run 0 first --scale 0.05
tail -n 2 "$results/first/summary.txt" | grep -q '^rules: passed' || fail "the rules are not last"
has '*-rules.txt' 'test: /with blank/runtime:/blas:/fft 12; .*a bundle/lib'
[ -s "$results/machine.conf" ] || fail "no profile"
grep -q '^machine.conf$' "$work/list" || fail "no profile in the archive"

# The Python programs see the library path of the machine, the bundle's own see theirs first.
if command -v python3 >/dev/null; then
	LD_LIBRARY_PATH=/of/the/machine
	export LD_LIBRARY_PATH
	run 0 tune --scale 0.05
	has '*-client-numpy.txt' '^python has /of/the/machine$'
	has '*-engine.txt' 'a bundle/lib:/of/the/machine$'
	unset LD_LIBRARY_PATH
	run 0 tune --scale 0.05
	has '*-client-numpy.txt' '^python has no path$'
fi

# The table has all groups; the profile of this boot is not measured again.
run 0 peers --scale 0.05
has summary.txt '^profile: .*since this machine started'
has table.txt '^case goals +CPU library +2000.000 '
has table.txt '^ +shim +1000.000 .* 2.00 +2.00 +1.00 +1000-1980 +500  alike$'
has table.txt '^case break-even '

# One step hangs and hides a process from its group, one crashes, one writes without end, one fills
# a file; the others have results, and so has what was written before the end.
plant tests/gpu_hangs_test <<P
trap '' TERM
echo before the end
echo \$\$ >"$work/pids"
(trap '' TERM; echo \$\$ >>"$work/pids"; while :; do sleep 1; done) &
while :; do sleep 1; done
P
# shellcheck disable=SC2016 # for the planted script
echo 'kill -SEGV $$' | plant tests/gpu_crashes_test
echo 'yes it writes without end' | plant tests/gpu_endless_test
echo 'echo done; setsid sleep 20 & exit 0' | plant tests/gpu_hides_test
# shellcheck disable=SC2016
echo 'yes >"$TMPDIR/large"; yes >"../large" || exit 9' | plant tests/gpu_large_test
sed 's/file_blocks=[0-9]*/file_blocks=2048/' "$bundle/campaign/campaign_steps.sh" >"$work/steps"
cp "$work/steps" "$bundle/campaign/campaign_steps.sh"
run 1 first --scale 0.05
has '*-gpu_hangs.txt' '^before the end$'
has summary.txt '^gpu_hangs: STOPPED after 2 s'
has summary.txt '^gpu_crashes: FAILED with status 139'
has summary.txt '^gpu_endless: FAILED: wrote more than 1024 KiB'
has summary.txt '^gpu_hides: passed'
has summary.txt '^gpu_large: (FAILED|STOPPED)'
has summary.txt '^orders: passed'
has summary.txt '^rules: passed'
gone "$work/pids"
rm "$bundle/tests/gpu_large_test" "$bundle/tests/gpu_hides_test"

# Results that cannot be packed small stay below the limit of the archive.
for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do
	echo 'head -c 1048000 /dev/urandom' | plant "tests/gpu_random${number}_test"
done
run 1 first --scale 0.05
grep -q '^first/22-orders.txt$\|-orders.txt$' "$work/list" || fail "small results are left out"
rm "$bundle"/tests/gpu_random*

# Ended half way: what there is stays, and no process is left. The archive is elsewhere.
# begin PART: runs in the background until the hanging step has begun.
begin() {
	part=$1
	rm -f "$work/pids"
	"$bundle/run.sh" "$part" --results "$results" --archive "$work/the archive" --scale 0.5 \
		>"$work/out" 2>&1 &
	pid=$!
	tries=0
	until [ "$(grep -c . "$work/pids" 2>/dev/null)" = 2 ]; do
		tries=$((tries + 1))
		[ "$tries" -lt 300 ] || fail "the hanging step does not begin"
		sleep 0.1
	done
}
begin first
kill -TERM "$pid"
status=0
wait "$pid" || status=$?
pid=
[ "$status" -eq 143 ] || fail "status $status after SIGTERM"
check_archive "$work/the archive"
has summary.txt '^run: ended by SIGTERM .* in the middle of: gpu_hangs'
has '*-gpu_hangs.txt' '^before the end$'
gone "$work/pids"

# Killed without a chance to write: the archive has what was finished.
begin first
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
pid=
check_archive "$work/the archive"
grep -q 'first/.*-gpu_fine.txt' "$work/list" || fail "finished steps are not in the archive"
while read -r number; do kill -KILL "$number" 2>/dev/null || true; done <"$work/pids"

# A second run replaces old results, and touches nothing that is not its own.
rm "$bundle/tests/gpu_hangs_test" "$bundle/tests/gpu_crashes_test" "$bundle/tests/gpu_endless_test"
run 0 first --scale 0.05
[ -z "$(find "$results/first" -name '*hangs*')" ] || fail "old results are still there"
mkdir -p "$work/other/first"
echo mine >"$work/other/first/file"
status=0
"$bundle/run.sh" first --results "$work/other" >"$work/out" 2>&1 || status=$?
[ "$status$(cat "$work/other/first/file")" = 1mine ] || fail "a foreign folder was replaced"
echo "campaign: every planted fault cost one step, and every end left its results"
