/* differ_fft.c - random transforms against the definition: usage differ_fft [PLANS [SEED [ONLY]]] */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../preload/fft_check.h"

static uint64_t state;
static long calls;

static int draw(int below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (int)((state >> 33) % (unsigned)below);
}

static void draw_problem(struct problem *p)
{
	static const int most[4] = {0, 90, 12, 6};
	const int rank = 1 + draw(3);
	int n[3];
	for (int d = 0; d < rank; d++)
		n[d] = 1 + draw(most[rank]);
	problem_make_tight(p, (enum kind)draw(KIND_COUNT), rank, n, 1 + draw(3), draw(2) ? 1 : -1, draw(3) == 0);
	if (draw(2) && !(p->in_place && p->kind != C2C))
		problem_make_strided(p, draw(2));
	/* Rows that are longer than what is transformed. */
	if (draw(4) == 0 && !p->in_place && rank > 1) {
		p->in.embed[rank - 1] += 2;
		p->out.embed[rank - 1] += 1;
		p->in.dist = p->in.stride * p->in.embed[0] * p->in.embed[1] * p->in.embed[2];
		p->out.dist = p->out.stride * p->out.embed[0] * p->out.embed[1] * p->out.embed[2];
	}
}

static FFT(plan) make_plan(const struct problem *p, real *in, real *out, unsigned flags)
{
	const struct layout *i = &p->in, *o = &p->out;
	FFT(complex) *cin = (FFT(complex) *)in, *cout = (FFT(complex) *)out;
	if (p->kind == C2C)
		return FFT(plan_many_dft)(p->rank, p->n, p->howmany, cin, i->embed, i->stride, i->dist, cout, o->embed,
		                          o->stride, o->dist, p->sign, flags);
	if (p->kind == R2C)
		return FFT(plan_many_dft_r2c)(p->rank, p->n, p->howmany, in, i->embed, i->stride, i->dist, cout,
		                              o->embed, o->stride, o->dist, flags);
	return FFT(plan_many_dft_c2r)(p->rank, p->n, p->howmany, cin, i->embed, i->stride, i->dist, out, o->embed,
	                              o->stride, o->dist, flags);
}

/* Odd multiples of the element: FFTW_UNALIGNED promises nothing better. */
static real *array_make(size_t reals, int shift)
{
	real *array = calloc(reals + 16, sizeof *array);
	return array + shift;
}

static bool run(unsigned number, bool shown)
{
	struct problem p;
	draw_problem(&p);
	const size_t in_reals = problem_reals(&p, false), out_reals = problem_reals(&p, true);
	const int shift = draw(3), keep = p.kind == C2R && p.rank == 1 && !p.in_place && draw(2);
	real *in = array_make(in_reals, shift), *out = p.in_place ? in : array_make(out_reals, shift);
	real *saved = malloc(in_reals * sizeof(real)), *before = malloc(out_reals * sizeof(real));
	FFT(plan) plan = make_plan(&p, in, out, FFTW_ESTIMATE | FFTW_UNALIGNED | (keep ? FFTW_PRESERVE_INPUT : 0u));
	double error = -1;
	bool kept = true;
	problem_fill(&p, in, number);
	for (size_t i = 0; i < out_reals && !p.in_place; i++)
		out[i] = (real)-777;
	memcpy(saved, in, in_reals * sizeof(real));
	memcpy(before, out, out_reals * sizeof(real));
	if (plan != NULL) {
		FFT(execute)(plan);
		calls++;
		error = problem_error(&p, saved, before, out);
		kept = p.in_place || (p.kind == C2R && !keep) || memcmp(saved, in, in_reals * sizeof(real)) == 0;
	}
	const bool right = error <= FFT_BOUND && kept;
	if (!right || shown)
		printf("plan %u kind %d %dx%dx%d howmany %d sign %d in place %d stride %d %d shift %d: error %g%s\n",
		       number, p.kind, p.n[0], p.n[1], p.n[2], p.howmany, p.sign, p.in_place, p.in.stride, p.out.stride,
		       shift, error, kept ? "" : ", the input was changed");
	FFT(destroy_plan)(plan);
	free(saved);
	free(before);
	free(in - shift);
	if (!p.in_place)
		free(out - shift);
	return right;
}

int main(int argc, char **argv)
{
	const unsigned plans = argc > 1 ? (unsigned)atoi(argv[1]) : 400;
	const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 20262;
	const long only = argc > 3 ? atol(argv[3]) : -1;
	unsigned failures = 0;
	printf("seed %llu\n", (unsigned long long)seed);
	for (unsigned i = 0; i < plans; i++) {
		state = seed * 1000003u + i;
		for (int warm = 0; warm < 8; warm++)
			draw(2);
		if (only < 0 || only == (long)i)
			failures += !run(i, only >= 0);
	}
	printf("call " FFT_NAME "execute %ld\n%u plans, %u failures\n", calls, plans, failures);
	return failures != 0;
}
