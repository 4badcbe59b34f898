/* compare_noise.c - the shapes of noise */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/compare/compare_noise.h"

#include <math.h>

static const double noise_spread = 0.02;
static const double noise_kept = 0.7;       /* part of the last value, correlated series */
static const double noise_drift = 0.002;    /* added by each run */
static const double noise_group_step = 0.1; /* between two groups */

/* Marsaglia's xorshift*. */
double compare_noise_draw_even(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (double)(*state * 0x2545f4914f6cdd1d >> 11) / 9007199254740992.0;
}

/* A normal deviate by the method of Box and Muller. */
static double compare_noise_draw_normal(uint64_t *state)
{
	const double radius = sqrt(-2 * log(1 - compare_noise_draw_even(state)));
	return radius * cos(6.283185307179586 * compare_noise_draw_even(state));
}

double compare_noise_draw(struct compare_noise *noise)
{
	const double normal = noise_spread * compare_noise_draw_normal(&noise->state);
	const double even = compare_noise_draw_even(&noise->state);
	noise->last = noise_kept * noise->last + normal;
	noise->run++;
	switch (noise->shape) {
	case COMPARE_NOISE_SPIKES: return exp(normal) * (even < 0.1 ? 1.5 : 1);
	case COMPARE_NOISE_DRIFT: return exp(normal) * (1 + noise_drift * (double)noise->run);
	case COMPARE_NOISE_CORRELATED: return exp(noise->last);
	case COMPARE_NOISE_GROUPS: return exp(normal) * (even < 0.4 ? 1 + noise_group_step : 1);
	default: return exp(normal);
	}
}
