/* doctor_variables.c - variables whose names look as if the shim read them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_source.h"
#include "policy/text/words.h"

static const char doctor_variables_prefix[] = "EPOCHLY_GPU_";

/*
 * What stands in front of an option's key instead of the prefix. always: no other program has such
 * variables. Case does not matter, so that the prefix itself in small letters is one too. The
 * longer one of two comes first.
 */
static const struct {
	const char *prefix;
	bool always;
} doctor_variables_others[] = {
	{"EPOCHLY_GPU_", true}, {"GPUSHIM_GPU_", true}, {"LIBGPUSHIM_", true},
	{"GPUSHIM_", true},     {"GPU_SHIM_", true},    {"EPOCHLY_", false},
};

static void doctor_variables_report(struct doctor *doctor, const char *variable, const char *key)
{
	char nearest[OPTION_KEY_BYTES];
	if (options_has_key(key)) {
		doctor_report_find(&doctor->report, DOCTOR_WARNING, "options",
		                   say_text("%s: the shim does not read this variable", variable),
		                   "Use the right name:", doctor_source_rename(variable, key));
	} else if (options_find_nearest(key, nearest)) {
		doctor_report_find(&doctor->report, DOCTOR_WARNING, "options",
		                   say_text("%s: the shim does not read this variable; the "
		                            "nearest option is '%s'",
		                            variable, nearest),
		                   "Use the right name:", doctor_source_rename(variable, nearest));
	} else {
		doctor_report_find(&doctor->report, DOCTOR_WARNING, "options",
		                   say_text("%s: the shim does not read this variable", variable),
		                   "Remove it; `gpushim show options` lists those that are read:",
		                   say_text("unset %s", variable));
	}
}

/* Between processes of the tool, never a user's. */
static bool doctor_variables_is_internal(const char *variable)
{
	return strncmp(variable, "GPUSHIM_COVERAGE_", strlen("GPUSHIM_COVERAGE_")) == 0;
}

/* Whether the prefix is one of the others; then *key is what follows it. */
static bool doctor_variables_has_other(const char *variable, const char **key)
{
	char nearest[OPTION_KEY_BYTES];
	for (size_t i = 0; i < sizeof doctor_variables_others / sizeof doctor_variables_others[0];
	     i++) {
		struct words rest = words_of(variable);
		if (!words_skip(&rest, doctor_variables_others[i].prefix))
			continue;
		*key = rest.text;
		return doctor_variables_others[i].always || options_has_key(*key) ||
		       options_find_nearest(*key, nearest);
	}
	return false;
}

/* Whether an option's key follows a prefix that is near to the right one. */
static bool doctor_variables_is_misspelt(const char *variable, const char **key)
{
	const char *end = strchr(variable, '_');
	for (; end != NULL; end = strchr(end + 1, '_')) {
		const struct words prefix = words_make(variable, (size_t)(end + 1 - variable));
		*key = end + 1;
		if (options_has_key(*key) && words_distance(prefix, "epochly_gpu_") < WORDS_FAR)
			return true;
	}
	return false;
}

void doctor_variables_examine(struct doctor *doctor)
{
	const char *key = NULL;
	for (char **entry = environ; *entry != NULL; entry++) {
		char *variable = say_text("%.*s", (int)strcspn(*entry, "="), *entry);
		if (strncmp(variable, doctor_variables_prefix, strlen(doctor_variables_prefix)) !=
		            0 &&
		    !doctor_variables_is_internal(variable) &&
		    (doctor_variables_has_other(variable, &key) ||
		     doctor_variables_is_misspelt(variable, &key)))
			doctor_variables_report(doctor, variable, key);
		free(variable);
	}
}
