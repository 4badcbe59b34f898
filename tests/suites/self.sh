#!/bin/sh
# self.sh - the suites and the check of the log can fail: each must find a given fault
# SPDX-License-Identifier: Apache-2.0
# usage: self.sh BUILD LIBRARIES
set -eu
build=$(cd "$1" && pwd) libraries=$2
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/driver/verdict.sh
. "$here/../driver/verdict.sh"

record() {
	printf \
		'{"time":"2026-01-01T00:00:00.000000Z","symbol":"%s","target":"%s","reason":"%s","device":0}\n' "$@"
}

# checker accepts|refuses WHAT SED_PROGRAM [RECORD]: runs the check on a good log changed by
# SED_PROGRAM; dgemm_ is expected three times, twice on the GPU.
checker() {
	{
		record dgemm_ gpu policy_always
		record dgemm_ cpu illegal_argument
		record dgemm_ cpu quick_return
		record dgemm_ gpu policy_always
		printf '%s' "${4:+$4
}"
	} | sed "$3" >"$work/log"
	printf '%s\n' 'dgemm_ gpu 2' 'dgemm_ legal 3' 'dgemm_ illegal_argument 1+' >"$work/expect"
	answer=accepts
	awk -v reason=policy_always -f "$here/../driver/decision_log.awk" -f "$here/check_log.awk" \
		"$work/expect" "$work/log" >"$work/out" || answer=refuses
	[ "$answer" = "$1" ] && good=yes || good=no
	verdict "$good" "check_log.awk $answer $2"
}

check_the_checker() {
	checker accepts "a good log" ''
	checker refuses "a log that lacks a call" 1d
	checker refuses "another reason for the GPU" 1s/policy_always/above_threshold/
	checker refuses "a call before the GPU was ready" \
		'1s/gpu","reason":"policy_always/cpu","reason":"warming_up/'
	checker refuses "a call that came back" \
		'1s/gpu","reason":"policy_always/cpu","reason":"device_failed/'
	checker refuses "a call on the CPU by the policy" '1s/"gpu"/"cpu"/'
	checker refuses "a call too many, on the CPU" '' "$(record dgemm_ cpu warming_up)"
	checker refuses "a foreign symbol" '' "$(record sgemm_ gpu policy_always)"
	checker refuses "half a record" '' '{"time":"2026'
	checker refuses "a log without the illegal call" 2d
	checker refuses "an empty log" '/dgemm/d'
}

# netlib SUBJECT WAY SETTING PATTERN: the reference testers over OpenBLAS must fail, and say
# PATTERN.
netlib() {
	status=0
	SUITES_TYPES=d SUITES_SETTINGS=$3 "$here/netlib.sh" "$1" "$libraries" openblas "$2" \
		>"$work/out" 2>&1 || status=$?
	if [ "$status" -eq 77 ]; then
		cat "$work/out"
		exit 77
	fi
	if [ "$status" -eq 1 ] &&
		grep -q "FAIL \(xblat3d: \)\{0,1\}$4" "$work/out"; then good=yes; else good=no; fi
	verdict "$good" "netlib.sh, $2, does not find $3: status $status"
}

check_the_suite() {
	netlib "$build" always EPOCHLY_GPU_POLICY=never 'the log'
	netlib "$build" always EPOCHLY_GPU_ENABLED=false 'the log'
	netlib "$build" always SIMCUDA_FAIL=cublasDgemm_v2:5 'the log'
	netlib "$build" always SIMCUDA_DEVICES=0 'the log'
	netlib "$build" track EPOCHLY_GPU_RESIDENCY=off 'no record has kept'
	netlib "$build" shared EPOCHLY_GPU_SHARE_CPU=0 'no record has cpu_part'
	mkdir -p "$work/mutant/tests"
	ln -s "$build/simcuda" "$work/mutant/"
	ln -s "$build/tests/suites" "$work/mutant/tests/"
	ln -s "$build/tests/suites/libmutant.so" "$work/mutant/libgpushim.so"
	for fault in conjugate gap silent unscaled; do
		netlib "$work/mutant" always "MUTANT=$fault" 'stdout'
	done
	netlib "$work/mutant" huge MUTANT=stale 'stdout'
	# The tests find the faults; the mere presence of the mutant is no failure.
	SUITES_TYPES=d "$here/netlib.sh" "$work/mutant" "$libraries" openblas always >"$work/out" \
		2>&1 || :
	if grep -q 'FAIL xblat3d: std' "$work/out"; then good=no; else good=yes; fi
	verdict "$good" "netlib.sh finds fault with a mutant that has none"
}

# fftw_checker accepts|refuses WHAT SED_PROGRAM: runs the check on a good log of three problems
# changed by SED_PROGRAM.
fftw_checker() {
	printf '%s\n' ocf8x9 k4f '//irb6' |
		awk -v rounds=0 -f "$here/eligible_fftw.awk" >"$work/expect"
	for line in 'gpu policy_always' 'gpu policy_always' 'cpu real_to_real' 'cpu split_arrays' \
		'cpu split_arrays'; do
		record fftw_execute "${line% *}" "${line#* }"
	done | sed -e 's/"target"/"sizes":{"n0":8,"n1":9,"howmany":1},&/' -e "$3" >"$work/log"
	answer=accepts
	awk -v symbol=fftw_execute -v target=gpu -v reason=policy_always \
		-f "$here/../driver/decision_log.awk" \
		-f "$here/fftw_log.awk" "$work/expect" "$work/log" >"$work/out" || answer=refuses
	[ "$answer" = "$1" ] && good=yes || good=no
	verdict "$good" "fftw_log.awk $answer $2"
}

# shellcheck disable=SC2016 # sed's dollar is the last line
check_the_fftw_checker() {
	fftw_checker accepts "a good log" ''
	fftw_checker refuses "a log that lacks an execution" 2d
	fftw_checker refuses "a log that lacks a problem" 3d
	fftw_checker refuses "a log that lacks the end" '$d'
	fftw_checker refuses "an empty log" '/fftw/d'
	fftw_checker refuses "an execution too many" '$p'
	fftw_checker refuses "an eligible execution on the CPU" \
		'2s/gpu","reason":"policy_always/cpu","reason":"unknown_plan/'
	fftw_checker refuses "an execution that came back" \
		'2s/gpu","reason":"policy_always/cpu","reason":"device_failed/'
	fftw_checker refuses "another reason for the GPU" 1s/policy_always/above_threshold/
	fftw_checker refuses "another reason for the CPU" 3s/real_to_real/unsupported_layout/
	fftw_checker refuses "a real-to-real transform on the GPU" '3s/"cpu"/"gpu"/'
	fftw_checker refuses "other sizes" '1s/"n1":9/"n1":10/'
	fftw_checker refuses "no sizes" '1s/"n0":8,"n1":9,"howmany":1//'
	fftw_checker refuses "a foreign symbol" 1s/fftw_execute/fftwf_execute/
	fftw_checker refuses "half a record" '1s/}$//'
}

# fftw SUBJECT WAY SETTING PATTERN: FFTW's bench must fail, and say PATTERN.
fftw() {
	status=0
	SUITES_PROBLEMS=100 SUITES_SEED=1 SUITES_SETTINGS=$3 "$here/fftw.sh" "$1" "$libraries" \
		double "$2" \
		>"$work/out" 2>&1 || status=$?
	if [ "$status" -eq 77 ]; then
		cat "$work/out"
		exit 77
	fi
	if [ "$status" -eq 1 ] && grep -q "$4" "$work/out"; then good=yes; else good=no; fi
	verdict "$good" "fftw.sh, $2, does not find $3: status $status"
}

check_the_fftw_suite() {
	fftw "$build" always EPOCHLY_GPU_POLICY=never 'executions are missing'
	fftw "$build" always EPOCHLY_GPU_ENABLED=false 'executions are missing'
	fftw "$build" always SIMCUDA_FAIL=cufftExecZ2Z:5 'cpu gpu_library_failed'
	fftw "$build" always SIMCUDA_DEVICES=0 'cpu no_device'
	fftw "$build" none "EPOCHLY_GPU_CUDA_PATH=$build/simcuda/13" \
		'gpu policy_always, expected cpu no_cuda'
	mkdir -p "$work/fftw_mutant/tests"
	ln -s "$build/simcuda" "$work/fftw_mutant/"
	ln -s "$build/tests/suites" "$work/fftw_mutant/tests/"
	ln -s "$build/tests/suites/libfftw_mutant.so" "$work/fftw_mutant/libgpushim.so"
	fftw "$work/fftw_mutant" always MUTANT=sign 'time shift'
	fftw "$work/fftw_mutant" always MUTANT=idle 'is not a number'
	fftw "$work/fftw_mutant" always MUTANT=gap 'between the elements, and was written'
	fftw "$work/fftw_mutant" always MUTANT=input 'preserves_input'
	fftw "$work/fftw_mutant" huge MUTANT=stale 'Found relative error'
	# The tests find the faults; the mere presence of the mutant is no failure.
	SUITES_PROBLEMS=100 SUITES_SEED=1 "$here/fftw.sh" "$work/fftw_mutant" "$libraries" double \
		always >"$work/out" 2>&1 || :
	if grep -q 'FAIL the log' "$work/out" && ! grep 'FAIL' "$work/out" |
		grep -qv -e 'FAIL the log' -e '^log: '; then
		good=yes
	else
		good=no
	fi
	verdict "$good" "fftw.sh finds another fault than its log with a mutant that has none"
}

check_the_checker
check_the_suite
check_the_fftw_checker
check_the_fftw_suite
verdict_tell
