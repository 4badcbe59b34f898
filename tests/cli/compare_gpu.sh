# compare_gpu.sh - on the simulated GPU: the decisions, and no prediction
# SPDX-License-Identifier: Apache-2.0
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
EPOCHLY_GPU_CUDA_PATH=$SIMCUDA "$GPUSHIM" compare --runs 1 --policy threshold --warmup wait -- "$PROBE" calls >report
echo "status $?"
grep -A 1 -E '^  (cpu|gpu)|prediction|DIFFERS' report | sed 's/with the shim the.*/RESULT/'
