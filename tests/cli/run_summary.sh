# run_summary.sh - the program's output and status, the summary on stderr
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" run --warmup wait -- "$PROBE" calls 2>summary
echo "status $?"
cat summary
