/* cpu_threads.h - how many threads the CPU library would use for a call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_CPU_THREADS_H
#define GPUSHIM_SHIM_EXECUTE_CPU_CPU_THREADS_H

#include <stdbool.h>

/*
 * The threads that the library of code, a BLAS routine, would use for a large call of the calling
 * thread now: by the library's own function, 1 inside an OpenMP parallel region; without such a
 * function one per processor (at most OMP_NUM_THREADS), or 1 if it never starts threads. Between 1
 * and the number of processors of this process; 1 for NULL. From any thread, without a lock; keeps
 * errno. A library is examined once; later calls cost a call of its function.
 */
int cpu_threads_find(const void *code);

/*
 * Whether the calling thread is in a parallel region of OpenMP, as far as the library of code or
 * the program tells.
 */
bool cpu_threads_is_inside(const void *code);

/*
 * The threads for code, an FFTW routine that executes or makes plans. planned: what
 * fftw_plan_with_nthreads set when the plan was made, 0 or 1 without it. Libraries that have FFTW's
 * interface but not its threads (MKL) are asked.
 */
int cpu_threads_find_fft(const void *code, int planned);

/* A fork child's only thread examines no library. */
void cpu_threads_after_fork_child(void);

#endif
