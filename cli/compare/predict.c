/* predict.c - a dry run with a log of where each call would have run */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/install_paths.h"
#include "cli/common/say.h"
#include "cli/compare/compare_parts.h"
#include "cli/log/log.h"
#include "policy/text/human.h"

/*
 * The sums over the log of a dry run. lines, broken: of the log, and those that are no records.
 * large: calls past the threshold. gained: those of them that the policy auto would have sent to
 * the GPU, with their measured time on the CPU and their predicted time on the GPU. unpredicted:
 * large calls without a prediction. wall_ns: run time of the program while the log was made.
 */
struct predict {
	uint64_t lines, broken, large, gained, unpredicted;
	int64_t gained_cpu_ns, gained_gpu_ns, wall_ns;
};

static void predict_add(struct predict *predict, const struct log_record *record)
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

static void predict_read_log(struct predict *predict, const char *path)
{
	struct log *log = log_open(&path, 1);
	struct log_record record;
	while (log_next(log, &record))
		predict_add(predict, &record);
	const struct log_file *file = log_file(log, 0);
	predict->lines = file->lines;
	predict->broken = file->lines - file->records;
	log_close(log);
}

/*
 * log_level decision writes a line for each call past the threshold: those that a GPU could take.
 */
static void predict_prepare(struct environment *environment, const struct trial_side *side,
                            const char *profile, const char *log)
{
	environment_copy(environment, side->environment.entries);
	environment_set_option(environment, "profile", profile);
	environment_set_option(environment, "log", log);
	environment_set_option(environment, "log_level", "decision");
	environment_set_option(environment, "policy", "dry");
	environment_set_option(environment, "summary", "off");
}

/*
 * The program's predicted time with the GPU. The run with the log may have been slower or faster
 * than the others, so the calls' share of that run is applied to off_ns. Negative if the calls
 * overlap in time (their sum is more than the run time), so that nothing can be predicted.
 */
static double predict_find_time(const struct predict *predict, double off_ns)
{
	const double share = predict->wall_ns > 0
	                             ? (double)predict->gained_cpu_ns / (double)predict->wall_ns
	                             : 2;
	return share <= 1 ? off_ns * (1 - share) + (double)predict->gained_gpu_ns : -1;
}

static void predict_print_gain(const struct predict *predict, const char *machine, double off_ns,
                               uint64_t calls)
{
	char gained[HUMAN_BYTES], all[HUMAN_BYTES], before[HUMAN_BYTES], after[HUMAN_BYTES];
	const double after_ns = predict_find_time(predict, off_ns);
	human_format_count(predict->gained, gained);
	human_format_count(calls, all);
	human_format_time((uint64_t)off_ns, before);
	if (predict->gained == 0)
		printf("prediction (%s, not measured): none of %s calls would go to the GPU\n",
		       machine, all);
	else if (after_ns < 0)
		printf("prediction (%s, not measured): %s of %s calls would go to the GPU; their "
		       "times overlap, so no time of the program is predicted\n",
		       machine, gained, all);
	else {
		human_format_time((uint64_t)after_ns, after);
		printf("prediction (%s, not measured): %s of %s calls would go to the GPU; program "
		       "%s -> about %s\n",
		       machine, gained, all, before, after);
	}
}

static void predict_print_sums(const struct predict *predict, const char *machine, double off_ns,
                               uint64_t calls)
{
	predict_print_gain(predict, machine, off_ns, calls);
	printf("  (the calls' times on this CPU, against the GPU and the link of the machine "
	       "profile %s; CUDA's start is not in it)\n",
	       machine);
	if (predict->unpredicted > 0)
		printf("  (%llu calls could not be predicted)\n",
		       (unsigned long long)predict->unpredicted);
	if (predict->broken > 0)
		printf("  (%llu of %llu lines of the log are no records and were left out)\n",
		       (unsigned long long)predict->broken, (unsigned long long)predict->lines);
}

static void predict_run(struct trial_runs *trial, const struct trial_side *side,
                        const char *machine, const char *profile, double off_ns)
{
	struct environment environment;
	struct predict predict = {0};
	const char *temporary = getenv("TMPDIR");
	char *path = say_text("%s/gpushim-log-XXXXXX",
	                      temporary != NULL && temporary[0] == '/' ? temporary : "/tmp");
	const int log = mkostemp(path, O_CLOEXEC);
	if (log < 0) {
		say("cannot keep a log in '%s': %s; nothing is predicted", path, say_error(errno));
		free(path);
		return;
	}
	predict_prepare(&environment, side, profile, path);
	predict.wall_ns = trial_runs_repeat(trial, &environment);
	if (predict.wall_ns >= 0) {
		predict_read_log(&predict, path);
		predict_print_sums(&predict, machine, off_ns,
		                   counters_read_count_calls(&side->counters) / trial->rounds);
	}
	environment_free(&environment);
	close(log);
	unlink(path);
	free(path);
}

void predict_print(struct trial_runs *trial, size_t side, const char *machine, double off_ns)
{
	char *profile = strchr(machine, '/') == NULL ? install_paths_find_machine(machine) : NULL;
	if (profile == NULL && access(machine, R_OK) == 0)
		profile = say_need(strdup(machine));
	if (trial->sides > 2)
		printf("%s: ", trial->side[side].name);
	if (profile != NULL)
		predict_run(trial, &trial->side[side], machine, profile, off_ns);
	else
		printf("prediction: none, there is no machine profile '%s'\n", machine);
	free(profile);
}
