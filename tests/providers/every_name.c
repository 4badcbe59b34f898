/* every_name.c - calls every name that a BLAS library has, with numbers whose products are exact */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trial.h"

/*
 * usage: every_name LIBRARY 32|64 [errors]
 *
 * LIBRARY is the library that the program is linked with; its integers have 32 or 64 bits. Names
 * with a 64 suffix are called with 64-bit integers. For each call stdout has a line with the name
 * and the expected line of the log, then messages of the library, then the whole result. errors:
 * each call has an illegal size.
 */
enum { LD = 8, STRIDE = 64, OPERAND_BYTES = 4096, GROUPS = 2, PROBLEMS = 3 };

static _Alignas(16) char arena[OPERAND_COUNT * OPERAND_BYTES];

static bool is_single(enum element element)
{
	return element == ELEMENT_S || element == ELEMENT_C;
}

/* No zeros, so that elements that are wrongly skipped or cleared are found. */
static void fill(enum element element)
{
	for (int operand = 0; operand < OPERAND_COUNT; operand++) {
		void *part = arena + operand * OPERAND_BYTES;
		for (int i = 0; i < OPERAND_BYTES / 8; i++) {
			const int number = (i * 5 + i / LD * 3 + i / 3 + operand) % 6;
			const int value = number < 3 ? number - 3 : number - 2;
			if (is_single(element))
				((float *)part)[i] = (float)value;
			else
				((double *)part)[i] = value;
		}
	}
}

/* Zeros are printed without sign. */
static void print_result(enum element element)
{
	const void *part = arena + OPERAND_C * OPERAND_BYTES;
	for (int i = 0; i < OPERAND_BYTES / 8; i++)
		printf(" %g", (is_single(element) ? (double)((const float *)part)[i]
		                                  : ((const double *)part)[i]) +
		                      0.0);
	printf("\n");
}

/*
 * For real elements C means T. Of the complex rank-k updates, Hermitian ones take C only, symmetric
 * ones T only.
 */
static enum transpose find_transpose(const struct blas_row *row)
{
	const bool hermitian = row->family == FAMILY_HERK || row->family == FAMILY_HER2K;
	const bool symmetric = row->family == FAMILY_SYRK || row->family == FAMILY_SYR2K;
	return hermitian || !symmetric ? TRANSPOSE_C : TRANSPOSE_T;
}

static bool is_batch(const struct blas_row *row)
{
	return row->shape == SHAPE_BATCH || row->shape == SHAPE_STRIDED;
}

/*
 * Each name is called twice. The second call transposes, names the other triangle, and is by rows
 * if the routine has an order argument.
 */
static void make_trial(struct trial *t, const struct blas_row *row, bool wide, bool second)
{
	const struct trial_group group = {
		.transa = second ? find_transpose(row) : TRANSPOSE_N,
		.transb = second ? TRANSPOSE_T : TRANSPOSE_N,
		.m = 5,
		.n = 4,
		.k = 3,
		.lda = LD,
		.ldb = LD,
		.ldc = LD,
		.alpha = {2, 1},
		.beta = {-1, 1},
		.problems = 1,
	};
	*t = (struct trial){
		.row = row,
		.wide = wide,
		.order = second && row->abi == BLAS_CBLAS ? TRIAL_ROW_MAJOR : TRIAL_COLUMN_MAJOR,
		.side = second ? SIDE_RIGHT : SIDE_LEFT,
		.uplo = second ? UPLO_LOWER : UPLO_UPPER,
		.diag = DIAG_UNIT,
		.groups = row->shape == SHAPE_BATCH ? GROUPS : 1,
		.group = {group, group},
		.stride = {STRIDE, STRIDE, STRIDE},
		.problems = is_batch(row) ? PROBLEMS : 1,
	};
	t->group[GROUPS - 1].problems = row->shape == SHAPE_BATCH ? PROBLEMS - 1 : 1;
	if (row->shape == SHAPE_STRIDED)
		t->group[0].problems = PROBLEMS;
	for (int operand = 0; operand < OPERAND_COUNT; operand++)
		for (int p = 0; p < PROBLEMS; p++)
			t->offset[operand][p] =
				(size_t)operand * OPERAND_BYTES +
				(size_t)(p * STRIDE) * element_size_bytes(row->element);
}

static void call_name(const struct blas_row *row, bool wide, bool second, bool errors)
{
	struct trial t;
	void *code = dlsym(RTLD_DEFAULT, row->name);
	make_trial(&t, row, wide || row->wide, second);
	for (int i = 0; errors && i < GROUPS; i++)
		t.group[i].n = -1;
	fill(row->element);
	printf("%s %s\n", row->name, errors ? "illegal_argument" : "gpu");
	fflush(stdout);
	trial_call(&t, arena, code);
	print_result(row->element);
}

int main(int argc, char **argv)
{
	const bool errors = argc == 4 && strcmp(argv[3], "errors") == 0;
	void *library = argc < 3 ? NULL : dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD);
	if (library == NULL) {
		fprintf(stderr,
		        "usage: every_name LIBRARY 32|64 [errors], and linked with LIBRARY\n");
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < blas_table_count; i++)
		for (int second = 0; second < 2 && dlsym(library, blas_table[i].name) != NULL;
		     second++)
			call_name(&blas_table[i], strcmp(argv[2], "64") == 0, second, errors);
	return EXIT_SUCCESS;
}
