/* peers_round.c - one case by all contestants, within its time */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/peers_round.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/device.h"

enum { ANSWER_BYTES = 512 };

/* A contestant that has spent this gets no more turns. */
static const double TURNS_SECONDS = 4;

/* The GPU's contestants first: what the CPU library needs is no longer theirs. */
static const enum peers_who order[PEERS_COUNT] = {PEERS_SHIM,     PEERS_NVBLAS,       PEERS_NAIVE,
                                                  PEERS_PINNED,   PEERS_NVBLAS_TUNED, PEERS_CUFFTW,
                                                  PEERS_RESIDENT, PEERS_CPU};

bool peers_round_takes_part(const struct peers_contestant *contestant, const struct peers_case *run)
{
	return contestant->missing[0] == '\0' &&
	       (run->routine == PEERS_FFT ? contestant->fft : contestant->blas);
}

static bool peers_round_ask(const struct peers_round *round, struct peers_contestant *contestant,
                            const char *command, char answer[ANSWER_BYTES], char *sentence)
{
	const double left = fmin(round->until_seconds - device_seconds(), round->answer_seconds);
	return peers_child_ask(&contestant->child, command, fmax(left, 0.1), answer, ANSWER_BYTES,
	                       sentence);
}

/* A child that died in the last case is started again. */
static bool peers_round_prepare(const struct peers_round *round,
                                struct peers_contestant *contestant, char *sentence)
{
	char command[64], answer[ANSWER_BYTES];
	snprintf(command, sizeof command, "prepare %zu\n", round->number);
	if (contestant->child.pid == 0 && !peers_child_start(&contestant->child, sentence))
		return false;
	return peers_round_ask(round, contestant, command, answer, sentence);
}

static bool peers_round_run_once(const struct peers_round *round,
                                 struct peers_contestant *contestant, double *seconds,
                                 char *sentence)
{
	char answer[ANSWER_BYTES];
	if (!peers_round_ask(round, contestant, "run\n", answer, sentence))
		return false;
	*seconds = strtod(answer, NULL) / 1e9;
	return true;
}

/* The first run, in which CUDA starts and kernels are loaded. Its result is fetched. */
static bool peers_round_run_first(const struct peers_round *round,
                                  struct peers_contestant *contestant, struct peers_score *score)
{
	char answer[ANSWER_BYTES], *next = answer;
	if (!peers_round_run_once(round, contestant, &score->first_seconds, score->refusal) ||
	    !peers_round_ask(round, contestant, "print\n", answer, score->refusal))
		return false;
	for (int i = 0; i < RANDOM_SUMS; i++)
		score->print.sum[i] = strtod(next, &next);
	score->print.squares = strtod(next, &next);
	if (!contestant->tells_late)
		peers_contestant_read_log(contestant, score->log_words);
	return true;
}

/* false, with the reason, where the case's time does not suffice. */
static bool peers_round_has_time(const struct peers_round *round, bool is_cpu,
                                 struct peers_score *score)
{
	const double left = round->until_seconds - device_seconds();
	if (left > 0 && (!is_cpu || round->cpu_seconds < fmin(left, round->answer_seconds)))
		return true;
	score->late = true;
	if (left > 0)
		snprintf(score->refusal, sizeof score->refusal, "left out, it would take %.0f s",
		         round->cpu_seconds);
	else
		snprintf(score->refusal, sizeof score->refusal,
		         "left out, the time of the case is up");
	return false;
}

static void peers_round_begin(const struct peers_round *round, struct peers_contestant *contestant,
                              struct peers_score *score, bool is_cpu)
{
	score->takes_part = peers_round_takes_part(contestant, round->run);
	score->ran = score->takes_part && peers_round_has_time(round, is_cpu, score) &&
	             peers_round_prepare(round, contestant, score->refusal) &&
	             peers_round_run_first(round, contestant, score);
}

static void peers_round_turn(const struct peers_round *round, struct peers_contestant *contestant,
                             struct peers_score *score)
{
	const double now = device_seconds();
	/* A contestant whose turn would outlast the case keeps what it has. */
	if (!score->ran || score->broken || score->turns == PEERS_TURNS ||
	    score->spent_seconds + score->first_seconds > TURNS_SECONDS ||
	    now + 1.5 * score->first_seconds > round->until_seconds)
		return;
	if (peers_round_run_once(round, contestant, &score->seconds[score->turns],
	                         score->refusal)) {
		score->spent_seconds += score->seconds[score->turns++];
		return;
	}
	score->broken = true;
	snprintf(score->log_words, sizeof score->log_words, "then %.550s", score->refusal);
}

static void peers_round_finish(const struct peers_round *round, struct peers_contestant *contestant,
                               struct peers_score *score)
{
	char answer[ANSWER_BYTES], sentence[PEERS_SENTENCE_BYTES];
	if (!score->takes_part || score->late)
		return;
	if (contestant->child.pid != 0)
		peers_round_ask(round, contestant, "release\n", answer, sentence);
	if (!contestant->tells_late)
		return;
	peers_child_stop(&contestant->child);
	if (score->ran && !score->broken)
		peers_contestant_read_log(contestant, score->log_words);
}

static void peers_round_run_apart(const struct peers_round *round,
                                  struct peers_contestant list[PEERS_COUNT],
                                  struct peers_score scores[PEERS_COUNT])
{
	for (int i = 0; i < PEERS_COUNT; i++) {
		const enum peers_who who = order[i];
		peers_round_begin(round, &list[who], &scores[who], who == PEERS_CPU);
		for (int turn = 0; turn < PEERS_TURNS; turn++)
			peers_round_turn(round, &list[who], &scores[who]);
		peers_round_finish(round, &list[who], &scores[who]);
	}
}

void peers_round_run(const struct peers_round *round, struct peers_contestant list[PEERS_COUNT],
                     struct peers_score scores[PEERS_COUNT])
{
	memset(scores, 0, PEERS_COUNT * sizeof *scores);
	if (round->apart) {
		peers_round_run_apart(round, list, scores);
		return;
	}
	for (int i = 0; i < PEERS_COUNT; i++)
		peers_round_begin(round, &list[order[i]], &scores[order[i]], order[i] == PEERS_CPU);
	for (int turn = 0; turn < PEERS_TURNS; turn++)
		for (int i = 0; i < PEERS_COUNT; i++)
			peers_round_turn(round, &list[order[i]], &scores[order[i]]);
	for (int who = 0; who < PEERS_COUNT; who++)
		peers_round_finish(round, &list[who], &scores[who]);
}

bool peers_round_try(const struct peers_round *round, struct peers_contestant *contestant,
                     double *seconds, char sentence[PEERS_SENTENCE_BYTES])
{
	char answer[ANSWER_BYTES];
	const bool ran = peers_round_prepare(round, contestant, sentence) &&
	                 peers_round_run_once(round, contestant, seconds, sentence) &&
	                 peers_round_run_once(round, contestant, seconds, sentence) &&
	                 peers_round_ask(round, contestant, "release\n", answer, sentence);
	peers_child_stop(&contestant->child);
	return ran;
}
