/* regret_rule.h - policies that look at one call only: both extremes, and the peers' rules */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_REGRET_RULE_H
#define GPUSHIM_TESTS_REGRET_REGRET_RULE_H

#include "tests/regret/regret_call.h"

/*
 * The first two are the static choices; the better one of them is the measure of all others.
 * REGRET_GPU is also the rule "always".
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
 * Whether the rule sends the call to the GPU. Rules that were made for products leave transforms on
 * the CPU.
 */
bool regret_rule_sends(enum regret_rule rule, const struct call *call);

#endif
