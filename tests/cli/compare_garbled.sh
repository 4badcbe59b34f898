# compare_garbled.sh - lines of the log that are not records are counted and left out
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" compare --runs 1 --warmup wait -- "$PROBE" garble | sed -n '/^here: /,$p' |
	sed -E 's/^  (none|[0-9]+) of .*/  CALLS/; /included:|the program:/d'
