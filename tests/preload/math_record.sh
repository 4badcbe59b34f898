#!/bin/sh
# math_record.sh - the log has the arithmetic of each call, and which policy decided it
# SPDX-License-Identifier: Apache-2.0
# usage: math_record.sh BUILD PROGRAM
set -eu

build=$(cd "$1" && pwd)
program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# run ENVIRONMENT...: writes log, with "routine target reason math" of each call, without repeats.
run() {
	words="$*"
	rm -f "$folder/log"
	env -i PATH="$PATH" HOME="$folder" XDG_CONFIG_HOME="$folder" XDG_RUNTIME_DIR="$folder" \
		OPENBLAS_NUM_THREADS=1 \
		CUDA_VISIBLE_DEVICES=-1 EPOCHLY_GPU_CUDA_PATH="$build/simcuda" \
			EPOCHLY_GPU_POLICY=always \
		EPOCHLY_GPU_WARMUP=wait EPOCHLY_GPU_LOG="$folder/log" "$@" \
			LD_PRELOAD="$build/libgpushim.so" "$program" \
		>"$folder/output" 2>"$folder/errors" ||
			{ echo "math_record: FAIL the program ended with $?"; exit 1; }
	sed \
		-E \
		's/.*"routine":"([^"]*)".*"target":"([^"]*)","reason":"([^"]*)".*"math":"([^"]*)".*/\1 \2 \3 \4/' \
		"$folder/log" | LC_ALL=C sort -u >"$folder/seen"
}

# expect LINE...: the log must consist of exactly these lines.
expect() {
	printf '%s\n' "$@" | LC_ALL=C sort >"$folder/wanted"
	cmp -s "$folder/wanted" "$folder/seen" && return
	echo "math_record: FAIL with $words:"
	diff "$folder/wanted" "$folder/seen" || failed=1
}

run EPOCHLY_GPU_MATH=native NVIDIA_TF32_OVERRIDE=1
expect "dgemm gpu policy_always native" "sgemm gpu policy_always native" \
	"zherk gpu policy_always native" \
	"dtrsm gpu policy_always native" "fftw_c2c gpu policy_always native"
run EPOCHLY_GPU_MATH=tf32
expect "dgemm gpu policy_always native" "sgemm gpu policy_always tf32" \
	"zherk gpu policy_always native" \
	"dtrsm gpu policy_always native" "fftw_c2c gpu policy_always native"
run EPOCHLY_GPU_MATH=emulated
expect "dgemm gpu policy_always emulated" "sgemm gpu policy_always emulated" \
	"zherk gpu policy_always emulated" \
	"dtrsm gpu policy_always emulated" "fftw_c2c gpu policy_always native"
run NVIDIA_TF32_OVERRIDE=1 SIMCUDA_STUBBORN=1
expect "dgemm gpu policy_always native" \
	"sgemm cpu math_not_native -" "zherk gpu policy_always native" \
	"dtrsm gpu policy_always native" "fftw_c2c gpu policy_always native"
[ "$(grep -c 'does not pin native arithmetic for single precision' "$folder/errors")" -eq 1 ] ||
	{ echo "math_record: FAIL that is not said once"; failed=1; }
# The gate of a routine that never goes to the GPU stays closed: no line.
run EPOCHLY_GPU_POLICY_SGEMM=never EPOCHLY_GPU_POLICY_C2C=threshold EPOCHLY_GPU_POLICY_HERK=never \
	EPOCHLY_GPU_POLICY_ZHERK=always EPOCHLY_GPU_WORKLOAD_THRESHOLD=1e5
expect "dgemm gpu policy_always native" "zherk gpu policy_always native" \
	"dtrsm gpu policy_always native" \
	"fftw_c2c gpu above_threshold native"
[ $failed -eq 0 ] && echo "math_record: five runs"
exit $failed
