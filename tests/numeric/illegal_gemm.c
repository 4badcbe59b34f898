/* illegal_gemm.c - each argument illegal in turn, with the program's own xerbla that records or jumps away */
/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas_names.h"

/*
 * usage: illegal_gemm record|jump. Defined by the program, as Octave and R do. The library calls it with its own name
 * and number; some reach cblas_xerbla first.
 */
void xerbla_(const char *name, const int *info, size_t length);
void cblas_xerbla(int info, const char *name, const char *form, ...);

static jmp_buf back;
static int jumps, heard;

void xerbla_(const char *name, const int *info, size_t length)
{
	printf("  xerbla %.*s %d\n", (int)(length < 6 ? length : 6), name, *info);
	heard++;
	if (jumps)
		longjmp(back, 1);
}

/* The reference's own would end the program. */
void cblas_xerbla(int info, const char *name, const char *form, ...)
{
	(void)form;
	printf("  cblas_xerbla %s %d\n", name, info);
	heard++;
	if (jumps)
		longjmp(back, 1);
}

enum { SIZE = 6 };
static double a[2 * SIZE * SIZE], b[2 * SIZE * SIZE], c[2 * SIZE * SIZE];

static void fill(void)
{
	for (int i = 0; i < 2 * SIZE * SIZE; i++) {
		a[i] = i % 5;
		b[i] = i % 7;
		c[i] = i % 3;
	}
}

static struct gemm legal(enum type type, enum spelling spelling)
{
	return (struct gemm){.type = type,
	                     .spelling = spelling,
	                     .transa = 'N',
	                     .transb = 'T',
	                     .m = 3,
	                     .n = 4,
	                     .k = 5,
	                     .lda = SIZE,
	                     .ldb = SIZE,
	                     .ldc = SIZE,
	                     .alpha = {1, 0},
	                     .beta = {1, 0},
	                     .a = a,
	                     .b = b,
	                     .c = c};
}

static void call(const struct gemm *g)
{
	if (setjmp(back) == 0)
		gemm_call(g);
}

/* C must be what it was. The text tells which argument was bad. */
static void expect_refused(const char *text, const struct gemm *g)
{
	static double before[2 * SIZE * SIZE];
	fill();
	memcpy(before, c, sizeof c);
	heard = 0;
	printf("%s %s\n", gemm_name(g), text);
	call(g);
	printf("  heard %d, C %s\n", heard, memcmp(before, c, sizeof c) == 0 ? "kept" : "changed");
}

/* A correct call right after: right, and one call like any other. */
static void expect_served(const struct gemm *g)
{
	unsigned long hash = 5381;
	fill();
	call(g);
	gemm_count(g);
	for (size_t i = 0; i < sizeof c; i++)
		hash = hash * 33 + ((unsigned char *)c)[i];
	printf("  then %lx\n", hash);
}

#define REFUSE(text, change)                                                                                           \
	do {                                                                                                           \
		struct gemm g = legal(type, spelling);                                                                 \
		change;                                                                                                \
		expect_refused(text, &g);                                                                              \
		const struct gemm right = legal(type, spelling);                                                       \
		expect_served(&right);                                                                                 \
	} while (0)

static void run(enum type type, enum spelling spelling)
{
	REFUSE("transa", g.transa = 'X');
	REFUSE("transb", g.transb = '?');
	REFUSE("m", g.m = -1);
	REFUSE("n", g.n = -2);
	REFUSE("k", g.k = -3);
	REFUSE("lda", g.lda = 1);
	REFUSE("ldb", g.ldb = 2);
	REFUSE("ldc", g.ldc = 1);
	REFUSE("ldc 0", g.ldc = 0);
	REFUSE("several", g.m = -1; g.ldc = 0; g.transb = 'Q');
	REFUSE("m 0 and a bad lda", g.m = 0; g.lda = -7);
}

int main(int argc, char **argv)
{
	jumps = argc > 1 && strcmp(argv[1], "jump") == 0;
	for (int type = 0; type < TYPE_COUNT; type++)
		for (int spelling = 0; spelling < SPELLING_COUNT; spelling++)
			run((enum type)type, (enum spelling)spelling);
	gemm_tell_counts();
	return 0;
}
