/* peers_score.h - a contestant's result in a case, the table of a case, and the goals */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_PEERS_PEERS_SCORE_H
#define GPUSHIM_BENCH_PEERS_PEERS_SCORE_H

#include "bench/peers/peers_contestant.h"
#include "measure/random.h"
#include "measure/spread.h"

enum { PEERS_TURNS = 5 };

struct peers_score {
	bool takes_part, ran;
	bool broken;                          /* a later turn failed, as log_words tell */
	bool late;                            /* left out: the time of the case did not suffice */
	char refusal[PEERS_SENTENCE_BYTES];   /* why it did not finish */
	char log_words[PEERS_SENTENCE_BYTES]; /* that it did not use the GPU, as its log says */
	double first_seconds;                 /* the first run, with all one-time work */
	int turns;
	double seconds[PEERS_TURNS], spent_seconds;
	struct random_print print;
	/* set by peers_score_print */
	bool compared, wrong;
	enum peers_who reference; /* whose result this one was compared with */
	struct spread spread;
};

/*
 * Sums over the cases. simulated: goals are not checked. without: cases with a goal and no result
 * of the shim. idle: cases whose log does not say that the shim used the GPU.
 */
struct peers_goals {
	bool simulated;
	int seen, missed, wrong, without, idle;
};

/* Prints the table of a case and its goals; sorts the scores' seconds. */
void peers_score_print(const struct peers_case *run, const struct machine *machine,
                       const struct peers_contestant list[PEERS_COUNT],
                       struct peers_score scores[PEERS_COUNT], struct peers_goals *goals);

/*
 * Prints the last lines. Returns the exit status: 0 unless a contestant of ours has a wrong result
 * or none, or the shim did not use the GPU.
 */
int peers_score_end(const struct peers_goals *goals);

#endif
