# coverage_docs.sh - the lines of coverage in docs/tuning.md occur in a real report
# SPDX-License-Identifier: Apache-2.0
docs=$(dirname "$0")/../../docs/tuning.md
steady=$(dirname "$0")/coverage_steady.awk
program=$(dirname "$GPUSHIM")/tests/coverage/coverage_real
[ -x "$program" ] ||
	{ echo "skipped: OpenBLAS or FFTW was not found when this was built"; exit 77; }
shape() {
	awk -f "$steady" | sed -E \
		-e 's/^gpushim: .*: [0-9,]+ calls of (.*), .*/PROGRAM, CALLS of \1, WORK/' \
		-e 's/^  .*, lib[^ ]*, (yes|no|-)/ROW \1/' -e 's/^   [0-9,]+ [^ ]+/CALLER/' \
		-e 's/^of [0-9.]+ m?s, [0-9.]+ [mu]?s are/of TIME, TIME are/' \
		-e 's/^(the shim can take) .* % of these [0-9.]+ [kMG]?flop; /\1 SHARE; /' |
			grep . | LC_ALL=C sort -u
}
sed -n '/^    [$] gpushim coverage/,/^|/{/^|/d;s/^    //p;/^$/p;}' "$docs" >page
sed 1d page | shape >says
"$GPUSHIM" coverage -- "$program" 2>&1 >output | shape >is
grep -vxFf is says >unknown || cat says
sed 's/^/not in a real report: /' unknown
# The header of the table.
grep '^routine ' page >header
"$GPUSHIM" coverage -- "$program" 2>&1 >output | grep -xFf header || echo "the table has another head"
