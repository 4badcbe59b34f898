/* fft_check.c - layouts, filling, and a plain DFT in long double */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_check.h"

#include "../driver/c11_complex.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void layout_make(struct layout *layout, const struct problem *p, bool real_side, int last)
{
	layout->is_real = real_side;
	layout->last = last;
	layout->stride = 1;
	for (int d = 0; d < 3; d++)
		layout->embed[d] = d < p->rank ? p->n[d] : 1;
	layout->embed[p->rank - 1] = last;
	if (real_side && p->in_place)
		layout->embed[p->rank - 1] = 2 * (p->n[p->rank - 1] / 2 + 1);
	layout->dist = 1;
	for (int d = 0; d < p->rank; d++)
		layout->dist *= layout->embed[d];
}

void problem_make_tight(struct problem *p, enum kind kind, int rank, const int *n, int howmany,
                        int sign, bool in_place)
{
	*p = (struct problem){.kind = kind, .rank = rank, .howmany = howmany, .in_place = in_place};
	p->sign = kind == C2C ? sign : kind == R2C ? -1 : 1;
	for (int d = 0; d < 3; d++)
		p->n[d] = d < rank ? n[d] : 1;
	const int full = p->n[rank - 1], half = full / 2 + 1;
	layout_make(&p->in, p, kind == R2C, kind == C2R ? half : full);
	layout_make(&p->out, p, kind == C2R, kind == R2C ? half : full);
}

static void layout_spread(struct layout *layout, int howmany, bool interleaved)
{
	if (interleaved) {
		layout->stride = howmany;
		layout->dist = 1;
		return;
	}
	layout->stride = 2;
	layout->dist = layout->dist * 2 + 3;
}

void problem_make_strided(struct problem *p, bool interleaved)
{
	layout_spread(&p->in, p->howmany, interleaved);
	if (p->in_place && p->kind == C2C)
		p->out = p->in;
	else
		layout_spread(&p->out, p->howmany, interleaved);
}

size_t layout_reals(const struct problem *p, const struct layout *layout)
{
	long last = (long)(p->howmany - 1) * layout->dist;
	long index = 0;
	for (int d = 0; d < p->rank; d++)
		index = index * layout->embed[d] + (layout->embed[d] - 1);
	last += index * layout->stride + 1;
	return (size_t)last * (layout->is_real ? 1 : 2);
}

size_t problem_reals(const struct problem *p, bool output)
{
	const size_t in = layout_reals(p, &p->in), out = layout_reals(p, &p->out);
	if (p->in_place)
		return in > out ? in : out;
	return output ? out : in;
}

/* Index, in reals, of element (i0, i1, i2) of transform b. */
static size_t layout_at(const struct problem *p, const struct layout *layout, int b, const int *i)
{
	long index = 0;
	for (int d = 0; d < p->rank; d++)
		index = index * layout->embed[d] + i[d];
	return (size_t)((long)b * layout->dist + index * layout->stride) *
	       (layout->is_real ? 1 : 2);
}

/* Advances to the next stored element of a layout. */
static bool layout_step(const struct problem *p, const struct layout *layout, int *i)
{
	for (int d = p->rank - 1; d >= 0; d--) {
		if (++i[d] < (d == p->rank - 1 ? layout->last : p->n[d]))
			return true;
		i[d] = 0;
	}
	return false;
}

static double draw(unsigned long *state)
{
	*state = *state * 6364136223846793005ul + 1442695040888963407ul;
	return (double)(*state >> 40) / (1 << 23) - 1;
}

/* Index of the conjugate mirror of an element of a Hermitian array, stored or not. */
static void mirror(const struct problem *p, const int *i, int *m)
{
	for (int d = 0; d < p->rank; d++)
		m[d] = (p->n[d] - i[d]) % p->n[d];
}

static bool is_stored(const struct problem *p, const struct layout *layout, const int *i)
{
	return i[p->rank - 1] < layout->last;
}

static void make_hermitian(const struct problem *p, real *in)
{
	for (int b = 0; b < p->howmany; b++) {
		int i[3] = {0}, m[3] = {0};
		do {
			mirror(p, i, m);
			if (!is_stored(p, &p->in, m))
				continue;
			const size_t x = layout_at(p, &p->in, b, i), y = layout_at(p, &p->in, b, m);
			in[x] = in[y];
			in[x + 1] = x == y ? 0 : -in[y + 1];
		} while (layout_step(p, &p->in, i));
	}
}

void problem_fill(const struct problem *p, real *in, unsigned seed)
{
	unsigned long state = seed * 2 + 1;
	const size_t reals = problem_reals(p, false);
	for (size_t i = 0; i < reals; i++)
		in[i] = (real)1234.5;
	for (int b = 0; b < p->howmany; b++) {
		int i[3] = {0};
		do {
			const size_t at = layout_at(p, &p->in, b, i);
			in[at] = (real)draw(&state);
			if (!p->in.is_real)
				in[at + 1] = (real)draw(&state);
		} while (layout_step(p, &p->in, i));
	}
	if (p->kind == C2R)
		make_hermitian(p, in);
}

static long double complex input_at(const struct problem *p, const real *in, int b, const int *i)
{
	int m[3];
	if (p->in.is_real)
		return in[layout_at(p, &p->in, b, i)];
	if (is_stored(p, &p->in, i)) {
		const size_t at = layout_at(p, &p->in, b, i);
		return in[at] + I * (long double)in[at + 1];
	}
	mirror(p, i, m);
	const size_t at = layout_at(p, &p->in, b, m);
	return in[at] - I * (long double)in[at + 1];
}

enum { LENGTH_MAX = 128 };

/* exp(2 pi i r / n), computed once for each n. */
static const long double complex *roots_of(int n)
{
	static long double complex *tables[LENGTH_MAX + 1];
	if (tables[n] == NULL) {
		tables[n] = malloc((size_t)n * sizeof **tables);
		for (int r = 0; r < n; r++)
			tables[n][r] = CMPLXL(cosl(2 * acosl(-1.0L) * r / n),
			                      sinl(2 * acosl(-1.0L) * r / n));
	}
	return tables[n];
}

static long double complex dft_at(const struct problem *p, const real *in, int b, const int *k)
{
	const struct layout all = {.last = p->n[p->rank - 1]};
	const long double complex *roots[3];
	long double complex sum = 0;
	int i[3] = {0};
	for (int d = 0; d < p->rank; d++)
		roots[d] = roots_of(p->n[d]);
	do {
		long double complex turn = 1;
		for (int d = 0; d < p->rank; d++)
			turn *= roots[d][i[d] * k[d] % p->n[d]];
		sum += input_at(p, in, b, i) * (p->sign > 0 ? turn : conjl(turn));
	} while (layout_step(p, &all, i));
	return sum;
}

/* Error relative to the norm of one transform; marks the elements that belong to the output. */
static double transform_error(const struct problem *p, const real *saved, const real *out, int b,
                              char *written)
{
	long double error = 0, norm = 0;
	int k[3] = {0};
	do {
		const size_t at = layout_at(p, &p->out, b, k);
		const long double complex want = dft_at(p, saved, b, k);
		const long double complex got =
			out[at] + (p->out.is_real ? 0 : I * (long double)out[at + 1]);
		const long double off = cabsl(p->out.is_real ? got - creall(want) : got - want);
		error += off * off;
		norm += cabsl(want) * cabsl(want);
		written[at] = 1;
		if (!p->out.is_real)
			written[at + 1] = 1;
	} while (layout_step(p, &p->out, k));
	return (double)sqrtl(error / (norm > 0 ? norm : 1));
}

double problem_error(const struct problem *p, const real *saved, const real *before,
                     const real *out)
{
	const size_t reals = problem_reals(p, true);
	char *written = calloc(reals, 1);
	double worst = 0;
	for (int b = 0; b < p->howmany; b++) {
		const double error = transform_error(p, saved, out, b, written);
		if (!(error <= worst))
			worst = error;
	}
	/* An in-place real transform may leave anything in the padding of its rows. */
	for (size_t i = 0; i < reals && !(p->in_place && p->kind != C2C); i++)
		if (!written[i] && memcmp(&before[i], &out[i], sizeof out[i]) != 0)
			worst = 1e30;
	free(written);
	return worst;
}
