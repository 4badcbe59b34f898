/* verify.c - whether two results of a BLAS call differ by more than rounding can explain */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/verify/verify.h"

#include "policy/verify/verify_terms.h"

static long double verify_bound_product(const struct verify_problem *problem,
                                        const struct verify_terms *terms)
{
	const long double size = terms->alpha * terms->a * terms->b + terms->beta * terms->before;
	return verify_terms_find_roundoff(problem, terms) * size +
	       verify_terms_bound_loss(problem, terms);
}

/* Whether what one side computes on its way may be too large, whatever comes out. */
static bool verify_may_overflow(const struct verify_terms *terms)
{
	return verify_terms_is_beyond(terms, terms->a * terms->b) ||
	       verify_terms_is_beyond(terms, terms->alpha * terms->a) ||
	       verify_terms_is_beyond(terms, terms->alpha * terms->b) ||
	       verify_terms_is_beyond(terms, terms->alpha * terms->a * terms->b) ||
	       verify_terms_is_beyond(terms, terms->beta * terms->before);
}

/*
 * Blocks of a triangle may be computed with their zeros, which makes more of what is not finite on
 * either side.
 */
static bool verify_is_excused(const struct verify_problem *problem,
                              const struct verify_terms *terms, const struct verify_gap *gap)
{
	if (!gap->gpu_alone && !gap->cpu_alone)
		return true;
	if (verify_may_overflow(terms))
		return true;
	return terms->spoilt && (!gap->cpu_alone || family_is_in_place(problem->family));
}

static void verify_judge_product(const struct verify_problem *problem,
                                 const struct verify_terms *terms, struct verify_verdict *verdict)
{
	struct verify_gap gap = {.gpu_alone = false};
	for (int64_t j = 0; j < problem->blas->n; j++)
		verify_terms_compare_column(problem, j, &gap);
	if (!verify_is_excused(problem, terms, &gap))
		*verdict = verify_norm_reject();
	else
		*verdict = verify_norm_weigh(verify_norm_find(&gap.apart),
		                             verify_bound_product(problem, terms));
}

void verify_judge(const struct verify_problem *problem, struct verify_verdict *verdict)
{
	const struct verify_terms terms = verify_terms_find_terms(problem);
	if (problem->family == FAMILY_TRSM)
		verify_terms_judge_solution(problem, &terms, verdict);
	else
		verify_judge_product(problem, &terms, verdict);
}
