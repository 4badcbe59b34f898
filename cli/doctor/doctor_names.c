/* doctor_names.c - whether the options only and except leave the program out */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_source.h"
#include "policy/text/words.h"

static const char *doctor_names_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL ? slash + 1 : path;
}

/*
 * The names by which the shim knows the program's process: of its file behind all links, and the
 * one that it is started by; of a script both are the interpreter's (shim/settings/settings.c).
 */
static bool doctor_names_match(const struct doctor *doctor, const char *list)
{
	char real[PATH_MAX];
	const char *called = doctor->program.is_script ? doctor->program.file : doctor->name;
	return options_match_list(list, doctor_names_base(called)) ||
	       (realpath(doctor->program.file, real) != NULL &&
	        options_match_list(list, doctor_names_base(real)));
}

/* A program that starts others: the options are compared with the names of those, too. */
static void doctor_names_find(struct doctor *doctor, enum option option)
{
	char *quoted = doctor_source_quote(&doctor->options, option);
	char *name = say_need(strdup(doctor_names_base(doctor->program.file)));
	doctor_report_find(&doctor->report,
	                   doctor->program_launches ? DOCTOR_WARNING : DOCTOR_FAILURE, "options",
	                   say_text("%s: leaves %s out%s", quoted, name,
	                            doctor->program_launches
	                                    ? "; other programs that it starts have names of "
	                                      "their own"
	                                    : ", all its calls stay on the CPU"),
	                   "Let the shim work in this program:", doctor_source_fix(option, NULL));
	free(name);
	free(quoted);
}

void doctor_names_examine(struct doctor *doctor)
{
	const struct options *options = &doctor->options;
	if (words_trim(words_of(options->only)).length > 0 &&
	    !doctor_names_match(doctor, options->only))
		doctor_names_find(doctor, OPTION_only);
	if (doctor_names_match(doctor, options->except))
		doctor_names_find(doctor, OPTION_except);
}
