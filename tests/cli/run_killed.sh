# run_killed.sh - a killed program: its counts are there
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" run -- "$PROBE" killed 2>summary
echo "status $?"
cat summary
