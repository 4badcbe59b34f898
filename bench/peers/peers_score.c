/* peers_score.c - the table of a case, and its goals */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/peers_score.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/common/spawn.h"
#include "policy/text/human.h"

/*
 * Sums of all elements with random signs differ only by rounding: relative to their length, by far
 * less than this.
 */
static const double TOLERANCE_SINGLE = 1e-4, TOLERANCE_DOUBLE = 1e-10;

/*
 * The most that a transform and a product may take, in parts of the bound, and how much faster than
 * NVBLAS the product has to be.
 */
static const double GOAL_FFT = 1.15, GOAL_GEMM = 1.25, GOAL_NVBLAS = 3;
static const char *const goal_gemm = "dgemm 10000";
static const char *const goal_ffts[] = {"fft z2z 512^3", "fft z2z 512^3 in place", "fft z2z 2^26"};

/* Whose result the others are compared with: the CPU library's, else plain CUDA's. */
static int peers_score_find_reference(const struct peers_score scores[PEERS_COUNT])
{
	static const enum peers_who candidates[] = {PEERS_CPU, PEERS_NAIVE, PEERS_PINNED,
	                                            PEERS_RESIDENT};
	for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++)
		if (scores[candidates[i]].ran)
			return candidates[i];
	return -1;
}

static void peers_score_compare(const struct peers_case *run,
                                struct peers_score scores[PEERS_COUNT], int who)
{
	const double tolerance = peers_case_is_single(run) ? TOLERANCE_SINGLE : TOLERANCE_DOUBLE;
	const int reference = peers_score_find_reference(scores);
	struct peers_score *score = &scores[who];
	score->compared = score->ran && reference >= 0 && reference != who;
	score->reference = reference >= 0 ? (enum peers_who)reference : PEERS_CPU;
	if (score->compared)
		score->wrong =
			!(random_distance(&score->print, &scores[reference].print) <= tolerance);
	/* The reference itself has to be finite. */
	if (score->ran && reference == who)
		score->wrong = !isfinite(score->print.squares);
}

/* Median seconds. A contestant that was too slow for a turn has its first run only. */
static struct spread peers_score_find_spread(struct peers_score *score)
{
	if (score->turns == 0)
		return spread_of(&score->first_seconds, 1);
	return spread_of(score->seconds, (size_t)score->turns);
}

static double peers_score_print_row(const struct peers_case *run, double bound_ns,
                                    const struct peers_contestant *contestant,
                                    struct peers_score *score)
{
	const struct spread spread = score->spread = peers_score_find_spread(score);
	const double bytes = peers_case_up_bytes(run) + peers_case_down_bytes(run);
	printf("   %-14s %10.2f [%.2f..%.2f] %d  %7.1f  %9.1f", contestant->name,
	       spread.median * 1e3, spread.least * 1e3, spread.most * 1e3, score->turns,
	       bytes / spread.median / 1e9, peers_case_flops(run) / spread.median / 1e9);
	if (contestant->free_of_link)
		printf("       -");
	else
		printf("  %6.2f", spread.median * 1e9 / bound_ns);
	printf("%s%s%s\n", score->wrong ? "  WRONG" : "", score->log_words[0] != '\0' ? "  " : "",
	       score->log_words);
	return spread.median;
}

static void peers_score_look_at_goal(struct peers_goals *goals, const char *what, double reached,
                                     double wanted, bool met)
{
	goals->seen++;
	goals->missed += met ? 0 : 1;
	printf("   goal: %s %.2f, wanted %.2f: %s\n", what, reached, wanted,
	       met ? "met" : "NOT MET");
}

static void peers_score_look_at_goals(const struct peers_case *run, double bound_ns,
                                      const double seconds[PEERS_COUNT], struct peers_goals *goals)
{
	const double ratio = seconds[PEERS_SHIM] * 1e9 / bound_ns;
	if (goals->simulated)
		return;
	if (seconds[PEERS_SHIM] == 0) {
		goals->without += strcmp(run->name, goal_gemm) == 0 ? 1 : 0;
		for (size_t i = 0; i < sizeof goal_ffts / sizeof goal_ffts[0]; i++)
			goals->without += strcmp(run->name, goal_ffts[i]) == 0 ? 1 : 0;
		return;
	}
	for (size_t i = 0; i < sizeof goal_ffts / sizeof goal_ffts[0]; i++)
		if (strcmp(run->name, goal_ffts[i]) == 0)
			peers_score_look_at_goal(goals, "times the bound", ratio, GOAL_FFT,
			                         ratio <= GOAL_FFT);
	if (strcmp(run->name, goal_gemm) != 0)
		return;
	peers_score_look_at_goal(goals, "times the bound", ratio, GOAL_GEMM, ratio <= GOAL_GEMM);
	for (int who = PEERS_NVBLAS; who <= PEERS_NVBLAS_TUNED; who++) {
		const double faster = seconds[who] / seconds[PEERS_SHIM];
		if (seconds[who] > 0)
			peers_score_look_at_goal(goals,
			                         who == PEERS_NVBLAS
			                                 ? "times faster than NVBLAS"
			                                 : "times faster than NVBLAS tuned",
			                         faster, GOAL_NVBLAS, faster >= GOAL_NVBLAS);
	}
}

void peers_score_print(const struct peers_case *run, const struct machine *machine,
                       const struct peers_contestant list[PEERS_COUNT],
                       struct peers_score scores[PEERS_COUNT], struct peers_goals *goals)
{
	const double bound_ns = peers_case_bound_ns(run, machine);
	double seconds[PEERS_COUNT] = {0};
	char up[HUMAN_BYTES], down[HUMAN_BYTES], bound[HUMAN_BYTES];
	human_format_size((uint64_t)peers_case_up_bytes(run), up);
	human_format_size((uint64_t)peers_case_down_bytes(run), down);
	human_format_time((uint64_t)bound_ns, bound);
	printf("\n%s: %s up, %s down; at least %s\n", run->name, up, down, bound);
	printf("   %-14s %10s [least..most] turns  %7s  %9s  %6s\n", "", "median ms", "GB/s",
	       "Gflop/s", "bound x");
	for (int who = 0; who < PEERS_COUNT; who++) {
		if (!scores[who].takes_part)
			continue;
		peers_score_compare(run, scores, who);
		const bool wrong = scores[who].wrong;
		if (scores[who].ran)
			seconds[who] =
				peers_score_print_row(run, bound_ns, &list[who], &scores[who]);
		else
			printf("   %-14s NOT RUN: %s\n", list[who].name, scores[who].refusal);
		if (wrong || scores[who].log_words[0] != '\0')
			seconds[who] = 0;
		if (who == PEERS_SHIM && scores[who].ran && !scores[who].broken &&
		    scores[who].log_words[0] != '\0')
			goals->idle++;
		/*
		 * Only failures of the shim and of this bench's programs count, not those of
		 * NVIDIA's preloads.
		 */
		if ((wrong || scores[who].broken || !scores[who].ran) && !scores[who].late &&
		    who != PEERS_NVBLAS && who != PEERS_NVBLAS_TUNED && who != PEERS_CUFFTW)
			goals->wrong++;
	}
	peers_score_look_at_goals(run, bound_ns, seconds, goals);
}

int peers_score_end(const struct peers_goals *goals)
{
	if (!goals->simulated)
		printf("\npeers: %d of %d goals met, %d cases with a goal without a figure of "
		       "the shim\n",
		       goals->seen - goals->missed, goals->seen, goals->without);
	if (goals->wrong > 0)
		printf("\npeers: %d results of the shim or of the programs of this bench are "
		       "wrong or missing\n",
		       goals->wrong);
	if (goals->idle > 0)
		printf("\npeers: the shim did not use the GPU in %d cases\n", goals->idle);
	return goals->wrong > 0 || goals->idle > 0 ? 1 : 0;
}
