# run_truncated.sh - a truncated file of counters is left out and reported
# SPDX-License-Identifier: Apache-2.0
mkdir kept
"$GPUSHIM" run --counters "$WORK/kept" -- "$PROBE" truncate 2>summary
echo "status $?"
cat summary
