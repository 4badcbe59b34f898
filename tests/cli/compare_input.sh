# compare_input.sh - a regular file is the input of each run; a pipe is not read by any run
# SPDX-License-Identifier: Apache-2.0
printf 'one\n2.5\n' >input
"$GPUSHIM" compare --runs 2 -- "$PROBE" echo <input | grep output
printf 'one\n' | "$GPUSHIM" compare --runs 1 --ignore-failure -- sh -c 'read -r line || echo nothing; exit 7' |
	grep -E 'output|exit'
