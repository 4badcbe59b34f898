/* doctor_messages.c - keeps what the readers of options say, and finds out how to correct it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/doctor/doctor_messages.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor_shell.h"
#include "cli/doctor/doctor_source.h"
#include "policy/options/options.h"
#include "policy/text/number.h"
#include "shim/base/diag.h"

static const char doctor_messages_prefix[] = "EPOCHLY_GPU_";

/* The texts behind "gpushim: warn: ", owned, in their order. */
static struct {
	char **texts;
	size_t count;
} doctor_messages;

static void doctor_messages_keep(const char *line, size_t length)
{
	static const char head[] = "gpushim: warn: ";
	const size_t skipped = strncmp(line, head, strlen(head)) == 0 ? strlen(head) : 0;
	doctor_messages.texts = say_need(
		realloc(doctor_messages.texts, (doctor_messages.count + 1) * sizeof(char *)));
	doctor_messages.texts[doctor_messages.count++] =
		say_need(strndup(line + skipped, length - skipped - 1));
}

void doctor_messages_begin(void)
{
	diag_divert(doctor_messages_keep);
}

static void doctor_messages_report_variable(struct doctor_report *report, const char *text)
{
	char nearest[OPTION_KEY_BYTES];
	char *variable = say_text("%.*s", (int)strcspn(text, ":"), text);
	const char *key = variable + strlen(doctor_messages_prefix);
	if (!options_has_key(key) && options_find_nearest(key, nearest))
		doctor_report_find(report, DOCTOR_WARNING, "options", say_need(strdup(text)),
		                   "Use the right name:", doctor_source_rename(variable, nearest));
	else
		doctor_report_find(report, DOCTOR_WARNING, "options", say_need(strdup(text)),
		                   options_has_key(key) ? "Set a value that is allowed, or none:"
		                                        : "Remove the variable:",
		                   say_text("unset %s", variable));
	free(variable);
}

/* A file that is left out: because it is missing, or others may have written it. */
static void doctor_messages_report_file(struct doctor_report *report, const char *path,
                                        const char *text)
{
	const char *named = getenv("EPOCHLY_GPU_CONFIG");
	const bool missing = strstr(text, "cannot open") != NULL;
	char *file = doctor_shell_quote(path);
	if (strstr(text, "chmod go-w") != NULL)
		doctor_report_find(
			report, DOCTOR_WARNING, "options", say_need(strdup(text)),
			"Let only its owner write to the file:", say_text("chmod go-w %s", file));
	else if (missing && named != NULL && strcmp(named, path) == 0)
		doctor_report_find(report, DOCTOR_WARNING, "options", say_need(strdup(text)),
		                   "Name a config file that can be read, or none:",
		                   say_text("unset EPOCHLY_GPU_CONFIG"));
	else
		doctor_report_find(
			report, DOCTOR_WARNING, "options", say_need(strdup(text)),
			"Make it a text file that you or root own:", doctor_source_edit(path, 0));
	free(file);
}

/* "PATH:LINE: ...", or "PATH: ..." for the file as a whole. A path may hold colons too. */
static void doctor_messages_report(struct doctor_report *report, const char *text)
{
	uint64_t number = 0;
	const char *colon = strstr(text, ": ");
	if (strncmp(text, doctor_messages_prefix, strlen(doctor_messages_prefix)) == 0) {
		doctor_messages_report_variable(report, text);
		return;
	}
	char *path = say_text("%.*s", colon != NULL ? (int)(colon - text) : 0, text);
	char *last = strrchr(path, ':');
	if (last != NULL &&
	    number_parse_count(last + 1, strlen(last + 1), &number) == NUMBER_FINE && number > 0) {
		*last = '\0';
		doctor_report_find(report, DOCTOR_WARNING, "options", say_need(strdup(text)),
		                   "Correct the line:", doctor_source_edit(path, (unsigned)number));
	} else {
		doctor_messages_report_file(report, path, text);
	}
	free(path);
}

static void doctor_messages_forget(void)
{
	for (size_t i = 0; i < doctor_messages.count; i++)
		free(doctor_messages.texts[i]);
	free(doctor_messages.texts);
	doctor_messages.texts = NULL;
	doctor_messages.count = 0;
	diag_divert(NULL);
}

void doctor_messages_end(struct doctor_report *report)
{
	for (size_t i = 0; i < doctor_messages.count; i++)
		doctor_messages_report(report, doctor_messages.texts[i]);
	doctor_messages_forget();
}

void doctor_messages_end_profile(struct doctor_report *report, char *command)
{
	for (size_t i = 0; i < doctor_messages.count; i++)
		doctor_report_find(
			report, DOCTOR_WARNING, "options",
			say_text("profile: %s", doctor_messages.texts[i]),
			"Correct the profile, or do without it:", say_need(strdup(command)));
	free(command);
	doctor_messages_forget();
}
