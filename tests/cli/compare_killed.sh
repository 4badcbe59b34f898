# compare_killed.sh - a run that is killed has a status too
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" compare --runs 1 --ignore-failure -- "$PROBE" killed 2>&1 | grep -E 'exit|output'
