/* describe_problem.c - legality, overlap, work and scalars of one BLAS problem */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/describe_problem.h"

#include <stddef.h>

#include "policy/call/argument.h"
#include "policy/call/operand.h"

static bool describe_problem_has_flag(int flag)
{
	return flag != ARGUMENT_ILLEGAL;
}

static bool describe_problem_is_update(enum family family)
{
	return family_find_kind(family) == FAMILY_KIND_RANK_K || family_is_twice(family);
}

/* Complex rank updates take one kind of transposition only; for real ones the two are the same. */
static bool describe_problem_may_transpose(enum family family, enum element element,
                                           enum transpose trans)
{
	if (!describe_problem_is_update(family) || trans == TRANSPOSE_N)
		return true;
	if (family_has_hermitian_result(family))
		return trans == TRANSPOSE_C;
	return trans == TRANSPOSE_T || !element_is_complex(element);
}

static bool describe_problem_fits(enum family family, const struct blas_call *blas,
                                  enum operand operand)
{
	struct matrix matrix;
	if (!operand_find(family, blas, operand, &matrix))
		return true;
	return matrix.ld >= 1 && matrix.ld >= matrix.rows;
}

bool describe_problem_is_legal(enum family family, enum element element,
                               const struct blas_call *blas)
{
	const bool flags = describe_problem_has_flag((int)blas->side) &&
	                   describe_problem_has_flag((int)blas->uplo) &&
	                   describe_problem_has_flag((int)blas->transa) &&
	                   describe_problem_has_flag((int)blas->transb) &&
	                   describe_problem_has_flag((int)blas->diag);
	if (!flags || !describe_problem_may_transpose(family, element, blas->transa))
		return false;
	if (blas->m < 0 || blas->n < 0 || blas->k < 0)
		return false;
	return describe_problem_fits(family, blas, OPERAND_A) &&
	       describe_problem_fits(family, blas, OPERAND_B) &&
	       describe_problem_fits(family, blas, OPERAND_C);
}

bool describe_problem_is_empty(const struct blas_call *blas)
{
	return blas->m == 0 || blas->n == 0;
}

bool describe_problem_is_quick(const struct blas_call *blas)
{
	return describe_problem_is_empty(blas) || blas->k == 0 || argument_is_zero(blas->alpha);
}

bool describe_problem_overlaps(enum family family, enum element element,
                               const struct blas_call *blas)
{
	struct matrix result, input;
	operand_find(family, blas, OPERAND_C, &result);
	for (int operand = OPERAND_A; operand < OPERAND_C; operand++)
		if (operand_find(family, blas, (enum operand)operand, &input) &&
		    operand_overlaps(&input, &result, element))
			return true;
	return false;
}

static uint64_t describe_problem_count_bytes(const struct call *call, const struct blas_call *blas,
                                             enum operand operand, int64_t count)
{
	struct matrix matrix;
	uint64_t bytes;
	if (!operand_find(call->family, blas, operand, &matrix))
		return 0;
	if (__builtin_mul_overflow(operand_size_bytes(&matrix, call->element), (uint64_t)count,
	                           &bytes))
		return UINT64_MAX;
	return bytes;
}

void describe_problem_add_work(struct call *call, const struct blas_call *blas, int64_t count)
{
	const uint64_t ab =
		operand_add_bytes(describe_problem_count_bytes(call, blas, OPERAND_A, count),
	                          describe_problem_count_bytes(call, blas, OPERAND_B, count));
	const uint64_t c = describe_problem_count_bytes(call, blas, OPERAND_C, count);
	const bool reads_c = family_is_in_place(call->family) || !argument_is_zero(blas->beta);
	const uint64_t all = operand_add_bytes(ab, c);
	call->size_bytes = operand_add_bytes(call->size_bytes, all);
	call->input_bytes = operand_add_bytes(call->input_bytes, reads_c ? all : ab);
	call->output_bytes = operand_add_bytes(call->output_bytes, c);
	call->work_flops += (double)count * operand_count_flops(call->family, call->element, blas);
}

static enum element describe_problem_real(enum element element)
{
	static const enum element real[ELEMENT_BLAS_COUNT] = {ELEMENT_S, ELEMENT_D, ELEMENT_S,
	                                                      ELEMENT_D};
	return real[element];
}

static void describe_problem_read_scalars(struct call *call, const void *alpha, const void *beta)
{
	const enum element real = describe_problem_real(call->element);
	const bool real_alpha = call->family == FAMILY_HERK;
	const bool real_beta = family_has_hermitian_result(call->family);
	argument_read_scalar(real_alpha ? real : call->element, alpha, 0, call->blas.alpha);
	if (beta != NULL)
		argument_read_scalar(real_beta ? real : call->element, beta, 0, call->blas.beta);
}

void describe_problem_end(struct call *call, const void *alpha, const void *beta)
{
	struct blas_call *blas = &call->blas;
	call->size_bytes = call->input_bytes = call->output_bytes = 0;
	call->work_flops = 0;
	if (!describe_problem_is_legal(call->family, call->element, blas)) {
		call->defect = REASON_ILLEGAL_ARGUMENT;
		return;
	}
	if (!describe_problem_is_empty(blas))
		describe_problem_read_scalars(call, alpha, beta);
	describe_problem_add_work(call, blas, 1);
	if (describe_problem_is_quick(blas))
		call->defect = REASON_QUICK_RETURN;
	else
		call->defect = describe_problem_overlaps(call->family, call->element, blas)
		                       ? REASON_OVERLAP
		                       : REASON_NONE;
}
