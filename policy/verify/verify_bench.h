/* verify_bench.h - what checks of LAPACK's results share: vectors, operands, the verdict; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_VERIFY_VERIFY_BENCH_H
#define GPUSHIM_POLICY_VERIFY_VERIFY_BENCH_H

#include "policy/call/lapack_operand.h"
#include "policy/verify/verify_view.h"

/*
 * A call that is done. before: A and B, as they were, where the call reads and may change them;
 * else the program's. work: room of verify_bench_count_bytes.
 */
struct verify_solved {
	const struct call *call;
	struct matrix before[LAPACK_B + 1];
	double *work;
};

/* Bytes of room that the checks of a call need; UINT64_MAX where sizes overflow. */
uint64_t verify_bench_count_bytes(const struct call *call);

/* How many values the call computed, in its array W. */
int64_t verify_bench_count_values(const struct call *call);

/*
 * A check in progress. x, y, z, w: vectors of any length that the call has; column: for the
 * products. roundoff: unit roundoff of the element.
 */
struct verify_bench {
	const struct verify_solved *solved;
	const struct lapack_call *lapack;
	enum element element;
	bool real;
	struct lapack_operands operands;
	struct verify_vector x, y, z, w, column;
	double roundoff, least;
	struct verify_verdict worst;
};

void verify_bench_open(struct verify_bench *bench, const struct verify_solved *solved);

/* Operand A, B, U or VT: as it was before the call, and as the call left it. */
struct verify_view verify_bench_before(const struct verify_bench *bench, enum lapack_name name,
                                       enum verify_form form);
struct verify_view verify_bench_after(const struct verify_bench *bench, enum lapack_name name,
                                      enum verify_form form);

/* The triangle that uplo names, or the matrix that it is half of. */
enum verify_form verify_bench_triangle(const struct verify_bench *bench);
enum verify_form verify_bench_mirrored(const struct verify_bench *bench);

/* Value number i of W or WI. */
double verify_bench_value(const struct verify_bench *bench, const void *values, int64_t i);

/* y := op(M) x. Plainly: without sizes. */
void verify_bench_apply(const struct verify_bench *bench, const struct verify_view *view,
                        enum transpose trans, const struct verify_vector *x,
                        const struct verify_vector *y);
void verify_bench_apply_plainly(const struct verify_bench *bench, const struct verify_view *view,
                                enum transpose trans, const struct verify_vector *x,
                                const struct verify_vector *y);

/* Vectors: of +1 and -1 at random, zeros from one place on, a copy, times 2 to a power. */
void verify_bench_draw(const struct verify_bench *bench, const struct verify_vector *x,
                       int64_t count);
void verify_bench_clear(const struct verify_bench *bench, const struct verify_vector *x,
                        int64_t first, int64_t end);
void verify_bench_copy(const struct verify_bench *bench, const struct verify_vector *to,
                       const struct verify_vector *from, int64_t count);
void verify_bench_scale(const struct verify_bench *bench, const struct verify_vector *x,
                        int64_t count, int power);

/* Euclidean norms: of numbers, of their difference, of sizes. */
double verify_bench_norm(const struct verify_bench *bench, const struct verify_vector *x,
                         int64_t count);
double verify_bench_distance(const struct verify_bench *bench, const struct verify_vector *x,
                             const struct verify_vector *y, int64_t count);
double verify_bench_size(const struct verify_vector *x, int64_t count);

/*
 * The verdict on two vectors that rounding alone may tell apart. In a chain of products and
 * triangles by their sizes; in norms by LAPACK's own threshold for its tests. power: of the
 * vectors' unit, for what underflows.
 */
struct verify_verdict verify_bench_weigh_chain(const struct verify_bench *bench,
                                               const struct verify_vector *x,
                                               const struct verify_vector *chained, int64_t count,
                                               int power);
struct verify_verdict verify_bench_weigh_norms(const struct verify_bench *bench, double deviation,
                                               double size, int power);

/* Keeps the worst. */
void verify_bench_join(struct verify_bench *bench, struct verify_verdict verdict);

#endif
