/* kept.c - products of whole numbers: every order of summation gives the same bits */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

void *kept_map(size_t bytes)
{
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		abort();
	return memory;
}

void kept_fill(double *number, size_t count, unsigned seed)
{
	for (size_t i = 0; i < count; i++)
		number[i] = (double)((i * 7919 + seed * 104729 + i / 13) % 17) - 8;
}

void kept_begin(struct kept *kept, const char *way, void *memory)
{
	*kept = (struct kept){.way = way};
	kept->a = memory != NULL ? memory : kept_map(KEPT_BYTES);
	kept->b = kept_map(KEPT_BYTES);
	kept->c = kept_map(KEPT_BYTES);
	kept_fill(kept->a, KEPT_COUNT, 1);
	kept_fill(kept->b, KEPT_COUNT, 2);
}

/* Columns of A are numbered by l. */
static void multiply(const double *a, const double *b, double *c)
{
	for (size_t j = 0; j < KEPT_ORDER; j++) {
		double *column = c + j * KEPT_ORDER;
		for (size_t i = 0; i < KEPT_ORDER; i++)
			column[i] = 0;
		for (size_t l = 0; l < KEPT_ORDER; l++)
			for (size_t i = 0; i < KEPT_ORDER; i++)
				column[i] += a[l * KEPT_ORDER + i] * b[j * KEPT_ORDER + l];
	}
}

void kept_call(struct kept *kept)
{
	static __thread double expected[KEPT_COUNT];
	const int n = KEPT_ORDER;
	const double one = 1, zero = 0;
	double sum = 0;
	dgemm_("N", "N", &n, &n, &n, &one, kept->a, &n, kept->b, &n, &zero, kept->c, &n);
	multiply(kept->a, kept->b, expected);
	int wrong = 0;
	for (size_t i = 0; i < KEPT_COUNT; i++) {
		wrong |= kept->c[i] != expected[i];
		sum += kept->a[i] * (double)(i + 1);
	}
	kept->changes += kept->calls++ > 0 && sum != kept->sum;
	kept->wrong += wrong;
	kept->sum = sum;
}

void kept_settle(struct kept *kept)
{
	for (int i = 0; i < KEPT_SETTLED; i++)
		kept_call(kept);
}

void kept_change(struct kept *kept, unsigned seed)
{
	kept->a[seed * 1031 % KEPT_COUNT] += 1 + seed;
}

void kept_go_on(struct kept *kept)
{
	for (unsigned i = 0; i < KEPT_CHANGES; i++) {
		kept_settle(kept);
		kept_change(kept, i);
		kept_call(kept);
	}
}

int kept_end(const struct kept *kept, int changes)
{
	printf("%s: %d calls, %d wrong%s\n", kept->way, kept->calls, kept->wrong,
	       kept->changes >= changes ? "" : "; the memory did not change");
	fflush(stdout);
	return kept->wrong > 0 || kept->changes < changes;
}
