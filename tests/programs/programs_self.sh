#!/bin/sh
# programs_self.sh - run_program.sh can fail: a made-up program with each fault is found out
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0 passed=0
mkdir "$work/build" "$work/driver" "$work/programs"
cp "$here/run_program.sh" "$here/eligible.awk" "$here/executions.awk" "$work/programs/"
cp "$here/../driver/decision_log.awk" "$work/driver/"

# Shell fragments stand for the program's run with the shim and for the log that the shim writes.
cat >"$work/programs/made_up.program" <<-'FRAGMENT'
	need() { . "$here/need"; }
	least=2
	record() {
		printf '{"time":"2026-11-21","symbol":"%s","target":"%s","reason":"%s"}\n' "$@" >>"$work/log.json"
	}
	program() {
		echo "first passed, 1.25 s"
		if [ "$run" = base ]; then
			echo "second passed"
			return 3
		fi
		. "$here/fault"
	}
	verdicts() { sed -e '/^digits/d' -e 's/,.*//'; }
	executions() { . "$here/calls"; }
	callers() { cat "$here/callers"; }
FRAGMENT
echo '# one
dgemm_
dsyrk_ full' >"$work/programs/made_up.expect"

: >"$work/programs/callers"
good='echo "second passed"; echo digits 1e-17; record dgemm_ gpu policy_always
record dgemm_ cpu quick_return; return 3'

# try WANTED WHAT NEED FAULT [WAY [CALLS]]: run_program.sh must end with status WANTED.
try() {
	echo "$3" >"$work/programs/need"
	echo "${6:-}" >"$work/programs/calls"
	echo "$4" >"$work/programs/fault"
	status=0
	"$work/programs/run_program.sh" made_up quick "${5:-always}" "$work/build" >"$work/out" \
		2>&1 || status=$?
	if [ "$status" -eq "$1" ]; then
		passed=$((passed + 1))
	else
		echo "$2: status $status, expected $1"
		cat "$work/out"
		failed=$((failed + 1))
	fi
}

try 0 "no fault" : "$good"
for reason in real_to_real split_arrays unsupported_rank unsupported_precision no_transform \
	unknown_plan; do
	try 0 "a transform without a form, $reason" : "record fftwl_execute cpu $reason; $good"
	try 1 "a product that is cpu $reason" : "record dgemm_ cpu $reason; $good"
done
try 0 "a layout without a form" : "record dfftw_execute_ cpu unsupported_layout; $good"
try 1 "a transform that is left on the CPU" : "record fftw_execute cpu device_memory_full; $good"
try 1 "another verdict" : "echo 'third failed'; $good"
try 1 "a test that is gone" : 'record dgemm_ gpu policy_always; return 3'
try 1 "another status" : "${good%return 3}return 0"
try 1 "a message of the shim" : "echo 'gpushim: warning: odd' >&2; $good"
try 1 "no log" : 'echo "second passed"; return 3'
try 1 "nothing on the GPU" : 'echo "second passed"; record dgemm_ cpu quick_return; return 3'
for reason in below_threshold warming_up forked gpu_given_up unsupported_layout device_memory_full \
	transfer_failed gpu_routine_missing short_workspace; do
	try 1 "a product that is cpu $reason" : "record dgemm_ cpu $reason; $good"
done
try 1 "a record that is cut" : "echo '{\"time\":\"2026' >>\"\$work/log.json\"; $good"
try 77 "a program that is not there" 'program_needs_command no-such-program-anywhere' "$good"
try 77 "no allocator" : "$good" nan
counted='echo dgemm_ eligible 1; echo dgemm_ quick_return 1'
try 0 "calls that are counted" : "$good" always "$counted"
try 1 "a call without a record" : "$good" always "$counted; echo dgemm_ eligible 1"
try 1 "a record without a call" : "record dgemm_ cpu quick_return; $good" always "$counted"
try 1 "a symbol without records" : "$good" always 'echo fftw_execute eligible 1'
try 1 "calls that cannot be counted" : "$good" always 'return 1'
absent=$(echo "$good" | sed 's/gpu policy_always/cpu no_driver/')
try 0 "no GPU" : "$absent" nogpu "$counted"
try 1 "a GPU that is not there" : "record zgemm_ gpu policy_always; $absent" nogpu
try 1 "no GPU, and no call" : 'echo "second passed"; record dgemm_ cpu quick_return; return 3' nogpu
try 1 "no GPU, another count" : "record dgemm_ cpu no_driver; $absent" nogpu "$counted"
try 0 "no option, and no log" : 'echo "second passed"; return 3' default
try 1 "no option, another verdict" : 'return 3' default
echo libmade_up >"$work/programs/callers"
# called TARGET REASON: a fragment that makes the record of a call from the library.
# shellcheck disable=SC2016,SC2059 # the fragment expands it; the record is a format
called() {
	record='{"time":"2026-11-21","object":"libmade_up.so.5","symbol":"dgemm_","target":"%s","reason":"%s"}'
	printf "echo '$record' >>\"\$work/log.json\"" "$1" "$2"
}
try 1 "a library that no call came from" : "$good"
try 0 "a library that a call came from" : "$(called gpu policy_always); $good"
try 1 "a library whose call stayed on the CPU" : "$(called cpu quick_return); $good"
try 0 "no GPU for that library" : "$absent" nogpu
: >"$work/programs/callers"
sed -i 's/least=2/least=3/' "$work/programs/made_up.program"
try 1 "too few verdicts" : "$good"

echo "programs_self: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
