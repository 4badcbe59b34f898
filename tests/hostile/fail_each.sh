#!/bin/sh
# fail_each.sh - each CUDA, cuBLAS and cuFFT function fails at its 1st, its last and every use
# SPDX-License-Identifier: Apache-2.0
# usage: fail_each.sh BUILD PROGRAM [whole]    whole: also at its 2nd, 3rd, 7th and all but the 1st
set -eu

build=$(cd "$1" && pwd)
program=$2
earlier='' some=''
[ "${3:-}" != whole ] || earlier='2 3 7' some='2+'
[ -d "$build/simcuda" ] || { echo "skipped: there is no simulated CUDA"; exit 77; }
messages=$(dirname "$0")/../driver/whole_messages.sed
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
runs=0

# run NAME VARIABLE=VALUE...
run() {
    name=$1
    shift
    rm -f "$folder/log"
    result=0
    timeout 30 env -i PATH="$PATH" HOME="$folder" XDG_RUNTIME_DIR="$folder" OPENBLAS_NUM_THREADS=1 \
    	CUDA_VISIBLE_DEVICES=-1 \
        EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait EPOCHLY_GPU_LOG="$folder/log" \
        EPOCHLY_GPU_CUDA_PATH="$build/simcuda" "$@" "$program" >"$folder/$name.out" \
        	2>"$folder/$name.err" || result=$?
    echo "status $result" >>"$folder/$name.out"
}

# expect RULE: the result is unchanged, at most one message is printed, every call is logged.
expect() {
    runs=$((runs + 1))
    run shim LD_PRELOAD="$build/libgpushim.so" SIMCUDA_FAIL="$1"
    trouble=
    cmp -s "$folder/base.out" "$folder/shim.out" || trouble="another result"
    [ "$(sed -f "$messages" "$folder/shim.err" | wc -l)" -le 1 ] || trouble="$trouble; more than one message"
    [ "$(wc -l <"$folder/log")" -eq "$lines" ] ||
    	trouble="$trouble; $(wc -l <"$folder/log") records instead of $lines"
    [ -n "$trouble" ] || return 0
    echo "FAIL $1: ${trouble#; }"
    diff "$folder/base.out" "$folder/shim.out" | head -n 5
    head -n 5 "$folder/shim.err"
    failed=$((failed + 1))
}

run base
run shim LD_PRELOAD="$build/libgpushim.so" SIMCUDA_COUNTS="$folder/counts"
cmp "$folder/base.out" "$folder/shim.out" || { echo "FAIL without any failure"; exit 1; }
lines=$(wc -l <"$folder/log")
grep -q '"target":"gpu"' "$folder/log" || { echo "FAIL nothing ran on the GPU"; exit 1; }

while read -r function uses; do
    for nth in 1 $earlier; do
        [ "$nth" -ge "$uses" ] || expect "$function:$nth"
    done
    for nth in "$uses" '*' $some; do
        expect "$function:$nth"
    done
done <"$folder/counts"

# Errors that make a context unusable, and errors reported by a later call.
for rule in kernel:1:700 kernel:2:719 copy:2:700 cudaMalloc:1:46 cudaStreamSynchronize:2:719 \
	cudaEventSynchronize:2:719; do
    expect "$rule"
done
echo "$runs runs over $(wc -l <"$folder/counts") functions, $failed failures"
[ "$failed" -eq 0 ]
