/* measure_lapack.c - the speed of a LAPACK on the CPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/measure_lapack.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/random.h"
#include "shim/base/clock.h"

static const char lapack_system[] = "liblapack.so.3";

/* As in measure_blas.c: integers are passed as 64 bits, of which a library may read 32. */
typedef const char *letter;
typedef const int64_t *whole;
typedef void lapack_getrf(whole, whole, double *, whole, int64_t *, int64_t *);
typedef void lapack_potrf(letter, whole, double *, whole, int64_t *, size_t);
typedef void lapack_syevd(letter, letter, whole, double *, whole, double *, double *, whole,
                          int64_t *, whole, int64_t *, size_t, size_t);
typedef void lapack_gesdd(letter, whole, whole, double *, whole, double *, double *, whole,
                          double *, whole, double *, whole, int64_t *, int64_t *, size_t);

static void *measure_lapack_find(const struct measure_lapack *lapack, enum family family)
{
	switch (family) {
	case FAMILY_GETRF:
	case FAMILY_POTRF:
	case FAMILY_SYEVD:
	case FAMILY_GESDD: return measure_blas_look(lapack->library, 'd', family_name(family));
	default: return NULL;
	}
}

bool measure_lapack_has(const struct measure_lapack *lapack, enum family family)
{
	return measure_lapack_find(lapack, family) != NULL;
}

bool measure_lapack_open(struct measure_lapack *lapack, const struct measure_blas *blas,
                         char sentence[MEASURE_SENTENCE_BYTES])
{
	Dl_info info;
	lapack->library = blas->library;
	if (!measure_lapack_has(lapack, FAMILY_GETRF))
		lapack->library = dlopen(lapack_system, RTLD_NOW | RTLD_LOCAL);
	if (lapack->library == NULL) {
		snprintf(sentence, MEASURE_SENTENCE_BYTES, "%s", dlerror());
		return false;
	}
	const void *code = measure_lapack_find(lapack, FAMILY_GETRF);
	if (code == NULL || dladdr(code, &info) == 0) {
		snprintf(sentence, MEASURE_SENTENCE_BYTES, "%s has no dgetrf", lapack_system);
		return false;
	}
	char *resolved = realpath(info.dli_fname, NULL);
	snprintf(lapack->path, sizeof lapack->path, "%s",
	         resolved != NULL ? resolved : info.dli_fname);
	free(resolved);
	return true;
}

/*
 * Elements of the arrays. work: what syevd and gesdd document, and half as much again for blocks;
 * integers: pivots, or iwork.
 */
static void measure_lapack_count(struct measure_lapack *lapack, int64_t most)
{
	lapack->most = most;
	lapack->work_count = 6 * most * most + 100 * most + 100;
	lapack->integer_count = 8 * most + 100;
}

bool measure_lapack_take(struct measure_lapack *lapack, enum family family, int64_t most)
{
	const size_t square = (size_t)(most * most) * sizeof(double);
	const bool factors = family == FAMILY_GETRF || family == FAMILY_POTRF;
	measure_lapack_count(lapack, most);
	lapack->matrix = malloc(square);
	lapack->a = malloc(square);
	lapack->u = factors ? NULL : malloc(square);
	lapack->vt = factors ? NULL : malloc(square);
	lapack->values = malloc((size_t)most * sizeof(double));
	lapack->work = factors ? NULL : malloc((size_t)lapack->work_count * sizeof(double));
	lapack->integers = malloc((size_t)lapack->integer_count * sizeof(int64_t));
	const bool solves = lapack->u != NULL && lapack->vt != NULL && lapack->work != NULL;
	if (lapack->matrix == NULL || lapack->a == NULL || lapack->values == NULL ||
	    lapack->integers == NULL || (!factors && !solves)) {
		measure_lapack_free(lapack);
		return false;
	}
	random_fill(lapack->matrix, (size_t)(most * most), false, 8, 0);
	return true;
}

void measure_lapack_free(struct measure_lapack *lapack)
{
	free(lapack->matrix);
	free(lapack->a);
	free(lapack->u);
	free(lapack->vt);
	free(lapack->values);
	free(lapack->work);
	free(lapack->integers);
	lapack->matrix = lapack->a = lapack->u = lapack->vt = lapack->values = lapack->work = NULL;
	lapack->integers = NULL;
}

static int64_t measure_lapack_run(const struct measure_lapack *lapack, enum family family,
                                  void *code, int64_t n)
{
	lapack_getrf *getrf;
	lapack_potrf *potrf;
	lapack_syevd *syevd;
	lapack_gesdd *gesdd;
	int64_t info = 0;
	memcpy(&getrf, &code, sizeof code);
	memcpy(&potrf, &code, sizeof code);
	memcpy(&syevd, &code, sizeof code);
	memcpy(&gesdd, &code, sizeof code);
	switch (family) {
	case FAMILY_GETRF: getrf(&n, &n, lapack->a, &n, lapack->integers, &info); break;
	case FAMILY_POTRF: potrf("L", &n, lapack->a, &n, &info, 1); break;
	case FAMILY_SYEVD:
		syevd("V", "L", &n, lapack->a, &n, lapack->values, lapack->work,
		      &lapack->work_count, lapack->integers, &lapack->integer_count, &info, 1, 1);
		break;
	default:
		gesdd("S", &n, &n, lapack->a, &n, lapack->values, lapack->u, &n, lapack->vt, &n,
		      lapack->work, &lapack->work_count, lapack->integers, &info, 1);
		break;
	}
	return info;
}

double measure_lapack_call(const struct measure_lapack *lapack, enum family family, int64_t order)
{
	void *code = measure_lapack_find(lapack, family);
	memcpy(lapack->a, lapack->matrix, (size_t)(order * order) * sizeof(double));
	/* Numbers beside the diagonal are at most a half, so that it is the larger one. */
	for (int64_t i = 0; i < order && family == FAMILY_POTRF; i++)
		lapack->a[i * (order + 1)] += (double)order;
	const int64_t begin_ns = clock_monotonic_ns();
	const int64_t info = measure_lapack_run(lapack, family, code, order);
	const int64_t end_ns = clock_monotonic_ns();
	return info == 0 ? (double)(end_ns - begin_ns) / 1e9 : (double)NAN;
}
