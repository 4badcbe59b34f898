/* verify_norm.c - norms that do not overflow, and the comparison of two elements */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/verify/verify_norm.h"

/* sqrt(x * x + y * y) for x, y >= 0, without libm. */
static long double verify_norm_join(long double x, long double y)
{
	const long double more = x > y ? x : y, less = x > y ? y : x;
	const double ratio = more > 0 ? (double)(less / more) : 0;
	return more * (long double)__builtin_sqrt(1 + ratio * ratio);
}

long double verify_norm_find(const struct verify_norm *norm)
{
	const long double small =
		(long double)__builtin_sqrt(norm->sum[VERIFY_SMALL]) / verify_small_scale;
	const long double ordinary = __builtin_sqrt(norm->sum[VERIFY_ORDINARY]);
	const long double large =
		(long double)__builtin_sqrt(norm->sum[VERIFY_LARGE]) / verify_large_scale;
	return verify_norm_join(verify_norm_join(small, ordinary), large);
}

struct verify_range verify_norm_find_range(enum element element)
{
	if (element == ELEMENT_S || element == ELEMENT_C)
		return (struct verify_range){0x1p-24, (double)__FLT_MIN__, (double)__FLT_MAX__};
	return (struct verify_range){0x1p-53, __DBL_MIN__, __DBL_MAX__};
}

/* Adds gpu - cpu; on overflow four times the difference of the halves, which has the same norm. */
static void verify_norm_gap_subtract(struct verify_norm *norm, double gpu, double cpu)
{
	const double apart = gpu - cpu;
	if (__builtin_isfinite(apart)) {
		verify_norm_add_value(norm, apart);
		return;
	}
	for (int half = 0; half < 4; half++)
		verify_norm_add_value(norm, gpu / 2 - cpu / 2);
}

void verify_norm_add_pair(struct verify_gap *gap, enum element element, bool real, const void *gpu,
                          const void *cpu)
{
	const double x[2] = {verify_norm_read(element, gpu, 0),
	                     real ? 0 : verify_norm_read(element, gpu, 1)};
	const double y[2] = {verify_norm_read(element, cpu, 0),
	                     real ? 0 : verify_norm_read(element, cpu, 1)};
	const bool x_fine = __builtin_isfinite(x[0]) && __builtin_isfinite(x[1]);
	const bool y_fine = __builtin_isfinite(y[0]) && __builtin_isfinite(y[1]);
	gap->gpu_alone = gap->gpu_alone || (!x_fine && y_fine);
	gap->cpu_alone = gap->cpu_alone || (x_fine && !y_fine);
	for (int part = 0; part < (real ? 1 : 2); part++) {
		verify_norm_add_value(&gap->gpu, x[part]);
		verify_norm_add_value(&gap->cpu, y[part]);
		if (x_fine && y_fine)
			verify_norm_gap_subtract(&gap->apart, x[part], y[part]);
	}
}

static double verify_norm_verdict_cut(long double value)
{
	return value > (long double)__DBL_MAX__ ? __DBL_MAX__ : (double)value;
}

struct verify_verdict verify_norm_weigh(long double deviation, long double bound)
{
	return (struct verify_verdict){deviation <= bound, verify_norm_verdict_cut(deviation),
	                               verify_norm_verdict_cut(bound)};
}

struct verify_verdict verify_norm_reject(void)
{
	return (struct verify_verdict){false, __builtin_inf(), 0};
}

bool verify_norm_is_worse(const struct verify_verdict *verdict, const struct verify_verdict *worst)
{
	if (verdict->fits != worst->fits)
		return worst->fits;
	return (long double)verdict->deviation * worst->bound >
	       (long double)worst->deviation * verdict->bound;
}

double verify_norm_find_ratio(const struct verify_verdict *verdict)
{
	if (verdict->deviation == 0)
		return 0;
	return verdict->deviation < VERIFY_RATIO_MOST * verdict->bound
	               ? verdict->deviation / verdict->bound
	               : VERIFY_RATIO_MOST;
}
