# compare_huge.sh - more output than is kept; full disk; a descendant that keeps the pipe open
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
cat >numbers.sh <<'END'
value=1.5
[ -z "$LD_PRELOAD" ] || value=1.50000000001
yes "after a step that is told of in a line with few numbers and many words the energy is $value" | head -n 900000
END
"$GPUSHIM" compare --warmup-runs 0 --runs 1 -- sh numbers.sh | grep '^output'
"$GPUSHIM" compare --warmup-runs 0 --runs 1 -- "$PROBE" huge | grep '^output'
PROBE_DIFFERS=yes "$GPUSHIM" compare --warmup-runs 0 --runs 1 -- "$PROBE" huge >report
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
# The time is limited: a cat that opens the pipe after the last line would wait for ever.
mkfifo fifo
"$GPUSHIM" compare --runs 2 -- sh -c 'timeout 20 cat fifo & echo done' |
	grep -E '^(output|exit|  after)'
: >fifo
