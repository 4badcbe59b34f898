# compare_equal.sh - no GPU: equal outputs, decisions by reason, cost, prediction
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" compare --runs 2 --warmup wait -- "$PROBE" calls >report 2>errors
echo "status $?"
sed -E -e 's/program TIME/program/' report
cat errors
