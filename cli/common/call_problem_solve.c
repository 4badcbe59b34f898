/* call_problem_solve.c - makes a struct call of LAPACK from sizes and letters */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/call_problem.h"

#include <string.h>

#include "policy/call/lapack_operand.h"
#include "shim/describe/describe_solver.h"

/*
 * Operands lie at multiples of 2^58, where there is no memory; describing reads none. So none may
 * be longer.
 */
enum { SOLVE_PLACE_BITS = 58 };

static void *call_problem_solve_place(enum lapack_name name)
{
	return (void *)((uintptr_t)(name + 1) << SOLVE_PLACE_BITS); /* NOLINT */
}

void call_problem_set_vectors(struct call_problem *problem, bool vectors)
{
	const bool singular = problem->family == FAMILY_GESDD || problem->family == FAMILY_GESVD;
	const char *letters = family_letters(problem->family);
	const char job = !vectors ? 'N' : singular ? 'S' : 'V';
	/* Left eigenvectors of geev are the CPU's. */
	problem->jobs[0] = strchr(letters, 'j') == NULL     ? '\0'
	                   : problem->family == FAMILY_GEEV ? 'N'
	                                                    : job;
	problem->jobs[1] = strchr(letters, 'v') != NULL ? job : '\0';
}

bool call_problem_has_vectors(const struct call_problem *problem)
{
	return (problem->jobs[0] != '\0' && problem->jobs[0] != 'N') ||
	       (problem->jobs[1] != '\0' && problem->jobs[1] != 'N');
}

static int64_t call_problem_solve_get(const struct call_problem *problem, char letter,
                                      int64_t otherwise)
{
	const char *sizes = call_problem_sizes(problem->family), *at = strchr(sizes, letter);
	return at != NULL ? problem->size[at - sizes] : otherwise;
}

static void call_problem_solve_fill(const struct call_problem *problem, struct lapack_call *lapack)
{
	const int64_t n = call_problem_solve_get(problem, 'n', 1),
		      m = call_problem_solve_get(problem, 'm', n), most = m > n ? m : n;
	*lapack = (struct lapack_call){.side = problem->flags.side,
	                               .uplo = problem->flags.uplo,
	                               .trans = problem->flags.transa,
	                               .diag = problem->flags.diag,
	                               .itype = 1,
	                               .jobs = {problem->jobs[0], problem->jobs[1]},
	                               .range = 'A',
	                               .m = m,
	                               .n = n,
	                               .k = call_problem_solve_get(problem, 'k', 0),
	                               .nrhs = call_problem_solve_get(problem, 'r', 0),
	                               .lda = most,
	                               .ldb = most,
	                               .ldu = most,
	                               .ldvt = most,
	                               .a = call_problem_solve_place(LAPACK_A),
	                               .b = call_problem_solve_place(LAPACK_B),
	                               .u = call_problem_solve_place(LAPACK_U),
	                               .vt = call_problem_solve_place(LAPACK_VT),
	                               .w = call_problem_solve_place(LAPACK_W),
	                               .wi = call_problem_solve_place(LAPACK_WI),
	                               .tau = call_problem_solve_place(LAPACK_TAU),
	                               .ipiv = call_problem_solve_place(LAPACK_IPIV),
	                               .isuppz = call_problem_solve_place(LAPACK_ISUPPZ),
	                               .found = call_problem_solve_place(LAPACK_FOUND),
	                               .info = call_problem_solve_place(LAPACK_INFO)};
}

/* Whether no operand, of at most the squares of both sides, is longer than its place. */
static bool call_problem_solve_fits(const struct call_problem *problem)
{
	double most = 1;
	for (int i = 0; i < problem->sizes; i++)
		most = (double)problem->size[i] > most ? (double)problem->size[i] : most;
	return most * most * (double)element_size_bytes(problem->element) <
	       (double)(UINT64_C(1) << SOLVE_PLACE_BITS);
}

bool call_problem_build_solve(const struct call_problem *problem, struct call *call)
{
	static const struct describe_lengths none = {.query = false};
	*call = (struct call){.symbol = -1, .family = problem->family, .element = problem->element};
	if (!call_problem_solve_fits(problem))
		return false;
	call_problem_solve_fill(problem, &call->lapack);
	describe_solver_end(call, &none);
	return true;
}
