# run_processes.sh - a program that forks: the counts of both processes, the status of the first
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" run "$PROBE" fork 2>summary
echo "status $?"
cat summary
