# run_truncated.sh - a truncated file of counters is left out and reported
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" run -- "$PROBE" truncate 2>summary
echo "status $?"
cat summary
