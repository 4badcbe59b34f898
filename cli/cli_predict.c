/* cli_predict.c - one more run, dry, with a log of where each call would have gone */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_predict.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_log.h"
#include "cli/cli_place.h"
#include "cli/cli_say.h"
#include "shim/record/human.h"

static void cli_predict_add(struct cli_predict *predict, const struct cli_log_record *record)
{
	if (record->target != TARGET_CPU)
		return;
	predict->large++;
	if (record->predicted_gpu_ns < 0 || record->elapsed_ns < 0) {
		predict->unpredicted++;
		return;
	}
	if (record->reason != REASON_DRY_FASTER)
		return;
	predict->gained++;
	predict->gained_cpu_ns += record->elapsed_ns;
	predict->gained_gpu_ns += record->predicted_gpu_ns;
}

void cli_predict_read_log(struct cli_predict *predict, const char *path)
{
	struct cli_log *log = cli_log_open(&path, 1);
	struct cli_log_record record;
	while (cli_log_next(log, &record))
		cli_predict_add(predict, &record);
	const struct cli_log_file *file = cli_log_file(log, 0);
	predict->lines = file->lines;
	predict->broken = file->lines - file->records;
	cli_log_close(log);
}

/* Level decision: a line for each call past the threshold, which are the ones that a GPU could take. */
static void cli_predict_prepare(struct cli_environment *environment, const struct cli_side *side, const char *profile,
                                const char *log)
{
	cli_environment_copy(environment, side->environment.entries);
	cli_environment_set_option(environment, "profile", profile);
	cli_environment_set_option(environment, "log", log);
	cli_environment_set_option(environment, "log_level", "decision");
	cli_environment_set_option(environment, "policy", "dry");
	cli_environment_set_option(environment, "summary", "off");
}

/*
 * The program's time with the GPU. The run with the log may have been slower or faster than the others: what counts is
 * the share of it that its calls took. Negative where the calls overlap in time.
 */
static double cli_predict_find_time(const struct cli_predict *predict, double off_ns)
{
	const double share = predict->wall_ns > 0 ? (double)predict->gained_cpu_ns / (double)predict->wall_ns : 2;
	return share <= 1 ? off_ns * (1 - share) + (double)predict->gained_gpu_ns : -1;
}

static void cli_predict_print_gain(const struct cli_predict *predict, const char *machine, double off_ns,
                                   uint64_t calls)
{
	char gained[HUMAN_BYTES], all[HUMAN_BYTES], before[HUMAN_BYTES], after[HUMAN_BYTES];
	const double after_ns = cli_predict_find_time(predict, off_ns);
	human_format_count(predict->gained, gained);
	human_format_count(calls, all);
	human_format_time((uint64_t)off_ns, before);
	if (predict->gained == 0)
		printf("prediction (%s, not measured): none of %s calls would go to the GPU\n", machine, all);
	else if (after_ns < 0)
		printf("prediction (%s, not measured): %s of %s calls would go to the GPU; their times overlap, so no time of "
		       "the program is predicted\n",
		       machine, gained, all);
	else {
		human_format_time((uint64_t)after_ns, after);
		printf("prediction (%s, not measured): %s of %s calls would go to the GPU; program %s -> about %s\n",
		       machine, gained, all, before, after);
	}
}

static void cli_predict_tell(const struct cli_predict *predict, const char *machine, double off_ns, uint64_t calls)
{
	cli_predict_print_gain(predict, machine, off_ns, calls);
	printf("  (the calls' times on this CPU, against the GPU and the link of the machine profile %s; CUDA's start is not in it)\n",
	       machine);
	if (predict->unpredicted > 0)
		printf("  (%llu calls could not be predicted)\n", (unsigned long long)predict->unpredicted);
	if (predict->broken > 0)
		printf("  (%llu of %llu lines of the log are no records and were left out)\n",
		       (unsigned long long)predict->broken, (unsigned long long)predict->lines);
}

static void cli_predict_run(struct cli_trial *trial, const struct cli_side *side, const char *machine,
                            const char *profile, double off_ns)
{
	struct cli_environment environment;
	struct cli_predict predict = {0};
	char *path = cli_say_text("%s/gpushim-log-XXXXXX", getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
	const int log = mkostemp(path, O_CLOEXEC);
	if (log < 0) {
		cli_say("cannot keep a log in '%s': %s; nothing is predicted", path, cli_say_error(errno));
		free(path);
		return;
	}
	cli_predict_prepare(&environment, side, profile, path);
	predict.wall_ns = cli_trial_repeat(trial, &environment);
	if (predict.wall_ns >= 0) {
		cli_predict_read_log(&predict, path);
		cli_predict_tell(&predict, machine, off_ns, cli_harvest_count_calls(&side->harvest) / trial->rounds);
	}
	cli_environment_free(&environment);
	close(log);
	unlink(path);
	free(path);
}

void cli_predict_print(struct cli_trial *trial, size_t side, const char *machine, double off_ns)
{
	char *profile = strchr(machine, '/') == NULL ? cli_place_find_machine(machine) : NULL;
	if (profile == NULL && access(machine, R_OK) == 0)
		profile = cli_say_need(strdup(machine));
	if (trial->sides > 2)
		printf("%s: ", trial->side[side].name);
	if (profile != NULL)
		cli_predict_run(trial, &trial->side[side], machine, profile, off_ns);
	else
		printf("prediction: none, there is no machine profile '%s'\n", machine);
	free(profile);
}
