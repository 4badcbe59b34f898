/* fft_mpi.c - one MPI process: libfftw3_mpi makes plans without the shim, fftw_execute runs them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3-mpi.h>
#include <stdio.h>
#include <string.h>

#include "fft_tone.h"

enum { SIDE = 16, SIZE = SIDE * SIDE };

int main(int count, char **arguments)
{
	ptrdiff_t local, start;
	MPI_Init(&count, &arguments);
	fftw_mpi_init();
	const ptrdiff_t size = fftw_mpi_local_size_2d(SIDE, SIDE, MPI_COMM_WORLD, &local, &start);
	fftw_complex *in = fftw_alloc_complex((size_t)size),
		     *out = fftw_alloc_complex((size_t)size);
	fftw_plan mpi = fftw_mpi_plan_dft_2d(SIDE, SIDE, in, out, MPI_COMM_WORLD, FFTW_FORWARD,
	                                     FFTW_ESTIMATE);
	fftw_plan own = fftw_plan_dft_2d(SIDE, SIDE, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	bool right = true;
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 2; i++) {
			tone_fill(in, SIZE, SIDE * 3);
			memset(out, 0x7f, SIZE * sizeof *out);
			fftw_execute(i == 0 ? mpi : own);
			right = right && tone_is_peak((const fftw_complex *)out, SIZE, 3, SIZE);
		}
	}
	tone_tell("MPI's plans and others by turns", right);
	tone_fill(in, SIZE, SIDE * 5);
	fftw_mpi_execute_dft(mpi, in, out);
	tone_tell("new arrays of MPI", tone_is_peak((const fftw_complex *)out, SIZE, 5, SIZE));
	fftw_destroy_plan(mpi);
	fftw_destroy_plan(own);
	fftw_free(in);
	fftw_free(out);
	fftw_mpi_cleanup();
	MPI_Finalize();
	return tone_failures != 0;
}
