# doctor_auto.sh - with devices = auto CUDA is started on one GPU, and the others are named
# SPDX-License-Identifier: Apache-2.0
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
export EPOCHLY_GPU_CUDA_PATH="$SIMCUDA" SIMCUDA_DEVICES=3
cards() { "$GPUSHIM" doctor | grep -E '^.. card|GPU [0-9] of 3|memory of|not started'; }
export OMPI_COMM_WORLD_LOCAL_SIZE=3 OMPI_COMM_WORLD_LOCAL_RANK=2
echo "== the third process of a launcher"
cards
echo "== named devices"
EPOCHLY_GPU_DEVICES=0,1 cards
echo "== the process that starts it now, whatever others do"
unset OMPI_COMM_WORLD_LOCAL_SIZE
EPOCHLY_GPU_DETERMINISTIC=true cards
