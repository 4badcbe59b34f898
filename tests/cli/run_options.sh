# run_options.sh - options become variables, a preload that is there stays, counters can be kept
# SPDX-License-Identifier: Apache-2.0
LD_PRELOAD=/nowhere/libother.so "$GPUSHIM" run --workload-threshold=1e6 -- "$PROBE" environment 2>/dev/null
LD_PRELOAD=/nowhere/libgpushim.so "$GPUSHIM" run --workload_threshold 5 "$PROBE" environment 2>/dev/null
mkdir kept
"$GPUSHIM" run --counters "$WORK/kept" -- "$PROBE" calls 2>&1 | grep calls,
"$GPUSHIM" run --counters "$WORK/kept" -- "$PROBE" calls 2>&1 | grep calls,
find kept -type f | sed 's/[0-9][0-9]*/N/g'
"$GPUSHIM" run --log log --log-level=decision -- "$PROBE" calls 2>/dev/null
grep -c '"symbol":"dgemm_"' log
"$GPUSHIM" run --policy never -- "$PROBE" calls 2>&1 | grep policy_never
