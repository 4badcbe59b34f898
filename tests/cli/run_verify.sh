# run_verify.sh - verified calls: summary, log and report say whether they agreed
# SPDX-License-Identifier: Apache-2.0
# The CPU's product is wrong here, since the BLAS of the tests does not multiply.
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
export EPOCHLY_GPU_CUDA_PATH="$SIMCUDA"
"$GPUSHIM" run --policy threshold --warmup wait --verify 1 --log log -- "$PROBE" calls 2>&1 |
	grep -E '^verified|^  largest|verify_failed|given_up'
grep -oE '"reason":"[a-z_]*"|"verify_ratio":[0-9.e]*' log | sed 's/ratio":[0-9].*/ratio":N/'
"$GPUSHIM" report log | grep -A 1 '^verified'
