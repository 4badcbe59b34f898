/* regret_call.c - a trace's shapes as calls that the policy decides on */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/regret/regret_call.h"

#include <math.h>
#include <stdlib.h>

#include "policy/call/operand.h"

/* Of operands the policy needs no more than addresses that differ. */
static char call_places[OPERAND_COUNT];

/* Operands do not overlap and have no gaps; C is not read, so that beta is 0. */
static void call_fill_blas(const struct call_trace_shape *shape, struct call *call)
{
	struct blas_call *blas = &call->blas;
	struct matrix matrix;
	*blas = (struct blas_call){.side = shape->side,
	                           .transa = shape->transa,
	                           .transb = shape->transb,
	                           .m = shape->m,
	                           .n = shape->n,
	                           .k = shape->k,
	                           .alpha = {1, 0}};
	blas->a = &call_places[OPERAND_A];
	blas->b = &call_places[OPERAND_B];
	blas->c = &call_places[OPERAND_C];
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		if (!operand_find(call->family, blas, (enum operand)name, &matrix))
			continue;
		const uint64_t size_bytes = operand_size_bytes(&matrix, call->element);
		call->size_bytes += size_bytes;
		if (name != OPERAND_C || family_is_in_place(call->family))
			call->input_bytes += size_bytes;
		if (name == OPERAND_C)
			call->output_bytes = size_bytes;
		*(name == OPERAND_A   ? &blas->lda
		  : name == OPERAND_B ? &blas->ldb
		                      : &blas->ldc) = matrix.rows;
	}
	call->work_flops = operand_count_flops(call->family, call->element, blas);
}

/* As shim/describe counts them: 5 N log2 N, half of it where one side is real. */
static void call_fill_fft(const struct call_trace_shape *shape, struct regret_call *one)
{
	struct fft_problem *problem = &one->problem;
	struct call *call = &one->call;
	double points = 1;
	uint64_t all = (uint64_t)shape->howmany;
	*problem = (struct fft_problem){.family = shape->family,
	                                .element = shape->element,
	                                .rank = shape->rank,
	                                .loops = shape->howmany > 1,
	                                .howmany = shape->howmany,
	                                .sign = -1,
	                                .in_place = shape->in_place};
	for (int i = shape->rank - 1; i >= 0; i--) {
		problem->dims[i] =
			(struct fft_dim){shape->length[i], (int64_t)points, (int64_t)points};
		points *= (double)shape->length[i];
		all *= (uint64_t)shape->length[i];
	}
	problem->loop[0] = (struct fft_dim){shape->howmany, (int64_t)points, (int64_t)points};
	const uint64_t last = (uint64_t)shape->length[shape->rank - 1],
		       element_bytes = element_size_bytes(shape->element);
	const uint64_t whole = all * element_bytes,
		       halved = all / last * (last / 2 + 1) * element_bytes;
	const bool real = shape->family != FAMILY_FFT_C2C, out = shape->family == FAMILY_FFT_R2C;
	const uint64_t real_bytes = all * element_bytes / 2;
	call->input_bytes = !real ? whole : out ? real_bytes : halved;
	call->output_bytes = !real ? whole : out ? halved : real_bytes;
	call->size_bytes =
		shape->in_place ? (real ? halved : whole) : call->input_bytes + call->output_bytes;
	call->work_flops = 5 * (double)all * log2(points > 1 ? points : 2) / (real ? 2 : 1);
	call->fft = (struct fft_call){.problem = problem, .plan_key = one};
}

struct regret_call *regret_call_make(const struct call_trace *trace)
{
	struct regret_call *calls = calloc((size_t)trace->shape_count + 1, sizeof *calls);
	for (int i = 0; calls != NULL && i < trace->shape_count; i++) {
		struct call *call = &calls[i].call;
		*call = (struct call){.family = trace->shape[i].family,
		                      .element = trace->shape[i].element};
		if (family_is_fft(call->family))
			call_fill_fft(&trace->shape[i], &calls[i]);
		else
			call_fill_blas(&trace->shape[i], call);
		calls[i].bucket = (unsigned)(log2(call->work_flops > 1 ? call->work_flops : 1) / 2);
	}
	return calls;
}
