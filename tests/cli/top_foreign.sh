# top_foreign.sh - another user's file is left out
# SPDX-License-Identifier: Apache-2.0
[ "$(id -u)" = 0 ] || { echo "skipped: only root can give a file to another user"; exit 77; }
make=$(dirname "$PROBE")/top_make
mkdir files files/gpushim-run-1-AAAAAA
start=$(date +%s%N)
"$make" files $$ "$start" foreign
"$make" files/gpushim-run-1-AAAAAA 1 "$start" hidden
chown 12345 files/gpushim-*.counters files/gpushim-run-1-AAAAAA
"$GPUSHIM" top --folder files --interval 0.1 2>&1 |
	sed -E -e "s/'gpushim-[0-9]+-[0-9]+/'FILE/" -e 's/[0-9:]{8}/CLOCK/'
chown 0 files/gpushim-*.counters files/gpushim-run-1-AAAAAA
"$GPUSHIM" top --folder files --interval 0.1 --json | grep -oE '"program":"[^"]*"' | sort
