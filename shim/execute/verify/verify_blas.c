/* verify_blas.c - verifies a BLAS call: the CPU library computes it in other memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "policy/call/batch.h"
#include "policy/verify/verify.h"
#include "shim/base/observe.h"
#include "shim/execute/cpu/cpu_finish.h"
#include "shim/execute/gpu/device/gpu_place.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/verify/verify_shadow.h"

/* One problem of the call; family is gemm in a batch. */
struct verify_part {
	enum family family;
	struct blas_call blas;
	char *result; /* the CPU's, m x n, without gaps; blas.c is the program's */
};

/* Iterates over the problems. Starts zeroed. */
struct verify_parts {
	struct batch_group group;
	int64_t index;
	uint64_t offset_bytes;
	bool begun;
};

static uint64_t verify_blas_part_bytes(const struct call *call, const struct blas_call *blas)
{
	const struct matrix tight = {NULL, blas->m, blas->n, blas->m};
	return operand_size_bytes(&tight, call->element);
}

/* The next problem of a batch; groups may be empty. */
static bool verify_blas_next_problem(const struct call *call, struct verify_parts *parts,
                                     struct blas_call *blas)
{
	while (!parts->begun || parts->index == parts->group.count) {
		if (!batch_next_group(&call->batch, call->element, &parts->group))
			return false;
		parts->begun = true;
		parts->index = 0;
	}
	batch_point(&call->batch, call->element, parts->group.first + parts->index++,
	            &parts->group.blas);
	*blas = parts->group.blas;
	return true;
}

static bool verify_blas_next_part(const struct verify *verify, struct verify_parts *parts,
                                  struct verify_part *part)
{
	const struct call *call = verify->request.call;
	const bool batch = family_is_batch(call->family);
	if (batch ? !verify_blas_next_problem(call, parts, &part->blas) : parts->begun)
		return false;
	if (!batch)
		part->blas = call->blas;
	parts->begun = true;
	part->family = batch ? FAMILY_GEMM : call->family;
	part->result = verify->first[SHADOW_RESULT] + parts->offset_bytes;
	parts->offset_bytes += verify_blas_part_bytes(call, &part->blas);
	return true;
}

/* -- copies of the elements that a result has -------------------------------------------------- */

static struct matrix verify_blas_find_program(const struct verify_part *part)
{
	return (struct matrix){part->blas.c, part->blas.m, part->blas.n, part->blas.ldc};
}

static struct matrix verify_blas_find_shadow(const struct verify_part *part)
{
	return (struct matrix){part->result, part->blas.m, part->blas.n, part->blas.m};
}

static void verify_blas_copy_result(const struct verify_part *part, enum element element,
                                    const struct matrix *to, const struct matrix *from)
{
	const int64_t size = (int64_t)element_size_bytes(element);
	const bool triangle = operand_is_triangle(part->family),
		   upper = part->blas.uplo == UPLO_UPPER;
	for (int64_t j = 0; j < to->columns; j++) {
		const int64_t first = triangle && !upper ? j : 0,
			      end = triangle && upper ? j + 1 : to->rows;
		memcpy((char *)(uintptr_t)to->base + (first + j * to->ld) * size,
		       (const char *)from->base + (first + j * from->ld) * size,
		       (size_t)((end - first) * size));
	}
}

static bool verify_blas_reads_result(const struct verify_part *part)
{
	return family_is_in_place(part->family) || part->blas.beta[0] != 0 ||
	       part->blas.beta[1] != 0;
}

/* -- before the GPU ---------------------------------------------------------------------------- */

/* Whether all operands of a call are in the host's memory, as CUDA answers. */
struct verify_question {
	const struct call *call;
	bool host;
};

bool verify_blas_is_host_address(const struct cuda_api *api, const void *address)
{
	struct gpu_place_found place;
	return gpu_place_find(api, address, &place) == REASON_NONE && !place.on_device;
}

static bool verify_blas_is_host_part(const struct cuda_api *api, const struct verify_part *part)
{
	struct matrix matrix;
	for (int operand = OPERAND_A; operand < OPERAND_COUNT; operand++)
		if (operand_find(part->family, &part->blas, (enum operand)operand, &matrix) &&
		    !verify_blas_is_host_address(api, matrix.base))
			return false;
	return true;
}

static void verify_blas_answer(const struct cuda_api *api, void *self)
{
	struct verify_question *question = self;
	const struct verify nothing = {.request = {.call = question->call}};
	struct verify_parts parts = {.begun = false};
	struct verify_part part;
	question->host = true;
	while (question->host && verify_blas_next_part(&nothing, &parts, &part))
		question->host = verify_blas_is_host_part(api, &part);
}

bool verify_blas_is_on_host(const struct call *call, int device)
{
	struct verify_question question = {.call = call};
	return lanes_ask(device, verify_blas_answer, &question) && question.host;
}

bool verify_blas_begin(struct verify *verify)
{
	const struct call *call = verify->request.call;
	uint64_t size_bytes[SHADOW_COUNT] = {0};
	struct verify_parts parts = {.begun = false};
	struct verify_part part;
	while (verify_blas_next_part(verify, &parts, &part))
		size_bytes[SHADOW_RESULT] = operand_add_bytes(
			size_bytes[SHADOW_RESULT], verify_blas_part_bytes(call, &part.blas));
	if (call->family == FAMILY_TRSM)
		size_bytes[SHADOW_SPARE] = size_bytes[SHADOW_RESULT];
	if (!verify_shadow_take_memory(verify, size_bytes))
		return false;
	parts = (struct verify_parts){.begun = false};
	while (verify_blas_next_part(verify, &parts, &part)) {
		const struct matrix program = verify_blas_find_program(&part),
				    shadow = verify_blas_find_shadow(&part);
		if (verify_blas_reads_result(&part))
			verify_blas_copy_result(&part, call->element, &shadow, &program);
	}
	return true;
}

/* -- after the GPU ----------------------------------------------------------------------------- */

/*
 * Computes one problem by the call's library into an m x n result at c. Not traced in a batch,
 * which may have thousands.
 */
static void verify_blas_run(const struct verify *verify, const struct verify_part *part,
                            enum family family, void *c)
{
	struct call call = *verify->request.call;
	call.family = family;
	call.blas = part->blas;
	call.blas.c = c;
	call.blas.ldc = part->blas.m;
	if (family != part->family) {
		call.blas.alpha[0] = 1;
		call.blas.alpha[1] = 0;
	}
	const int64_t begin_ns =
		family_is_batch(verify->request.call->family) ? 0 : observe_begin("verify: CPU");
	cpu_finish_region(&call, verify->request.caller, (struct panel_span){0, call.blas.m},
	                  (struct panel_span){0, call.blas.n});
	observe_end("verify: CPU", begin_ns);
}

static struct verify_verdict verify_blas_compare_part(const struct verify *verify,
                                                      const struct verify_part *part)
{
	const enum element element = verify->request.call->element;
	const struct matrix shadow = verify_blas_find_shadow(part);
	struct verify_problem problem = {.family = part->family,
	                                 .element = element,
	                                 .tf32 = verify->request.tf32,
	                                 .blas = &part->blas,
	                                 .cpu = part->result};
	struct verify_verdict verdict;
	if (verify_blas_reads_result(part))
		verify_terms_measure_result(part->family, element, part->blas.uplo, &shadow,
		                            &problem.before);
	verify_blas_run(verify, part, part->family, part->result);
	verify_judge(&problem, &verdict);
	if (verdict.fits || part->family != FAMILY_TRSM || __builtin_isinf(verdict.deviation))
		return verdict;
	const long double scale = verify_subtract(&problem, verify->first[SHADOW_SPARE]);
	verify_blas_run(verify, part, FAMILY_TRMM, verify->first[SHADOW_SPARE]);
	verify_judge_residual(&problem, verify->first[SHADOW_SPARE], scale, &verdict);
	return verdict;
}

/* Computes all problems, also after one that differs: verify_blas_restore needs them. */
struct verify_verdict verify_blas_compare(struct verify *verify)
{
	struct verify_verdict worst = verify_norm_weigh(0, 1);
	struct verify_parts parts = {.begun = false};
	struct verify_part part;
	while (verify_blas_next_part(verify, &parts, &part)) {
		const struct verify_verdict verdict = verify_blas_compare_part(verify, &part);
		if (verify_norm_is_worse(&verdict, &worst))
			worst = verdict;
	}
	return worst;
}

void verify_blas_restore(const struct verify *verify)
{
	struct verify_parts parts = {.begun = false};
	struct verify_part part;
	while (verify_blas_next_part(verify, &parts, &part)) {
		const struct matrix program = verify_blas_find_program(&part),
				    shadow = verify_blas_find_shadow(&part);
		verify_blas_copy_result(&part, verify->request.call->element, &program, &shadow);
	}
}
