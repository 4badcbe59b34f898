# golden_coverage.sh - the report of coverage in 80 columns
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
. "$here/golden.inc"
ln -s "$PROBE" probe
[ -x "$build/tests/coverage/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
golden coverage "$GPUSHIM" coverage -- ./probe calls
golden coverage "$GPUSHIM" coverage -- true
golden coverage "$GPUSHIM" coverage -- ./nowhere
