/* settings.c - the options from files and environment, each source overriding those before it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/settings/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "policy/text/sentence.h"
#include "shim/base/diag.h"
#include "shim/base/privilege.h"
#include "shim/base/variables.h"
#include "shim/libc/program.h"
#include "shim/settings/settings_file.h"
#include "shim/settings/settings_input.h"

static const char settings_prefix[] = "EPOCHLY_GPU_";

static bool settings_parse_option(void *target, const char *line, char *message)
{
	return options_parse_line(target, line, message);
}

static const struct settings_purpose settings_for_options = {
	settings_parse_option, "it is left out", "the line changes nothing", false, true};

static void settings_read_variable(struct options *options, struct words key, const char *text)
{
	char name[SETTINGS_KEY_BYTES], message[OPTION_MESSAGE_BYTES];
	struct sentence sentence = sentence_start(name, sizeof name);
	sentence_add_words(&sentence, key);
	if (!options_set(options, name, text, message))
		diag_warn("%s%s: %s; it changes nothing", settings_prefix, name, message);
}

static void settings_read_variables(struct options *options, bool former)
{
	const size_t prefix_length = strlen(settings_prefix);
	for (char *const *entry = variables_list(); entry != NULL && *entry != NULL; entry++) {
		if (strncmp(*entry, settings_prefix, prefix_length) != 0)
			continue;
		struct words rest = words_of(*entry + prefix_length);
		const struct words key = words_next(&rest, '=');
		if (rest.text != NULL && options_is_former(key) == former)
			settings_read_variable(options, key, rest.text);
	}
}

/* The order of variables is arbitrary: one of a former name never overrides that of the present. */
static void settings_read_environment(struct options *options)
{
	settings_read_variables(options, true);
	settings_read_variables(options, false);
}

static void settings_read_all(struct options *options)
{
	char path[PATH_MAX];
	options_set_defaults(options);
	if (privilege_is_raised())
		return;
	settings_file_read(settings_input_system_path(), &settings_for_options, options, true);
	if (settings_file_find("XDG_CONFIG_HOME", "/.config", "gpushim.conf", path, sizeof path))
		settings_file_read(path, &settings_for_options, options, true);
	const char *named = variables_find("EPOCHLY_GPU_CONFIG");
	if (named != NULL && named[0] != '\0')
		settings_file_read(named, &settings_for_options, options, false);
	settings_read_environment(options);
}

void settings_load(struct options *options)
{
	int cancel_state, saved_errno;
	settings_file_begin(&cancel_state, &saved_errno);
	settings_read_all(options);
	settings_file_end(cancel_state, saved_errno);
}

/* The name of the program's file; false where /proc does not tell it. */
static bool settings_read_program_name(char path[PATH_MAX], const char **name)
{
	static const char gone[] = " (deleted)";
	const int saved_errno = errno;
	const ssize_t got = readlink("/proc/self/exe", path, PATH_MAX - 1);
	errno = saved_errno;
	if (got <= 0)
		return false;
	path[got] = '\0';
	const size_t length = (size_t)got, gone_length = strlen(gone);
	if (length > gone_length && strcmp(path + length - gone_length, gone) == 0)
		path[length - gone_length] = '\0';
	const char *slash = strrchr(path, '/');
	*name = slash != NULL ? slash + 1 : path;
	return true;
}

bool settings_program_excluded(const struct options *options)
{
	char path[PATH_MAX];
	const char *file_name = "", *called = program_name();
	settings_read_program_name(path, &file_name);
	const bool all = words_trim(words_of(options->only)).length == 0;
	if (!all && !options_match_list(options->only, file_name) &&
	    !options_match_list(options->only, called))
		return true;
	return options_match_list(options->except, file_name) ||
	       options_match_list(options->except, called);
}
