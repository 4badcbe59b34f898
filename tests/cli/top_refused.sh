# top_refused.sh - mistakes on the command line
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
try() {
	"$GPUSHIM" top "$@"
	echo "status $?"
}
: >plain
try --interval 0
try --interval soon
try --interval
try --count 0
try --count=1.5
try --folder nowhere
try --folder plain
try --json=yes
try --policy never
try simulation
"$GPUSHIM" top --folder . --interval 0.1 --json >/dev/full
echo "status $?"
