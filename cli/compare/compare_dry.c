/* compare_dry.c - a dry run with a log, and what policy auto would do with its calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/emit.h"
#include "cli/common/known_machine.h"
#include "cli/common/say.h"
#include "cli/compare/compare_parts.h"
#include "cli/recorded/recorded_prediction.h"
#include "policy/text/human.h"
#include "shim/settings/settings.h"

/* lines, broken: of the log, and those that are no records. wall_ns: of the run that made it. */
struct compare_dry {
	struct predict_totals totals;
	uint64_t lines, broken;
	int64_t wall_ns;
};

/*
 * log_level decision writes a line for each call past the gate: those that a GPU could take.
 * profile: NULL for the machine that the shim finds itself.
 */
static void compare_dry_prepare(struct environment *environment, const struct trial_side *side,
                                const char *profile, const char *log)
{
	environment_copy(environment, side->environment.entries);
	if (profile != NULL)
		environment_set_option(environment, "profile", profile);
	environment_set_option(environment, "log", log);
	environment_set_option(environment, "log_level", "decision");
	environment_set_option(environment, "policy", "dry");
	environment_set_option(environment, "summary", "off");
}

/* The options as the program had them in the dry run. */
static void compare_dry_load_options(struct environment *environment, struct options *options)
{
	char **own = environ;
	environ = environment->entries;
	settings_load(options);
	options_settle(options);
	environ = own;
}

static void compare_dry_count_lines(struct compare_dry *dry, const char *path)
{
	struct log *log = log_open(&path, 1);
	struct log_record record;
	while (log_next(log, &record))
		;
	const struct log_file *file = log_file(log, 0);
	dry->lines = file->lines;
	dry->broken = file->lines - file->records;
	log_close(log);
}

/*
 * The program's predicted time with the GPU. The run with the log may have been slower or faster
 * than the others, so the share of it that is saved is applied to off_ns. Negative if the calls
 * overlap in time (their sum is more than the run time), so that nothing can be predicted.
 */
static double compare_dry_find_time(const struct compare_dry *dry, double off_ns)
{
	const double wall_ns = (double)dry->wall_ns,
		     saved_ns = dry->totals.cpu_ns - dry->totals.auto_ns;
	return dry->totals.cpu_ns <= wall_ns ? off_ns * (1 - saved_ns / wall_ns) : -1;
}

static void compare_dry_print_program(struct emit *emit, const struct compare_dry *dry,
                                      double off_ns)
{
	const double after_ns = compare_dry_find_time(dry, off_ns);
	if (dry->totals.gpu_calls == 0)
		return;
	if (after_ns < 0) {
		emit_print(emit,
		           "  the calls overlap in time: no time of the program is predicted\n");
		return;
	}
	emit_time(emit, EMIT_NO_KEY, "  the program: %s", off_ns);
	emit_time(emit, EMIT_NO_KEY, " -> about %s\n", after_ns);
}

static void compare_dry_print_sums(const struct compare_dry *dry,
                                   const struct prediction *prediction, double off_ns)
{
	struct emit emit;
	emit_begin(&emit, stdout, false);
	prediction_emit(&emit, prediction);
	compare_dry_print_program(&emit, dry, off_ns);
	if (dry->broken > 0)
		printf("  (%llu of %llu lines of the log are no records and were left out)\n",
		       (unsigned long long)dry->broken, (unsigned long long)dry->lines);
	emit_end(&emit);
}

/* NULL after a message. */
static struct compare_prediction *compare_dry_tell(struct compare_dry *dry,
                                                   struct environment *environment,
                                                   const char *path, double off_ns)
{
	static struct options options;
	struct compare_prediction *found = say_need(calloc(1, sizeof *found));
	compare_dry_load_options(environment, &options);
	if (!recorded_prediction_load(&found->machine, NULL, &path, 1, &options)) {
		free(found);
		return NULL;
	}
	dry->totals = recorded_prediction_find(&path, 1, &found->machine, &options, NULL);
	found->sums = prediction_make(&found->machine, &dry->totals, &options);
	compare_dry_count_lines(dry, path);
	compare_dry_print_sums(dry, &found->sums, off_ns);
	return found;
}

static void compare_dry_run(struct compare *compare, size_t side, const char *profile,
                            double off_ns)
{
	struct trial_runs *trial = &compare->trial;
	struct environment environment;
	struct compare_dry dry = {.lines = 0};
	const char *temporary = getenv("TMPDIR");
	char *path = say_text("%s/gpushim-log-XXXXXX",
	                      temporary != NULL && temporary[0] == '/' ? temporary : "/tmp");
	const int log = mkostemp(path, O_CLOEXEC);
	if (log < 0) {
		say("cannot keep a log in '%s': %s; nothing is predicted", path, say_error(errno));
		free(path);
		return;
	}
	compare_dry_prepare(&environment, &trial->side[side], profile, path);
	dry.wall_ns = trial_runs_repeat(trial, &environment);
	if (dry.wall_ns >= 0)
		compare->prediction[side] = compare_dry_tell(&dry, &environment, path, off_ns);
	environment_free(&environment);
	close(log);
	unlink(path);
	free(path);
}

void compare_dry_print(struct compare *compare, size_t side, const char *machine, double off_ns)
{
	const struct trial_runs *trial = &compare->trial;
	char *profile = machine != NULL ? known_machine_find(machine) : NULL;
	if (trial->sides > 2)
		printf("%s, ", trial->side[side].name);
	if (profile != NULL || machine == NULL)
		compare_dry_run(compare, side, profile, off_ns);
	else
		printf("prediction: none, the machine profile is gone\n");
	free(profile);
}
