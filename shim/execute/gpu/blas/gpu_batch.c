/* gpu_batch.c - a call as groups of problems of one shape */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/gpu_batch.h"

#include <stdlib.h>

#include "policy/call/argument.h"
#include "policy/call/batch.h"
#include "shim/execute/gpu/blas/gpu_square.h"
#include "shim/execute/gpu/device/gpu_launch.h"

/* The cuBLAS function that does most of the family's work. */
static enum family gpu_batch_kernel(enum family family)
{
	if (family == FAMILY_GEMMT)
		return FAMILY_GEMM;
	return family_is_batch(family) ? FAMILY_GEMM_BATCH_STRIDED : family;
}

static bool gpu_batch_has_flags(const struct blas_call *blas)
{
	return (unsigned)blas->side <= SIDE_RIGHT && (unsigned)blas->uplo <= UPLO_LOWER &&
	       (unsigned)blas->transa <= TRANSPOSE_C && (unsigned)blas->transb <= TRANSPOSE_C &&
	       (unsigned)blas->diag <= DIAG_UNIT;
}

/*
 * Whether the call is legal and none of BLAS's quick returns, which do nothing or must not read A
 * and B.
 */
static bool gpu_batch_is_sound(enum family family, const struct blas_call *blas)
{
	struct matrix matrix;
	if (!gpu_batch_has_flags(blas) || blas->m <= 0 || blas->n <= 0 || blas->k <= 0 ||
	    argument_is_zero(blas->alpha))
		return false;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		if (operand_find(family, blas, (enum operand)name, &matrix) &&
		    matrix.ld < matrix.rows)
			return false;
	return true;
}

/*
 * Sizes that fit stay whole. Without 64-bit functions the others are cut into tiles of a power of
 * two.
 */
static int64_t gpu_batch_choose_tile(const struct cuda_api *api, const struct gpu_group *group)
{
	const struct blas_call *blas = &group->blas;
	int64_t tile = 1;
	if (gpu_launch_has_wide(api, gpu_batch_kernel(group->family), group->element))
		return INT64_MAX;
	if (gpu_launch_fits(blas->m) && gpu_launch_fits(blas->n) && gpu_launch_fits(blas->k) &&
	    gpu_launch_fits(group->count))
		return INT64_MAX;
	while (gpu_launch_fits(2 * tile))
		tile *= 2;
	return tile;
}

static void gpu_batch_fill_operand(struct gpu_group *group, enum operand name)
{
	struct gpu_operand *operand = &group->operand[name];
	const bool copies_c = group->family == FAMILY_TRMM && name == OPERAND_B;
	operand->name = name;
	operand->element = group->element;
	operand->load = (struct pack_rule){.element = group->element};
	if (operand_find(group->family, &group->blas, copies_c ? OPERAND_C : name,
	                 &operand->matrix))
		operand->count = group->count;
}

static void gpu_batch_fill(const struct cuda_api *api, struct gpu_group *group)
{
	const bool in_place = family_is_in_place(group->family);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		gpu_batch_fill_operand(group, (enum operand)name);
	group->reads_c =
		in_place ? group->family == FAMILY_TRSM : !argument_is_zero(group->blas.beta);
	group->operand[OPERAND_A].load =
		gpu_square_make_rule(group->family, group->element, &group->blas);
	if (operand_is_triangle(group->family))
		group->operand[OPERAND_C].part = group->operand[OPERAND_C].load.part =
			group->blas.uplo == UPLO_UPPER ? PACK_UPPER : PACK_LOWER;
	group->tile = gpu_batch_choose_tile(api, group);
}

static void gpu_batch_fill_batch(const struct call *call, const struct batch_group *read,
                                 struct gpu_group *group)
{
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		struct gpu_operand *operand = &group->operand[name];
		operand->batch = &call->batch;
		operand->first = read->first;
		if (name != OPERAND_C &&
		    batch_shares_operand(&call->batch, call->element, read, name == OPERAND_B))
			operand->count = 1;
	}
}

static enum reason gpu_batch_add(const struct cuda_api *api, const struct call *call,
                                 const struct batch_group *read, struct gpu_group *group)
{
	*group = (struct gpu_group){.family = call->family,
	                            .element = call->element,
	                            .blas = read->blas,
	                            .count = read->count};
	if (!gpu_batch_is_sound(call->family, &group->blas))
		return REASON_LIBRARY_FAILED;
	if (family_is_batch(call->family))
		batch_point(&call->batch, call->element, read->first, &group->blas);
	gpu_batch_fill(api, group);
	if (family_is_batch(call->family))
		gpu_batch_fill_batch(call, read, group);
	group->same = group->operand[OPERAND_A].count == 1 &&
	              group->operand[OPERAND_B].count == 1 &&
	              operand_b_is_a(group->family, &group->blas);
	return REASON_NONE;
}

/* The next group of problems; one for families that are no batches. */
static bool gpu_batch_read(const struct call *call, struct batch_group *read)
{
	if (family_is_batch(call->family))
		return batch_next_group(&call->batch, call->element, read);
	read->blas = call->blas;
	read->count = 1;
	return read->next++ == 0;
}

enum reason gpu_batch_list(const struct cuda_api *api, const struct call *call,
                           struct gpu_group **list, int64_t *count)
{
	const int64_t most = family_is_batch(call->family) ? call->batch.groups : 1;
	struct batch_group read = {.next = 0};
	enum reason reason = REASON_NONE;
	*count = 0;
	if (!family_is_blas(call->family) || most <= 0)
		return REASON_LIBRARY_FAILED;
	if (!gpu_launch_has(api, gpu_batch_kernel(call->family), call->element))
		return REASON_FUNCTION_MISSING;
	struct gpu_group *groups = calloc((size_t)most, sizeof *groups);
	if (groups == NULL)
		return REASON_HOST_MEMORY;
	while (reason == REASON_NONE && gpu_batch_read(call, &read))
		if (read.count > 0)
			reason = gpu_batch_add(api, call, &read, &groups[(*count)++]);
	if (reason == REASON_NONE && *count > 0) {
		*list = groups;
		return REASON_NONE;
	}
	free(groups);
	return REASON_LIBRARY_FAILED;
}

void gpu_batch_cut(struct gpu_group *list, int64_t *count, int64_t problems)
{
	for (int64_t i = 0; i < *count; i++) {
		const int64_t left = problems - list[i].operand[OPERAND_C].first;
		if (left <= 0) {
			*count = i;
			return;
		}
		if (left >= list[i].count)
			continue;
		list[i].count = left;
		for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
			if (list[i].operand[name].count > left)
				list[i].operand[name].count = left;
	}
}

/*
 * A result is written in place only if the CPU could still do the whole call afterwards, and if the
 * kernels write nothing but the result: those of gemmt write whole squares on the diagonal.
 */
enum reason gpu_batch_place(struct lane *lane, struct gpu_group *group)
{
	struct gpu_operand_rules rules = {
		.may_stay = true,
		.any_ld = gpu_launch_has_wide(lane->api, gpu_batch_kernel(group->family),
	                                      group->element),
		.most_rows = group->tile,
	};
	enum reason reason = REASON_NONE;
	for (int name = OPERAND_A; name < OPERAND_COUNT && reason == REASON_NONE; name++) {
		struct gpu_operand *operand = &group->operand[name];
		if (name == OPERAND_C)
			rules.may_stay = !group->reads_c && !family_is_in_place(group->family) &&
			                 group->family != FAMILY_GEMMT;
		if (operand->count > 0)
			reason = gpu_operand_place(lane, operand, &rules);
	}
	if (reason == REASON_NONE && group->operand[OPERAND_C].place == GPU_PLACE_MIXED)
		reason = REASON_LIBRARY_FAILED;
	return reason;
}
