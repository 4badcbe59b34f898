/* peers_score.h - what a contestant achieved in a case, the table of a case, and whether the goals are met */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_PEERS_PEERS_SCORE_H
#define GPUSHIM_BENCH_PEERS_PEERS_SCORE_H

#include "bench/peers/peers_contestant.h"
#include "measure/random.h"

enum { PEERS_TURNS = 5 };

struct peers_score {
	bool takes_part, ran;
	char refusal[PEERS_SENTENCE_BYTES];    /* why it did not run to the end */
	char confession[PEERS_SENTENCE_BYTES]; /* not on the GPU, in its own words */
	double first_seconds;                  /* the first run, with all that is done once */
	int turns;
	double seconds[PEERS_TURNS], spent_seconds;
	struct random_print print;
};

/* What the cases add up to. simulated: no goal is looked at. */
struct peers_goals {
	bool simulated;
	int seen, missed, wrong, without; /* without: cases with a goal and no figure of the shim */
};

/* Prints the table of a case, and its goals; scores' seconds are sorted. */
void peers_score_print(const struct peers_case *run, const struct machine *machine,
                       const struct peers_contestant list[PEERS_COUNT],
                       struct peers_score scores[PEERS_COUNT], struct peers_goals *goals);

/*
 * Prints the last lines; the exit status: 0 unless a contestant of ours had a wrong result or none.
 */
int peers_score_end(const struct peers_goals *goals);

#endif
