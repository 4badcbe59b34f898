# run_options.sh - options become variables, an existing preload stays, counters can be kept
# SPDX-License-Identifier: Apache-2.0
LD_PRELOAD=/nowhere/libother.so "$GPUSHIM" run --workload-threshold=1e6 -- "$PROBE" environment \
	2>/dev/null
LD_PRELOAD=/nowhere/libgpushim.so "$GPUSHIM" run --workload_threshold 5 "$PROBE" environment \
	2>/dev/null
mkdir kept
"$GPUSHIM" run --counters "$WORK/kept" -- "$PROBE" calls 2>&1 | grep calls,
"$GPUSHIM" run --counters "$WORK/kept" -- "$PROBE" calls 2>&1 | grep calls,
find kept -type f | sed 's/[0-9][0-9]*/N/g'
"$GPUSHIM" run --log log --log-level=decision -- "$PROBE" calls 2>/dev/null
grep -c '"symbol":"dgemm_"' log
"$GPUSHIM" run --policy never -- "$PROBE" calls 2>&1 | grep policy_never
# A threshold of one routine overrules the general one, in both directions.
"$GPUSHIM" run --workload-threshold 1e12 --workload-threshold-dgemm 1e6 --log one -- "$PROBE" \
	calls >/dev/null 2>&1
"$GPUSHIM" run --workload-threshold 0 --workload-threshold-gemm 1e12 --log none -- "$PROBE" calls \
	>/dev/null 2>&1
"$GPUSHIM" run --workload-threshold 1e6 --k-threshold 1e6 --log flat -- "$PROBE" calls >/dev/null \
	2>&1
# --threshold is short for it, and sizes may have units.
"$GPUSHIM" run --threshold '1 TB' --threshold-dgemm 1MB --log short -- "$PROBE" calls >/dev/null \
	2>&1
"$GPUSHIM" run --threshold=5MB -- "$PROBE" environment 2>/dev/null | grep threshold
grep -c '"symbol":"dgemm_"' short
grep -c '"symbol":"dgemm_"' one
grep -c '"symbol"' none
grep -c '"reason":"below_k"' flat
# If the counters cannot be kept, the program runs and prints its own summary.
"$GPUSHIM" run --counters "$WORK/nowhere" -- "$PROBE" calls 2>&1 >/dev/null |
	sed -f "$WHOLE" | grep -E '^gpushim|^total'
