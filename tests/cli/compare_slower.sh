# compare_slower.sh - a separate exit status for programs that the shim makes slower
# SPDX-License-Identifier: Apache-2.0
try() {
	"$GPUSHIM" compare "$@" >report
	echo "status $?"
	grep -o 'times as long with the shim (' report
}
try --runs 7 -- "$PROBE" slower
try --runs 7 --fail-if-slower 50 -- "$PROBE" slower
try --runs 7 --fail-if-slower 100000 -- "$PROBE" slower
echo "== differing outputs are worse"
"$GPUSHIM" compare --runs 6 --fail-if-slower 0 -- "$PROBE" differ >report
echo "status $?"
