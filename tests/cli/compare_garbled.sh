# compare_garbled.sh - lines of the log that are not records are counted and left out
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" compare --runs 1 --warmup wait -- "$PROBE" garble | grep -A 3 prediction
