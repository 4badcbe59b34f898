#!/bin/sh
# page_make.sh - makes pages: reports of real and odd logs, a crossover sweep, odd plots
# SPDX-License-Identifier: Apache-2.0
# usage: page_make.sh BUILD HTML_TEST FOLDER
# The pages are FOLDER/*.html. Status 77 if they cannot be made, or Python to read them is missing.
set -eu
build=$1 html_test=$2 work=$3
for tool in gpushim simulation libgpushim.so bench/crossover simcuda/13/libcublas.so.13; do
	[ -e "$build/$tool" ] || { echo "skipped: $tool is not built"; exit 77; }
done
command -v python3 >/dev/null ||
	{ echo "skipped: python3 is not installed (Debian: python3)"; exit 77; }
unset EPOCHLY_GPU_PROFILE
HOME=$work XDG_CACHE_HOME=$work/cache XDG_RUNTIME_DIR=$work
export HOME XDG_CACHE_HOME XDG_RUNTIME_DIR

fail() {
	echo "FAILED: $*"
	exit 1
}

# line MICROSECONDS ROUTINE N TARGET REASON CPU_NS GPU_NS ELAPSED_NS OBJECT: one record of a square
# product.
line() {
	printf \
		'{"time":"2026-11-21T10:00:%02d.%06dZ","pid":71,"tid":71,"object":"%s","symbol":"%s_","routine":"%s",' \
		$(($1 / 1000000)) $(($1 % 1000000)) "$9" "$2" "$2"
	printf '"sizes":{"m":%d,"n":%d,"k":%d},"bytes":%d,"flops":%d,"target":"%s","reason":"%s",' \
		"$3" "$3" "$3" $((24 * $3 * $3)) $((2 * $3 * $3 * $3)) "$4" "$5"
	printf \
		'"device":0,"math":"-","predicted_cpu_ns":%d,"predicted_gpu_ns":%d,"elapsed_ns":%d}\n' "$6" "$7" "$8"
}

report() {
	"$build/gpushim" report --html "$work/$1.html" "$work/$1.log" >"$work/out" 2>"$work/err" ||
		fail "no page of $1: $(cat "$work/err")"
}

# A program without knowledge of the shim, with every call that passes its gate on the simulated
# CUDA.
LD_PRELOAD=$build/libgpushim.so EPOCHLY_GPU_CUDA_PATH=$build/simcuda/13 EPOCHLY_GPU_WARMUP=wait \
	EPOCHLY_GPU_WORKLOAD_THRESHOLD=100000 EPOCHLY_GPU_POLICY=threshold \
		EPOCHLY_GPU_LOG=$work/real.log EPOCHLY_GPU_LOG_LEVEL=call \
	"$build/simulation" --size 96 --steps 6 >"$work/out" 2>&1 ||
		fail "the simulation: $(cat "$work/out")"
report real

# Logs of one kind of record, in order: a single call; none timed; none with a time; none on the
# GPU; nothing predicted.
line 0 dgemm 500 gpu predicted_faster 9000000 900000 800000 python >"$work/one.log"
report one
line 5 dgemm 500 gpu predicted_faster 9000000 900000 -1 - >"$work/untimed.log"
report untimed
line 0 dgemm 500 cpu predicted_slower 900000 9000000 800000 - |
	sed 's/"time":"[^"]*",//' >"$work/timeless.log"
report timeless
for n in 10 100 1000; do
	line $n zgemm $n cpu below_threshold -1 -1 $((n * n)) libm.so
done >"$work/cpu.log"
report cpu
line 0 dgemm 0 cpu quick_return -1 -1 0 - >"$work/nothing.log"
report nothing

# Extremes: more routines than there are plots, both sides, huge and odd numbers, hostile names.
{
	at=0
	for routine in sgemm dgemm cgemm zgemm dsyrk dtrsm dtrmm dsymm zherk ssyrk; do
		for n in 8 32 100 300 1000 3000 10000; do
			line $at $routine $n cpu predicted_slower $((n * n * n / 8)) $((90000 + n \
				* n)) $((n * n * n / 9 + 7)) \
				'<script>alert(1)</script>'
			line $((at + 400)) $routine $n gpu predicted_faster $((n * n * n / 8)) \
				$((90000 + n * n)) \
				$((99000 + n * n)) '"\"><img src=x onerror=alert(1)>'
			at=$((at + 100000))
		done
	done
	for more in 1 2 3; do
		line $((at + more)) dgemm 1000000 gpu policy_always 9000000000000000000 \
			9000000000000000000 9000000000000000000 \
			"\\u202e\\u0000'&amp;"
	done
} | sed 's/"object":""\\"/"object":"\\"/' >"$work/full.log"
report full

# Names of programs and machines: quotes, markup, another direction, longer than a screen.
{
	for name in \
		'my \"program\" <script>alert(2)</script> \u05e9\u05dc\u05d5\u05dd \u202e &amp;' \
		a_program_whose_name_has_no_blanks_and_is_longer_than_a_phone_is_wide_x86_64; do
		line 0 dgemm 500 cpu predicted_slower 900000 9000000 800000 - >"$work/record"
		printf '%s,"program":"%s","host":"node1","machine":"%s",' \
			"$(cut -d, -f 1-3 "$work/record")" "$name" "$name"
		printf '"measured":"2026-11-21T10:00:00Z",%s\n' "$(cut -d, -f 4- "$work/record")"
	done
} >"$work/names.log"
report names

# Ranks of MPI and their GPUs: a long and a hostile host, one rank that takes most of the time.
{
	rank=0
	for host in '<script>alert(3)</script>\u202e' \
		a-node-whose-name-has-no-blanks-and-is-longer-than-a-phone-is-wide; do
		line $rank dgemm 2000 gpu predicted_faster 90000000 9000000 \
			$((9000000 + rank * 90000000)) pw.x | sed 's/"pid":71/"pid":8'$rank'/' >"$work/record"
		printf '%s,"program":"pw.x","host":"%s","machine":"","measured":"",' \
			"$(cut -d, -f 1-3 "$work/record")" "$host"
		printf '"rank":"%d","size":"3","launcher":"Slurm","job":"1","pci":"0000:0%d:00.0",%s\n' \
			$rank $rank "$(cut -d, -f 4- "$work/record")"
		rank=$((rank + 1))
	done
} >"$work/ranks.log"
report ranks
grep -q '<h2>Ranks' "$work/ranks.html" && grep -q '<h2>GPUs' "$work/ranks.html" ||
	fail "no ranks, or no GPUs, on their page"
grep -q 'the others wait for it' "$work/ranks.html" || fail "the page does not tell of imbalance"

# Every routine, and callers whose names a phone has no room for.
{
	at=0
	long=a_program_with_a_name_as_long_as_the_log_lets_a_name_be.exe.x8664
	"$build/gpushim" show routines | awk 'NR > 1 { print $2 }' | LC_ALL=C sort -u >"$work/all"
	while read -r routine; do
		at=$((at + 1))
		line $at "$routine" $((100 + at)) cpu unsupported_precision $((at * 1000)) \
			$((90000 + at)) $((at * 999 + 5)) "$long"
		line $((at + 400)) "$routine" $((1000 + at)) gpu predicted_faster $((at * 9000)) \
			$((90000 + at)) 8 "library $at"
	done <"$work/all"
} >"$work/many.log"
report many

"$html_test" "$work" "$work/odd.html" || fail "the page of odd plots"
status=0
EPOCHLY_GPU_CUDA_PATH=$build/simcuda/13 "$build/bench/crossover" \
	--quick --html "$work/crossover.html" \
	>"$work/crossover.out" 2>&1 || status=$?
[ "$status" -eq 0 ] || fail "crossover ended with status $status: $(cat "$work/crossover.out")"
grep -q '^SIMULATED' "$work/crossover.out" || fail "crossover does not say that it is simulated"
grep -q 'SIMULATED' "$work/crossover.html" ||
	fail "crossover's page does not say that it is simulated"
status=0
"$build/bench/crossover" --html "$work/nowhere/page.html" >"$work/crossover.out" \
	2>"$work/crossover.err" || status=$?
[ "$status" -eq 1 ] && [ ! -s "$work/crossover.out" ] ||
	fail "crossover measures what it cannot store"
grep -q 'cannot write .*No such file' "$work/crossover.err" ||
	fail "crossover does not say that it cannot store its page"
if [ -w /dev/full ]; then
	status=0
	EPOCHLY_GPU_CUDA_PATH=$build/simcuda/13 "$build/bench/crossover" --quick >/dev/full \
		2>"$work/crossover.full" || status=$?
	[ "$status" -eq 1 ] || fail "crossover ended with status $status on a full disk"
	grep -q 'cannot write to stdout' "$work/crossover.full" ||
		fail "crossover does not say that its output is lost"
fi
