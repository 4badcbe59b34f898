# report_real.sh - a log written by the shim: two processes, both sides, calling objects
# SPDX-License-Identifier: Apache-2.0
[ -d "$SIMCUDA" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
export EPOCHLY_GPU_CUDA_PATH="$SIMCUDA" EPOCHLY_GPU_WARMUP=wait
"$GPUSHIM" run --policy always --log first.log "$PROBE" calls >/dev/null 2>&1
"$GPUSHIM" run --policy threshold --log-level call --log second.log "$PROBE" calls >/dev/null 2>&1
"$GPUSHIM" report first.log second.log >report 2>sentences
echo "status $?, $(wc -l <sentences) sentences"
# The share of the time depends on the machine.
grep -E '^logs|^on the GPU' report | sed 's/, >*[0-9.]* % of their/, SHARE of their/'
sed -nE '/^(routines|called from|sizes|what)/,/^$/s/^(  ?[^ ]+( [^ ]+)?) +([0-9]+) .*/\1 \3/p' \
	report | LC_ALL=C sort
sed '1,/^the first thing/d' report
