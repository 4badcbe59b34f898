/* settings_test.c - the order of the sources, files of every kind, one message per mistake */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "shim/settings/settings.h"
#include "tests/unit/capture.h"
#include "tests/unit/scratch.h"

enum { PATH_BYTES = 256 };

static char folder[PATH_BYTES], user_file[PATH_BYTES], named_file[PATH_BYTES];
static struct options options;
static struct capture capture;

static void clear_environment(void)
{
	static const char prefix[] = "EPOCHLY_GPU_";
	char name[PATH_BYTES];
	for (char **entry = environ; *entry != NULL;) {
		if (strncmp(*entry, prefix, strlen(prefix)) != 0) {
			entry++;
			continue;
		}
		snprintf(name, sizeof name, "%.*s", (int)strcspn(*entry, "="), *entry);
		unsetenv(name);
		entry = environ;
	}
}

static void start(void)
{
	scratch_make(folder, sizeof folder, "settings_test");
	snprintf(user_file, sizeof user_file, "%.200s/gpushim/gpushim.conf", folder);
	snprintf(named_file, sizeof named_file, "%.200s/named.conf", folder);
	char below[PATH_BYTES];
	snprintf(below, sizeof below, "%.200s/gpushim", folder);
	mkdir(below, 0700);
	clear_environment();
	setenv("XDG_CONFIG_HOME", folder, 1);
	setenv("HOME", "/nonexistent", 1);
}

static void stop(void)
{
	scratch_remove(folder);
}

TestSuite(settings, .init = start, .fini = stop, .timeout = 30);

/* Loads the options and returns the messages. */
static const char *load(void)
{
	capture_begin(&capture);
	settings_load(&options);
	return capture_end_whole(&capture);
}

static const char *load_named(const char *path)
{
	setenv("EPOCHLY_GPU_CONFIG", path, 1);
	return load();
}

static void expect_said(const char *said, const char *what)
{
	char wanted[1024];
	snprintf(wanted, sizeof wanted, "gpushim: warn: %s\n", what);
	cr_expect_str_eq(said, wanted);
}

/* A sentence about the named file. */
static void expect_said_of_file(const char *said, const char *what)
{
	char wanted[1024];
	snprintf(wanted, sizeof wanted, "%s%s", named_file, what);
	expect_said(said, wanted);
}

Test(settings, without_any_source_are_the_defaults)
{
	struct options defaults;
	memset(&options, 0xff, sizeof options);
	options_set_defaults(&defaults);
	cr_expect_str_eq(load(), "");
	for (int i = 0; i < OPTION_COUNT; i++) {
		char got[OPTION_TEXT_BYTES], wanted[OPTION_TEXT_BYTES];
		options_get(&options, (enum option)i, got, sizeof got);
		options_get(&defaults, (enum option)i, wanted, sizeof wanted);
		cr_expect_str_eq(got, wanted);
	}
}

Test(settings, later_sources_win)
{
	scratch_write_file(user_file, "workload_threshold = 1\nmemory_limit = 1\ndevices = 1\n");
	scratch_write_file(named_file, "workload_threshold = 2\nmemory_limit = 2\n");
	setenv("EPOCHLY_GPU_WORKLOAD_THRESHOLD", "3", 1);
	cr_expect_str_eq(load_named(named_file), "");
	cr_expect_eq(options.workload_threshold, 3);
	cr_expect_eq(options.memory_limit, 2);
	cr_expect_str_eq(options.devices, "1");
	cr_expect_str_eq(options.config, named_file);
	cr_expect(options.enabled);
}

Test(settings, home_is_used_without_xdg)
{
	char path[PATH_BYTES];
	setenv("HOME", folder, 1);
	setenv("XDG_CONFIG_HOME", "relative/folders/are/ignored", 1);
	snprintf(path, sizeof path, "%.200s/.config", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%.200s/.config/gpushim", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%.200s/.config/gpushim/gpushim.conf", folder);
	scratch_write_file(path, "policy = never\n");
	cr_expect_str_eq(load(), "");
	cr_expect_eq(options.policy, POLICY_NEVER);
	unsetenv("XDG_CONFIG_HOME");
	cr_expect_str_eq(load(), "");
	cr_expect_eq(options.policy, POLICY_NEVER);
	unsetenv("HOME");
	cr_expect_str_eq(load(), "");
	cr_expect_eq(options.policy, POLICY_AUTO);
}

Test(settings, every_option_has_its_variable)
{
	char name[PATH_BYTES];
	for (int i = 0; i < OPTION_COUNT; i++) {
		const int length =
			snprintf(name, sizeof name, "EPOCHLY_GPU_%s", option_table[i].key);
		for (int at = 0; at < length; at++)
			if (name[at] >= 'a' && name[at] <= 'z')
				name[at] = (char)(name[at] - 'a' + 'A');
		setenv(name, option_table[i].initial, 1);
	}
	cr_expect_str_eq(load(), "");
}

Test(settings, bad_variables_are_reported)
{
	scratch_write_file(user_file, "policy = always\n");
	setenv("EPOCHLY_GPU_POLICY", "fast", 1);
	expect_said(
		load(),
		"EPOCHLY_GPU_POLICY: policy cannot be 'fast'; allowed: auto, threshold, always, "
		"never, dry; it changes nothing");
	cr_expect_eq(options.policy, POLICY_ALWAYS);
}

Test(settings, unknown_variables_are_reported)
{
	setenv("EPOCHLY_GPU_WORKLOAD_TRESHOLD", "1", 1);
	setenv("EPOCHLY_CPU", "1", 1);
	expect_said(
		load(),
		"EPOCHLY_GPU_WORKLOAD_TRESHOLD: unknown option 'WORKLOAD_TRESHOLD'; the nearest is "
		"'workload_threshold'; it changes nothing");
	cr_expect_eq(options.workload_threshold, 10000000);
}

Test(settings, long_variables_do_no_harm)
{
	char name[3000], value[3000];
	memset(name, 'X', sizeof name - 1);
	memcpy(name, "EPOCHLY_GPU_", strlen("EPOCHLY_GPU_"));
	memset(value, 'y', sizeof value - 1);
	name[sizeof name - 1] = value[sizeof value - 1] = '\0';
	setenv(name, value, 1);
	setenv("EPOCHLY_GPU_LOG", value, 1);
	setenv("EPOCHLY_GPU_", "", 1);
	cr_expect_eq(capture_count_lines(load()), 3);
	cr_expect_str_eq(options.log, "");
}

Test(settings, bad_lines_are_reported_with_their_number)
{
	scratch_write_file(named_file,
	                   "# a comment\n\nmemory_limit = 5\npolicy = fast\ndevices = 2\n");
	expect_said_of_file(
		load_named(named_file),
		":4: policy cannot be 'fast'; allowed: auto, threshold, always, never, dry; "
		"the line changes nothing");
	cr_expect_eq(options.memory_limit, 5);
	cr_expect_str_eq(options.devices, "2");
}

Test(settings, a_file_of_nonsense_says_little_and_is_read_to_its_end)
{
	char text[4096] = "";
	for (int i = 0; i < 100; i++)
		strcat(text, "nonsense\n");
	strcat(text, "policy = never\n");
	scratch_write_file(named_file, text);
	const char *said = load_named(named_file);
	cr_expect_eq(capture_count_lines(said), 4);
	cr_expect_not_null(
		strstr(said, ":4: no equals sign between key and value; the line changes nothing; "
	                     "further lines are not reported\n"));
	cr_expect_eq(options.policy, POLICY_NEVER);
}

Test(settings, line_ends_of_every_kind)
{
	scratch_write_file(
		named_file,
		"\xef\xbb\xbfpolicy = never\r\nmemory_limit = 7\r\n\r\ndevices = \"0,1\"");
	cr_expect_str_eq(load_named(named_file), "");
	cr_expect_eq(options.policy, POLICY_NEVER);
	cr_expect_eq(options.memory_limit, 7);
	cr_expect_str_eq(options.devices, "0,1");
}

Test(settings, empty_file)
{
	scratch_write_file(named_file, "");
	cr_expect_str_eq(load_named(named_file), "");
}

Test(settings, bytes_of_0_are_no_text)
{
	static const char bytes[] = "policy = never\nmemory_limit = 1\0002\ndevices = 3\n";
	scratch_write_bytes(named_file, bytes, sizeof bytes - 1);
	expect_said_of_file(load_named(named_file),
	                    ":2: a byte is 0, so this is no text; from here on it is left out");
	cr_expect_eq(options.policy, POLICY_NEVER);
	cr_expect_eq(options.memory_limit, 0);
	cr_expect_str_eq(options.devices, "auto");
}

/* A program or a picture as file: at most one message, and nothing is set. */
Test(settings, noise)
{
	static char noise[300000];
	for (size_t i = 0; i < sizeof noise; i++)
		noise[i] = (char)(i * 2654435761u >> 13);
	scratch_write_bytes(named_file, noise, sizeof noise);
	cr_expect_leq(capture_count_lines(load_named(named_file)), 1);
	cr_expect_eq(options.workload_threshold, 10000000);
}

/*
 * The longest line that is accepted, and one byte more; the lines before and after it have an
 * effect.
 */
Test(settings, long_lines)
{
	enum { LINE_MAX_BYTES = 2047 };
	char text[2 * LINE_MAX_BYTES];
	for (int extra = 0; extra <= 1; extra++) {
		memset(text, '#', sizeof text);
		text[LINE_MAX_BYTES + extra] = '\0';
		strcat(text, "\npolicy = never\n");
		scratch_write_file(named_file, text);
		if (extra == 0)
			cr_expect_str_eq(load_named(named_file), "");
		else
			expect_said_of_file(load_named(named_file),
			                    ":1: the line is too long; the line changes nothing");
		cr_expect_eq(options.policy, POLICY_NEVER);
	}
}

Test(settings, missing_named_file)
{
	expect_said_of_file(load_named(named_file),
	                    ": cannot open: No such file or directory; it is left out");
}

Test(settings, folder_for_a_file)
{
	cr_assert_eq(mkdir(named_file, 0700), 0);
	expect_said_of_file(load_named(named_file), ": not a regular file; it is left out");
}

Test(settings, fifo_for_a_file)
{
	cr_assert_eq(mkfifo(named_file, 0600), 0);
	expect_said_of_file(load_named(named_file), ": not a regular file; it is left out");
}

Test(settings, device_for_a_file)
{
	expect_said(load_named("/dev/zero"), "/dev/zero: not a regular file; it is left out");
}

Test(settings, huge_file)
{
	scratch_write_file(named_file, "policy = never\n");
	cr_assert_eq(truncate(named_file, (1 << 20) + 1), 0);
	expect_said_of_file(load_named(named_file), ": longer than 1 MiB; it is left out");
	cr_expect_eq(options.policy, POLICY_AUTO);
}

Test(settings, unreadable_file)
{
	if (geteuid() == 0)
		SCRATCH_SKIP(folder, "root may read every file");
	scratch_write_file(user_file, "policy = never\n");
	chmod(user_file, 0);
	const char *said = load();
	cr_expect_not_null(strstr(said, ": cannot open: Permission denied; it is left out\n"), "%s",
	                   said);
}

/* A program without free descriptors gets no message about files that may not even exist. */
Test(settings, without_descriptors)
{
	struct rlimit limit;
	capture_begin(&capture);
	getrlimit(RLIMIT_NOFILE, &limit);
	const struct rlimit none = {0, limit.rlim_max};
	setrlimit(RLIMIT_NOFILE, &none);
	setenv("EPOCHLY_GPU_MEMORY_LIMIT", "9", 1);
	settings_load(&options);
	setrlimit(RLIMIT_NOFILE, &limit);
	cr_expect_str_eq(capture_end_whole(&capture), "");
	cr_expect_eq(options.memory_limit, 9);
}

Test(settings, leave_errno_and_descriptors)
{
	const int before = dup(0);
	close(before);
	scratch_write_file(named_file, "policy = fast\n");
	errno = ERANGE;
	load_named(named_file);
	load_named("/nonexistent/file");
	cr_expect_eq(errno, ERANGE);
	const int after = dup(0);
	close(after);
	cr_expect_eq(before, after);
}

Test(settings, programs_by_name)
{
	static const struct {
		const char *only, *except;
		bool excluded;
	} cases[] = {
		{"", "", false},       {" ", "", false},
		{"unit_*", "", false}, {"pw.x,unit_s*", "", false},
		{"pw.x", "", true},    {"", "unit_*", true},
		{"", "pw.x", false},   {"unit_*", "*settings*", true},
		{"*", "*", true},      {"/*", "", true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		options_set_defaults(&options);
		strcpy(options.only, cases[i].only);
		strcpy(options.except, cases[i].except);
		cr_expect_eq(settings_program_excluded(&options), cases[i].excluded,
		             "only '%s' except '%s'", cases[i].only, cases[i].except);
	}
}

/*
 * The shipped files have no mistakes. In the sample each line but one takes effect when its # is
 * removed.
 */
Test(settings, shipped_files)
{
	static const char *const files[] = {"gpushim.conf", "examples/shell-wide.conf",
	                                    "examples/shared-gpu.conf",
	                                    "examples/check-everything.conf"};
	char path[PATH_BYTES];
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		snprintf(path, sizeof path, UNIT_SOURCE_DIR "/config/%s", files[i]);
		cr_expect_str_eq(load_named(path), "");
	}

	char line[PATH_BYTES], message[OPTION_MESSAGE_BYTES];
	int set = 0;
	FILE *sample = fopen(UNIT_SOURCE_DIR "/config/gpushim.conf", "r");
	cr_assert_not_null(sample);
	while (fgets(line, sizeof line, sample) != NULL)
		if (line[0] == '#' && line[1] != ' ' && line[1] != '\n')
			set += options_parse_line(&options, line + 1, message);
	fclose(sample);
	cr_expect_eq(set, OPTION_COUNT - 1, "all but config, which stands in the environment only");
}
