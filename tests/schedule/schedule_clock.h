/* schedule_clock.h - the simulated CUDA's clock file, for the bench and its checker */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CLOCK_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CLOCK_H

#include <stdbool.h>

/*
 * GB/s are bytes per ns. A figure that the file does not have is 0; duplex is 1, and copy_us is
 * operation_us.
 */
struct schedule_clock {
	double up_gbytes_s, down_gbytes_s, duplex, operation_us, copy_us;
	double gemm_tflops_s[4]; /* S D C Z */
	double tile, units, memory_gbytes_s, fft_passes, l3_mb;
	double solver_lu_us, solver_cholesky_us;
};

/* false after a sentence on stderr. Sections of single devices are refused. */
bool schedule_clock_read(const char *path, struct schedule_clock *clock);

#endif
