/* doctor_launch.c - a launcher in front of the program: whether its ranks get the environment */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_shell.h"
#include "cli/process/launcher.h"

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

static void doctor_launch_judge(struct doctor *doctor)
{
	const struct front_words *front = &doctor->front;
	struct doctor_report *report = &doctor->report;
	const char *name = doctor_launch_base(*front->launcher);
	const bool tool = doctor_launch_runs_tool(front);
	char *why = tool ? NULL : launcher_find_obstacle(front, getenv("SLURM_EXPORT_ENV"));
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
