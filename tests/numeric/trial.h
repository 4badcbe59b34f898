/* trial.h - one BLAS call of the differential test: its arguments and its operands' places */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_TRIAL_H
#define GPUSHIM_TESTS_NUMERIC_TRIAL_H

#include "blas_table.h"

enum { TRIAL_GROUPS = 4, TRIAL_PROBLEMS = 16, TRIAL_ROW_MAJOR = 101, TRIAL_COLUMN_MAJOR = 102 };

/* C is what the routine writes: of trmm and trsm it is what BLAS calls B. */
enum operand { OPERAND_A, OPERAND_B, OPERAND_C, OPERAND_COUNT };

enum trial_letters { LETTERS_CAPITAL, LETTERS_SMALL, LETTERS_WORD, LETTERS_COUNT };

/* Where the operands begin or end. HALF: a complex number may lie at any multiple of its parts. */
enum trial_position {
	POSITION_ALIGNED,
	POSITION_HALF,
	POSITION_ELEMENT,
	POSITION_PAGE_END,
	POSITION_COUNT
};

enum trial_sharing {
	SHARING_NONE,
	SHARING_INPUTS,      /* A begins where B does */
	SHARING_INTERLEAVED, /* C and an input: blocks of one array without common elements */
	SHARING_OVERLAP,     /* A begins within C: the CPU library computes the result */
	SHARING_COUNT
};

/*
 * What one group of problems has in common: a call that is no batch has one group of one problem.
 */
struct trial_group {
	enum transpose transa, transb;
	int64_t m, n, k, lda, ldb, ldc;
	double alpha[2], beta[2];
	int64_t problems;
};

/*
 * As the program says it: sizes and flags are those of the routine's own arguments, row-major ones
 * included, and a flag out of its range is passed as an illegal one. k is also set where it is the
 * order of a square A.
 */
struct trial {
	const struct blas_row *row;
	bool wide; /* its integers have 64 bits */
	int order;
	enum side side;
	enum uplo uplo;
	enum diag diag;
	enum trial_letters letters;
	int64_t groups;
	struct trial_group group[TRIAL_GROUPS];
	int64_t stride[OPERAND_COUNT]; /* of a strided batch, in elements */

	int problems;
	int group_of[TRIAL_PROBLEMS];
	size_t offset[OPERAND_COUNT][TRIAL_PROBLEMS]; /* in bytes, from the start of an arena */
	/* The used part of each operand's slot, with its surroundings. */
	size_t begin[OPERAND_COUNT], end[OPERAND_COUNT];

	bool alike;          /* all groups transpose alike */
	bool clean_diagonal; /* what is ignored on C's diagonal is finite */
	bool clean_inputs;   /* what is ignored since alpha is zero is finite */
	enum trial_position position;
	enum trial_sharing sharing;
	enum operand shared;  /* with C */
	bool foreign;         /* non-finite values stand in referenced places */
	bool zeros;           /* zeros, too */
	bool read_only;       /* A and B lie where nothing may be written */
	bool no_access;       /* nor read, since they need not be */
	unsigned char filler; /* of what must not be read: 0xff makes a NaN of every type */
};

static inline bool trial_is_real_scalar(const struct trial *t, bool beta)
{
	return t->row->family == FAMILY_HERK || (beta && t->row->family == FAMILY_HER2K) ||
	       !element_is_complex(t->row->element);
}

/* Whether the routine has nothing to multiply in this group. */
static inline bool trial_is_quick_group(const struct trial_group *g)
{
	return g->m == 0 || g->n == 0 || g->k == 0 || (g->alpha[0] == 0 && g->alpha[1] == 0);
}

/* Of the whole call: one such problem is enough. */
bool trial_is_quick(const struct trial *t);

/* Whether the GPU may take it: nothing but the quick and the overlapping calls stay on the CPU. */
bool trial_is_eligible(const struct trial *t);

/*
 * Draws a call of this row: everything but where the operands lie. alike: all groups transpose
 * alike.
 */
void trial_draw(struct trial *t, const struct blas_row *row, bool wide, bool alike);

/* Calls code, which has the row's convention, on the operands in this arena. */
void trial_call(const struct trial *t, char *arena, void *code);

/* The same by the Fortran gemm of the element: for routines that a library lacks. */
void trial_emulate(const struct trial *t, char *arena, void *code);

/* Prints the call on one line of stdout. */
void trial_tell(const struct trial *t);

#endif
