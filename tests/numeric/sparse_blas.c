/* sparse_blas.c - every routine on columns gigabytes apart, in memory with few resident pages */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "blas_library.h"
#include "grid.h"

/*
 * usage: sparse_blas NAME MODULE LIBRARY 32|64
 *
 * See differ_blas.c. The leading dimensions are 2^32 + 8 where the integers have 64 bits; their
 * lower halves are legal ones. Otherwise 2^30, so that the third column lies beyond 2^31. The pages
 * that the process may have used in the end are 512 MiB, a quarter of which are the shim's rings on
 * a processor with a large cache. One operand with all between its columns has gigabytes.
 */
enum { SIZE = 3, RESIDENT_PAGES_MAX = 1 << 17 };

static char *sparse[OPERAND_COUNT];
static double compact[OPERAND_COUNT][2 * SIZE * SIZE];

static int64_t sparse_lead(const struct trial *t)
{
	return t->wide ? ((int64_t)1 << 32) + 8 : (int64_t)1 << 30;
}

static void sparse_open(bool wide)
{
	const size_t bytes =
		(wide ? ((size_t)1 << 32) + 8 : (size_t)1 << 30) * SIZE * 2 * sizeof(double);
	for (int operand = 0; operand < OPERAND_COUNT; operand++) {
		sparse[operand] = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (sparse[operand] == MAP_FAILED) {
			printf("skipped: %zu bytes of address space are not to be had\n", bytes);
			exit(77);
		}
	}
}

/* Whole numbers, so that both results are exact; NaN where nothing is to be read. */
static void sparse_fill(const struct trial *t, enum operand operand)
{
	struct grid near, far;
	struct trial_group compact_group = t->group[0];
	compact_group.lda = compact_group.ldb = compact_group.ldc = SIZE;
	if (!grid_find(t, &compact_group, operand, &near))
		return;
	grid_find(t, &t->group[0], operand, &far);
	memset(compact[operand], 0xff, sizeof compact[operand]);
	for (int64_t i = 0; i < SIZE; i++)
		for (int64_t j = 0; j < SIZE; j++) {
			const double complex value =
				CMPLX((double)((i * 5 + j * 3 + (int64_t)operand) % 7) - 3, i - j);
			if (grid_refers(&near, i, j))
				grid_put(near.element, compact[operand], grid_index(&near, i, j),
				         value);
			grid_put(far.element, sparse[operand], grid_index(&far, i, j),
			         grid_get(near.element, compact[operand], grid_index(&near, i, j)));
		}
}

static bool sparse_is_equal(const struct trial *t)
{
	struct grid near, far;
	struct trial_group compact_group = t->group[0];
	compact_group.ldc = SIZE;
	grid_find(t, &compact_group, OPERAND_C, &near);
	grid_find(t, &t->group[0], OPERAND_C, &far);
	for (int64_t i = 0; i < SIZE; i++)
		for (int64_t j = 0; j < SIZE; j++) {
			const double complex x =
				grid_get(near.element, compact[OPERAND_C], grid_index(&near, i, j));
			const double complex y =
				grid_get(far.element, sparse[OPERAND_C], grid_index(&far, i, j));
			if (grid_refers(&near, i, j) && x != y)
				return false;
		}
	return true;
}

static struct trial sparse_make(const struct blas_row *row, bool wide, int variant)
{
	struct trial t = {.row = row,
	                  .wide = row->wide || wide,
	                  .diag = DIAG_UNIT,
	                  .groups = 1,
	                  .problems = 1};
	struct trial_group *g = &t.group[0];
	t.order = row->abi == BLAS_CBLAS && variant % 2 ? TRIAL_ROW_MAJOR : TRIAL_COLUMN_MAJOR;
	t.side = variant % 4 < 2 ? SIDE_LEFT : SIDE_RIGHT;
	*g = (struct trial_group){.m = SIZE, .n = SIZE, .k = SIZE, .problems = 1};
	g->lda = g->ldb = g->ldc = sparse_lead(&t);
	g->alpha[0] = variant < 4 ? 2 : 0; /* the CPU library scales C */
	g->beta[0] = family_is_in_place(row->family) ? 0 : -1;
	return t;
}

static void sparse_point(struct trial *t, bool far)
{
	for (int operand = 0; operand < OPERAND_COUNT; operand++) {
		t->offset[operand][0] = far ? (size_t)sparse[operand] : (size_t)compact[operand];
		t->stride[operand] = SIZE * SIZE;
	}
	if (!far)
		t->group[0].lda = t->group[0].ldb = t->group[0].ldc = SIZE;
}

static bool run(const struct blas_library *library, const struct blas_row *row, void *code,
                int variant)
{
	struct trial t = sparse_make(row, library->wide, variant), near = t;
	void *itself = blas_library_find_itself(library, row);
	for (int operand = 0; operand < OPERAND_COUNT; operand++)
		sparse_fill(&t, (enum operand)operand);
	sparse_point(&t, true);
	sparse_point(&near, false);
	library->call(&t, NULL, code);
	if (itself != NULL)
		trial_call(&near, NULL, itself);
	else
		trial_emulate(&near, NULL, blas_library_find_gemm(library, row->element));
	if (sparse_is_equal(&t))
		return true;
	printf("FAIL variant %d\n", variant);
	trial_tell(&t);
	return false;
}

static long resident_pages(void)
{
	long all, resident;
	FILE *file = fopen("/proc/self/statm", "r");
	if (file == NULL || fscanf(file, "%ld %ld", &all, &resident) != 2)
		exit(3);
	fclose(file);
	return resident;
}

int main(int argc, char **argv)
{
	int failures = 0;
	if (argc != 5)
		return 2;
	struct blas_library library = {.name = argv[1],
	                               .module_path = argv[2],
	                               .path = argv[3],
	                               .wide = strcmp(argv[4], "64") == 0};
	blas_library_open(&library, true);
	sparse_open(library.wide);
	const long before = resident_pages();
	for (size_t i = 0; i < blas_table_count; i++) {
		void *code = blas_library_find(&library, &blas_table[i]);
		if (code == NULL)
			continue;
		for (int variant = 0; variant < 5; variant++)
			failures += !run(&library, &blas_table[i], code, variant);
		printf("call %s 4\n", blas_table[i].name);
	}
	const bool frugal = resident_pages() - before < RESIDENT_PAGES_MAX;
	printf("%d failures, memory %s\n", failures, frugal ? "sparse" : "filled");
	return failures != 0 || !frugal;
}
