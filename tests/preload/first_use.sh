#!/bin/sh
# first_use.sh - the first use of a kernel, which loads its code, does not turn calls away
# SPDX-License-Identifier: Apache-2.0
# usage: first_use.sh BUILD PROGRAM
set -eu

build=$(cd "$1" && pwd)
program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# A measured profile of this host: a zgemm is expected to take 50 ms on the GPU and 115 ms on the
# CPU. The link and the GPU's rates are those of the quick look. Once its code is loaded, it takes
# a few ms on the simulated CUDA.
cat >"$folder/profile" <<END
host = $(uname -n)
measured = 2026-01-01
cpu_threads = 1
cpu_gemm_flops_d = 1e7
cpu_gemm_flops_z = 6.95e7
call_fixed_ns = 5e7
END

env -i PATH="$PATH" HOME="$folder" XDG_CONFIG_HOME="$folder" XDG_RUNTIME_DIR="$folder" \
	OPENBLAS_NUM_THREADS=1 SIMCUDA_FIRST_MS=1500 EPOCHLY_GPU_CUDA_PATH="$build/simcuda" \
	EPOCHLY_GPU_POLICY=auto EPOCHLY_GPU_WORKLOAD_THRESHOLD=1 EPOCHLY_GPU_WARMUP=wait \
	EPOCHLY_GPU_PROFILE="$folder/profile" EPOCHLY_GPU_LOG="$folder/log" \
	LD_PRELOAD="$build/libgpushim.so" "$program" >/dev/null
calls=$(grep -c '"symbol":"cblas_zgemm"' "$folder/log")
held=$(grep '"symbol":"cblas_zgemm"' "$folder/log" | head -n 1 |
	sed 's/.*"elapsed_ns":\([0-9]*\).*/\1/')
gpu=$(grep '"symbol":"cblas_zgemm"' "$folder/log" | grep -c '"target":"gpu"' || true)
if [ "$calls" -ne 5 ] || [ "$gpu" -ne "$calls" ] || [ "$held" -lt 1500000000 ]; then
	echo "first_use: FAIL: $gpu of $calls products on the GPU, the first took $held ns"
	cat "$folder/log"
	exit 1
fi
echo "first_use: all $calls products on the GPU, the first of which was held up"
