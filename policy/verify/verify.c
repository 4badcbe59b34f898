/* verify.c - whether two results of a BLAS call differ by more than rounding can explain */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/verify/verify.h"

static long double verify_bound_product(const struct verify_problem *problem,
                                        const struct verify_terms *terms)
{
	const long double size = terms->alpha * terms->a * terms->b + terms->beta * terms->before;
	return verify_terms_find_roundoff(problem, terms) * size +
	       verify_terms_bound_loss(problem, terms);
}

/* Whether intermediate terms may overflow on one side, whatever the result is. */
static bool verify_may_overflow(const struct verify_terms *terms)
{
	return verify_terms_is_beyond(terms, terms->a * terms->b) ||
	       verify_terms_is_beyond(terms, terms->alpha * terms->a) ||
	       verify_terms_is_beyond(terms, terms->alpha * terms->b) ||
	       verify_terms_is_beyond(terms, terms->alpha * terms->a * terms->b) ||
	       verify_terms_is_beyond(terms, terms->beta * terms->before);
}

/*
 * A side may multiply blocks of a triangle together with their zeros, which turns more elements
 * into NaN.
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

static void verify_join_norm(struct verify_norm *norm, const struct verify_norm *more)
{
	for (int size = 0; size < VERIFY_SIZES; size++)
		norm->sum[size] += more->sum[size];
}

/*
 * Whether the finite side of an equation has numbers so large that the other one may have
 * overflowed.
 */
static bool verify_is_near_overflow(const struct verify_terms *terms, const struct verify_gap *line)
{
	const long double gpu = verify_norm_find(&line->gpu), cpu = verify_norm_find(&line->cpu);
	const long double size = gpu > cpu ? gpu : cpu, weight = terms->a > 1 ? terms->a : 1;
	return verify_terms_is_beyond(terms, weight * size * 1024);
}

/*
 * Adds a line to the comparison. false where only one side is not finite and nothing explains it.
 */
static bool verify_join_line(const struct verify_terms *terms, const struct verify_gap *line,
                             struct verify_gap *gap)
{
	gap->gpu.spoilt = gap->gpu.spoilt || line->gpu.spoilt;
	gap->cpu.spoilt = gap->cpu.spoilt || line->cpu.spoilt;
	if (line->gpu.spoilt || line->cpu.spoilt)
		return line->gpu.spoilt == line->cpu.spoilt || terms->spoilt ||
		       verify_is_near_overflow(terms, line);
	verify_join_norm(&gap->gpu, &line->gpu);
	verify_join_norm(&gap->cpu, &line->cpu);
	verify_join_norm(&gap->apart, &line->apart);
	return true;
}

static bool verify_compare_lines(const struct verify_problem *problem,
                                 const struct verify_terms *terms, bool rows,
                                 struct verify_gap *gap)
{
	const int64_t lines = rows ? problem->blas->m : problem->blas->n;
	bool fits = true;
	*gap = (struct verify_gap){.gpu_alone = false};
	for (int64_t at = 0; at < lines; at++) {
		struct verify_gap line = {.gpu_alone = false};
		if (rows)
			verify_terms_compare_row(problem, at, &line);
		else
			verify_terms_compare_column(problem, at, &line);
		fits = verify_join_line(terms, &line, gap) && fits;
	}
	return fits;
}

/* Columns, which are contiguous, serve as well as rows if all elements are finite. */
static bool verify_compare_solutions(const struct verify_problem *problem,
                                     const struct verify_terms *terms, struct verify_gap *gap)
{
	const bool fits = verify_compare_lines(problem, terms, false, gap);
	if (problem->blas->side == SIDE_LEFT || (!gap->gpu.spoilt && !gap->cpu.spoilt))
		return fits;
	return verify_compare_lines(problem, terms, true, gap);
}

static void verify_judge_solution(const struct verify_problem *problem,
                                  const struct verify_terms *terms, struct verify_verdict *verdict)
{
	struct verify_gap gap;
	if (!verify_compare_solutions(problem, terms, &gap)) {
		*verdict = verify_norm_reject();
		return;
	}
	const long double size =
		terms->a * (verify_norm_find(&gap.gpu) + verify_norm_find(&gap.cpu));
	const long double bound = 2 * verify_terms_find_roundoff(problem, terms) * size +
	                          verify_terms_bound_loss(problem, terms);
	*verdict = verify_norm_weigh(terms->a * verify_norm_find(&gap.apart), bound);
	/* An infinite A may turn zeros and finite numbers into anything. */
	verdict->fits = verdict->fits || (terms->spoilt && !problem->before.spoilt);
}

void verify_judge(const struct verify_problem *problem, struct verify_verdict *verdict)
{
	const struct verify_terms terms = verify_terms_find_terms(problem);
	if (problem->family == FAMILY_TRSM)
		verify_judge_solution(problem, &terms, verdict);
	else
		verify_judge_product(problem, &terms, verdict);
}

static bool verify_is_finite_line(const struct verify_problem *problem, int64_t at)
{
	struct verify_gap line = {.gpu_alone = false};
	if (problem->blas->side == SIDE_LEFT)
		verify_terms_compare_column(problem, at, &line);
	else
		verify_terms_compare_row(problem, at, &line);
	return !line.gpu.spoilt && !line.cpu.spoilt;
}

/*
 * Scales the largest number to about 1 / |A|, within what the element holds with room on either
 * side.
 */
static long double verify_choose_scale(const struct verify_terms *terms, long double apart)
{
	const struct verify_range range = terms->range;
	const long double room = (long double)range.roundoff * range.roundoff;
	long double target = terms->a > 0 ? 1 / terms->a : 1;
	if (target < range.least / room)
		target = range.least / room;
	if (target > range.largest * room)
		target = range.largest * room;
	return apart > 0 ? target / apart : 1;
}

static void verify_write(enum element element, void *base, int64_t index, long double value)
{
	if (element == ELEMENT_S || element == ELEMENT_C)
		((float *)base)[index] = (float)value;
	else
		((double *)base)[index] = (double)value;
}

/* Writes one column (side left) or row of X1 - X2 times scale, or zeros. */
static void verify_write_line(const struct verify_problem *problem, int64_t line, long double scale,
                              void *difference)
{
	const struct blas_call *blas = problem->blas;
	const struct matrix gpu = verify_terms_find_gpu(problem),
			    cpu = verify_terms_find_cpu(problem);
	const enum element element = problem->element;
	const int parts = verify_terms_is_real(element) ? 1 : 2;
	const bool left = blas->side == SIDE_LEFT;
	for (int64_t at = 0; at < (left ? blas->m : blas->n); at++) {
		const int64_t i = left ? at : line, j = left ? line : at;
		const char *x = verify_terms_point(element, &gpu, i, j),
			   *y = verify_terms_point(element, &cpu, i, j);
		for (int part = 0; part < parts; part++) {
			const long double apart = (long double)verify_norm_read(element, x, part) -
			                          (long double)verify_norm_read(element, y, part);
			verify_write(element, difference, (i + j * blas->m) * parts + part,
			             scale > 0 ? apart * scale : 0);
		}
	}
}

long double verify_subtract(const struct verify_problem *problem, void *difference)
{
	const struct verify_terms terms = verify_terms_find_terms(problem);
	const int64_t lines =
		problem->blas->side == SIDE_LEFT ? problem->blas->n : problem->blas->m;
	struct verify_gap gap;
	verify_compare_solutions(problem, &terms, &gap);
	const bool fine = !gap.gpu.spoilt && !gap.cpu.spoilt;
	const long double scale = verify_choose_scale(&terms, verify_norm_find(&gap.apart));
	for (int64_t line = 0; line < lines; line++)
		verify_write_line(problem, line,
		                  fine || verify_is_finite_line(problem, line) ? scale : 0,
		                  difference);
	return scale;
}

void verify_judge_residual(const struct verify_problem *problem, const void *residual,
                           long double scale, struct verify_verdict *verdict)
{
	const struct matrix matrix = {residual, problem->blas->m, problem->blas->n,
	                              problem->blas->m};
	struct verify_norm norm = {.spoilt = false};
	verify_terms_measure_matrix(&norm, problem->element, &matrix);
	*verdict = verify_norm_weigh(verify_norm_find(&norm) / scale, verdict->bound);
}
