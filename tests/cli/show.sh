# show.sh - show prints the tables
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" show reasons
for table in options routines; do
	"$GPUSHIM" show "$table" >"$table" || exit
done
grep -A 1 '^workload_threshold' options
grep -E '^(enabled|verify|devices|log) =' options
grep -c '^    ' options
grep -E '^(dgemm_|dgemm|cblas_zgemm_64|fftw_execute|fftwf_plan_dft_1d|fftw_cleanup) ' routines
