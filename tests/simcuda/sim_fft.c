/* sim_fft.c - one-dimensional transforms: mixed radix for small primes, Bluestein for the others */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_fft.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_RADIX = 31, MAX_FACTORS = 64 };

struct sim_fft {
	size_t n;
	int factor_count;
	unsigned factors[MAX_FACTORS];
	struct sim_complex *roots; /* exp(-2 pi i j / n) */
	/* Bluestein: n has a prime factor above LARGEST_RADIX */
	struct sim_fft *inner;
	struct sim_complex *chirp;    /* exp(-pi i j^2 / n) */
	struct sim_complex *spectrum; /* of the conjugate chirp, divided by the inner length */
};

static struct sim_complex times(struct sim_complex a, struct sim_complex b)
{
	return (struct sim_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* exp(-2 pi i j / n). The angle is reduced below pi / 4 in integers, so that no digit is lost. */
static struct sim_complex root_of_unity(size_t j, size_t n)
{
	size_t eighth = 8 * j / n, rest = 8 * j - eighth * n;
	size_t up = eighth % 2 ? n - rest : rest;
	double angle = M_PI / 4 * ((double)up / (double)n), c = cos(angle), s = sin(angle);
	double re = eighth % 4 == 1 || eighth % 4 == 2 ? s : c,
	       im = eighth % 4 == 1 || eighth % 4 == 2 ? c : s;
	bool left = eighth >= 2 && eighth < 6, lower = eighth < 4;
	return (struct sim_complex){left ? -re : re, lower ? -im : im};
}

static struct sim_complex *roots_new(size_t n)
{
	struct sim_complex *roots = malloc(n * sizeof *roots);
	for (size_t j = 0; roots && j < n; j++)
		roots[j] = root_of_unity(j, n);
	return roots;
}

/* False when a prime factor is too large to be a radix. */
static bool fft_factor(struct sim_fft *fft)
{
	static const unsigned radices[] = {4, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, LARGEST_RADIX};
	size_t rest = fft->n;
	for (size_t i = 0; i < sizeof radices / sizeof radices[0]; i++)
		for (; rest % radices[i] == 0; rest /= radices[i])
			fft->factors[fft->factor_count++] = radices[i];
	return rest == 1;
}

static bool bluestein_prepare(struct sim_fft *fft)
{
	size_t n = fft->n, length = 1;
	while (length < 2 * n - 1)
		length *= 2;
	fft->inner = sim_fft_new(length);
	fft->chirp = malloc(n * sizeof *fft->chirp);
	fft->spectrum = calloc(length, sizeof *fft->spectrum);
	struct sim_complex *scratch = malloc(length * sizeof *scratch);
	if (!fft->inner || !fft->chirp || !fft->spectrum || !scratch) {
		free(scratch);
		return false;
	}
	for (size_t j = 0; j < n; j++) {
		/* j * j is below 2^64 for every length whose arrays fit into memory */
		fft->chirp[j] = root_of_unity((size_t)((uint64_t)j * j % (2 * n)), 2 * n);
		struct sim_complex conjugate = {fft->chirp[j].re / (double)length,
		                                -fft->chirp[j].im / (double)length};
		fft->spectrum[j] = conjugate;
		if (j)
			fft->spectrum[length - j] = conjugate;
	}
	sim_fft_forward(fft->inner, fft->spectrum, scratch);
	free(scratch);
	return true;
}

struct sim_fft *sim_fft_new(size_t n)
{
	struct sim_fft *fft = calloc(1, sizeof *fft);
	if (!fft)
		return NULL;
	fft->n = n;
	if (fft_factor(fft))
		fft->roots = roots_new(n);
	else if (bluestein_prepare(fft))
		return fft;
	if (fft->roots)
		return fft;
	sim_fft_free(fft);
	return NULL;
}

void sim_fft_free(struct sim_fft *fft)
{
	if (!fft)
		return;
	sim_fft_free(fft->inner);
	free(fft->roots);
	free(fft->chirp);
	free(fft->spectrum);
	free(fft);
}

/*
 * For all passes: the remaining transforms have length `current` and are interleaved `stride`
 * times.
 */
struct pass {
	size_t radix, current, stride, root_step;
	const struct sim_complex *roots;
};

static void pass_radix_2(const struct pass *p, size_t k, const struct sim_complex *x,
                         struct sim_complex *y)
{
	const size_t s = p->stride, far = s * (p->current / 2);
	const struct sim_complex w = p->roots[k * p->root_step];
	for (size_t q = 0; q < s; q++) {
		struct sim_complex a = x[q], b = x[q + far];
		y[q] = (struct sim_complex){a.re + b.re, a.im + b.im};
		y[q + s] = times(w, (struct sim_complex){a.re - b.re, a.im - b.im});
	}
}

static void pass_radix_4(const struct pass *p, size_t k, const struct sim_complex *x,
                         struct sim_complex *y)
{
	const size_t s = p->stride, far = s * (p->current / 4), step = k * p->root_step;
	const struct sim_complex w1 = p->roots[step], w2 = p->roots[2 * step],
				 w3 = p->roots[3 * step];
	for (size_t q = 0; q < s; q++) {
		struct sim_complex a = x[q], b = x[q + far], c = x[q + 2 * far], d = x[q + 3 * far];
		struct sim_complex ac = {a.re + c.re, a.im + c.im},
				   amc = {a.re - c.re, a.im - c.im};
		struct sim_complex bd = {b.re + d.re, b.im + d.im},
				   bmd = {b.im - d.im, d.re - b.re};
		y[q] = (struct sim_complex){ac.re + bd.re, ac.im + bd.im};
		y[q + s] = times(w1, (struct sim_complex){amc.re + bmd.re, amc.im + bmd.im});
		y[q + 2 * s] = times(w2, (struct sim_complex){ac.re - bd.re, ac.im - bd.im});
		y[q + 3 * s] = times(w3, (struct sim_complex){amc.re - bmd.re, amc.im - bmd.im});
	}
}

static void pass_radix_any(const struct pass *p, size_t k, const struct sim_complex *x,
                           struct sim_complex *y)
{
	const size_t s = p->stride, r = p->radix, far = s * (p->current / r);
	const size_t small_step = p->root_step * (p->current / r);
	for (size_t q = 0; q < s; q++)
		for (size_t j = 0; j < r; j++) {
			struct sim_complex sum = x[q];
			for (size_t i = 1; i < r; i++) {
				struct sim_complex term =
					times(p->roots[i * j % r * small_step], x[q + i * far]);
				sum.re += term.re;
				sum.im += term.im;
			}
			y[q + j * s] = times(p->roots[j * k * p->root_step], sum);
		}
}

static void pass_run(const struct pass *p, const struct sim_complex *x, struct sim_complex *y)
{
	void (*step)(const struct pass *, size_t, const struct sim_complex *,
	             struct sim_complex *) = p->radix == 4   ? pass_radix_4
	                                     : p->radix == 2 ? pass_radix_2
	                                                     : pass_radix_any;
	for (size_t k = 0; k < p->current / p->radix; k++)
		step(p, k, x + k * p->stride, y + k * p->radix * p->stride);
}

/* Stockham's ordering: each pass goes from one array to the other; no bit reversal is needed. */
static void mixed_forward(const struct sim_fft *fft, struct sim_complex *data,
                          struct sim_complex *scratch)
{
	struct sim_complex *from = data, *to = scratch;
	struct pass p = {.current = fft->n, .stride = 1, .roots = fft->roots};
	for (int i = 0; i < fft->factor_count; i++) {
		p.radix = fft->factors[i];
		p.root_step = fft->n / p.current;
		pass_run(&p, from, to);
		p.current /= p.radix;
		p.stride *= p.radix;
		struct sim_complex *swap = from;
		from = to;
		to = swap;
	}
	if (from != data)
		memcpy(data, from, fft->n * sizeof *data);
}

/*
 * The inverse inner transform is the forward one between two exchanges of real and imaginary parts.
 */
static struct sim_complex exchanged(struct sim_complex z)
{
	return (struct sim_complex){z.im, z.re};
}

static void bluestein_forward(const struct sim_fft *fft, struct sim_complex *data)
{
	size_t n = fft->n, length = fft->inner->n;
	struct sim_complex *work = calloc(2 * length, sizeof *work);
	if (!work) {
		/* Out of host memory: NaN everywhere cannot be mistaken for a result. */
		memset(data, 0xff, n * sizeof *data);
		return;
	}
	for (size_t j = 0; j < n; j++)
		work[j] = times(data[j], fft->chirp[j]);
	sim_fft_forward(fft->inner, work, work + length);
	for (size_t j = 0; j < length; j++)
		work[j] = exchanged(times(work[j], fft->spectrum[j]));
	sim_fft_forward(fft->inner, work, work + length);
	for (size_t j = 0; j < n; j++)
		data[j] = times(exchanged(work[j]), fft->chirp[j]);
	free(work);
}

void sim_fft_forward(const struct sim_fft *fft, struct sim_complex *data,
                     struct sim_complex *scratch)
{
	if (fft->inner)
		bluestein_forward(fft, data);
	else
		mixed_forward(fft, data, scratch);
}
