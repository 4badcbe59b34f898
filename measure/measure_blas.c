/* measure_blas.c - the speed of a BLAS on the CPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/measure_blas.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/random.h"
#include "shim/base/clock.h"

enum { BLAS_ALIGNMENT_BYTES = 4096, BLAS_NAME_BYTES = 32 };

/*
 * Fortran's argument lists. Integers are passed by address as 64 bits: on a little-endian machine
 * their first half is the same number in 32 bits. The lengths of the character arguments, which are
 * 1, come last; a routine that has none does not look at them.
 */
typedef const char *letter;
typedef const int64_t *whole;
typedef void blas_gemm(letter, letter, whole, whole, whole, const void *, const void *, whole,
                       const void *, whole, const void *, void *, whole, size_t, size_t);
typedef void blas_symm(letter, letter, whole, whole, const void *, const void *, whole,
                       const void *, whole, const void *, void *, whole, size_t, size_t);
typedef void blas_syrk(letter, letter, whole, whole, const void *, const void *, whole,
                       const void *, void *, whole, size_t, size_t);
typedef void blas_trmm(letter, letter, letter, letter, whole, whole, const void *, const void *,
                       whole, void *, whole, size_t, size_t, size_t, size_t);

static const char *const blas_name[FAMILY_COUNT] = {
	[FAMILY_GEMM] = "gemm", [FAMILY_SYMM] = "symm", [FAMILY_SYRK] = "syrk",
	[FAMILY_TRMM] = "trmm", [FAMILY_TRSM] = "trsm",
};

void *measure_blas_look(void *library, char element, const char *stem)
{
	static const char *const spelling[][2] = {{"", "_"},       {"", "_64_"},       {"", "64_"},
	                                          {"scipy_", "_"}, {"scipy_", "_64_"}, {"", ""}};
	void *symbol = NULL;
	for (size_t i = 0; i < sizeof spelling / sizeof spelling[0] && symbol == NULL; i++) {
		char name[BLAS_NAME_BYTES];
		snprintf(name, sizeof name, "%s%c%s%s", spelling[i][0], element, stem,
		         spelling[i][1]);
		symbol = dlsym(library, name);
	}
	return symbol;
}

static void *measure_blas_find(const struct measure_blas *blas, enum family family,
                               enum element element)
{
	return measure_blas_look(blas->library, "sdcz"[element], blas_name[family]);
}

bool measure_blas_open(struct measure_blas *blas, const char *file,
                       char sentence[MEASURE_SENTENCE_BYTES])
{
	Dl_info info;
	blas->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (blas->library == NULL) {
		snprintf(sentence, MEASURE_SENTENCE_BYTES, "%s", dlerror());
		return false;
	}
	void *gemm = measure_blas_find(blas, FAMILY_GEMM, ELEMENT_D);
	if (gemm == NULL || dladdr(gemm, &info) == 0) {
		snprintf(sentence, MEASURE_SENTENCE_BYTES, "%.400s has no dgemm", file);
		return false;
	}
	char *resolved = realpath(info.dli_fname, NULL);
	snprintf(blas->path, sizeof blas->path, "%s", resolved != NULL ? resolved : info.dli_fname);
	free(resolved);
	return true;
}

/*
 * Makes A so small that a triangle of it with ones on the diagonal, applied repeatedly, neither
 * grows nor vanishes.
 */
static void measure_blas_shrink(const struct measure_blas *blas, size_t numbers, bool is_single)
{
	for (size_t i = 0; i < numbers; i++)
		if (is_single)
			((float *)blas->a)[i] /= (float)blas->most;
		else
			((double *)blas->a)[i] /= (double)blas->most;
}

bool measure_blas_take(struct measure_blas *blas, enum element element, int64_t most)
{
	const bool is_single = element == ELEMENT_S || element == ELEMENT_C;
	const size_t numbers = (size_t)(most * most) * (element_is_complex(element) ? 2 : 1);
	size_t size_bytes = numbers * (is_single ? sizeof(float) : sizeof(double));
	size_bytes = (size_bytes + BLAS_ALIGNMENT_BYTES - 1) / BLAS_ALIGNMENT_BYTES *
	             BLAS_ALIGNMENT_BYTES;
	blas->most = most;
	blas->a = aligned_alloc(BLAS_ALIGNMENT_BYTES, size_bytes);
	blas->b = aligned_alloc(BLAS_ALIGNMENT_BYTES, size_bytes);
	blas->c = aligned_alloc(BLAS_ALIGNMENT_BYTES, size_bytes);
	if (blas->a == NULL || blas->b == NULL || blas->c == NULL) {
		measure_blas_free(blas);
		return false;
	}
	random_fill(blas->a, numbers, is_single, 5, 0);
	random_fill(blas->b, numbers, is_single, 6, 0);
	random_fill(blas->c, numbers, is_single, 7, 0);
	measure_blas_shrink(blas, numbers, is_single);
	return true;
}

void measure_blas_free(struct measure_blas *blas)
{
	free(blas->a);
	free(blas->b);
	free(blas->c);
	blas->a = blas->b = blas->c = NULL;
}

bool measure_blas_has(const struct measure_blas *blas, enum family family, enum element element)
{
	return blas_name[family] != NULL && measure_blas_find(blas, family, element) != NULL;
}

/* One and zero of the element. */
struct blas_scalars {
	const void *one, *zero;
};

static void measure_blas_run(const struct measure_blas *blas, enum family family, void *code,
                             const struct blas_scalars *scalars, int64_t n)
{
	blas_gemm *gemm;
	blas_symm *symm;
	blas_syrk *syrk;
	blas_trmm *trmm;
	memcpy(&gemm, &code, sizeof code);
	memcpy(&symm, &code, sizeof code);
	memcpy(&syrk, &code, sizeof code);
	memcpy(&trmm, &code, sizeof code);
	const void *one = scalars->one, *zero = scalars->zero;
	switch (family) {
	case FAMILY_GEMM:
		gemm("N", "N", &n, &n, &n, one, blas->a, &n, blas->b, &n, zero, blas->c, &n, 1, 1);
		return;
	case FAMILY_SYMM:
		symm("L", "U", &n, &n, one, blas->a, &n, blas->b, &n, zero, blas->c, &n, 1, 1);
		return;
	case FAMILY_SYRK: syrk("U", "N", &n, &n, one, blas->a, &n, zero, blas->c, &n, 1, 1); return;
	default:
		trmm("L", "U", "N", "U", &n, &n, one, blas->a, &n, blas->c, &n, 1, 1, 1, 1);
		return;
	}
}

double measure_blas_call(const struct measure_blas *blas, enum family family, enum element element,
                         int64_t order)
{
	static const float single[][2] = {{1, 0}, {0, 0}};
	static const double two[][2] = {{1, 0}, {0, 0}};
	const bool is_single = element == ELEMENT_S || element == ELEMENT_C;
	const struct blas_scalars scalars = {is_single ? (const void *)single[0] : two[0],
	                                     is_single ? (const void *)single[1] : two[1]};
	void *code = measure_blas_find(blas, family, element);
	const int64_t begin_ns = clock_monotonic_ns();
	measure_blas_run(blas, family, code, &scalars, order);
	return (double)(clock_monotonic_ns() - begin_ns) / 1e9;
}
