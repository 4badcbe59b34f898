/* peers_answer.c - a contestant's side of bench/peers: operands, and answers to commands */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/peers_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/random.h"
#include "shim/base/clock.h"

struct answer {
	const struct peers_way *way;
	const struct peers_case *cases;
	size_t case_count;
	struct peers_operands operands; /* operands.run is NULL while nothing is prepared */
	FILE *out;
};

/*
 * Ones on the diagonal and small numbers beside them: repeated solutions neither grow nor vanish.
 */
static void peers_answer_fill_triangle(const struct peers_operands *operands)
{
	const struct peers_case *run = operands->run;
	float *single = operands->host[0];
	double *two = operands->host[0];
	const int step = element_is_complex(run->element) ? 2 : 1;
	const double small = 1 / (double)run->m;
	for (int64_t i = 0; i < step * run->m * run->m; i++)
		if (peers_case_is_single(run))
			single[i] *= (float)small;
		else
			two[i] *= small;
	for (int64_t i = 0; i < run->m; i++)
		if (peers_case_is_single(run))
			single[step * (i * run->m + i)] = 1;
		else
			two[step * (i * run->m + i)] = 1;
}

static void peers_answer_fill(const struct peers_operands *operands)
{
	const struct peers_case *run = operands->run;
	for (int i = 0; i < PEERS_OPERANDS; i++) {
		const size_t numbers = (size_t)peers_case_elements(run, i) *
		                       (element_is_complex(run->element) ? 2 : 1);
		if (numbers > 0)
			random_fill(operands->host[i], numbers, peers_case_is_single(run),
			            (uint64_t)i + 1, 0);
	}
	if (run->routine == PEERS_TRSM)
		peers_answer_fill_triangle(operands);
}

static void peers_answer_free(struct answer *answer)
{
	for (int i = 0; i < PEERS_OPERANDS; i++)
		if (answer->operands.host[i] != NULL &&
		    (i != 2 || answer->operands.host[2] != answer->operands.host[0]))
			(answer->way->give == NULL ? free
			                           : answer->way->give)(answer->operands.host[i]);
	memset(&answer->operands, 0, sizeof answer->operands);
}

/* As malloc gives memory. */
static void *peers_answer_take_ordinary(size_t size_bytes)
{
	void *memory = NULL;
	return posix_memalign(&memory, 64, size_bytes) == 0 ? memory : NULL;
}

static bool peers_answer_take(struct answer *answer)
{
	struct peers_operands *operands = &answer->operands;
	for (int i = 0; i < PEERS_OPERANDS; i++) {
		const size_t bytes = (size_t)peers_case_elements(operands->run, i) *
		                     peers_case_element_bytes(operands->run);
		if (bytes > 0)
			operands->host[i] = (answer->way->take == NULL ? peers_answer_take_ordinary
			                                               : answer->way->take)(bytes);
		if (bytes > 0 && operands->host[i] == NULL)
			return false;
	}
	if (operands->run->in_place)
		operands->host[2] = operands->host[0];
	return true;
}

static const char *peers_answer_prepare(struct answer *answer, size_t number)
{
	const char *sentence = NULL;
	if (number >= answer->case_count)
		return "there is no such case";
	answer->operands.run = &answer->cases[number];
	if (!peers_answer_take(answer))
		sentence = "there is no host memory";
	if (sentence == NULL)
		sentence = answer->way->prepare(&answer->operands);
	if (sentence != NULL) {
		peers_answer_free(answer);
		return sentence;
	}
	peers_answer_fill(&answer->operands);
	sentence = answer->way->ready(&answer->operands);
	if (sentence == NULL)
		return NULL;
	answer->way->release(&answer->operands);
	peers_answer_free(answer);
	return sentence;
}

static const char *peers_answer_print(struct answer *answer)
{
	const struct peers_operands *operands = &answer->operands;
	const struct peers_case *run = operands->run;
	const char *sentence = answer->way->fetch(operands);
	if (sentence != NULL)
		return sentence;
	const bool is_triangle = run->routine == PEERS_SYRK;
	const int64_t elements = peers_case_elements(run, run->in_place ? 0 : 2);
	const int64_t columns =
		is_triangle ? run->n : elements * (element_is_complex(run->element) ? 2 : 1);
	const int64_t rows = is_triangle ? run->n : 1;
	const struct random_print print = random_take_print(operands->host[2], rows, columns, rows,
	                                                    peers_case_is_single(run), is_triangle);
	fprintf(answer->out, "ok");
	for (int i = 0; i < RANDOM_SUMS; i++)
		fprintf(answer->out, " %a", print.sum[i]);
	fprintf(answer->out, " %a\n", print.squares);
	return NULL;
}

static const char *peers_answer_run(struct answer *answer)
{
	const int64_t begin = clock_monotonic_ns();
	const char *sentence = answer->way->run(&answer->operands);
	if (sentence == NULL)
		fprintf(answer->out, "ok %lld\n", (long long)(clock_monotonic_ns() - begin));
	return sentence;
}

static const char *peers_answer_command(struct answer *answer, const char *command)
{
	if (strncmp(command, "prepare ", 8) == 0 && answer->operands.run == NULL) {
		const char *sentence = peers_answer_prepare(answer, strtoul(command + 8, NULL, 10));
		if (sentence == NULL)
			fprintf(answer->out, "ok\n");
		return sentence;
	}
	if (answer->operands.run == NULL)
		return "nothing is prepared";
	if (strcmp(command, "run\n") == 0)
		return peers_answer_run(answer);
	if (strcmp(command, "print\n") == 0)
		return peers_answer_print(answer);
	if (strcmp(command, "release\n") != 0)
		return "there is no such command";
	answer->way->release(&answer->operands);
	peers_answer_free(answer);
	fprintf(answer->out, "ok\n");
	return NULL;
}

int peers_answer_serve(const struct peers_way *way, bool quick)
{
	struct answer answer = {.way = way};
	char line[256];
	const int own = dup(1);
	answer.out = own < 0 ? NULL : fdopen(own, "w");
	if (answer.out == NULL || dup2(2, 1) < 0)
		return 1;
	answer.cases = peers_case_list(quick, &answer.case_count);
	while (fgets(line, sizeof line, stdin) != NULL) {
		const char *sentence = peers_answer_command(&answer, line);
		if (sentence != NULL)
			fprintf(answer.out, "no %s\n", sentence);
		fflush(answer.out);
	}
	return 0;
}
