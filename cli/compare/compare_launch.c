/* compare_launch.c - a program behind a launcher: its own time, its ranks; the tool as a rank */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/common/statistics.h"
#include "cli/common/wrap.h"
#include "cli/compare/compare_parts.h"
#include "cli/process/job_ranks.h"
#include "cli/process/launcher.h"
#include "policy/decide/launch.h"
#include "policy/text/human.h"

enum { LAUNCH_RUNS = 3 };

static const char *compare_launch_find_value(const char *name)
{
	return getenv(name);
}

bool compare_launch_refuses(void)
{
	const struct launch_world world = launch_describe_world(compare_launch_find_value);
	if (world.rank < 0 || world.size <= 1)
		return false;
	say("this is rank %d of %d, and each rank would compare by itself; put the tool in front "
	    "of the launcher: gpushim compare -- mpirun ... PROGRAM",
	    world.rank, world.size);
	return true;
}

/* The time in ns, -1 if it failed. */
static int64_t compare_launch_run(char *const *words, const struct environment *environment)
{
	const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	const struct child launch = {words, environment, nowhere, nowhere, nowhere};
	struct child_outcome outcome;
	if (nowhere < 0)
		return -1;
	child_run(&launch, &outcome);
	close(nowhere);
	return outcome.start_error == 0 && outcome.status == 0 ? outcome.wall_ns : -1;
}

int64_t compare_launch_measure(const struct trial_runs *trial)
{
	const struct front_words *front = &trial->front;
	static char nothing[] = "true";
	double times[LAUNCH_RUNS];
	size_t count = 0;
	if (front->launcher == NULL || front->program == NULL || front->several)
		return -1;
	const size_t place = (size_t)(front->program - trial->words);
	char **words = say_need(calloc(place + 2, sizeof *words));
	for (size_t i = 0; i < place; i++)
		words[i] = trial->words[i];
	words[place] = nothing;
	while (count < LAUNCH_RUNS && child_interrupted() == 0) {
		const int64_t time_ns =
			compare_launch_run(words, &trial->side[TRIAL_RUNS_OFF].environment);
		if (time_ns < 0)
			break;
		times[count++] = (double)time_ns;
	}
	free(words);
	return count == LAUNCH_RUNS ? (int64_t)statistics_compute(times, count).median : -1;
}

static void compare_launch_print_ranks(const struct trial_side *side)
{
	const struct rank_count ranks = job_ranks_count(&side->counters);
	char name[RANK_COUNT_BYTES];
	if (ranks.reported >= ranks.started)
		return;
	rank_count_name(&ranks, name);
	wrap_print(stdout, 2,
	           "  %s: %s of all its runs reported; the others may have run without the shim "
	           "(`gpushim run` in place of `gpushim compare` tells more)",
	           side->name, name);
}

void compare_launch_print(const struct compare *compare)
{
	const struct trial_runs *trial = &compare->trial;
	char time[HUMAN_BYTES];
	if (compare->alone_ns > 0) {
		human_format_time((uint64_t)compare->alone_ns, time);
		wrap_print(stdout, 2,
		           "  %s takes %s of each run by itself, on either side (median of %d runs "
		           "with `true` in the program's place)",
		           launcher_name(&trial->front), time, LAUNCH_RUNS);
	}
	for (size_t side = TRIAL_RUNS_ON; side < trial->sides; side++)
		compare_launch_print_ranks(&trial->side[side]);
}
