/* doctor_options.c - the doctor's section on options: files read, values not at their default */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "cli/process/counters_read.h"
#include "policy/text/words.h"
#include "shim/record/backing.h"
#include "shim/record/counters.h"
#include "shim/settings/settings_input.h"

enum { DOCTOR_VALUE_BYTES = OPTION_TEXT_BYTES + 1 };

/*
 * Where each option's value comes from, NULL for the default. Files and environment are read in the
 * same order as in shim/settings/settings.c.
 */
static char *doctor_options_source[OPTION_COUNT];

static void doctor_options_note(int option, char *source)
{
	free(doctor_options_source[option]);
	doctor_options_source[option] = source;
}

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
		doctor_options_note(option, say_text("%s, line %u", path, number));
}

/* The lines of an opened file, as far as the shim reads it. */
static unsigned doctor_options_read_lines(const char *path, int fd)
{
	static char text[SETTINGS_INPUT_MAX_BYTES + 1];
	unsigned number = 0;
	const size_t size = counters_read_bytes(fd, text, sizeof text - 1);
	text[size] = '\0';
	for (char *line = text, *end; line < text + size; line = end + 1) {
		end = strchrnul(line, '\n');
		*end = '\0';
		doctor_options_read_line(path, ++number, line);
	}
	return number;
}

static void doctor_options_read_file(const char *path)
{
	struct settings_input input;
	settings_input_open(&input, path, true);
	if (input.fd >= 0) {
		say_fact("config file %s: read, %u lines", path,
		         doctor_options_read_lines(path, input.fd));
		close(input.fd);
	} else {
		say_fact("config file %s: %s%s", path,
		         input.missing ? "none" : "left out: ", input.missing ? "" : input.reason);
	}
}

static void doctor_options_read_user_file(void)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char *path = NULL;
	if (config != NULL && config[0] == '/')
		path = say_text("%s/gpushim/gpushim.conf", config);
	else if (home != NULL && home[0] == '/')
		path = say_text("%s/.config/gpushim/gpushim.conf", home);
	if (path != NULL)
		doctor_options_read_file(path);
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
		if (options_set(&scratch, name, equals + 1, message) && options_find(name) >= 0)
			doctor_options_note(options_find(name), say_text("environment"));
	}
}

/* Prints the thresholds and policies of single routines; returns how many there are. */
static int doctor_options_print_routines(const struct options *options)
{
	char key[64], word[32];
	uint64_t bytes = 0;
	int position = 0, policy = 0, count = 0;
	for (; routine_threshold_next(&options->thresholds, &position, key, sizeof key, &bytes);
	     count++)
		say_fact("%s = %llu", key, (unsigned long long)bytes);
	position = 0;
	for (; routine_policy_next(&options->policies, &position, key, sizeof key, &policy);
	     count++) {
		options_name_choice(OPTION_policy, policy, word, sizeof word);
		say_fact("%s = %s", key, word);
	}
	return count;
}

/* Prints the options that options_settle changes. */
static void doctor_options_print_settled(const struct options *options)
{
	static struct options settled;
	char value[DOCTOR_VALUE_BYTES], given[DOCTOR_VALUE_BYTES], key[64];
	int position = 0, policy = 0;
	settled = *options;
	options_settle(&settled);
	for (int i = 0; i < OPTION_COUNT; i++) {
		options_get(options, (enum option)i, given, sizeof given);
		options_get(&settled, (enum option)i, value, sizeof value);
		if (strcmp(value, given) != 0)
			say_fact("deterministic: %s is taken as %s", option_table[i].key, value);
	}
	while (routine_policy_next(&options->policies, &position, key, sizeof key, &policy)) {
		options_name_choice(OPTION_policy,
		                    *routine_policy_find(&settled.policies, words_of(key)), value,
		                    sizeof value);
		options_name_choice(OPTION_policy, policy, given, sizeof given);
		if (strcmp(value, given) != 0)
			say_fact("deterministic: %s is taken as %s", key, value);
	}
}

static void doctor_options_print_changed(const struct options *options)
{
	static struct options defaults;
	char value[DOCTOR_VALUE_BYTES], initial[DOCTOR_VALUE_BYTES];
	int changed = 0;
	options_set_defaults(&defaults);
	for (int i = 0; i < OPTION_COUNT; i++) {
		options_get(options, (enum option)i, value, sizeof value);
		options_get(&defaults, (enum option)i, initial, sizeof initial);
		if (strcmp(value, initial) == 0)
			continue;
		say_fact("%s = %s   (default %s; from: %s)", option_table[i].key, value,
		         initial[0] != '\0' ? initial : "empty",
		         doctor_options_source[i] != NULL ? doctor_options_source[i] : "unknown");
		changed++;
	}
	changed += doctor_options_print_routines(options);
	if (changed == 0)
		say_fact("every option is at its default");
	doctor_options_print_settled(options);
}

static void doctor_options_print_memory(void)
{
	int id = -1;
	void *memory = segment_make(sizeof(struct counters_file), 0, &id);
	if (memory == NULL)
		say_fact("counters in shared memory: %s; counts end with each process",
		         say_error(errno));
	else
		say_fact("counters in shared memory: usable");
	if (memory != NULL)
		munmap(memory, SEGMENT_BYTES(sizeof(struct counters_file)));
}

static void doctor_options_print_folder(const char *folder)
{
	struct statvfs space;
	if (access(folder, W_OK | X_OK) != 0)
		say_fact("counters folder %s: %s; counts end with each process", folder,
		         say_error(errno));
	else if (statvfs(folder, &space) == 0 &&
	         (unsigned long long)space.f_bavail * space.f_frsize < sizeof(struct counters_file))
		say_fact("counters folder %s: full; counts end with each process", folder);
	else
		say_fact("counters folder %s: usable", folder);
}

static void doctor_options_print_place(const struct options *options)
{
	static struct backing backing;
	backing_choose(&backing, options->counters);
	if (backing.named)
		doctor_options_print_folder(backing.place);
	else
		doctor_options_print_memory();
}

/* Earlier versions put files there, and the tool puts folders there without shared memory. */
static void doctor_options_sweep(void)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	size_t removed = counters_read_sweep("/dev/shm");
	if (runtime != NULL && runtime[0] == '/' && strcmp(runtime, "/dev/shm") != 0)
		removed += counters_read_sweep(runtime);
	if (removed > 0)
		say_fact("removed %zu stale file%s of counters, left by programs that were killed",
		         removed, removed == 1 ? "" : "s");
}

void doctor_options_print(struct doctor *doctor)
{
	const char *named = getenv("EPOCHLY_GPU_CONFIG");
	say_section("options");
	doctor_options_read_file(settings_input_system_path());
	doctor_options_read_user_file();
	if (named != NULL && named[0] != '\0')
		doctor_options_read_file(named);
	doctor_options_read_environment();
	doctor_options_print_changed(&doctor->options);
	doctor_options_print_place(&doctor->options);
	doctor_options_sweep();
}
