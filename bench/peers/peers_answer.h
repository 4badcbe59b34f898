/* peers_answer.h - a contestant's side of bench/peers: operands, and answers to commands */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_PEERS_PEERS_ANSWER_H
#define GPUSHIM_BENCH_PEERS_PEERS_ANSWER_H

#include "bench/peers/peers_case.h"

/*
 * The prepared case and its operands as in peers_case.h; NULL for one that the case does not have.
 * For a transform in place C is A.
 */
struct peers_operands {
	const struct peers_case *run;
	void *host[PEERS_OPERANDS];
};

/*
 * How a contestant computes. prepare is called before the operands are filled (a planner may write
 * to them), ready after that. run computes once and returns when the result can be read. fetch
 * copies the result to the host. Each returns NULL, or a sentence where it fails. take and give are
 * NULL where operands lie in memory as malloc gives it.
 */
struct peers_way {
	void *(*take)(size_t size_bytes);
	void (*give)(void *memory);
	const char *(*prepare)(const struct peers_operands *operands);
	const char *(*ready)(const struct peers_operands *operands);
	const char *(*run)(const struct peers_operands *operands);
	const char *(*fetch)(const struct peers_operands *operands);
	void (*release)(const struct peers_operands *operands);
};

/*
 * Answers commands until stdin ends. Each command is a line; the answer is a line that begins with
 * "ok" or "no SENTENCE":
 *   prepare NUMBER   makes that case of the list ready to run
 *   run              ok NANOSECONDS
 *   print            ok SUM... SQUARES, of the result, see random_print
 *   release
 * What libraries write to stdout goes to stderr.
 */
int peers_answer_serve(const struct peers_way *way, bool quick);

#endif
