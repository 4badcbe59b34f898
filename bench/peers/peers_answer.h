/* peers_answer.h - a contestant's side of bench/peers: operands, and answers to the commands of stdin */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_PEERS_PEERS_ANSWER_H
#define GPUSHIM_BENCH_PEERS_PEERS_ANSWER_H

#include "bench/peers/peers_case.h"

/*
 * The case at hand; operands as in peers_case.h, those that it has not are NULL. A transform in
 * place: C is A.
 */
struct peers_operands {
	const struct peers_case *run;
	void *host[PEERS_OPERANDS];
};

/*
 * How a contestant computes. prepare is called before the operands are filled (a planner may write
 * to them), ready after it; run computes once, until the result can be read; fetch brings it to the
 * host before it is looked at. Each returns NULL, or a sentence where it cannot.
 */
struct peers_way {
	const char *(*prepare)(const struct peers_operands *operands);
	const char *(*ready)(const struct peers_operands *operands);
	const char *(*run)(const struct peers_operands *operands);
	const char *(*fetch)(const struct peers_operands *operands);
	void (*release)(const struct peers_operands *operands);
};

/*
 * Answers commands until stdin ends, one line each, with one line that begins with "ok" or "no
 * SENTENCE":
 *   prepare NUMBER   that case of the list, ready to run
 *   run              ok NANOSECONDS
 *   print            ok SUM... SQUARES, of the result, see random_print
 *   release
 * What libraries write to stdout goes to stderr instead.
 */
int peers_answer_serve(const struct peers_way *way, bool quick);

#endif
