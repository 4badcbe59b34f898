# run_start_failed.sh - calls that met a start of CUDA which then failed: the failure is the reason
# SPDX-License-Identifier: Apache-2.0
# The start fails after the call, while the program lives; or, with no delay, during the call.
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
export EPOCHLY_GPU_CUDA_PATH="$SIMCUDA" SIMCUDA_FAIL=cudaFree:*
echo "during the call:"
FAKE_OUTLIVES=1 "$GPUSHIM" run --log log -- "$PROBE" outlive 2>&1 | sed -f "$WHOLE" | grep -E '^[a-z_]+: '
grep -o '"reason":"[a-z_]*"' log
export SIMCUDA_SLOW=cudaFree:500
echo "after the call:"
"$GPUSHIM" run -- "$PROBE" outlive 2>&1 | sed -f "$WHOLE" | grep -E '^[a-z_]+: '
"$GPUSHIM" compare --runs 1 -- "$PROBE" outlive 2>/dev/null | grep -E 'every call|^  cpu'
