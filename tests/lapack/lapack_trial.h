/* lapack_trial.h - one LAPACK call of the differential test: arguments, operands, memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_LAPACK_TRIAL_H
#define GPUSHIM_TESTS_LAPACK_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/driver/c11_complex.h"

/* The library's integers: 32 bits, or 64 where LAPACK_WIDE is defined. */
#ifdef LAPACK_WIDE
typedef int64_t lapack_int;
#else
typedef int32_t lapack_int;
#endif

enum type { TYPE_S, TYPE_D, TYPE_C, TYPE_Z, TYPE_COUNT };

/* Families of routines, in the order of the rows of lapack_rows.c. */
enum family {
	GETRF,
	GETRS,
	GESV,
	GETRI,
	POTRF,
	POTRS,
	POSV,
	POTRI,
	TRTRI,
	GEQRF,
	ORGQR,
	ORMQR,
	GELS,
	SYEV,
	SYEVD,
	SYEVR,
	SYEVX,
	SYGV,
	SYGVD,
	SYGVX,
	GESDD,
	GESVD,
	GEEV,
	FAMILY_COUNT
};

/* What an argument list is made of; the words of lapack_rows.c. */
enum word {
	WORD_NONE,
	WORD_JOB,
	WORD_JOB2,
	WORD_RANGE,
	WORD_UPLO,
	WORD_SIDE,
	WORD_TRANS,
	WORD_DIAG,
	WORD_ITYPE,
	WORD_M,
	WORD_N,
	WORD_K,
	WORD_NRHS,
	WORD_A,
	WORD_LDA,
	WORD_B,
	WORD_LDB,
	WORD_U,
	WORD_LDU,
	WORD_V,
	WORD_LDV,
	WORD_W,
	WORD_WI,
	WORD_TAU,
	WORD_IPIV,
	WORD_FAIL,
	WORD_VL,
	WORD_VU,
	WORD_IL,
	WORD_IU,
	WORD_ABSTOL,
	WORD_FOUND,
	WORD_WORK,
	WORD_LWORK,
	WORD_RWORK,
	WORD_LRWORK,
	WORD_IWORK,
	WORD_LIWORK,
	WORD_INFO
};

enum { WORDS_MAX = 24, ORDER_MAX = 160 };

struct row {
	const char *name[2]; /* of real and of complex elements, without the letter of the type */
	const char *words[2];
};
extern const struct row rows[FAMILY_COUNT];

enum slot {
	SLOT_A,
	SLOT_B,
	SLOT_U,
	SLOT_V,
	SLOT_W,
	SLOT_WI,
	SLOT_TAU,
	SLOT_IPIV,
	SLOT_FAIL,
	SLOT_WORK,
	SLOT_RWORK,
	SLOT_IWORK,
	SLOT_COUNT
};

/* Of a matrix the part that is read, or may be written. */
enum part { PART_NONE, PART_WHOLE, PART_UPPER, PART_LOWER };

enum unit { UNIT_ELEMENT, UNIT_REAL, UNIT_INTEGER };

struct operand {
	enum unit unit;
	int64_t rows, columns, ld;
	enum part read, written;
	size_t offset; /* in its slot of a copy of the memory */
};

/* The content of the matrices. */
enum content {
	CONTENT_RANDOM,
	CONTENT_GRADED,
	CONTENT_CLUSTERED,
	CONTENT_DEFICIENT,
	CONTENT_SINGULAR, /* exactly: info > 0 where the routine notices; indefinite for Cholesky */
	CONTENT_ZERO,
	CONTENT_IDENTITY,
	CONTENT_FOREIGN, /* NaN or Inf somewhere */
	CONTENT_COUNT
};

enum copy { COPY_BEFORE, COPY_SHIM, COPY_LIBRARY, COPY_COUNT };

/* What a call leaves in its scalar arguments. */
struct outcome {
	lapack_int info, found;
};

struct trial {
	enum family family;
	enum type type;
	enum content content;
	char job, job2, range, uplo, side, trans, diag;
	bool small_letters;
	lapack_int itype, m, n, k, nrhs, il, iu, lwork, lrwork, liwork;
	lapack_int answer[3]; /* of the library to a query: of work, rwork and iwork */
	double vl, vu, abstol, scale;
	int index; /* the column that is exactly zero, or the minor that is negative */
	struct operand operand[SLOT_COUNT];
	struct outcome outcome[COPY_COUNT];
};

static inline bool type_is_complex(enum type type)
{
	return type >= TYPE_C;
}

static inline bool type_is_single(enum type type)
{
	return type == TYPE_S || type == TYPE_C;
}

size_t unit_bytes(enum type type, enum unit unit);

/* The routine's Fortran name: dgesv_. */
const char *trial_name(enum family family, enum type type, char *text, size_t size);

/* Reads its words; returns how many. */
int trial_words(enum family family, enum type type, enum word *words);

/* Whether a word is an operand's, and which. */
bool word_is_slot(enum word word, enum slot *slot);

/* Calls code on a copy of the memory; its outcome is noted. */
void trial_call(struct trial *t, enum copy copy, void *code);

/* Asks for workspaces; lwork, lrwork and liwork become what the library asks for. */
void trial_query(struct trial *t, enum copy copy, void *code);

/* A line that tells the call. */
void trial_tell(const struct trial *t);

/*
 * Memory: three copies of the operands. guards: half of the calls have operands that end at a page
 * without access, where the library reads no more than it is given.
 */

void memory_open(bool guards);
char *memory_at(const struct trial *t, enum copy copy, enum slot slot);

/* Chooses where the operands lie, and fills all with NaN, also gaps and what is only written. */
void memory_place(struct trial *t);

double complex memory_get(const struct trial *t, enum copy copy, enum slot slot, int64_t row,
                          int64_t column);
void memory_set(const struct trial *t, enum slot slot, int64_t row, int64_t column,
                double complex value);

/* Copies one copy of the operands to another. */
void memory_copy(const struct trial *t, enum copy from, enum copy to);

/* Makes the memory of the shim's call what it was before, by writing the pages that differ. */
void memory_restore(const struct trial *t);

/*
 * Whether all bytes that may not be written, or all bytes where nothing may, are those of
 * COPY_BEFORE. Names the operand that is not.
 */
bool memory_is_kept(const struct trial *t, enum copy copy, bool nothing, enum slot *slot);

/* Whether two copies are the same but for workspaces. */
bool memory_is_same(const struct trial *t, enum slot *slot);

/* Draws the arguments, sizes the operands, but leaves their content. */
void draw_trial(struct trial *t, enum family family, enum type type);

/* The smallest workspaces that LAPACK's documents allow. */
void draw_least_work(struct trial *t);

/*
 * Fills what the call reads. find gives the CPU library's own routine, for factors that a call
 * expects.
 */
void fill_trial(struct trial *t, void *(*find)(enum family family, enum type type));

/*
 * Whether the results in the shim's copy are as good as LAPACK's own testers demand; the worst
 * ratio. NULL, or what is wrong.
 */
const char *judge_trial(const struct trial *t, double *worst);

#endif
