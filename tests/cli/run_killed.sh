# run_killed.sh - the counts of a killed program are kept
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" run -- "$PROBE" killed 2>summary
echo "status $?"
cat summary
