/* cost_lapack.h - the calls of LAPACK that tests of the cost model share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_UNIT_COST_LAPACK_H
#define GPUSHIM_TESTS_UNIT_COST_LAPACK_H

#include <string.h>

#include "policy/call/lapack_flops.h"
#include "policy/call/lapack_operand.h"
#include "policy/decide/cost.h"

/* Sizes and letters; r: right-hand sides. */
struct cost_solution {
	enum family family;
	enum element element;
	int64_t m, n, k, r;
	char jobs[2], range;
	int64_t vectors; /* of range I: those with the numbers 1 to vectors */
};

/* Bytes that are read, or written; a triangle is a half. */
static inline uint64_t cost_lapack_count(const struct call *call,
                                         const struct lapack_operand *operand,
                                         enum lapack_part part)
{
	const uint64_t bytes = lapack_operand_bytes(call, operand);
	if (part == LAPACK_NOTHING)
		return 0;
	return part == LAPACK_WHOLE ? bytes : bytes / 2;
}

/* A call with all matrices tight. */
static inline struct call cost_lapack_call(const struct cost_solution *what)
{
	struct lapack_operands operands;
	struct call call = {.family = what->family,
	                    .element = what->element,
	                    .lapack = {.jobs = {what->jobs[0], what->jobs[1]},
	                               .range = what->range,
	                               .m = what->m,
	                               .n = what->n,
	                               .k = what->k,
	                               .nrhs = what->r,
	                               .il = 1,
	                               .iu = what->vectors}};
	lapack_operand_list(&call, &operands);
	for (int i = 0; i < operands.count; i++) {
		const struct lapack_operand *operand = &operands.list[i];
		call.size_bytes += lapack_operand_bytes(&call, operand);
		call.input_bytes += cost_lapack_count(&call, operand, operand->read);
		call.output_bytes += cost_lapack_count(&call, operand, operand->written);
	}
	call.work_flops = lapack_flops_count(&call);
	return call;
}

static inline enum element cost_lapack_element(enum family family)
{
	return family_prefix(family, ELEMENT_D) != NULL ? ELEMENT_D : ELEMENT_Z;
}

/*
 * A square call in double precision, complex where the routine is: with all vectors or none, and n
 * right-hand sides.
 */
static inline struct call cost_lapack_square(enum family family, int64_t n, bool vectors)
{
	const bool singular = family == FAMILY_GESDD || family == FAMILY_GESVD;
	const char job = vectors ? singular ? 'S' : 'V' : 'N';
	const struct cost_solution what = {.family = family,
	                                   .element = cost_lapack_element(family),
	                                   .m = n,
	                                   .n = n,
	                                   .k = strchr(family_sizes(family), 'k') != NULL ? n : 0,
	                                   .r = n,
	                                   .jobs = {family == FAMILY_GEEV ? 'N' : job, job},
	                                   .range = 'A'};
	return cost_lapack_call(&what);
}

#endif
