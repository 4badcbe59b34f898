# run_truncated.sh - a file of counters that is cut short is left out, and said
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" run -- "$PROBE" truncate 2>summary
echo "status $?"
cat summary
