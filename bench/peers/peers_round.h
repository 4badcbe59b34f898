/* peers_round.h - one case by all contestants, within its time */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_PEERS_PEERS_ROUND_H
#define GPUSHIM_BENCH_PEERS_PEERS_ROUND_H

#include "bench/peers/peers_score.h"

/*
 * The case number of the list. apart: the contestants run one after the other, since the memory
 * does not hold the operands of all of them; otherwise they take turns. until_seconds: monotonic;
 * a contestant that still computes then is killed, and the others are left out.
 */
struct peers_round {
	const struct peers_case *run;
	size_t number;
	bool apart;
	double until_seconds;
	double answer_seconds; /* the longest that one answer may take */
	double cpu_seconds;    /* expected of the CPU library; 0: unknown */
};

bool peers_round_takes_part(const struct peers_contestant *contestant,
                            const struct peers_case *run);

/* Runs the case by everyone who takes part; the CPU library comes last. */
void peers_round_run(const struct peers_round *round, struct peers_contestant list[PEERS_COUNT],
                     struct peers_score scores[PEERS_COUNT]);

/* The seconds of the second run of one contestant, which is stopped. false with a sentence. */
bool peers_round_try(const struct peers_round *round, struct peers_contestant *contestant,
                     double *seconds, char sentence[PEERS_SENTENCE_BYTES]);

#endif
