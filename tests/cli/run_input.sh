# run_input.sh - stdin belongs to the program
# SPDX-License-Identifier: Apache-2.0
printf 'one\ntwo\n' | "$GPUSHIM" run -- "$PROBE" echo 2>/dev/null
