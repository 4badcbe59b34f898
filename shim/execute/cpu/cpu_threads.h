/* cpu_threads.h - how many threads the CPU library would use for a call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_CPU_THREADS_H
#define GPUSHIM_SHIM_EXECUTE_CPU_CPU_THREADS_H

/*
 * Threads that the library of code, a BLAS routine, would use for a large call of the calling
 * thread now: what the library says itself, one inside a parallel region of OpenMP; of a library
 * that does not say, as many as there are processors to use (OMP_NUM_THREADS bounds them), or one
 * where it never starts any. Never more than the processors that this process may use; at least 1,
 * also for NULL. From any thread, without a lock; errno is kept. A library is looked at when it is
 * first met; from then on a call is a call of the library's own function.
 */
int cpu_threads_find(const void *code);

/*
 * The same of code, a routine of FFTW's interface that executes or makes plans: planned is what
 * fftw_plan_with_nthreads said when the plan was made, 0 or 1 without it. Libraries that have
 * FFTW's interface but not its threads (MKL) are asked.
 */
int cpu_threads_find_fft(const void *code, int planned);

#endif
