# coverage_blas.sh - counts, sizes, work and reasons, with LAPACK inside the BLAS and outside
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
programs=$(dirname "$GPUSHIM")/tests/coverage
[ -x "$programs/coverage_probe" ] ||
	{ echo "skipped: this build has no library that counts"; exit 77; }
steady=$(dirname "$0")/coverage_steady.awk
figures() {
	sed -nE 's/.*"routine":"([^"]*)".*"calls":([0-9]+),.*"flops":([0-9]+),.*"large_calls":([0-9]+).*/\1: \2 calls, \3 flops, \4 large/p' \
		figures | LC_ALL=C sort
}
for probe in coverage_probe coverage_probe_reference; do
	{
		"$GPUSHIM" coverage --export figures -- "$programs/$probe" blas
		echo "status $?"
	} 2>&1 | awk -f "$steady"
	figures
done
