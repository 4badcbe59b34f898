/* starts.c - derives the first choices of policy/plan/search_descend.c, as rows of its table */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/random.h"
#include "policy/plan/panel_time.h"
#include "policy/plan/panels.h"

/*
 * usage: starts [SEED [CANDIDATES [PROBLEMS]]]
 *
 * Draws products on machines; for the first of them finds a good choice each by trial, and rounds
 * it to sixteenths: the candidates. Then takes one candidate after the other: the one with which
 * the best of those that are taken costs least, on average over all products, beside the best of
 * all candidates. Times are those of policy/plan/panel_time.h; nothing is measured.
 */
enum {
	STARTS_SEED = 1,
	STARTS_CANDIDATES = 600,
	STARTS_PROBLEMS = 1500,
	STARTS_TAKEN = 32,
	STARTS_TRIALS = 1500,
	STARTS_CHANGES = 750,
	STARTS_MOST_STEPS = 400,
	STARTS_PARTS = 16,
	STARTS_LEAST = 800,
	STARTS_RANGE = 10,
	STARTS_ROUND = 500,
	STARTS_GIB = 80
};

/* GB/s up and down, TFLOP/s, and tiles at a time; the machines are assumptions. */
static const struct starts_machine {
	double up, down, tflops;
	int units;
} machines[] = {
	{55.3, 53.0, 55, 132},   {24.5, 25.0, 17.5, 108}, {12.3, 12.9, 6.3, 80},
	{25.0, 26.0, 1.18, 128}, {55.0, 53.0, 60, 132},   {25.0, 25.0, 34, 132},
	{25.0, 25.0, 8.4, 56},   {12.0, 12.0, 0.35, 40},  {50.0, 50.0, 9.0, 108},
	{200, 200, 60, 132},
};
enum { MACHINES = sizeof machines / sizeof machines[0] };

/* As struct descend_start. */
struct starts_choice {
	int order, group, across, width, shrink, slice, parts;
};

struct starts_problem {
	struct panel_problem problem;
	struct panel_rates rates;
	double best_ns, taken_ns;
};

static uint64_t starts_seed, starts_drawn;

static int starts_draw(int end)
{
	return (int)(random_bits(starts_seed, starts_drawn++) % (uint64_t)end);
}

/*
 * Sizes of 800 to 8000, in equal steps of their logarithm. A half of the products are square, a
 * quarter in multiples of 500.
 */
static void starts_draw_size(int64_t size[3])
{
	const double edge = STARTS_LEAST * exp(starts_draw(1000) / 1000.0 * log(STARTS_RANGE));
	const int kind = starts_draw(4);
	for (int i = 0; i < 3; i++) {
		const double factor = kind < 2 ? 0.4 + starts_draw(160) / 100.0 : 1;
		size[i] = (int64_t)(edge * factor);
		if (kind == 3)
			size[i] = (size[i] + STARTS_ROUND / 2) / STARTS_ROUND * STARTS_ROUND;
	}
}

/* A third of them on the machines with fast links, the first three. */
static void starts_draw_problem(struct starts_problem *one)
{
	const struct starts_machine *machine =
		&machines[starts_draw(3) == 0 ? starts_draw(3) : starts_draw(MACHINES)];
	int64_t size[3];
	starts_draw_size(size);
	one->problem = (struct panel_problem){
		.family = FAMILY_GEMM,
		.element = ELEMENT_D,
		.blas = {.m = size[0], .n = size[1], .k = size[2], .alpha = {1, 0}}};
	const int held = starts_draw(8);
	one->problem.held[OPERAND_A] = held == 0;
	one->problem.held[OPERAND_B] = held == 1;
	one->rates = (struct panel_rates){.up_bytes_s = machine->up * 1e9,
	                                  .down_bytes_s = machine->down * 1e9,
	                                  .duplex = 0.92,
	                                  .work_flops_s = machine->tflops * 1e12,
	                                  .operation_ns = 8000,
	                                  .copy_ns = 3000,
	                                  .tile = 128,
	                                  .units = machine->units,
	                                  .copy_bytes = (uint64_t)(4 + starts_draw(2) * 4) << 20,
	                                  .memory_bytes = (uint64_t)STARTS_GIB << 30};
}

static struct starts_choice starts_draw_choice(void)
{
	static const int slices[] = {0, 256, 512, 1024, 2048}, parts[] = {1, 2, 3, 4, 6, 8};
	static const enum panel_order orders[] = {PANEL_ORDER_COLUMNS, PANEL_ORDER_ROWS,
	                                          PANEL_ORDER_RINGS, PANEL_ORDER_RINGS,
	                                          PANEL_ORDER_RINGS};
	struct starts_choice choice = {.order = orders[starts_draw(5)],
	                               .group = 1 + starts_draw(STARTS_PARTS),
	                               .across = 1 + starts_draw(STARTS_PARTS),
	                               .width = 1 + starts_draw(STARTS_PARTS),
	                               .shrink = 1 << starts_draw(3),
	                               .slice = slices[starts_draw(5)],
	                               .parts = parts[starts_draw(6)]};
	choice.across = choice.order == PANEL_ORDER_RINGS ? choice.across : 0;
	return choice;
}

static int64_t starts_find_size(const struct blas_call *blas, int order)
{
	const int64_t larger = blas->m > blas->n ? blas->m : blas->n;
	return order == PANEL_ORDER_COLUMNS ? blas->n
	       : order == PANEL_ORDER_ROWS  ? blas->m
	                                    : larger;
}

/* HUGE_VAL: the plan is long, or none. */
static double starts_find_time(const struct starts_problem *one, const struct starts_choice *start)
{
	const struct blas_call *blas = &one->problem.blas;
	const int64_t size = starts_find_size(blas, start->order);
	const struct panel_choice choice = {.order = (enum panel_order)start->order,
	                                    .group = size * start->group / STARTS_PARTS,
	                                    .width = size * start->width / STARTS_PARTS,
	                                    .last = size * start->width / STARTS_PARTS /
	                                            start->shrink,
	                                    .slice = start->slice > 0 ? start->slice : blas->k,
	                                    .tail = blas->k / start->parts,
	                                    .across = size * start->across / STARTS_PARTS};
	struct panel_plan plan;
	double time_ns = HUGE_VAL;
	if (!panels_plan_as(&one->problem, &one->rates, &choice, &plan))
		return time_ns;
	if (plan.count <= STARTS_MOST_STEPS)
		time_ns = panel_time_find(&one->problem, &one->rates, &plan);
	panel_plan_free(&plan);
	return time_ns;
}

/* One parameter becomes another one; false: out of bounds. */
static bool starts_change(struct starts_choice *choice)
{
	const struct starts_choice other = starts_draw_choice();
	int *sizes[] = {&choice->group, &choice->width, &choice->across};
	const int count = choice->order == PANEL_ORDER_RINGS ? 3 : 2,
		  which = starts_draw(count + 3);
	if (which < count)
		*sizes[which] += starts_draw(3) - 1;
	else if (which == count)
		choice->shrink = other.shrink;
	else if (which == count + 1)
		choice->slice = other.slice;
	else
		choice->parts = other.parts;
	for (int i = 0; i < count; i++)
		if (*sizes[i] < 1 || *sizes[i] > STARTS_PARTS)
			return false;
	return true;
}

static struct starts_choice starts_find_candidate(const struct starts_problem *one)
{
	struct starts_choice best = starts_draw_choice();
	double best_ns = starts_find_time(one, &best);
	for (int i = 0; i < STARTS_TRIALS + STARTS_CHANGES; i++) {
		struct starts_choice choice = i < STARTS_TRIALS ? starts_draw_choice() : best;
		if (i >= STARTS_TRIALS && !starts_change(&choice))
			continue;
		const double time_ns = starts_find_time(one, &choice);
		if (time_ns >= best_ns)
			continue;
		best_ns = time_ns;
		best = choice;
	}
	return best;
}

static double starts_find_excess(const struct starts_problem *one, double time_ns)
{
	const double least_ns = time_ns < one->taken_ns ? time_ns : one->taken_ns;
	return least_ns / one->best_ns - 1;
}

static void starts_print(const struct starts_choice *choice, double excess)
{
	static const char *const names[] = {"COLUMNS", "ROWS", "RINGS"};
	printf("\t{PANEL_ORDER_%s, %d, %d, %d, %d, %d, %d}, /* %.4f */\n", names[choice->order],
	       choice->group, choice->across, choice->width, choice->shrink, choice->slice,
	       choice->parts, excess);
}

/* times: of each candidate for each problem. */
static void starts_take(struct starts_problem *problem, int problems,
                        const struct starts_choice *choice, int choices, const double *times)
{
	for (int taken = 0; taken < STARTS_TAKEN; taken++) {
		double least = HUGE_VAL;
		int best = 0;
		for (int j = 0; j < choices; j++) {
			double sum = 0;
			for (int i = 0; i < problems; i++)
				sum += starts_find_excess(&problem[i],
				                          times[(size_t)j * problems + i]);
			best = sum < least ? j : best;
			least = sum < least ? sum : least;
		}
		for (int i = 0; i < problems; i++)
			problem[i].taken_ns =
				fmin(problem[i].taken_ns, times[(size_t)best * problems + i]);
		starts_print(&choice[best], least / problems);
	}
}

static int starts_find_number(int argc, char **argv, int place, int otherwise)
{
	const int number = argc > place ? atoi(argv[place]) : otherwise;
	return number > 0 ? number : otherwise;
}

int main(int argc, char **argv)
{
	const int choices = starts_find_number(argc, argv, 2, STARTS_CANDIDATES),
		  wanted = starts_find_number(argc, argv, 3, STARTS_PROBLEMS),
		  problems = wanted > choices ? wanted : choices;
	struct starts_problem *problem = calloc((size_t)problems, sizeof *problem);
	struct starts_choice *choice = calloc((size_t)choices, sizeof *choice);
	double *times = calloc((size_t)choices * (size_t)problems, sizeof *times);
	if (problem == NULL || choice == NULL || times == NULL)
		return 1;
	starts_seed = (uint64_t)starts_find_number(argc, argv, 1, STARTS_SEED);
	for (int i = 0; i < problems; i++)
		starts_draw_problem(&problem[i]);
	for (int j = 0; j < choices; j++)
		choice[j] = starts_find_candidate(&problem[j]);
	for (int i = 0; i < problems; i++) {
		problem[i].best_ns = HUGE_VAL;
		for (int j = 0; j < choices; j++) {
			double *time_ns = &times[(size_t)j * (size_t)problems + (size_t)i];
			*time_ns = starts_find_time(&problem[i], &choice[j]);
			problem[i].best_ns = fmin(problem[i].best_ns, *time_ns);
		}
		problem[i].taken_ns = 2 * problem[i].best_ns;
	}
	starts_take(problem, problems, choice, choices, times);
	free(times);
	free(choice);
	free(problem);
	return 0;
}
