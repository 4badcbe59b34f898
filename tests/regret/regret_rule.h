/* regret_rule.h - policies that look at a call alone: both extremes, and the rules of the peers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_REGRET_RULE_H
#define GPUSHIM_TESTS_REGRET_REGRET_RULE_H

#include "tests/regret/regret_call.h"

/* The first two are the static choices, of which the better one is the measure; REGRET_GPU is also the rule "always".
 */
enum regret_rule {
	REGRET_CPU,
	REGRET_GPU,
	REGRET_ROOT,      /* cbrt(m n k) >= 500 */
	REGRET_DIMENSION, /* any dimension > 1000 */
	REGRET_INTENSITY, /* 1600 flop per byte */
	REGRET_BYTES,     /* 10 MB */
	REGRET_RULES
};

/* The heading of its column. */
const char *regret_rule_name(enum regret_rule rule);

/*
 * Whether it sends the call to the GPU. Rules that were made for products alone leave transforms on
 * the CPU.
 */
bool regret_rule_sends(enum regret_rule rule, const struct call *call);

#endif
