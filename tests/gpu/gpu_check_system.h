/* gpu_check_system.h - a LAPACK problem in memory; internal to gpu_check_lapack*.c */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CHECK_SYSTEM_H
#define GPUSHIM_TESTS_GPU_GPU_CHECK_SYSTEM_H

#include "gpu_check_dense.h"

struct gpu_check_lapack;

enum part { PART_NONE, PART_WHOLE, PART_UPPER, PART_LOWER };

/* One array of the call: where it lies in the block, and what of it the call may write. */
struct array {
	size_t begin;
	int64_t rows, columns, ld;
	size_t element_bytes;
	enum part written;
};

enum {
	ARRAY_A,
	ARRAY_B,
	ARRAY_Z, /* also U */
	ARRAY_VT,
	ARRAY_W,
	ARRAY_WI,
	ARRAY_TAU,
	ARRAY_IPIV,
	ARRAY_SUPPORT, /* isuppz, ifail */
	ARRAY_FOUND,
	ARRAY_INFO,
	ARRAYS
};

/* The call on a block of memory; the block before the call; which bytes it may write. */
struct system {
	const struct gpu_check_lapack *wanted;
	struct call call;
	struct array array[ARRAYS];
	char *memory, *before, *writable;
	size_t size_bytes;
	struct dense a, b; /* the matrix that is factored, solved with, or inverted; right sides */
};

/* What families have in common. */
bool system_is_cholesky(enum family family);
/* The call gets factors. */
bool system_is_factored(enum family family);
bool system_has_right_sides(enum family family);
bool system_is_inverse(enum family family);
/* Eigenvalues; of those, vectors in an array of their own. */
bool system_is_spectrum(enum family family);
bool system_has_z(enum family family);
/* Eigenvalues of A and B, where B is positive definite. */
bool system_is_pencil(enum family family);
/* Reflectors; the call gets them; singular values. */
bool system_is_orthogonal(enum family family);
bool system_has_reflectors(enum family family);
bool system_is_singular(enum family family);
bool system_is_general(enum family family); /* geev */
bool system_is_least(enum family family);   /* gels */
/* Whether the call references this element of A. */
bool system_is_stored(const struct system *system, int64_t i, int64_t j);

char *system_at(const struct system *system, char *block, int name, int64_t i, int64_t j);
void system_set(struct system *system, int name, int64_t i, int64_t j, long double complex value);
long double complex system_get(const struct system *system, int name, int64_t i, int64_t j);
void system_set_integer(struct system *system, int name, int64_t i, int64_t value);
int64_t system_get_integer(const struct system *system, int name, int64_t i);
long double system_get_real(const struct system *system, int name, int64_t i);

/* gpu_check_draw.c: fills the block, and a and b. */
void system_fill(struct system *system);

/* X := the product of the reflectors in A, or (back) its conjugate transpose, times X. */
void system_reflect(const struct system *system, struct dense *x, bool back);

/* gpu_check_orthogonal.c: the same as system_judge, for reflectors and singular values. */
void system_judge_orthogonal(const struct system *system);
void system_judge_singular(const struct system *system);
void system_judge_general(const struct system *system);
void system_judge_least(const struct system *system);
void system_judge_ratio(const struct system *system, const char *what, long double ratio);
/* A copy of an array, or of its upper triangle. */
struct dense system_copy(const struct system *system, int name, bool upper);

/* gpu_check_residual.c: expects the results to be right. */
void system_judge(const struct system *system);

#endif
