# compare_options.sh - mistakes on the command line, each with its message
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
try() {
	"$GPUSHIM" compare "$@" -- "$PROBE" status
	echo "status $?"
}
"$GPUSHIM" compare
echo "status $?"
try --runs 0
try --runs=20000
try --warmup-runs -1
try --warmup 3
try --warmup
try --seconds 0
try --tolerance much
try --seed 1.5
try --fail-if-slower=-2
try --fail-if-slower 1 --runs 5
try --counters=there
try --try
try --try ''
try --try threshold
try --try threshold=lots
try --try polcy=always
try --try counters=there
try --try policy=sometimes,verify=2
set --
for i in 1 2 3 4 5 6 7 8 9; do
	set -- "$@" --try "threshold=$i"
done
try "$@"
