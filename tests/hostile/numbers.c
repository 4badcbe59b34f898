/* numbers.c - special numbers in level 3, the flags that they raise, traps: numbers [jumping] */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hostile/operands.h"

enum { ORDER = 48, LD = 53, ROOM = LD * ORDER, JUMPS = 50 };

/* -- numbers -- */

static union {
	float s[2 * ROOM];
	double d[2 * ROOM];
} a, b, c;

static bool is_single(enum element element)
{
	return element == ELEMENT_S || element == ELEMENT_C;
}

static int parts(enum element element)
{
	return element >= ELEMENT_C ? 2 : 1;
}

static void put(void *matrix, enum element element, int i, int j, int part, double value)
{
	const int at = (i + j * LD) * parts(element) + part;
	if (is_single(element))
		((float *)matrix)[at] = (float)value;
	else
		((double *)matrix)[at] = value;
}

static double get(const void *matrix, enum element element, int i, int j, int part)
{
	const int at = (i + j * LD) * parts(element) + part;
	return is_single(element) ? (double)((const float *)matrix)[at]
	                          : ((const double *)matrix)[at];
}

static double largest(enum element element)
{
	return is_single(element) ? 0x1.8p127 : 0x1.8p1023;
}

static double least(enum element element)
{
	return is_single(element) ? 0x1p-140 : 0x1p-1060;
}

/* Positive numbers; a diagonal that is safe to divide by; NaN in the gaps. */
static void fill_one(void *matrix, enum element element, double scale)
{
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i < LD; i++)
			for (int part = 0; part < parts(element); part++) {
				const double value = (i * 7 + j * 13 + part * 5) % 19 / 16.0 + 0.25;
				put(matrix, element, i, j, part,
				    i >= ORDER ? NAN
				               : scale * value + (i == j && part == 0 ? 64 : 0));
			}
}

/* -- scenarios -- */

struct scenario {
	const char *name;
	double alpha, beta;
	void (*prepare)(const struct run *run);
};

static void prepare_nothing(const struct run *run)
{
	(void)run;
}

static void prepare_infinite_a(const struct run *run)
{
	put(&a, run->element, 9, 9, 0, INFINITY);
}

static void prepare_nan_a(const struct run *run)
{
	put(&a, run->element, 9, 9, 0, NAN);
}

static void prepare_nan_c(const struct run *run)
{
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i < ORDER; i++)
			for (int part = 0; part < parts(run->element); part++)
				put(&c, run->element, i, j, part, NAN);
}

static void prepare_nan_factors(const struct run *run)
{
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i < ORDER; i++)
			for (int part = 0; part < parts(run->element); part++) {
				put(&a, run->element, i, j, part, NAN);
				put(&b, run->element, i, j, part, NAN);
			}
}

static void prepare_large(const struct run *run)
{
	put(&a, run->element, 9, 9, 0, largest(run->element));
}

/* Infinity minus infinity in the sums, of finite factors. */
static void prepare_opposite(const struct run *run)
{
	for (int p = 0; p < ORDER; p++) {
		put(&a, run->element, 9, p, 0,
		    p % 2 == 0 ? largest(run->element) : -largest(run->element));
		put(&a, run->element, p, 9, 0,
		    p % 2 == 0 ? largest(run->element) : -largest(run->element));
	}
}

static void prepare_invalid(const struct run *run)
{
	put(&a, run->element, 9, 9, 0, INFINITY);
	for (int j = 0; j < ORDER; j++)
		for (int part = 0; part < parts(run->element); part++)
			put(&b, run->element, 9, j, part, 0);
}

static void prepare_denormal(const struct run *run)
{
	fill_one(&a, run->element, least(run->element));
	for (int j = 0; j < ORDER; j++)
		put(&a, run->element, j, j, 0, least(run->element));
}

static void prepare_old_infinite(const struct run *run)
{
	put(&c, run->element, 5, 5, 0, INFINITY);
	put(&c, run->element, 6, 6, 0, NAN);
}

static void prepare_zeros(const struct run *run)
{
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i < ORDER; i++)
			for (int part = 0; part < parts(run->element); part++) {
				put(&a, run->element, i, j, part, -0.0);
				put(&c, run->element, i, j, part, -0.0);
			}
}

static void prepare_singular(const struct run *run)
{
	for (int part = 0; part < parts(run->element); part++)
		put(&a, run->element, 9, 9, part, 0);
}

static const struct scenario scenarios[] = {
	{"plain", 1.5, 0.5, prepare_nothing},
	{"plain, beta 0", 1.5, 0, prepare_nothing},
	{"infinite A", 1.5, 0.5, prepare_infinite_a},
	{"NaN in A", 1.5, 0.5, prepare_nan_a},
	{"NaN in C, beta 0", 1.5, 0, prepare_nan_c},
	{"NaN factors, alpha 0", 0, 0.5, prepare_nan_factors},
	{"NaN factors, alpha 0, beta 1", 0, 1, prepare_nan_factors},
	{"large", 1.5, 0.5, prepare_large},
	{"opposite", 1.5, 0, prepare_opposite},
	{"invalid", 1, 0, prepare_invalid},
	{"denormal", 1, 0, prepare_denormal},
	{"old infinite", 1.5, 0.5, prepare_old_infinite},
	{"old infinite, beta 1", 1.5, 1, prepare_old_infinite},
	{"zeros", 1, 1, prepare_zeros},
	{"zeros, beta 0", 1, 0, prepare_zeros},
	{"singular", 1, 0, prepare_singular},
	{"large beta", 1, 1e38, prepare_nothing},
	{"infinite alpha", INFINITY, 0, prepare_nothing},
	{"NaN beta", 1, NAN, prepare_nothing},
};

static const struct scenario *find_scenario(const char *name)
{
	const struct scenario *scenario = scenarios;
	while (strcmp(scenario->name, name) != 0)
		scenario++;
	return scenario;
}

/* -- reports -- */

struct kinds {
	int nan, infinite, denormal, gap;
};

static void count_number(struct kinds *kinds, double value, double smallest)
{
	kinds->nan += isnan(value) != 0;
	kinds->infinite += isinf(value) != 0;
	kinds->denormal += value != 0 && fabs(value) < smallest;
}

static struct kinds count_kinds(enum element element)
{
	struct kinds kinds = {0};
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i < LD; i++)
			for (int part = 0; part < parts(element); part++) {
				const double value = get(&c, element, i, j, part);
				if (i >= ORDER)
					kinds.gap += !isnan(value);
				else
					count_number(&kinds, value,
					             is_single(element) ? 0x1p-126 : 0x1p-1022);
			}
	return kinds;
}

/*
 * What all libraries agree on: not the order of sums that overflow, not how complex numbers are
 * multiplied or divided by special ones, and not the signs of zeros.
 */
static bool is_agreed(const struct run *run, const struct scenario *scenario)
{
	const bool complex_numbers = run->element >= ELEMENT_C, solves = run->kind == KIND_TRSM;
	if ((scenario->prepare == prepare_opposite || !isfinite(scenario->alpha)) &&
	    run->kind != KIND_SYMM)
		return false;
	if (isnan(scenario->beta))
		return run->kind == KIND_SYMM;
	if (!complex_numbers)
		return true;
	return scenario->prepare == prepare_nothing || scenario->prepare == prepare_nan_c ||
	       scenario->prepare == prepare_nan_factors ||
	       (scenario->prepare == prepare_nan_a && !solves);
}

/* Counts of sums that overflow depend on their order. */
static bool is_counted(const struct run *run, const struct scenario *scenario)
{
	return run->kind != KIND_TRSM && scenario->prepare != prepare_opposite &&
	       scenario->prepare != prepare_large;
}

static void report(const struct run *run, const struct scenario *scenario, unsigned flags)
{
	const struct kinds kinds = count_kinds(run->element);
	if (!is_agreed(run, scenario))
		return;
	printf("%c%-6s %-28s flags %02x", "sdcz"[run->element], operands_names[run->kind],
	       scenario -> name, flags);
	if (is_counted(run, scenario))
		printf(" nan %d infinite %d denormal %d", kinds.nan, kinds.infinite,
		       kinds.denormal);
	printf(" written between columns %d\n", kinds.gap);
}

/* -- calls -- */

static void call(const struct run *run)
{
	operands_call(run, &(struct arguments){.m = ORDER,
	                                       .n = ORDER,
	                                       .k = ORDER,
	                                       .lda = LD,
	                                       .ldb = LD,
	                                       .ldc = LD,
	                                       .a = &a,
	                                       .b = &b,
	                                       .c = &c});
}

static void prepare(struct run *run, const struct scenario *scenario)
{
	const bool in_place = run->kind == KIND_TRMM || run->kind == KIND_TRSM;
	fill_one(&a, run->element, 1);
	fill_one(&b, run->element, 1);
	fill_one(&c, run->element, 1);
	scenario->prepare(run);
	if (in_place && scenario->prepare != prepare_nan_c)
		c = b;
	run->alpha = scenario->alpha;
	run->beta = scenario->beta;
}

static void try(struct run run, const struct scenario *scenario)
{
	static const int shown = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
	prepare(&run, scenario);
	feclearexcept(FE_ALL_EXCEPT);
	call(&run);
	report(&run, scenario, (unsigned)fetestexcept(shown));
}

/* -- jumps out of a trap -- */

static sigjmp_buf away;

static void jump_away(int number)
{
	(void)number;
	siglongjmp(away, 1);
}

/* The trap fires in the calling thread, and nothing is held afterwards. */
static void trap(enum element element)
{
	static volatile int jumped;
	struct run run = {.kind = KIND_SYMM, .element = element, .side = 'L', .uplo = 'U'};
	jumped = 0;
	signal(SIGFPE, jump_away);
	for (volatile int i = 0; i < JUMPS; i++) {
		prepare(&run, find_scenario("large"));
		feclearexcept(FE_ALL_EXCEPT);
		feenableexcept(FE_OVERFLOW);
		if (sigsetjmp(away, 1) == 0)
			call(&run);
		else
			jumped = jumped + 1;
		fesetenv(FE_DFL_ENV);
	}
	printf("%c: %d jumps of %d\n", "sdcz"[element], jumped, JUMPS);
	try(run, find_scenario("plain"));
}

static void try_all(void)
{
	for (int kind = 0; kind < KIND_COUNT; kind++)
		for (int element = ELEMENT_S; element <= ELEMENT_Z; element++) {
			const struct run run = {.kind = (enum kind)kind,
			                        .element = (enum element)element,
			                        .side = 'L',
			                        .uplo = 'U',
			                        .trans = 'N',
			                        .diag = 'N'};
			const bool hermitian =
				kind == KIND_HEMM || kind == KIND_HERK || kind == KIND_HER2K;
			for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
				if (!hermitian || element >= ELEMENT_C)
					try(run, &scenarios[i]);
		}
}

int main(int count, char **arguments)
{
	if (count > 1 && strcmp(arguments[1], "jumping") == 0) {
		trap(ELEMENT_S);
		trap(ELEMENT_D);
	} else {
		try_all();
	}
	return 0;
}
