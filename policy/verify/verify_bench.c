/* verify_bench.c - what the checks of LAPACK's results share: vectors, operands, the verdict */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/verify/verify_bench.h"

#include <string.h>

#include "policy/verify/verify_terms.h"

enum { BENCH_VECTORS = 4, BENCH_ARRAYS = 3 * BENCH_VECTORS + 2 };

/* -- sizes ------------------------------------------------------------------------------------ */

static int64_t verify_bench_longest(const struct call *call)
{
	const struct lapack_call *lapack = &call->lapack;
	const int64_t size[] = {lapack->n, lapack->k, lapack->nrhs};
	int64_t longest = lapack->m;
	for (size_t i = 0; i < sizeof size / sizeof size[0]; i++)
		longest = size[i] > longest ? size[i] : longest;
	return longest > 0 ? longest : 1;
}

uint64_t verify_bench_count_bytes(const struct call *call)
{
	uint64_t bytes;
	return __builtin_mul_overflow((uint64_t)verify_bench_longest(call),
	                              BENCH_ARRAYS * sizeof(double), &bytes)
	               ? UINT64_MAX
	               : bytes;
}

int64_t verify_bench_count_values(const struct call *call)
{
	const struct lapack_call *lapack = &call->lapack;
	const bool square = lapack->m == 0 || lapack->m > lapack->n;
	if (lapack->range == 'I')
		return lapack->iu - lapack->il + 1;
	return square ? lapack->n : lapack->m;
}

static double *verify_bench_take(double **next, int64_t count)
{
	double *array = *next;
	*next += count;
	return array;
}

void verify_bench_open(struct verify_bench *bench, const struct verify_solved *solved)
{
	const struct call *call = solved->call;
	const struct verify_range range = verify_norm_find_range(call->element);
	const int64_t longest = verify_bench_longest(call);
	double *next = solved->work;
	*bench = (struct verify_bench){.solved = solved,
	                               .lapack = &call->lapack,
	                               .element = call->element,
	                               .real = verify_terms_is_real(call->element),
	                               .roundoff = range.roundoff,
	                               .least = range.least,
	                               .worst = verify_norm_weigh(0, 1)};
	struct verify_vector *const vector[BENCH_VECTORS] = {&bench->x, &bench->y, &bench->z,
	                                                     &bench->w};
	for (int i = 0; i < BENCH_VECTORS; i++) {
		vector[i]->re = verify_bench_take(&next, longest);
		vector[i]->im = verify_bench_take(&next, longest);
		vector[i]->size = verify_bench_take(&next, longest);
	}
	bench->column.re = verify_bench_take(&next, longest);
	bench->column.im = verify_bench_take(&next, longest);
	lapack_operand_list(call, &bench->operands);
}

/* -- operands --------------------------------------------------------------------------------- */

struct verify_view verify_bench_after(const struct verify_bench *bench, enum lapack_name name,
                                      enum verify_form form)
{
	struct verify_view view = {.element = bench->element, .form = form};
	const struct lapack_operand *operand = lapack_operand_find(&bench->operands, name);
	if (operand != NULL)
		view.matrix = (struct matrix){operand->base, operand->rows, operand->columns,
		                              operand->ld};
	return view;
}

struct verify_view verify_bench_before(const struct verify_bench *bench, enum lapack_name name,
                                       enum verify_form form)
{
	return (struct verify_view){
		.element = bench->element, .form = form, .matrix = bench->solved->before[name]};
}

enum verify_form verify_bench_triangle(const struct verify_bench *bench)
{
	return bench->lapack->uplo == UPLO_UPPER ? VERIFY_UPPER : VERIFY_LOWER;
}

enum verify_form verify_bench_mirrored(const struct verify_bench *bench)
{
	return bench->lapack->uplo == UPLO_UPPER ? VERIFY_MIRRORED_UPPER : VERIFY_MIRRORED_LOWER;
}

double verify_bench_value(const struct verify_bench *bench, const void *values, int64_t i)
{
	return verify_norm_read(bench->element, values, i);
}

/* -- vectors ---------------------------------------------------------------------------------- */

void verify_bench_apply(const struct verify_bench *bench, const struct verify_view *view,
                        enum transpose trans, const struct verify_vector *x,
                        const struct verify_vector *y)
{
	verify_view_apply(view, trans, x, y, &bench->column);
}

void verify_bench_apply_plainly(const struct verify_bench *bench, const struct verify_view *view,
                                enum transpose trans, const struct verify_vector *x,
                                const struct verify_vector *y)
{
	const struct verify_vector plain = {y->re, y->im, NULL};
	verify_view_apply(view, trans, x, &plain, &bench->column);
}

/* Source: Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators (2014). */
static uint64_t verify_bench_mix(uint64_t state)
{
	state = (state ^ state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	state = (state ^ state >> 27) * UINT64_C(0x94d049bb133111eb);
	return state ^ state >> 31;
}

void verify_bench_draw(const struct verify_bench *bench, const struct verify_vector *x,
                       int64_t count)
{
	uint64_t state = (uint64_t)count;
	for (int64_t i = 0; i < count; i++) {
		state += UINT64_C(0x9e3779b97f4a7c15);
		x->re[i] = verify_bench_mix(state) >> 63 ? 1 : -1;
		x->size[i] = 1;
		if (!bench->real)
			x->im[i] = 0;
	}
}

void verify_bench_clear(const struct verify_bench *bench, const struct verify_vector *x,
                        int64_t first, int64_t end)
{
	for (int64_t i = first; i < end; i++) {
		x->re[i] = x->size[i] = 0;
		if (!bench->real)
			x->im[i] = 0;
	}
}

void verify_bench_copy(const struct verify_bench *bench, const struct verify_vector *to,
                       const struct verify_vector *from, int64_t count)
{
	const size_t bytes = (size_t)count * sizeof *to->re;
	memcpy(to->re, from->re, bytes);
	memcpy(to->size, from->size, bytes);
	if (!bench->real)
		memcpy(to->im, from->im, bytes);
}

void verify_bench_scale(const struct verify_bench *bench, const struct verify_vector *x,
                        int64_t count, int power)
{
	for (int64_t i = 0; i < count; i++) {
		x->re[i] = verify_view_scale(x->re[i], power);
		if (!bench->real)
			x->im[i] = verify_view_scale(x->im[i], power);
	}
}

/* A number that is none makes the norm infinite. */
static double verify_bench_end_norm(const struct verify_norm *norm)
{
	return norm->spoilt ? __builtin_inf() : (double)verify_norm_find(norm);
}

double verify_bench_norm(const struct verify_bench *bench, const struct verify_vector *x,
                         int64_t count)
{
	struct verify_norm norm = {.spoilt = false};
	for (int64_t i = 0; i < count; i++) {
		verify_norm_add_value(&norm, x->re[i]);
		if (!bench->real)
			verify_norm_add_value(&norm, x->im[i]);
	}
	return verify_bench_end_norm(&norm);
}

double verify_bench_distance(const struct verify_bench *bench, const struct verify_vector *x,
                             const struct verify_vector *y, int64_t count)
{
	struct verify_norm norm = {.spoilt = false};
	for (int64_t i = 0; i < count; i++) {
		verify_norm_add_value(&norm, x->re[i] - y->re[i]);
		if (!bench->real)
			verify_norm_add_value(&norm, x->im[i] - y->im[i]);
	}
	return verify_bench_end_norm(&norm);
}

double verify_bench_size(const struct verify_vector *x, int64_t count)
{
	struct verify_norm norm = {.spoilt = false};
	for (int64_t i = 0; i < count; i++)
		verify_norm_add_value(&norm, x->size[i]);
	return verify_bench_end_norm(&norm);
}

/* -- the verdict ------------------------------------------------------------------------------ */

/* Each of so many numbers may have lost as much as the least normal one. */
static double verify_bench_find_loss(const struct verify_bench *bench, int power)
{
	const double longest = (double)verify_bench_longest(bench->solved->call);
	return verify_view_scale(longest * longest * bench->least, power);
}

static struct verify_verdict verify_bench_weigh(double deviation, double bound)
{
	if (!__builtin_isfinite(deviation))
		return verify_norm_reject();
	return verify_norm_weigh(deviation, bound);
}

struct verify_verdict verify_bench_weigh_chain(const struct verify_bench *bench,
                                               const struct verify_vector *x,
                                               const struct verify_vector *chained, int64_t count,
                                               int power)
{
	enum { FACTOR = 16 };
	const double longest = (double)verify_bench_longest(bench->solved->call);
	return verify_bench_weigh(verify_bench_distance(bench, x, chained, count),
	                          FACTOR * __builtin_sqrt(longest) * bench->roundoff *
	                                          verify_bench_size(chained, count) +
	                                  verify_bench_find_loss(bench, power));
}

struct verify_verdict verify_bench_weigh_norms(const struct verify_bench *bench, double deviation,
                                               double size, int power)
{
	enum { THRESHOLD = 30 };
	const double longest = (double)verify_bench_longest(bench->solved->call);
	return verify_bench_weigh(deviation, THRESHOLD * longest * bench->roundoff * size +
	                                             verify_bench_find_loss(bench, power));
}

void verify_bench_join(struct verify_bench *bench, struct verify_verdict verdict)
{
	if (verify_norm_is_worse(&verdict, &bench->worst))
		bench->worst = verdict;
}
