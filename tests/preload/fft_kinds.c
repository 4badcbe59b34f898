/* fft_kinds.c - c2c, r2c, c2r: ranks 1 to 3, batches, in place or not, all planners and executes */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft_check.h"

enum planner { BY_RANK, BY_ARRAY, BY_MANY, BY_GURU, BY_GURU64 };
enum call_name { EXECUTE, EXECUTE_DFT, EXECUTE_R2C, EXECUTE_C2R, CALL_COUNT };
static const char *const call_names[CALL_COUNT] = {"execute", "execute_dft", "execute_dft_r2c",
                                                   "execute_dft_c2r"};
static const char *const kind_names[KIND_COUNT] = {"c2c", "r2c", "c2r"};
static long calls[CALL_COUNT], failures;

static FFT(plan) plan_many(const struct problem *p, real *in, real *out, unsigned flags)
{
	const struct layout *i = &p->in, *o = &p->out;
	if (p->kind == C2C)
		return FFT(plan_many_dft)(p->rank, p->n, p->howmany, (FFT(complex) *)in, i->embed,
		                          i->stride, i->dist, (FFT(complex) *)out, o->embed,
		                          o->stride, o->dist, p->sign, flags);
	if (p->kind == R2C)
		return FFT(plan_many_dft_r2c)(p->rank, p->n, p->howmany, in, i->embed, i->stride,
		                              i->dist, (FFT(complex) *)out, o->embed, o->stride,
		                              o->dist, flags);
	return FFT(plan_many_dft_c2r)(p->rank, p->n, p->howmany, (FFT(complex) *)in, i->embed,
	                              i->stride, i->dist, out, o->embed, o->stride, o->dist, flags);
}

/* Strides of the dimensions of one side, in elements of that side. */
#define FILL_DIMS(type)                                                                            \
	type dims[3], loop = {p->howmany, p->in.dist, p->out.dist};                                \
	for (int d = p->rank - 1, is = p->in.stride, os = p->out.stride; d >= 0; d--) {            \
		dims[d] = (type){p->n[d], is, os};                                                 \
		is *= p->in.embed[d];                                                              \
		os *= p->out.embed[d];                                                             \
	}
#define PLAN_GURU(guru)                                                                            \
	switch (p->kind) {                                                                         \
	case C2C:                                                                                  \
		return FFT(plan_##guru##_dft)(p->rank, dims, 1, &loop, cin, cout, p->sign, flags); \
	case R2C: return FFT(plan_##guru##_dft_r2c)(p->rank, dims, 1, &loop, in, cout, flags);     \
	default: return FFT(plan_##guru##_dft_c2r)(p->rank, dims, 1, &loop, cin, out, flags);      \
	}

static FFT(plan) plan_guru(const struct problem *p, real *in, real *out, unsigned flags)
{
	FFT(complex) *cin = (FFT(complex) *)in, *cout = (FFT(complex) *)out;
	FILL_DIMS(FFT(iodim))
	PLAN_GURU(guru)
}

static FFT(plan) plan_guru64(const struct problem *p, real *in, real *out, unsigned flags)
{
	FFT(complex) *cin = (FFT(complex) *)in, *cout = (FFT(complex) *)out;
	FILL_DIMS(FFT(iodim64))
	PLAN_GURU(guru64)
}

static FFT(plan) plan_array(const struct problem *p, real *in, real *out, unsigned flags)
{
	if (p->kind == C2C)
		return FFT(plan_dft)(p->rank, p->n, (FFT(complex) *)in, (FFT(complex) *)out,
		                     p->sign, flags);
	if (p->kind == R2C)
		return FFT(plan_dft_r2c)(p->rank, p->n, in, (FFT(complex) *)out, flags);
	return FFT(plan_dft_c2r)(p->rank, p->n, (FFT(complex) *)in, out, flags);
}

static FFT(plan) plan_rank(const struct problem *p, real *in, real *out, unsigned flags)
{
	const int *n = p->n;
	FFT(complex) *cin = (FFT(complex) *)in, *cout = (FFT(complex) *)out;
	switch (p->kind * 3 + p->rank) {
	case C2C * 3 + 1: return FFT(plan_dft_1d)(n[0], cin, cout, p->sign, flags);
	case C2C * 3 + 2: return FFT(plan_dft_2d)(n[0], n[1], cin, cout, p->sign, flags);
	case C2C * 3 + 3: return FFT(plan_dft_3d)(n[0], n[1], n[2], cin, cout, p->sign, flags);
	case R2C * 3 + 1: return FFT(plan_dft_r2c_1d)(n[0], in, cout, flags);
	case R2C * 3 + 2: return FFT(plan_dft_r2c_2d)(n[0], n[1], in, cout, flags);
	case R2C * 3 + 3: return FFT(plan_dft_r2c_3d)(n[0], n[1], n[2], in, cout, flags);
	case C2R * 3 + 1: return FFT(plan_dft_c2r_1d)(n[0], cin, out, flags);
	case C2R * 3 + 2: return FFT(plan_dft_c2r_2d)(n[0], n[1], cin, out, flags);
	default: return FFT(plan_dft_c2r_3d)(n[0], n[1], n[2], cin, out, flags);
	}
}

static void execute(const struct problem *p, FFT(plan) plan, real *in, real *out, bool fresh)
{
	if (!fresh) {
		FFT(execute)(plan);
		calls[EXECUTE]++;
	} else if (p->kind == C2C) {
		FFT(execute_dft)(plan, (FFT(complex) *)in, (FFT(complex) *)out);
		calls[EXECUTE_DFT]++;
	} else if (p->kind == R2C) {
		FFT(execute_dft_r2c)(plan, in, (FFT(complex) *)out);
		calls[EXECUTE_R2C]++;
	} else {
		FFT(execute_dft_c2r)(plan, (FFT(complex) *)in, out);
		calls[EXECUTE_C2R]++;
	}
}

/* Arrays of one execution; for a transform in place out equals in. */
struct arrays {
	real *in, *out, *saved, *before;
};

static struct arrays arrays_make(const struct problem *p)
{
	const size_t in = problem_reals(p, false), out = problem_reals(p, true);
	struct arrays a = {.in = FFT(malloc)(in * sizeof(real)),
	                   .saved = malloc(in * sizeof(real)),
	                   .before = malloc(out * sizeof(real))};
	a.out = p->in_place ? a.in : FFT(malloc)(out * sizeof(real));
	return a;
}

static void arrays_free(const struct problem *p, struct arrays *a)
{
	if (!p->in_place)
		FFT(free)(a->out);
	FFT(free)(a->in);
	free(a->saved);
	free(a->before);
}

static void check(const struct problem *p, FFT(plan) plan, struct arrays *a, bool fresh,
                  unsigned seed)
{
	const size_t in = problem_reals(p, false), out = problem_reals(p, true);
	problem_fill(p, a->in, seed);
	for (size_t i = 0; i < out && !p->in_place; i++)
		a->out[i] = (real)-777;
	memcpy(a->saved, a->in, in * sizeof(real));
	memcpy(a->before, a->out, out * sizeof(real));
	execute(p, plan, a->in, a->out, fresh);
	const double error = problem_error(p, a->saved, a->before, a->out);
	const bool kept =
		p->in_place || p->kind == C2R || memcmp(a->saved, a->in, in * sizeof(real)) == 0;
	if (error <= FFT_BOUND && kept)
		return;
	failures++;
	printf("WRONG %s %dx%dx%d howmany %d sign %d in place %d stride %d dist %d fresh %d: error %g, input %s\n",
	       kind_names[p->kind], p->n[0], p->n[1], p->n[2], p->howmany, p->sign, p->in_place,
	       p->in.stride, p->in.dist, fresh, error, kept ? "kept" : "changed");
}

static void run(const struct problem *p, enum planner planner, unsigned flags)
{
	static unsigned seed;
	struct arrays own = arrays_make(p), other = arrays_make(p);
	static FFT(plan) (*const planners[])(const struct problem *, real *, real *, unsigned) = {
		plan_rank, plan_array, plan_many, plan_guru, plan_guru64};
	FFT(plan) plan = planners[planner](p, own.in, own.out, flags);
	if (plan == NULL) {
		failures++;
		printf("no plan\n");
	} else {
		check(p, plan, &own, false, ++seed);
		check(p, plan, &own, true, ++seed);
		check(p, plan, &other, true, ++seed);
		check(p, plan, &own, false, ++seed);
	}
	FFT(destroy_plan)(plan);
	arrays_free(p, &own);
	arrays_free(p, &other);
}

static void run_layouts(struct problem *p, unsigned flags)
{
	run(p, BY_MANY, flags);
	run(p, p->sign < 0 ? BY_GURU : BY_GURU64, flags);
	if (p->howmany == 1) {
		run(p, BY_ARRAY, flags);
		run(p, BY_RANK, flags);
	}
	/*
	 * In place, the strides of a real transform would have to agree in bytes, so only the tight
	 * layout is tested.
	 */
	if (p->in_place && p->kind != C2C)
		return;
	struct problem strided = *p;
	problem_make_strided(&strided, false);
	run(&strided, BY_MANY, flags);
	run(&strided, p->howmany > 1 ? BY_GURU64 : BY_GURU, flags);
	strided = *p;
	problem_make_strided(&strided, true);
	if (p->howmany > 1)
		run(&strided, BY_MANY, flags);
}

static void run_sizes(int rank, const int *n, int howmany)
{
	struct problem p;
	for (int kind = C2C; kind < KIND_COUNT; kind++)
		for (int in_place = 0; in_place < 2; in_place++)
			for (int sign = -1; sign <= (kind == C2C ? 1 : -1); sign += 2) {
				problem_make_tight(&p, (enum kind)kind, rank, n, howmany, sign,
				                   in_place);
				run_layouts(&p, n[0] == 15 && howmany == 1 ? FFTW_MEASURE
				                                           : FFTW_ESTIMATE);
			}
}

int main(void)
{
	static const int sizes[][3] = {{1, 1, 1}, {8, 1, 1}, {15, 1, 1}, {31, 1, 1},
	                               {4, 6, 1}, {5, 3, 1}, {7, 8, 1},  {2, 3, 4},
	                               {4, 4, 5}, {3, 1, 6}, {1, 9, 1}};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		const int rank = sizes[i][2] > 1 ? 3 : sizes[i][1] > 1 ? 2 : 1;
		run_sizes(rank, sizes[i], 1);
		run_sizes(rank, sizes[i], 3);
	}
	for (int i = 0; i < CALL_COUNT; i++)
		printf("call " FFT_NAME "%s %ld\n", call_names[i], calls[i]);
	printf("%ld failures\n", failures);
	return failures != 0;
}
