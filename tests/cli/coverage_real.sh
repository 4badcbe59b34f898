# coverage_real.sh - OpenBLAS and FFTW: same results; LAPACK that is taken, and that is not
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
awk -f "$(dirname "$0")/coverage_steady.awk" report >steady
grep -E '^  (cblas_dgemm|dgetrf_|dtrtrs_|dgecon_|dsyev_|fftw_execute|fftw_plan_dft_2d) ' steady |
	LC_ALL=C sort
grep -q 'inside LAPACK' steady && echo "its own LAPACK calls"
tail -n 1 steady | sed -E 's|take .*flop; |take SHARE; |'
