# explain_untaken.sh - routines that the shim does not take: the words of coverage; status 0
# SPDX-License-Identifier: Apache-2.0
try() {
	echo "$*:"
	"$GPUSHIM" explain "$@" || echo "status $?"
}
for routine in dtrtrs zhetrf DGEMV ddot_ LAPACKE_dpstrf cblas_saxpy fftw_mpi_plan_dft_2d r2r \
	fftw_plan_r2r_1d fftwl_plan_dft_1d fftw_plan_guru_split_dft; do
	try $routine
done
try dtrtrs 1000 1
try fft 1
try fft 64 64 64 64
try fft 2x2x2x2x2x2x2x2x2
for routine in dtrtrs dgemv "fft 4 4 4 4"; do
	# shellcheck disable=SC2086 # words
	"$GPUSHIM" explain $routine --json
done
