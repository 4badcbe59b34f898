/* trial_runs.c - the order of the sides in a round; lists of the times */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/trial_runs.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/process/launcher.h"

void trial_runs_stop(struct trial_runs *trial, const char *cause, const char *format, ...)
{
	va_list arguments;
	if (trial->stopped != NULL)
		return;
	va_start(arguments, format);
	if (vasprintf(&trial->stopped, format, arguments) < 0)
		trial->stopped = NULL;
	va_end(arguments);
	say_need(trial->stopped);
	trial->cause = cause;
}

void trial_runs_find_order(const struct trial_runs *trial, size_t round,
                           size_t order[RUN_ORDER_SIDES])
{
	size_t off = 0;
	run_order_find(trial->seed, round, trial->sides, order);
	if (round > 0 || trial->warmup_runs > 0)
		return;
	while (order[off] != TRIAL_RUNS_OFF)
		off++;
	order[off] = order[0];
	order[0] = TRIAL_RUNS_OFF;
}

/* At least 1 ns, for the logarithm. */
static double trial_runs_time(const struct trial_runs *trial, size_t round, size_t side)
{
	return fmax((double)trial->outcomes[round * trial->sides + side].wall_ns, 1);
}

double *trial_runs_list_times(const struct trial_runs *trial, size_t side)
{
	double *times = say_need(calloc(trial->rounds + 1, sizeof *times));
	for (size_t round = 0; round < trial->rounds; round++)
		times[round] = trial_runs_time(trial, round, side);
	return times;
}

double *trial_runs_list_differences(const struct trial_runs *trial, size_t side, size_t other)
{
	double *differences = say_need(calloc(trial->rounds + 1, sizeof *differences));
	for (size_t round = 0; round < trial->rounds; round++)
		differences[round] = log(trial_runs_time(trial, round, side) /
		                         trial_runs_time(trial, round, other));
	return differences;
}

bool trial_runs_make_store(const struct trial_runs *trial, struct trial_side *side)
{
	if (!counters_store_make(&side->store))
		return false;
	if (trial->front.launcher != NULL)
		counters_store_widen(&side->store);
	environment_set_option(&side->environment, "counters", side->store.name);
	return true;
}

void trial_runs_free(struct trial_runs *trial)
{
	child_output_free(&trial->first);
	if (trial->input > STDERR_FILENO)
		close(trial->input);
	for (size_t i = 0; i < trial->sides; i++) {
		struct trial_side *side = &trial->side[i];
		environment_free(&side->environment);
		difference_free(&side->difference);
		counters_read_free(&side->counters);
		counters_store_free(&side->store);
		launcher_free_words(side->words);
		free(side->name);
	}
	terminal_keep_end(&trial->terminal);
	free(trial->outcomes);
	free(trial->stopped);
}
