/* regret_rule.c - policies that look at one call only: both extremes, and the peers' rules */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/regret/regret_rule.h"

static const double rule_root = 500, rule_dimension = 1000, rule_intensity = 1600, rule_bytes = 1e7;

const char *regret_rule_name(enum regret_rule rule)
{
	static const char *const names[REGRET_RULES] = {"cpu",    "gpu",     "n>=500",
	                                                "n>1000", "1600f/B", "10MB"};
	return names[rule];
}

bool regret_rule_sends(enum regret_rule rule, const struct call *call)
{
	const struct blas_call *blas = &call->blas;
	const double bytes = (double)call->size_bytes;
	if (rule == REGRET_GPU)
		return true;
	if (rule == REGRET_BYTES)
		return bytes >= rule_bytes;
	if (rule == REGRET_CPU || family_is_fft(call->family))
		return false;
	if (rule == REGRET_DIMENSION)
		return (double)blas->m > rule_dimension || (double)blas->n > rule_dimension ||
		       (double)blas->k > rule_dimension;
	if (rule == REGRET_INTENSITY)
		return call->work_flops >= rule_intensity * bytes;
	return (double)blas->m * (double)blas->n * (double)blas->k >=
	       rule_root * rule_root * rule_root;
}
