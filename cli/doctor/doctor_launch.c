/* doctor_launch.c - a launcher in front of the program: whether its ranks get the environment */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_shell.h"
#include "policy/text/words.h"

static const char launch_preload[] = "LD_PRELOAD";

static const char *doctor_launch_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL ? slash + 1 : path;
}

/* Whether each rank gets the shim by the tool itself, which stands behind the launcher. */
static bool doctor_launch_runs_tool(const struct front_words *front)
{
	for (char *const *at = front->launcher; *at != NULL && at != front->program; at++)
		if (strcmp(doctor_launch_base(*at), "gpushim") == 0)
			return true;
	return false;
}

/* Whether a list such as "ALL,A=b,C" has this word, with or without a value. */
static bool doctor_launch_lists(const char *list, const char *name)
{
	struct words rest = words_of(list);
	while (rest.text != NULL) {
		struct words entry = words_next(&rest, ',');
		if (words_equal(words_next(&entry, '='), words_of(name)))
			return true;
	}
	return false;
}

/* Of srun's: "ALL", or a list, hands the variable on. */
static bool doctor_launch_exports(const char *list)
{
	return doctor_launch_lists(list, "ALL") || doctor_launch_lists(list, launch_preload);
}

/* Why srun's ranks do not get the variable, to be freed; NULL where they do. */
static char *doctor_launch_refuse_slurm(const struct front_words *front)
{
	char *const *option = front_words_next_option(front, front->launcher, "export");
	const char *variable = getenv("SLURM_EXPORT_ENV");
	if (option != NULL && !doctor_launch_exports(front_words_find_value(option)))
		return say_text("--export=%s", front_words_find_value(option));
	if (option == NULL && variable != NULL && !doctor_launch_exports(variable))
		return say_text("SLURM_EXPORT_ENV=%s", variable);
	return NULL;
}

/* The same of Hydra's, which hands all variables on unless it is told otherwise. */
static char *doctor_launch_refuse_hydra(const struct front_words *front)
{
	static const char *const none[] = {"genvnone", "envnone"}, *const lists[] = {"genvlist",
	                                                                             "envlist"};
	for (int i = 0; i < 2; i++)
		if (front_words_next_option(front, front->launcher, none[i]) != NULL)
			return say_text("-%s", none[i]);
	for (int i = 0; i < 2; i++) {
		char *const *option = front_words_next_option(front, front->launcher, lists[i]);
		if (option != NULL &&
		    !doctor_launch_lists(front_words_find_value(option), launch_preload))
			return say_text("-%s %s", lists[i], front_words_find_value(option));
	}
	return NULL;
}

static void doctor_launch_judge(struct doctor *doctor)
{
	const struct front_words *front = &doctor->front;
	struct doctor_report *report = &doctor->report;
	const char *name = doctor_launch_base(*front->launcher);
	const bool tool = doctor_launch_runs_tool(front);
	char *why = tool                         ? NULL
	            : front->kind == FRONT_SLURM ? doctor_launch_refuse_slurm(front)
	                                         : doctor_launch_refuse_hydra(front);
	if (why != NULL)
		doctor_report_find(report, DOCTOR_WARNING, "launcher",
		                   say_text("%s keeps %s from the ranks", why, launch_preload),
		                   "Let the ranks have the whole environment, or put `gpushim run "
		                   "--` directly in front of the program.",
		                   NULL);
	else if (tool)
		doctor_report_pass(report, "launcher",
		                   "%s starts the tool in each rank, which preloads the shim",
		                   name);
	else
		doctor_report_pass(report, "launcher",
		                   "`gpushim run -- %s ...` preloads the shim into its ranks",
		                   name);
	free(why);
}

static void doctor_launch_add_facts(struct doctor *doctor)
{
	struct doctor_report *report = &doctor->report;
	const char *name = doctor_launch_base(*doctor->front.launcher);
	doctor_report_add(report, "%s starts it: what follows is about the program, not about %s",
	                  name, name);
	if (doctor->front.several)
		doctor_report_add(report, "%s starts several programs: only the first is looked at",
		                  name);
	if (doctor->front.kind == FRONT_MPI)
		doctor_report_add(report, "where LD_PRELOAD is set by hand, Open MPI takes it to "
		                          "other nodes only if -x names it: -x LD_PRELOAD");
}

/* The launcher stands there, and no program is known. */
static void doctor_launch_add_lack(struct doctor *doctor, const char *name)
{
	const char *list = doctor->front.list;
	doctor_report_find(&doctor->report, DOCTOR_WARNING, "program",
	                   list != NULL
	                           ? say_text("the programs stand in %s, which is not read", list)
	                           : say_text("no program stands behind %s", name),
	                   "Name the program behind the launcher's options, or alone:",
	                   doctor_shell_call("doctor", NULL));
	doctor->name = NULL;
}

bool doctor_launch_examine(struct doctor *doctor)
{
	static struct program_file file;
	const struct front_words *front = &doctor->front;
	if (front->launcher == NULL)
		return true;
	const char *command = *front->launcher, *name = doctor_launch_base(command);
	program_file_inspect(&file, command);
	if (file.error != 0)
		doctor_report_find(
			&doctor->report, DOCTOR_FAILURE, "launcher",
			say_text("'%s' cannot be run: %s", command, say_error(file.error)),
			"Load the module that has it, or name its file.", NULL);
	else
		doctor_launch_judge(doctor);
	if (front->program == NULL)
		doctor_launch_add_lack(doctor, name);
	else
		doctor_launch_add_facts(doctor);
	return front->program != NULL;
}
