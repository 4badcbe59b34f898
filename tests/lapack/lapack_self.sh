#!/bin/sh
# lapack_self.sh - the tests of this room can fail: each must find a given fault
# SPDX-License-Identifier: Apache-2.0
# usage: lapack_self.sh BUILD LIBRARIES DIFFER
set -eu
build=$(cd "$1" && pwd) libraries=$2 differ=$3
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/driver/verdict.sh
. "$here/../driver/verdict.sh"

mkdir -p "$work/mutant/tests"
ln -s "$build/simcuda" "$work/mutant/"
ln -s "$build/tests/suites" "$build/tests/lapack" "$work/mutant/tests/"
ln -s "$build/tests/lapack/liblapack_mutant.so" "$work/mutant/libgpushim.so"

# differ FAULT ROUTINE PATTERN: differ_lapack over OpenBLAS must fail, and say PATTERN.
differ() {
	status=0
	DIFFER_SETTINGS=MUTANT=$1 "$here/differ.sh" "$work/mutant" "$libraries" "$differ" openblas \
		always --count 150 --routine "$2" >"$work/out" 2>&1 || status=$?
	[ "$status" -ne 77 ] || { cat "$work/out" && exit 77; }
	good=no
	if [ "$status" -eq 1 ] && grep -q "FAIL $2_: .*$3" "$work/out"; then good=yes; fi
	verdict "$good" "differ.sh does not find the fault $1: status $status"
}

differ pivots dgetrf 'a pivot is no row'
differ gap dgetrf 'A is written where nothing'
differ info dgetrf 'another info'
differ triangle dpotrf 'A is written where nothing'
differ work dgeqrf 'another size of the workspace'
differ rest dgels 'a ratio of'
differ vectors dsyevd 'a ratio of'
differ transposed dgesdd 'a ratio of'

# The tests find the faults; the mere presence of the mutant is no failure.
"$here/differ.sh" "$work/mutant" "$libraries" "$differ" openblas always --count 150 --routine d \
	>"$work/out" 2>&1 || :
if grep -q '^FAIL d' "$work/out"; then good=no; else good=yes; fi
verdict "$good" "differ.sh finds fault with a mutant that has none"

# testers FAULT INPUT: netlib's testers must end otherwise than without the mutant.
testers() {
	status=0
	SUITES_SETTINGS=MUTANT=$1 TESTERS_TYPES=d TESTERS_INPUTS=$2 "$here/testers.sh" "$work/mutant" \
		"$libraries" openblas always >"$work/out" 2>&1 || status=$?
	[ "$status" -ne 77 ] || { cat "$work/out" && exit 77; }
	good=no
	if [ "$status" -eq 1 ] && grep -q 'FAIL x.*: std' "$work/out"; then good=yes; fi
	verdict "$good" "testers.sh does not find the fault $1: status $status"
}

testers pivots test
testers silent test
testers vectors sep

# balance accepts|refuses WHAT SED_PROGRAM: on a good log of four calls, changed by SED_PROGRAM.
balance() {
	for line in gpu.policy_always cpu.illegal_argument cpu.quick_return gpu.policy_always; do
		printf '{"time":"2026-01-01T00:00:00.000000Z","object":"xlintstd","symbol":"dgetrf_",'
		printf '"target":"%s","reason":"%s","recipe":"getrf","device":0}\n' "${line%.*}" \
			"${line#*.}"
	done | sed "$3" >"$work/log"
	echo 'getrf' >"$work/taken"
	echo 'dgetrf_ 4 9' >"$work/tally"
	answer=accepts
	awk -v program=xlintstd -v way=always -f "$here/../driver/decision_log.awk" \
		-f "$here/balance.awk" "$work/taken" "$work/tally" "$work/log" >"$work/out" ||
		answer=refuses
	[ "$answer" = "$1" ] && good=yes || good=no
	verdict "$good" "balance.awk $answer $2"
}

balance accepts "a good log" ''
balance refuses "a log that lacks a call" 1d
balance refuses "a call too many" 1p
balance refuses "a call on the CPU by the policy" '1s/gpu","reason":"policy_always/cpu","reason":"policy_never/'
balance refuses "a call that came back" '1s/gpu","reason":"policy_always/cpu","reason":"device_failed/'
balance refuses "a log without any call on the GPU" '/gpu/d'
balance refuses "calls that another object made" 's/xlintstd/liblapack.so.3/'
balance refuses "a call on the GPU without its steps" '1s/"getrf"/""/'
balance refuses "half a record" '1s/}$//'
verdict_tell
