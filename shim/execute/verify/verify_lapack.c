/* verify_lapack.c - verifies a LAPACK call by residuals, and by the CPU library where they fail */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "policy/verify/verify_solver.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/verify/verify_shadow.h"

/*
 * A matrix that the GPU or the CPU library overwrites, and a copy without gaps of this part of it.
 */
struct verify_copy {
	const struct lapack_operand *operand;
	char *copy;
	enum lapack_part part;
};

struct verify_copies {
	struct lapack_operands operands;
	struct verify_copy list[LAPACK_NAMES];
	int count;
	uint64_t bytes;
};

/* -- copies ------------------------------------------------------------------------------------ */

static bool verify_lapack_keeps(const struct lapack_operand *operand)
{
	return operand->name <= LAPACK_VT && operand->read != LAPACK_NOTHING &&
	       (operand->written != LAPACK_NOTHING || operand->spent);
}

static void verify_lapack_list(const struct verify *verify, struct verify_copies *copies)
{
	const struct call *call = verify->request.call;
	lapack_operand_list(call, &copies->operands);
	copies->count = 0;
	copies->bytes = 0;
	for (int i = 0; i < copies->operands.count; i++) {
		const struct lapack_operand *operand = &copies->operands.list[i];
		if (!verify_lapack_keeps(operand))
			continue;
		copies->list[copies->count++] = (struct verify_copy){
			.operand = operand,
			.copy = verify->first[SHADOW_INPUT] + copies->bytes,
			.part = operand->written == LAPACK_NOTHING ? operand->read
		                                                   : operand->written};
		copies->bytes =
			operand_add_bytes(copies->bytes, lapack_operand_bytes(call, operand));
	}
}

struct verify_rows {
	int64_t begin, end;
};

static struct verify_rows verify_lapack_find_rows(enum lapack_part part, int64_t rows, int64_t j)
{
	const int64_t next = j + 1 < rows ? j + 1 : rows, here = j < rows ? j : rows;
	switch (part) {
	case LAPACK_NOTHING: return (struct verify_rows){0, 0};
	case LAPACK_UPPER: return (struct verify_rows){0, next};
	case LAPACK_LOWER: return (struct verify_rows){here, rows};
	case LAPACK_STRICT_UPPER: return (struct verify_rows){0, here};
	case LAPACK_STRICT_LOWER: return (struct verify_rows){next, rows};
	case LAPACK_WHOLE: break;
	}
	return (struct verify_rows){0, rows};
}

static void verify_lapack_copy(const struct call *call, const struct verify_copy *copy, bool back)
{
	const struct lapack_operand *operand = copy->operand;
	const int64_t size = (int64_t)lapack_operand_element_bytes(call, operand);
	for (int64_t j = 0; j < operand->columns; j++) {
		const struct verify_rows span =
			verify_lapack_find_rows(copy->part, operand->rows, j);
		char *program = (char *)operand->base + (span.begin + j * operand->ld) * size,
		     *kept = copy->copy + (span.begin + j * operand->rows) * size;
		memcpy(back ? program : kept, back ? kept : program,
		       (size_t)((span.end - span.begin) * size));
	}
}

/* -- before the GPU ---------------------------------------------------------------------------- */

static uint64_t verify_lapack_count_values(const struct call *call)
{
	const uint64_t size = element_size_bytes(call->element);
	return (uint64_t)verify_bench_count_values(call) *
	       (element_is_complex(call->element) ? size / 2 : size);
}

struct verify_places {
	const struct lapack_operands *operands;
	bool host;
};

static void verify_lapack_answer(const struct cuda_api *api, void *self)
{
	struct verify_places *places = self;
	for (int i = 0; i < places->operands->count && places->host; i++) {
		const struct lapack_operand *operand = &places->operands->list[i];
		places->host = operand->name > LAPACK_VT ||
		               verify_blas_is_host_address(api, operand->base);
	}
}

bool verify_lapack_is_on_host(const struct call *call, int device)
{
	struct lapack_operands operands;
	struct verify_places places = {.operands = &operands, .host = true};
	lapack_operand_list(call, &operands);
	return lanes_ask(device, verify_lapack_answer, &places) && places.host;
}

bool verify_lapack_begin(struct verify *verify)
{
	const struct call *call = verify->request.call;
	struct verify_copies copies;
	uint64_t size_bytes[SHADOW_COUNT] = {0};
	verify_lapack_list(verify, &copies);
	size_bytes[SHADOW_INPUT] = copies.bytes;
	size_bytes[SHADOW_SPARE] = verify_bench_count_bytes(call);
	if (verify_solver_needs_values(call))
		size_bytes[SHADOW_RESULT] = verify_lapack_count_values(call);
	if (!verify_shadow_take_memory(verify, size_bytes))
		return false;
	verify_lapack_list(verify, &copies);
	for (int i = 0; i < copies.count; i++)
		verify_lapack_copy(call, &copies.list[i], false);
	return true;
}

/* -- after the GPU ----------------------------------------------------------------------------- */

static struct verify_solved verify_lapack_open(const struct verify *verify,
                                               const struct verify_copies *copies)
{
	struct verify_solved solved = {.call = verify->request.call,
	                               .work = (double *)(void *)verify->first[SHADOW_SPARE]};
	for (int i = 0; i < copies->operands.count; i++) {
		const struct lapack_operand *operand = &copies->operands.list[i];
		if (operand->name <= LAPACK_B)
			solved.before[operand->name] = (struct matrix){
				operand->base, operand->rows, operand->columns, operand->ld};
	}
	for (int i = 0; i < copies->count; i++) {
		const struct lapack_operand *operand = copies->list[i].operand;
		solved.before[operand->name] = (struct matrix){copies->list[i].copy, operand->rows,
		                                               operand->columns, operand->rows};
	}
	return solved;
}

bool verify_lapack_needs_library(struct verify *verify)
{
	const struct call *call = verify->request.call;
	const bool values = verify_solver_needs_values(call);
	struct verify_copies copies;
	verify_lapack_list(verify, &copies);
	const struct verify_solved solved = verify_lapack_open(verify, &copies);
	verify->verdict = verify_solver_judge(&solved);
	verify->library = values || !verify->verdict.fits;
	if (!verify->library)
		return false;
	if (values)
		memcpy(verify->first[SHADOW_RESULT], call->lapack.w,
		       verify_lapack_count_values(call));
	for (int i = 0; i < copies.count; i++)
		if (copies.list[i].operand->written != LAPACK_NOTHING)
			verify_lapack_copy(call, &copies.list[i], true);
	return true;
}

/*
 * A bound may be too narrow for a matrix that nobody foresaw. The CPU's own result tells: the GPU's
 * is not wrong where it is less than ten times as far off.
 */
static struct verify_verdict verify_lapack_excuse(const struct verify_verdict *gpu,
                                                  const struct verify_verdict *cpu)
{
	enum { TIMES = 10 };
	const double ratio = verify_norm_find_ratio(gpu),
		     allowed = TIMES * verify_norm_find_ratio(cpu);
	if (!__builtin_isfinite(gpu->deviation) || !__builtin_isfinite(cpu->deviation) ||
	    ratio > allowed)
		return *gpu;
	return verify_norm_weigh(ratio, allowed);
}

bool verify_lapack_is_solved(const struct verify *verify)
{
	const struct lapack_call *lapack = &verify->request.call->lapack;
	int64_t wide = 0;
	int32_t narrow = 0;
	if (lapack->wide)
		memcpy(&wide, lapack->info, sizeof wide);
	else
		memcpy(&narrow, lapack->info, sizeof narrow);
	return !verify->library || (wide == 0 && narrow == 0);
}

struct verify_verdict verify_lapack_compare(struct verify *verify)
{
	struct verify_copies copies;
	struct verify_verdict worst = verify->verdict;
	if (!verify->library)
		return worst;
	verify_lapack_list(verify, &copies);
	const struct verify_solved solved = verify_lapack_open(verify, &copies);
	if (!worst.fits) {
		const struct verify_verdict cpu = verify_solver_judge(&solved);
		worst = verify_lapack_excuse(&worst, &cpu);
	}
	if (!verify_solver_needs_values(verify->request.call))
		return worst;
	const struct verify_verdict values =
		verify_solver_compare(&solved, verify->first[SHADOW_RESULT]);
	return verify_norm_is_worse(&values, &worst) ? values : worst;
}
