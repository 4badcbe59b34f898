/* describe_batch.c - batches of multiplications -> struct call */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>

#include "policy/call/argument.h"
#include "policy/call/batch.h"
#include "policy/call/operand.h"
#include "shim/describe/describe_blas.h"
#include "shim/describe/describe_problem.h"

enum { DESCRIBE_BATCH_SORTED = 1 << 20 };

/* The bytes that a problem reads or writes. */
struct batch_extent {
	uintptr_t begin, end;
	bool written;
};

/* Adds one group to the call's work; returns its defect. */
static enum reason describe_batch_group(struct call *call, const struct batch_group *group)
{
	const struct blas_call *blas = &group->blas;
	if (group->count < 0 || !describe_problem_is_legal(call->family, call->element, blas))
		return REASON_ILLEGAL_ARGUMENT;
	if (group->count == 0)
		return REASON_NONE;
	describe_problem_add_work(call, blas, group->count);
	return describe_problem_is_quick(blas) ? REASON_QUICK_RETURN : REASON_NONE;
}

/* Lists the extents of all operands of all problems; returns their number. */
static size_t describe_batch_list(const struct call *call, struct batch_extent *extent)
{
	struct batch_group group = {.next = 0};
	struct matrix matrix;
	size_t count = 0;
	while (batch_next_group(&call->batch, call->element, &group))
		for (int64_t i = 0; i < group.count; i++) {
			batch_point(&call->batch, call->element, group.first + i, &group.blas);
			for (int operand = OPERAND_A; operand <= OPERAND_C; operand++, count++) {
				operand_find(call->family, &group.blas, (enum operand)operand,
				             &matrix);
				operand_find_extent(&matrix, call->element, &extent[count].begin,
				                    &extent[count].end);
				extent[count].written = operand == OPERAND_C;
			}
		}
	return count;
}

static void describe_batch_sift(struct batch_extent *extent, size_t root, size_t count)
{
	for (size_t child = 2 * root + 1; child < count; root = child, child = 2 * root + 1) {
		if (child + 1 < count && extent[child + 1].begin > extent[child].begin)
			child++;
		if (extent[root].begin >= extent[child].begin)
			return;
		const struct batch_extent moved = extent[root];
		extent[root] = extent[child];
		extent[child] = moved;
	}
}

/* Heap sort: in place, and without libc's qsort, which may allocate. */
static void describe_batch_sort(struct batch_extent *extent, size_t count)
{
	for (size_t root = count / 2; root > 0; root--)
		describe_batch_sift(extent, root - 1, count);
	for (size_t last = count; last > 1; last--) {
		const struct batch_extent largest = extent[0];
		extent[0] = extent[last - 1];
		extent[last - 1] = largest;
		describe_batch_sift(extent, 0, last - 1);
	}
}

/*
 * The extents are sorted by their begin. True if a written extent meets an earlier one, or any
 * extent an earlier written one.
 */
static bool describe_batch_collides(const struct batch_extent *extent, size_t count)
{
	uintptr_t end = 0, written_end = 0;
	for (size_t i = 0; i < count; i++) {
		if (extent[i].begin < (extent[i].written ? end : written_end))
			return true;
		if (extent[i].end > end)
			end = extent[i].end;
		if (extent[i].written && extent[i].end > written_end)
			written_end = extent[i].end;
	}
	return false;
}

/*
 * Whether a result meets any other operand: the CPU library computes the problems in an order of
 * its own, the GPU all at once. Blocks that interleave in one matrix count as meeting.
 */
static bool describe_batch_overlaps(const struct call *call)
{
	if (call->batch.problems > DESCRIBE_BATCH_SORTED)
		return true;
	struct batch_extent *extent =
		malloc(OPERAND_COUNT * (size_t)call->batch.problems * sizeof *extent);
	if (extent == NULL)
		return true;
	const size_t count = describe_batch_list(call, extent);
	describe_batch_sort(extent, count);
	const bool collides = describe_batch_collides(extent, count);
	free(extent);
	return collides;
}

/* Adds all groups; returns their worst defect. *problems: their number. */
static enum reason describe_batch_groups(struct call *call, int64_t *problems)
{
	struct batch_group group = {.next = 0};
	enum reason worst = REASON_NONE;
	*problems = 0;
	while (batch_next_group(&call->batch, call->element, &group)) {
		const enum reason defect = describe_batch_group(call, &group);
		if (defect == REASON_ILLEGAL_ARGUMENT ||
		    __builtin_add_overflow(*problems, group.count, problems))
			return REASON_ILLEGAL_ARGUMENT;
		if (defect != REASON_NONE)
			worst = defect;
		if (group.first == 0)
			call->blas = group.blas;
	}
	return *problems == 0 ? REASON_QUICK_RETURN : worst;
}

/* Ends every description: call->batch is complete but for problems, which is counted here. */
static void describe_batch_end(struct call *call)
{
	int64_t problems = 0;
	call->size_bytes = call->input_bytes = call->output_bytes = 0;
	call->work_flops = 0;
	call->blas = (struct blas_call){.m = 0};
	call->defect = call->batch.groups < 0 ? REASON_ILLEGAL_ARGUMENT
	                                      : describe_batch_groups(call, &problems);
	call->batch.problems = problems;
	if (call->defect == REASON_NONE && describe_batch_overlaps(call))
		call->defect = REASON_OVERLAP;
}

/* The arguments that are arrays, the same in both conventions. */
#define BATCH_ARRAYS                                                                               \
	.transa = transa, .transb = transb, .m = m, .n = n, .k = k, .alpha = alpha, .lda = lda,    \
	.ldb = ldb, .beta = beta, .ldc = ldc, .group_size = group_size, .a = a, .b = b, .c = c

void describe_f77_BATCH(struct call *call, bool wide, DESCRIBE_PARAMS_f77(BATCH))
{
	call->batch = (struct batch_call){
		.letters = true,
		.wide = wide,
		.groups = argument_read_integer(groups, 0, wide),
		BATCH_ARRAYS,
	};
	describe_batch_end(call);
}

void describe_cblas_BATCH(struct call *call, bool wide, DESCRIBE_PARAMS_cblas(BATCH))
{
	const bool known = order == ORDER_ROW || order == ORDER_COLUMN;
	const int64_t count = wide ? groups : (int32_t)groups;
	call->batch = (struct batch_call){
		.wide = wide,
		.exchange = order == ORDER_ROW,
		.groups = known ? count : -1,
		BATCH_ARRAYS,
	};
	describe_batch_end(call);
}

/* A strided batch; call->blas is its first problem, described as a call of its own. */
static void describe_batch_repeat(struct call *call, int64_t stridea, int64_t strideb,
                                  int64_t stridec, int64_t problems)
{
	const enum reason defect = call->defect;
	const struct blas_call first = call->blas;
	call->batch = (struct batch_call){
		.strided = true,
		.groups = defect == REASON_ILLEGAL_ARGUMENT ? -1 : 1,
		.problems = problems,
		.a = first.a,
		.b = first.b,
		.c = first.c,
		.stridea = stridea,
		.strideb = strideb,
		.stridec = stridec,
		.first = first,
	};
	describe_batch_end(call);
	call->blas = first;
}

void describe_f77_STRIDED(struct call *call, bool wide, DESCRIBE_PARAMS_f77(STRIDED))
{
	describe_f77_GEMM(call, wide, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
	describe_batch_repeat(call, argument_read_integer(stridea, 0, wide),
	                      argument_read_integer(strideb, 0, wide),
	                      argument_read_integer(stridec, 0, wide),
	                      argument_read_integer(problems, 0, wide));
}

void describe_cblas_STRIDED(struct call *call, bool wide, DESCRIBE_PARAMS_cblas(STRIDED))
{
	const bool row = order == ORDER_ROW;
	describe_cblas_GEMM(call, wide, order, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta,
	                    c, ldc);
	const blas_wide first = row ? strideb : stridea, second = row ? stridea : strideb;
	describe_batch_repeat(call, wide ? first : (int32_t)first, wide ? second : (int32_t)second,
	                      wide ? stridec : (int32_t)stridec,
	                      wide ? problems : (int32_t)problems);
}
