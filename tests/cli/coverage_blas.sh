# coverage_blas.sh - counts, sizes, work and reasons, with LAPACK inside the BLAS and outside
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
programs=$(dirname "$GPUSHIM")/tests/coverage
[ -x "$programs/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
for probe in coverage_probe coverage_probe_reference; do
	"$GPUSHIM" coverage -- "$programs/$probe" blas
	echo "status $?"
done
