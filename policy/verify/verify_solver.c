/* verify_solver.c - the check of each family of LAPACK */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/verify/verify_solver.h"

#include <stddef.h>

#include "policy/verify/verify_check.h"

/* Each family has a row. */
enum {
#define VERIFY_CHECK(family, file, name) CHECK_##family,
#include "policy/verify/verify_check.def"
	CHECK_COUNT
};
_Static_assert(CHECK_COUNT == FAMILY_FFT_C2C - FAMILY_GETRF, "a family without a check");

static verify_check *verify_solver_find(enum family family)
{
	static verify_check *const checks[FAMILY_COUNT] = {
#define VERIFY_CHECK(family, file, name) [FAMILY_##family] = verify_##file##_judge_##name,
#include "policy/verify/verify_check.def"
	};
	return checks[family];
}

struct verify_verdict verify_solver_judge(const struct verify_solved *solved)
{
	struct verify_bench bench;
	verify_bench_open(&bench, solved);
	verify_solver_find(solved->call->family)(&bench);
	return bench.worst;
}

bool verify_solver_needs_values(const struct call *call)
{
	struct lapack_operands operands;
	if (!lapack_operand_belongs(call->family, LAPACK_W) || call->family == FAMILY_GEEV)
		return false;
	lapack_operand_list(call, &operands);
	if (lapack_operand_find(&operands, LAPACK_U) != NULL ||
	    lapack_operand_find(&operands, LAPACK_VT) != NULL)
		return false;
	const struct lapack_operand *a = lapack_operand_find(&operands, LAPACK_A);
	return a == NULL || a->written == LAPACK_NOTHING;
}

struct verify_verdict verify_solver_compare(const struct verify_solved *solved, const void *values)
{
	struct verify_bench bench;
	verify_bench_open(&bench, solved);
	verify_spectrum_judge_values(&bench, values);
	return bench.worst;
}
