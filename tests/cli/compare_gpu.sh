# compare_gpu.sh - on the simulated GPU: the decisions, and no prediction
# SPDX-License-Identifier: Apache-2.0
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA "$GPUSHIM" compare --runs 1 --policy threshold --warmup wait -- "$PROBE" calls >report
echo "status $?"
grep -E '^  (cpu|gpu)|^result|stayed|prediction|DIFFERS' report
