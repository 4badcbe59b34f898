# doctor_gpu.sh - with the simulated CUDA the GPU can be used; without any it cannot
# SPDX-License-Identifier: Apache-2.0
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA "$GPUSHIM" doctor >report
echo "status $?"
grep -E '^  (taken|cudart|cublas|cufft|GPU)' report
sed -n '/^what/,$p' report
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA SIMCUDA_DEVICES=0 "$GPUSHIM" doctor >report
echo "status $?"
grep -cE '^  refused: CUDA 13' report | sed 's/^[1-9][0-9]*$/some/'
