/* regret_score.c - the bars of a replay, and its rows in the table */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/regret/regret_score.h"

#include <stdio.h>

static const double score_share = 0.02, score_starts = 10, score_most = 1.5;
enum { score_rows_each = 200 };
static const char *const score_beliefs[REGRET_BELIEFS] = {"right", "wrong", "none"};

void regret_score_head(void)
{
	printf("Virtual clocks, no speed of anything. Seconds of the better of cpu and gpu; "
	       "all else in parts of that.\n"
	       "used: R in parts of its bar, with the right, a wrong and no profile; * the "
	       "program is too short for "
	       "bars.\n\n");
	printf("%-14s %-6s %4s %9s ", "trace", "gpu", "thr", "best s");
	for (int rule = 0; rule < REGRET_RULES; rule++)
		printf("%7s ", regret_rule_name((enum regret_rule)rule));
	printf("%7s |", "oracle");
	for (int belief = 0; belief < REGRET_BELIEFS; belief++)
		printf(" %6s", score_beliefs[belief]);
	printf(" |  bar %% |        used         |     looks\n");
}

static double score_find_best(const struct regret_outcome *outcome)
{
	const double cpu_ns = outcome->rule_ns[REGRET_CPU], gpu_ns = outcome->rule_ns[REGRET_GPU];
	return cpu_ns < gpu_ns ? cpu_ns : gpu_ns;
}

/* The allowance, in ns. */
static double score_find_bar(const struct regret_outcome *outcome)
{
	return score_share * score_find_best(outcome) + outcome->start_ns + outcome->wrong_ns;
}

/* The loss against a rule in parts of the allowance; -1 where auto is better. */
static double score_use(const struct regret_outcome *outcome, int belief, int rule)
{
	const double lost_ns = outcome->auto_ns[belief] - outcome->rule_ns[rule];
	return lost_ns > 0 ? lost_ns / score_find_bar(outcome) : -1;
}

/* Prints a line for each rule that is better by more than the allowance. Returns their number. */
static int score_tell_failures(const struct regret_outcome *outcome, struct regret_count *count)
{
	int failed = 0;
	for (int belief = 0; belief < REGRET_BELIEFS; belief++)
		for (int rule = 0; rule < REGRET_RULES; rule++) {
			const double used = score_use(outcome, belief, rule);
			count->worst = used > count->worst ? used : count->worst;
			if (used <= 1)
				continue;
			printf("  FAIL with the %s profile: %.3f s behind %s, %.2f of what is "
			       "allowed (%.3f s)\n",
			       score_beliefs[belief],
			       (outcome->auto_ns[belief] - outcome->rule_ns[rule]) / 1e9,
			       regret_rule_name((enum regret_rule)rule), used,
			       score_find_bar(outcome) / 1e9);
			failed++;
		}
	return failed;
}

static void score_print_row(const char *trace, int machine, const struct regret_outcome *outcome,
                            bool barred)
{
	const double best_ns = score_find_best(outcome);
	printf("%-14s %-6s %4d %9.2f%c", trace, regret_machine_name(machine),
	       regret_machine_threads(machine), best_ns / 1e9, barred ? ' ' : '*');
	for (int rule = 0; rule < REGRET_RULES; rule++)
		printf("%7.3g ", outcome->rule_ns[rule] / best_ns);
	printf("%7.3f |", outcome->oracle_ns / best_ns);
	for (int belief = 0; belief < REGRET_BELIEFS; belief++)
		printf(" %6.3f", outcome->auto_ns[belief] / best_ns);
	printf(" | %6.2f |", 100 * score_find_bar(outcome) / best_ns);
	for (int belief = 0; belief < REGRET_BELIEFS; belief++)
		printf(" %6.2f", (outcome->auto_ns[belief] - best_ns) / score_find_bar(outcome));
	printf(" |");
	for (int belief = 0; belief < REGRET_BELIEFS; belief++)
		printf(" %5llu", (unsigned long long)outcome->looks[belief]);
	printf("\n");
}

static bool score_fails(const struct regret_outcome *outcome)
{
	bool fails = false;
	for (int belief = 0; belief < REGRET_BELIEFS; belief++)
		for (int rule = 0; rule < REGRET_RULES; rule++)
			fails = fails || score_use(outcome, belief, rule) > 1;
	return fails;
}

void regret_score_row(const char *trace, const struct regret_trial *trial,
                      const struct regret_outcome *outcome, struct regret_count *count)
{
	const bool barred = score_find_best(outcome) >= score_starts * outcome->start_ns;
	const bool fails = barred && score_fails(outcome);
	if (fails && count->brief)
		printf("%s, seed %llu\n", trial->fault->name, (unsigned long long)trial->seed);
	if (fails || !count->brief)
		score_print_row(trace, trial->machine, outcome, barred);
	count->rows++;
	if (!barred)
		return;
	count->barred++;
	count->failed += score_tell_failures(outcome, count) > 0;
}

void regret_score_end(const struct regret_fault *fault, const struct regret_count *count)
{
	printf("%-18s %d rows, %d of them barred, %d failed; the worst used %.2f of its bar\n",
	       fault->name, count->rows, count->barred, count->failed, count->worst);
}

bool regret_score_holds(const struct regret_fault *fault, const struct regret_count *count)
{
	const double most = fault->most > 0 ? fault->most : score_most;
	return count->rows > 0 &&
	       (fault == regret_fault_find(0) ? count->failed == 0 : count->worst <= most);
}

bool regret_score_is_rare(const struct regret_count *counts)
{
	int rows = 0, failed = 0;
	for (int i = 0; regret_fault_find(i) != NULL; i++) {
		rows += counts[i].rows;
		failed += counts[i].failed;
	}
	return failed * score_rows_each <= rows;
}
