# golden_doctor.sh - the doctor in 80 columns, without and with a GPU, without and with a program
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
. "$here/golden.inc"
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
ln -s "$WANTS" wants
ln -s "$STATIC" static
golden doctor "$GPUSHIM" doctor
golden doctor "$GPUSHIM" doctor -- ./wants
export EPOCHLY_GPU_CUDA_PATH="$SIMCUDA"
golden doctor "$GPUSHIM" doctor
golden doctor "$GPUSHIM" doctor -- ./wants
golden doctor "$GPUSHIM" doctor -- ./static
golden doctor "$GPUSHIM" doctor -- ./nowhere
export EPOCHLY_GPU_ONLY=other,programs EPOCHLY_GPU_WORKLOAD_THRESHOLD=many EPOCHLY_GPU_POLICI=auto
golden doctor "$GPUSHIM" doctor -- ./wants
