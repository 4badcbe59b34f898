#!/bin/sh
# lapack_faults.sh - functions of CUDA, cuBLAS and cuSOLVER fail during random LAPACK calls
# SPDX-License-Identifier: Apache-2.0
#
# usage: lapack_faults.sh BUILD LIBRARIES PROGRAM few|each
#
# PROGRAM is differ_lapack: it finds wrong results, another info than the library's, and operands
# that a call which came back has left written. few: each function of cuSOLVER that a run uses fails
# at its 1st and 2nd use, and always. each: so does every function, CUDA's and cuBLAS's too, and at
# its middle and last use, and from the 3rd on; kernels and copies that end the context; and a
# kernel and a copy that never end.
set -eu
build=$(cd "$1" && pwd) libraries=$2 program=$3 size=$4
path=$libraries/openblas-pthread
[ -e "$path/liblapack.so.3" ] || {
	echo "skipped: there is no $path/liblapack.so.3"
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -m 700 "$work/home"
failed=0 runs=0 came_back=0

# run SETTING...
run() {
	rm -f "$work/log"
	status=0
	timeout 120 env -i PATH="$PATH" LC_ALL=C HOME="$work/home" XDG_RUNTIME_DIR="$work/home" \
		TMPDIR="$work" OPENBLAS_NUM_THREADS=1 CUDA_VISIBLE_DEVICES=-1 LD_LIBRARY_PATH="$path" \
		LD_PRELOAD="$build/libgpushim.so" EPOCHLY_GPU_CUDA_PATH="$build/simcuda/13" \
		EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait EPOCHLY_GPU_LOG="$work/log" "$@" \
		"$program" --seed 5 --count "$cases" liblapack.so.3 \
		>"$work/out" 2>"$work/err" || status=$?
	touch "$work/log"
	runs=$((runs + 1))
}

# back: how many calls of the last run came back from the GPU for a fault.
back() {
	grep -cE '"reason":"(device_(failed|silent)|gpu_library_failed|transfer_failed|gpu_given_up)"' \
		"$work/log" || :
}

# expect RULE [SETTING...]: every call has the right result; at most one line of stderr.
expect() {
	rule=$1
	shift
	run SIMCUDA_FAIL="$rule" "$@"
	came_back=$((came_back + $(back)))
	if [ "$status" -ne 0 ] || [ "$(grep -c '^gpushim: ' "$work/err")" -gt 1 ]; then
		echo "FAIL $(echo "$rule" | cut -c 1-100): status $status"
		grep -A 2 '^FAIL' "$work/out" | head -n 6
		head -n 3 "$work/err"
		failed=$((failed + 1))
	fi
}

cases=120
[ "$size" = few ] || cases=60
run SIMCUDA_COUNTS="$work/counts"
[ "$status" -eq 0 ] || { echo "FAIL without any fault" && head -n 5 "$work/out" && exit 1; }
grep '^cusolver' "$work/counts" >"$work/solver" || { echo "FAIL cuSOLVER was not used" && exit 1; }

if [ "$size" = few ]; then
	while read -r function uses; do
		expect "$function:1"
		[ "$uses" -lt 2 ] || expect "$function:2"
		expect "$function:*"
	done <"$work/solver"
else
	while read -r function uses; do
		for nth in 1 2 $((uses / 2)) "$uses"; do
			[ "$nth" -lt 1 ] || [ "$nth" -gt "$uses" ] || expect "$function:$nth"
		done
		expect "$function:3+"
		expect "$function:*"
	done <"$work/counts"
	for rule in kernel:1:700 kernel:9:719 copy:2:700 copy:31:719 cudaStreamSynchronize:5:719; do
		expect "$rule"
	done
	expect kernel:5:hang EPOCHLY_GPU_PATIENCE=1
	expect copy:5:hang EPOCHLY_GPU_PATIENCE=1
fi
[ "$came_back" -gt 0 ] || { echo "FAIL no call came back from the GPU" && failed=1; }
echo "$runs runs, $came_back calls came back, $failed failures"
[ "$failed" -eq 0 ]
