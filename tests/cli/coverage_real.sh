# coverage_real.sh - OpenBLAS and FFTW: same results; LU and dsyev inside OpenBLAS are counted
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
program=$(dirname "$GPUSHIM")/tests/coverage/coverage_real
[ -x "$program" ] ||
	{ echo "skipped: OpenBLAS or FFTW was not found when this was built"; exit 77; }
"$program" >plain
"$GPUSHIM" coverage -- "$program" >counted 2>report
echo "status $?"
cmp plain counted && cat counted
# The routines that dsyev_ calls inside differ from version to version.
grep -E '^(cblas_dgemm|dgetrf_|dsyev_|fftw_execute|fftw_plan_dft_2d) ' report |
	sed -E -e 's/ +(< )?[0-9.]+ %/ SHARE/' -e 's/(no|- ) \(.\)/\1/'
grep -o 'OpenBLAS does this.*' report
grep -q 'inside LAPACK' report && echo "its own LAPACK calls"
tail -n 1 report | sed -E 's/take .*(, but|:)/take SHARE\1/'
