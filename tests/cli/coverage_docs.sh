# coverage_docs.sh - the lines of coverage in docs/tuning.md occur in a real report
# SPDX-License-Identifier: Apache-2.0
docs=$(dirname "$0")/../../docs/tuning.md
program=$(dirname "$GPUSHIM")/tests/coverage/coverage_real
[ -x "$program" ] ||
	{ echo "skipped: OpenBLAS or FFTW was not found when this was built"; exit 77; }
shape() {
	sed -E -e 's/^gpushim: .*: [0-9,]+ calls of (.*), .*/gpushim: PROGRAM, CALLS of \1, WORK/' \
		-e 's/^routine +calls +/routine calls /' -e 's/^[^ ].* (yes|no|-) ( \([a-z]\)|\([a-z]\)|)? +lib[^ ]*$/ROW \1/' \
		-e 's/^  \([a-z]\) +[0-9.< %-]+ /  (WHY) /' -e 's/^ +[0-9.<]+ % +[0-9,]+  .*/CALLER/' \
		-e 's/^(the shim can take) .* (workload_threshold) \([^)]*\).*/\1 SHARE \2/' |
			grep . | LC_ALL=C sort -u
}
sed -n '/^    \$ gpushim coverage/,/^|/s/^    //p' "$docs" | sed 1d | shape >says
"$GPUSHIM" coverage -- "$program" 2>&1 >output | shape >is
grep -vxFf is says >unknown || cat says
sed 's/^/not in a real report: /' unknown
