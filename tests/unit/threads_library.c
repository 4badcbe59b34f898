/* threads_library.c - a BLAS that reports the thread count of THREADS_LIBRARY, set by a test */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

int threads_library_count, threads_library_parallel, threads_library_max, threads_library_procs,
	threads_library_inside;

void dgemm_(void);
void dgemm_(void)
{
}

#define ANSWER(name, value)                                                                        \
	int name(void);                                                                            \
	int name(void)                                                                             \
	{                                                                                          \
		return value;                                                                      \
	}

#ifdef THREADS_COUNT
ANSWER(THREADS_COUNT, threads_library_count)
#endif
#ifdef THREADS_PARALLEL
ANSWER(THREADS_PARALLEL, threads_library_parallel)
#endif
#ifdef THREADS_OPENMP
ANSWER(omp_get_max_threads, threads_library_max)
ANSWER(omp_get_num_procs, threads_library_procs)
ANSWER(omp_in_parallel, threads_library_inside)
#endif
#ifdef THREADS_STARTS
int threads_library_start(pthread_t *thread, void *(*run)(void *));
int threads_library_start(pthread_t *thread, void *(*run)(void *))
{
	return pthread_create(thread, NULL, run, NULL);
}
#endif
