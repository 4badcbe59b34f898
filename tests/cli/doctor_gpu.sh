# doctor_gpu.sh - GPUs of the simulated CUDA, those left out by option devices, and no CUDA
# SPDX-License-Identifier: Apache-2.0
export COLUMNS=1000
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA "$GPUSHIM" doctor >report
echo "status $?"
grep -E '^  (taken|cudart|cublas|cufft|cusolver|GPU)' report | sed 's/, NUMA node .*//'
sed -n '1,/^shim/p' report | sed -e '/^ok options/d' -e '/^ok residency/d'
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA SIMCUDA_DEVICES=0 "$GPUSHIM" doctor >report
echo "status $?"
grep -cE '^  refused: CUDA 13' report | sed 's/^[1-9][0-9]*$/some/'
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA SIMCUDA_DEVICES=3 EPOCHLY_GPU_DEVICES=2,7,0 "$GPUSHIM" doctor >report
echo "status $?"
grep -E '^  (left out|GPU)' report | sed 's/, NUMA node .*//'
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA/nowhere "$GPUSHIM" doctor | grep 'no such folder'
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA EPOCHLY_GPU_DEVICES=first "$GPUSHIM" doctor |
	grep -o 'the option devices .*' | sort -u
grep '^  memory of GPU' report | sed 's/[0-9.]* GB/N GB/g'
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA SIMCUDA_FAIL=cudaMemGetInfo:1 "$GPUSHIM" doctor |
	grep 'does not start'
# GPUs that other processes have to themselves.
for exclusive in 0 0,1; do
	EPOCHLY_GPU_CUDA_PATH=$SIMCUDA SIMCUDA_DEVICES=2 SIMCUDA_EXCLUSIVE=$exclusive \
		"$GPUSHIM" doctor | grep -E 'passes it over|does not start'
done
# Without a cuSOLVER, and with one that lacks Xgeev.
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA/bare-solver "$GPUSHIM" doctor >report
echo "status $?"
grep -E '^(!  libraries|  cusolver)' report | sed 's/libraries .*; /libraries ...; /'
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA/12 "$GPUSHIM" doctor | grep -E 'cusolver|Xgeev'
