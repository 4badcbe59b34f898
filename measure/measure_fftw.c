/* measure_fftw.c - the speed of FFTW */
/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/measure_fftw.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/random.h"
#include "shim/base/clock.h"

enum { FFTW_FORWARDS = -1, FFTW_ALIGNMENT_BYTES = 4096, FFTW_TIMES_MAX = 64, FFTW_TIMES_LEAST = 3 };

/*
 * Stores the symbol's address into a pointer to a function. false with a sentence where there is
 * none.
 */
static bool measure_fftw_find(const char *file, const char *name, void *function,
                              char sentence[MEASURE_SENTENCE_BYTES])
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	void *symbol = library == NULL ? NULL : dlsym(library, name);
	if (symbol == NULL)
		snprintf(sentence, MEASURE_SENTENCE_BYTES, "%s",
		         library == NULL ? dlerror() : name);
	else
		memcpy(function, &symbol, sizeof symbol);
	return symbol != NULL;
}

static bool measure_fftw_use_threads(bool is_single, int threads,
                                     char sentence[MEASURE_SENTENCE_BYTES])
{
	const char *file = is_single ? "libfftw3f_threads.so.3" : "libfftw3_threads.so.3";
	int (*start)(void);
	void (*use)(int);
	if (threads == 1)
		return true;
	if (!measure_fftw_find(file, is_single ? "fftwf_init_threads" : "fftw_init_threads", &start,
	                       sentence) ||
	    !measure_fftw_find(file,
	                       is_single ? "fftwf_plan_with_nthreads" : "fftw_plan_with_nthreads",
	                       &use, sentence))
		return false;
	if (start() == 0) {
		snprintf(sentence, MEASURE_SENTENCE_BYTES, "%s does not start its threads", file);
		return false;
	}
	use(threads);
	return true;
}

bool measure_fftw_open(struct measure_fftw *fftw, enum element element, int threads,
                       char sentence[MEASURE_SENTENCE_BYTES])
{
	const bool is_single = element == ELEMENT_C;
	const char *file = is_single ? "libfftw3f.so.3" : "libfftw3.so.3";
	Dl_info info;
	void *code;
	if (!measure_fftw_find(file, is_single ? "fftwf_plan_dft" : "fftw_plan_dft", &fftw->plan,
	                       sentence) ||
	    !measure_fftw_find(file, is_single ? "fftwf_execute" : "fftw_execute", &fftw->execute,
	                       sentence) ||
	    !measure_fftw_find(file, is_single ? "fftwf_destroy_plan" : "fftw_destroy_plan",
	                       &fftw->destroy, sentence))
		return false;
	fftw->limit = NULL;
	measure_fftw_find(file, is_single ? "fftwf_set_timelimit" : "fftw_set_timelimit",
	                  &fftw->limit, sentence);
	memcpy(&code, &fftw->execute, sizeof code);
	char *resolved = dladdr(code, &info) != 0 ? realpath(info.dli_fname, NULL) : NULL;
	snprintf(fftw->path, sizeof fftw->path, "%s", resolved != NULL ? resolved : file);
	free(resolved);
	return measure_fftw_use_threads(is_single, threads, sentence);
}

/* The first execution is not counted. */
static struct spread measure_fftw_execute(const struct measure_fftw *fftw, void *plan, int most,
                                          double budget_s)
{
	double seconds[FFTW_TIMES_MAX + 1];
	const int64_t end_ns = clock_monotonic_ns() + (int64_t)(budget_s * 1e9);
	int count = 0;
	while (count < FFTW_TIMES_LEAST ||
	       (count <= most && count <= FFTW_TIMES_MAX && clock_monotonic_ns() < end_ns)) {
		const int64_t begin_ns = clock_monotonic_ns();
		fftw->execute(plan);
		seconds[count++] = (double)(clock_monotonic_ns() - begin_ns) / 1e9;
	}
	return spread_of(seconds + 1, (size_t)count - 1);
}

struct spread measure_fftw_spread(const struct measure_fftw *fftw, enum element element,
                                  enum fft_rigour rigour, int rank, const int *n, int most,
                                  double budget_s)
{
	const bool is_single = element == ELEMENT_C;
	size_t numbers = 2;
	struct spread seconds = {.varies = -1};
	for (int i = 0; i < rank; i++)
		numbers *= (size_t)n[i];
	size_t size_bytes = numbers * (is_single ? sizeof(float) : sizeof(double));
	size_bytes = (size_bytes + FFTW_ALIGNMENT_BYTES - 1) / FFTW_ALIGNMENT_BYTES *
	             FFTW_ALIGNMENT_BYTES;
	void *array = aligned_alloc(FFTW_ALIGNMENT_BYTES, size_bytes);
	if (array == NULL)
		return seconds;
	memset(array, 0, size_bytes);
	if (fftw->limit != NULL)
		fftw->limit(budget_s);
	void *plan = fftw->plan(rank, n, array, array, FFTW_FORWARDS,
	                        rigour == FFT_ESTIMATED ? FFT_FLAG_ESTIMATE : 0);
	if (plan != NULL) {
		random_fill(array, numbers, is_single, 7, 0);
		seconds = measure_fftw_execute(fftw, plan, most, budget_s);
		fftw->destroy(plan);
	}
	free(array);
	return seconds;
}

double measure_fftw_transform(const struct measure_fftw *fftw, enum element element,
                              enum fft_rigour rigour, int rank, const int *n, int most,
                              double budget_s)
{
	return measure_fftw_spread(fftw, element, rigour, rank, n, most, budget_s).median;
}
