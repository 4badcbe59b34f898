/* doctor_options.c - facts on options: config files, values that are not at their defaults */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_source.h"
#include "cli/process/counters_read.h"
#include "policy/text/words.h"
#include "shim/settings/settings_input.h"

enum { DOCTOR_VALUE_BYTES = OPTION_TEXT_BYTES + 1 };

static void doctor_options_read_line(const char *path, unsigned number, const char *line)
{
	static struct options scratch;
	char message[OPTION_MESSAGE_BYTES], name[64];
	struct words key, value;
	if (words_split_line(line, &key, &value) != WORDS_PAIR ||
	    !options_parse_line(&scratch, line, message))
		return;
	snprintf(name, sizeof name, "%.*s", (int)key.length, key.text);
	const int option = options_find(name);
	if (option >= 0)
		doctor_source_note((enum option)option, path, number);
}

/* The lines of an opened file, as far as the shim reads it. */
static unsigned doctor_options_read_lines(const char *path, int fd)
{
	static char text[SETTINGS_INPUT_MAX_BYTES + 1];
	static const char bom[] = "\xef\xbb\xbf";
	unsigned number = 0;
	const size_t size = counters_read_bytes(fd, text, sizeof text - 1);
	text[size] = '\0';
	char *start = strncmp(text, bom, strlen(bom)) == 0 ? text + strlen(bom) : text;
	for (char *line = start, *end; line < text + size; line = end + 1) {
		end = strchrnul(line, '\n');
		*end = '\0';
		doctor_options_read_line(path, ++number, line);
	}
	return number;
}

static void doctor_options_read_file(struct doctor_report *report, const char *path)
{
	struct settings_input input;
	settings_input_open(&input, path, true);
	if (input.fd >= 0) {
		doctor_report_add(report, "config file %s: read, %u lines", path,
		                  doctor_options_read_lines(path, input.fd));
		close(input.fd);
	} else {
		doctor_report_add(
			report, "config file %s: %s%s", path,
			input.missing ? "none" : "left out: ", input.missing ? "" : input.reason);
	}
}

static void doctor_options_read_user_file(struct doctor_report *report)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char *path = NULL;
	if (config != NULL && config[0] == '/')
		path = say_text("%s/gpushim/gpushim.conf", config);
	else if (home != NULL && home[0] == '/')
		path = say_text("%s/.config/gpushim/gpushim.conf", home);
	if (path != NULL)
		doctor_options_read_file(report, path);
	free(path);
}

/* A variable whose value is refused is no source of the option's value. */
static void doctor_options_read_environment(void)
{
	static struct options scratch;
	static const char prefix[] = "EPOCHLY_GPU_";
	char message[OPTION_MESSAGE_BYTES], name[64];
	for (char **entry = environ; *entry != NULL; entry++) {
		if (strncmp(*entry, prefix, strlen(prefix)) != 0)
			continue;
		const char *key = *entry + strlen(prefix), *equals = strchr(key, '=');
		if (equals == NULL)
			continue;
		snprintf(name, sizeof name, "%.*s", (int)(equals - key), key);
		char *variable = say_text("%s%s", prefix, name);
		if (options_set(&scratch, name, equals + 1, message) && options_find(name) >= 0)
			doctor_source_note((enum option)options_find(name), variable, 0);
		free(variable);
	}
}

/* Adds the thresholds and policies of single routines; returns how many there are. */
static int doctor_options_add_routines(struct doctor *doctor)
{
	const struct options *options = &doctor->options;
	char key[64], word[32];
	uint64_t bytes = 0;
	int position = 0, policy = 0, count = 0;
	for (; routine_threshold_next(&options->thresholds, &position, key, sizeof key, &bytes);
	     count++)
		doctor_report_add(&doctor->report, "%s = %llu", key, (unsigned long long)bytes);
	position = 0;
	for (; routine_policy_next(&options->policies, &position, key, sizeof key, &policy);
	     count++) {
		options_name_choice(OPTION_policy, policy, word, sizeof word);
		doctor_report_add(&doctor->report, "%s = %s", key, word);
	}
	return count;
}

/* Adds the options that options_settle changes. */
static void doctor_options_add_settled(struct doctor *doctor)
{
	static struct options settled;
	const struct options *options = &doctor->options;
	char value[DOCTOR_VALUE_BYTES], given[DOCTOR_VALUE_BYTES], key[64];
	int position = 0, policy = 0;
	settled = *options;
	options_settle(&settled);
	for (int i = 0; i < OPTION_COUNT; i++) {
		options_get(options, (enum option)i, given, sizeof given);
		options_get(&settled, (enum option)i, value, sizeof value);
		if (strcmp(value, given) != 0)
			doctor_report_add(&doctor->report, "deterministic: %s is taken as %s",
			                  option_table[i].key, value);
	}
	while (routine_policy_next(&options->policies, &position, key, sizeof key, &policy)) {
		options_name_choice(OPTION_policy,
		                    *routine_policy_find(&settled.policies, words_of(key)), value,
		                    sizeof value);
		options_name_choice(OPTION_policy, policy, given, sizeof given);
		if (strcmp(value, given) != 0)
			doctor_report_add(&doctor->report, "deterministic: %s is taken as %s", key,
			                  value);
	}
}

/* Returns how many options are not at their defaults. */
static int doctor_options_add_changed(struct doctor *doctor)
{
	static struct options defaults;
	char value[DOCTOR_VALUE_BYTES], initial[DOCTOR_VALUE_BYTES];
	int changed = 0;
	options_set_defaults(&defaults);
	for (int i = 0; i < OPTION_COUNT; i++) {
		options_get(&doctor->options, (enum option)i, value, sizeof value);
		options_get(&defaults, (enum option)i, initial, sizeof initial);
		if (strcmp(value, initial) == 0)
			continue;
		char *source = doctor_source_describe((enum option)i);
		doctor_report_add(&doctor->report, "%s = %s   (default %s; from: %s)",
		                  option_table[i].key, value,
		                  initial[0] != '\0' ? initial : "empty", source);
		free(source);
		changed++;
	}
	return changed + doctor_options_add_routines(doctor);
}

void doctor_options_examine(struct doctor *doctor)
{
	const char *named = getenv("EPOCHLY_GPU_CONFIG");
	doctor_report_begin(&doctor->report, "options");
	doctor_options_read_file(&doctor->report, settings_input_system_path());
	doctor_options_read_user_file(&doctor->report);
	if (named != NULL && named[0] != '\0')
		doctor_options_read_file(&doctor->report, named);
	doctor_options_read_environment();
	doctor->changed_options = doctor_options_add_changed(doctor);
	if (doctor->changed_options == 0)
		doctor_report_add(&doctor->report, "every option is at its default");
	doctor_options_add_settled(doctor);
}
