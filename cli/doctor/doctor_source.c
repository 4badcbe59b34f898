/* doctor_source.c - remembers the line or variable that set an option */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/doctor/doctor_source.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor_shell.h"

/* place: a file where number is above 0, else a variable; NULL where nothing set the option. */
static struct doctor_source {
	char *place;
	unsigned number;
} doctor_source_table[OPTION_COUNT];

void doctor_source_note(enum option option, const char *place, unsigned number)
{
	free(doctor_source_table[option].place);
	doctor_source_table[option] = (struct doctor_source){say_need(strdup(place)), number};
}

char *doctor_source_describe(enum option option)
{
	const struct doctor_source *source = &doctor_source_table[option];
	if (source->number > 0)
		return say_text("%s, line %u", source->place, source->number);
	return say_text("%s", source->place != NULL ? "environment" : "default");
}

/* The variable that set the option, else the one of its key. */
static const char *doctor_source_find_variable(enum option option, char name[OPTION_VARIABLE_BYTES])
{
	options_name_variable(option, name);
	return doctor_source_table[option].place != NULL ? doctor_source_table[option].place : name;
}

char *doctor_source_quote(const struct options *options, enum option option)
{
	const struct doctor_source *source = &doctor_source_table[option];
	char value[OPTION_TEXT_BYTES], name[OPTION_VARIABLE_BYTES];
	options_get(options, option, value, sizeof value);
	if (source->number > 0)
		return say_text("%s, line %u: %s = %s", source->place, source->number,
		                option_table[option].key, value);
	return say_text("%s=%s", doctor_source_find_variable(option, name), value);
}

char *doctor_source_edit(const char *path, unsigned number)
{
	char *file = doctor_shell_quote(path);
	char *line = number > 0 ? say_text("\"${EDITOR:-vi}\" +%u %s", number, file)
	                        : say_text("ls -ld %s", file);
	free(file);
	return line;
}

char *doctor_source_fix(enum option option, const char *value)
{
	const struct doctor_source *source = &doctor_source_table[option];
	char name[OPTION_VARIABLE_BYTES];
	if (source->number > 0)
		return doctor_source_edit(source->place, source->number);
	const char *variable = doctor_source_find_variable(option, name);
	if (value == NULL)
		return say_text("unset %s", variable);
	char *quoted = doctor_shell_quote(value);
	char *line = say_text("export %s=%s", variable, quoted);
	free(quoted);
	return line;
}

char *doctor_source_rename(const char *variable, const char *key)
{
	const char *given = getenv(variable);
	char *name = say_text("EPOCHLY_GPU_%s", key);
	char *value = doctor_shell_quote(given != NULL ? given : "");
	for (char *letter = name; *letter != '\0'; letter++)
		if (*letter >= 'a' && *letter <= 'z')
			*letter = (char)(*letter - 'a' + 'A');
	char *line = say_text("unset %s; export %s=%s", variable, name, value);
	free(value);
	free(name);
	return line;
}

void doctor_source_free(void)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		free(doctor_source_table[i].place);
	memset(doctor_source_table, 0, sizeof doctor_source_table);
}
