# compare_huge.sh - more output than is kept; no room for it; a descendant that holds on to it
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
"$GPUSHIM" compare --runs 1 -- "$PROBE" huge | grep -A 2 '^output'
PROBE_DIFFERS=yes "$GPUSHIM" compare --runs 1 -- "$PROBE" huge >report
echo "status $?"
grep -A 2 '^output' report
echo "== no room"
(
	trap '' XFSZ
	ulimit -f 100
	"$GPUSHIM" compare --runs 1 -- "$PROBE" huge
	echo "status $?"
)
echo "== a descendant lives on"
mkfifo fifo
"$GPUSHIM" compare --runs 2 -- sh -c 'cat fifo & echo done' | grep -E '^(output|exit)'
: >fifo
