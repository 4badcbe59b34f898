# doctor_former.sh - an option's variable overrides that of its former name, in any order
# SPDX-License-Identifier: Apache-2.0
EPOCHLY_GPU_GPU_PATIENCE=6 "$GPUSHIM" doctor | grep patience
env EPOCHLY_GPU_PATIENCE=5 EPOCHLY_GPU_GPU_PATIENCE=6 "$GPUSHIM" doctor | grep patience
env EPOCHLY_GPU_GPU_PATIENCE=6 EPOCHLY_GPU_PATIENCE=5 "$GPUSHIM" doctor | grep patience
