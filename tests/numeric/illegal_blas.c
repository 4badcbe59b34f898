/* illegal_blas.c - illegal arguments of every routine; the xerbla records, jumps or throws */
/* SPDX-License-Identifier: Apache-2.0 */
#include "illegal_blas.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trial.h"

/*
 * usage: illegal_blas record|jump|throw MODULE 32|64
 *
 * MODULE is linked with the library, see differ_blas.c. The output must be the same with the shim
 * as without.
 */
enum { LEAD = 7, OPERAND_BYTES = 16 * LEAD * LEAD, SIZE = 4 };
enum { WAY_RECORD, WAY_JUMP, WAY_THROW };

static int way, heard;
static jmp_buf back;
static _Alignas(64) char memory[OPERAND_COUNT * OPERAND_BYTES];

static void leave(void)
{
	heard++;
	if (way == WAY_JUMP)
		longjmp(back, 1);
	if (way == WAY_THROW)
		illegal_throw();
}

/* Defined by the program, as Octave and R do. */
void xerbla_(const char *name, const int *info, size_t length);
void xerbla_(const char *name, const int *info, size_t length)
{
	size_t letters = 0;
	while (letters < length && letters < 16 && name[letters] > ' ')
		letters++;
	printf("  xerbla %.*s %d\n", (int)letters, name, *info);
	leave();
}

/*
 * Some libraries reach this one first. It must not return: they would go on with flags that they
 * have not set.
 */
void cblas_xerbla(int info, const char *name, const char *form, ...);
void cblas_xerbla(int info, const char *name, const char *form, ...)
{
	(void)form;
	printf("  cblas_xerbla %s %d\n", name, info);
	leave();
	longjmp(back, 1);
}

/* Whole numbers, so that all results are exact. */
static void fill(const struct trial *t)
{
	const bool single = t->row->element == ELEMENT_S || t->row->element == ELEMENT_C;
	for (size_t i = 0; i < sizeof memory / (single ? sizeof(float) : sizeof(double)); i++)
		if (single)
			((float *)(void *)memory)[i] = (float)(i % 5) - 2;
		else
			((double *)(void *)memory)[i] = (double)(i % 5) - 2;
}

struct visit {
	const struct trial *t;
	void *code;
	void (*call)(const struct trial *, char *, void *);
};

static void make_call(void *argument)
{
	const struct visit *visit = argument;
	visit->call(visit->t, memory, visit->code);
}

static void call(struct visit *visit)
{
	if (way == WAY_THROW)
		illegal_catch(make_call, visit);
	else if (setjmp(back) == 0)
		make_call(visit);
}

static struct trial legal(const struct blas_row *row, bool wide)
{
	struct trial t = {.row = row,
	                  .wide = row->wide || wide,
	                  .order = TRIAL_COLUMN_MAJOR,
	                  .diag = DIAG_UNIT};
	t.groups = t.problems = 1;
	t.group[0] = (struct trial_group){.m = SIZE, .n = SIZE, .k = SIZE, .problems = 1};
	t.group[0].lda = t.group[0].ldb = t.group[0].ldc = LEAD;
	t.group[0].alpha[0] = t.group[0].beta[0] = 1;
	for (int operand = 0; operand < OPERAND_COUNT; operand++) {
		t.offset[operand][0] = (size_t)operand * OPERAND_BYTES;
		t.stride[operand] = LEAD * LEAD;
	}
	return t;
}

/* C must be what it was. The text tells which argument was bad. */
static void expect_refused(const char *text, struct visit *visit)
{
	static char before[sizeof memory];
	fill(visit->t);
	memcpy(before, memory, sizeof memory);
	heard = 0;
	printf("%s %s\n", visit->t->row->name, text);
	call(visit);
	printf("  heard %d, memory %s\n", heard,
	       memcmp(before, memory, sizeof memory) == 0 ? "kept" : "changed");
}

/* A zero has no sign: which one a sum of zeros has depends on the library's kernels. */
static void drop_signs_of_zeros(const struct trial *t)
{
	const bool single = t->row->element == ELEMENT_S || t->row->element == ELEMENT_C;
	for (size_t i = 0; i < sizeof memory / (single ? sizeof(float) : sizeof(double)); i++)
		if (single)
			((float *)(void *)memory)[i] += 0.0f;
		else
			((double *)(void *)memory)[i] += 0.0;
}

/* A correct call right after: right, and one call like any other. */
static void expect_served(struct visit *visit)
{
	unsigned long hash = 5381;
	fill(visit->t);
	call(visit);
	drop_signs_of_zeros(visit->t);
	for (size_t i = 0; i < sizeof memory; i++)
		hash = hash * 33 + ((unsigned char *)memory)[i];
	printf("  then %lx\n", hash);
}

enum { ILLEGAL = 9, OTHER_TRANSPOSITION = 15, ARGUMENTS = 18 };

/* The arguments by number; false where the routine has none of this kind. */
static bool spoil(struct trial *t, int argument, const char **text)
{
	static const char *const texts[] = {"order",   "uplo",
	                                    "side",    "transa",
	                                    "transb",  "diag",
	                                    "m",       "n",
	                                    "k",       "lda",
	                                    "ldb",     "ldc",
	                                    "groups",  "group size",
	                                    "lda 0",   "the other transposition",
	                                    "several", "m 0 and a bad ldc"};
	const enum shape shape = t->row->shape;
	struct trial_group *g = &t->group[0];
	const bool product = shape == SHAPE_GEMM || shape == SHAPE_GEMMT || shape == SHAPE_BATCH ||
	                     shape == SHAPE_STRIDED;
	const bool square = shape == SHAPE_SYMM || shape == SHAPE_TRMM,
		   update = !product && !square;
	const bool other = update && element_is_complex(t->row->element),
		   hermitian = t->row->family == FAMILY_HERK || t->row->family == FAMILY_HER2K;
	*text = texts[argument];
	switch (argument) {
	case 0: t->order = 999; return t->row->abi == BLAS_CBLAS;
	case 1: t->uplo = (enum uplo)ILLEGAL; return square || update || shape == SHAPE_GEMMT;
	case 2: t->side = (enum side)ILLEGAL; return square;
	case 3: g->transa = (enum transpose)ILLEGAL; return shape != SHAPE_SYMM;
	case 4: g->transb = (enum transpose)ILLEGAL; return product;
	case 5: t->diag = (enum diag)ILLEGAL; return shape == SHAPE_TRMM;
	case 6: g->m = -1; return square || (product && shape != SHAPE_GEMMT);
	case 7: g->n = -2; return true;
	case 8: g->k = -3; return !square;
	case 9: g->lda = SIZE - 1; return true;
	case 10:
		g->ldb = SIZE - 1;
		return product || shape == SHAPE_SYMM || shape == SHAPE_SYR2K ||
		       shape == SHAPE_HER2K;
	case 11: g->ldc = SIZE - 1; return true;
	case 12: t->groups = -1; return shape == SHAPE_BATCH;
	case 13: g->problems = -1; return shape == SHAPE_BATCH || shape == SHAPE_STRIDED;
	case 14: g->lda = 0; return true;
	case OTHER_TRANSPOSITION: g->transa = hermitian ? TRANSPOSE_T : TRANSPOSE_C; return other;
	case 16:
		g->n = -1;
		g->ldc = 0;
		t->uplo = (enum uplo)ILLEGAL;
		g->transa = (enum transpose)ILLEGAL;
		return true;
	default:
		g->m = 0;
		g->ldc = -7;
		return true;
	}
}

static void run(struct visit *visit, const struct blas_row *row, bool wide, bool forwarded)
{
	const struct trial right = legal(row, wide);
	long served = 0;
	for (int by_rows = 0; by_rows <= (row->abi == BLAS_CBLAS); by_rows++)
		for (int argument = 0; argument < ARGUMENTS; argument++) {
			struct trial t = right;
			const char *text;
			if (by_rows)
				t.order = TRIAL_ROW_MAJOR;
			/*
			 * By rows some libraries take it, and then a library behind another calls
			 * on.
			 */
			if (!spoil(&t, argument, &text) ||
			    (forwarded && by_rows && argument == OTHER_TRANSPOSITION))
				continue;
			visit->t = &t;
			expect_refused(text, visit);
			visit->t = &right;
			expect_served(visit);
			served++;
		}
	printf("call %s %ld\n", row->name, served);
}

int main(int argc, char **argv)
{
	static const char *const ways[] = {"record", "jump", "throw"};
	struct visit visit = {.t = NULL};
	if (argc != 4)
		return 2;
	while (way < WAY_THROW && strcmp(argv[1], ways[way]) != 0)
		way++;
	void *module = dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL), *function = NULL;
	if (module != NULL)
		function = dlsym(module, "trial_call");
	if (function == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		return 3;
	}
	memcpy(&visit.call, &function, sizeof function);
	const bool wide = strcmp(argv[3], "64") == 0,
		   forwarded = dlsym(module, "scipy_dgemm_") != NULL;
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < blas_table_count; i++) {
		visit.code = dlsym(RTLD_DEFAULT, blas_table[i].name);
		if (dlsym(module, blas_table[i].name) != NULL)
			run(&visit, &blas_table[i], wide, forwarded);
	}
	fputs("\n", stderr); /* ATLAS prints there without ending the line */
	return 0;
}
