/* batch.c - groups and problems of a batch of products */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/call/batch.h"

#include "policy/call/argument.h"

static enum transpose batch_read_transpose(const struct batch_call *batch, const void *array,
                                           int64_t group)
{
	if (batch->letters)
		return (enum transpose)argument_read_transpose_letter((const char *)array + group);
	return (enum transpose)argument_read_transpose_flag(((const int *)array)[group]);
}

static void batch_read_parameters(const struct batch_call *batch, enum element element,
                                  int64_t group, struct blas_call *blas)
{
	const bool x = batch->exchange, wide = batch->wide;
	*blas = (struct blas_call){
		.transa = batch_read_transpose(batch, x ? batch->transb : batch->transa, group),
		.transb = batch_read_transpose(batch, x ? batch->transa : batch->transb, group),
		.m = argument_read_integer(x ? batch->n : batch->m, group, wide),
		.n = argument_read_integer(x ? batch->m : batch->n, group, wide),
		.k = argument_read_integer(batch->k, group, wide),
		.lda = argument_read_integer(x ? batch->ldb : batch->lda, group, wide),
		.ldb = argument_read_integer(x ? batch->lda : batch->ldb, group, wide),
		.ldc = argument_read_integer(batch->ldc, group, wide),
	};
	argument_read_scalar(element, batch->alpha, group, blas->alpha);
	argument_read_scalar(element, batch->beta, group, blas->beta);
}

/* The problems of the group that belong to the part. */
static void batch_trim_group(const struct batch_call *batch, struct batch_group *group)
{
	int64_t end = group->passed + group->size;
	group->first = group->passed > batch->begin ? group->passed : batch->begin;
	end = end < batch->end ? end : batch->end;
	group->count = group->first < end ? end - group->first : 0;
}

void batch_cut(struct batch_call *batch, int64_t begin, int64_t end)
{
	batch->begin = begin;
	batch->end = end;
}

bool batch_next_group(const struct batch_call *batch, enum element element,
                      struct batch_group *group)
{
	if (group->next >= batch->groups)
		return false;
	group->passed += group->size;
	if (batch->strided) {
		group->blas = batch->first;
		group->size = batch->problems;
	} else {
		batch_read_parameters(batch, element, group->next, &group->blas);
		group->size = argument_read_integer(batch->group_size, group->next, batch->wide);
	}
	group->first = group->passed;
	group->count = group->size;
	if (batch->end > 0)
		batch_trim_group(batch, group);
	group->next++;
	return true;
}

/* Unsigned, so that a stride that leaves the address space has a defined result too. */
static const void *batch_find_operand(const struct batch_call *batch, const void *operand,
                                      uint64_t stride_bytes, int64_t problem)
{
	if (!batch->strided)
		return ((const void *const *)operand)[problem];
	return (const void *)((uintptr_t)operand + (uintptr_t)problem * (uintptr_t)stride_bytes);
}

void batch_point(const struct batch_call *batch, enum element element, int64_t problem,
                 struct blas_call *blas)
{
	const uint64_t size = element_size_bytes(element);
	const void *a =
		batch_find_operand(batch, batch->a, (uint64_t)batch->stridea * size, problem);
	const void *b =
		batch_find_operand(batch, batch->b, (uint64_t)batch->strideb * size, problem);
	const void *c =
		batch_find_operand(batch, batch->c, (uint64_t)batch->stridec * size, problem);
	blas->a = batch->exchange ? b : a;
	blas->b = batch->exchange ? a : b;
	blas->c = (void *)(uintptr_t)c;
}

bool batch_shares_operand(const struct batch_call *batch, enum element element,
                          const struct batch_group *group, bool second)
{
	struct blas_call first = group->blas, other = group->blas;
	batch_point(batch, element, group->first, &first);
	for (int64_t i = 1; i < group->count; i++) {
		batch_point(batch, element, group->first + i, &other);
		if (second ? other.b != first.b : other.a != first.a)
			return false;
	}
	return true;
}
