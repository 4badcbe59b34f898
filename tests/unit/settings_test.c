/* settings_test.c - files and environment, in their order, and what is wrong with them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/settings.h"

static char folder[64], path[256], said[8192];
static struct options options;

static void write_file(const char *name, const char *text, size_t length)
{
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	cr_assert_not_null(file);
	fwrite(text, 1, length, file);
	fclose(file);
}

static void start(void)
{
	strcpy(folder, "/tmp/gpushim-settings-XXXXXX");
	cr_assert_not_null(mkdtemp(folder));
	setenv("HOME", folder, 1);
	unsetenv("XDG_CONFIG_HOME");
}

static void finish(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_assert_eq(system(command), 0);
}

/* Loads with stderr in a file; what was said, and how many lines. */
static int load(void)
{
	char name[128];
	snprintf(name, sizeof name, "%s/stderr", folder);
	const int before = dup(2), file = open(name, O_CREAT | O_TRUNC | O_RDWR, 0600);
	dup2(file, 2);
	settings_load(&options);
	dup2(before, 2);
	close(before);
	const ssize_t length = pread(file, said, sizeof said - 1, 0);
	close(file);
	said[length > 0 ? length : 0] = '\0';
	int lines = 0;
	for (const char *at = said; (at = strchr(at, '\n')) != NULL; at++)
		lines++;
	return lines;
}

TestSuite(settings, .init = start, .fini = finish);

Test(settings, nothing_configured)
{
	cr_assert_eq(load(), 0);
	cr_assert_eq(options.workload_threshold, 10000000);
}

Test(settings, order)
{
	mkdir(strcat(strcpy(path, folder), "/.config"), 0700);
	mkdir(strcat(path, "/gpushim"), 0700);
	static const char user[] = "workload_threshold = 1\npolicy = always\nmemory_limit = 7\n";
	static const char named[] = "workload_threshold = 2\npolicy = never";
	write_file(".config/gpushim/gpushim.conf", user, strlen(user));
	write_file("named.conf", named, strlen(named));
	setenv("EPOCHLY_GPU_CONFIG", path, 1);
	setenv("EPOCHLY_GPU_WORKLOAD_THRESHOLD", "3", 1);
	cr_assert_eq(load(), 0);
	cr_assert_eq(options.workload_threshold, 3, "the environment last");
	cr_assert_eq(options.policy, POLICY_NEVER, "the named file before it");
	cr_assert_eq(options.memory_limit, 7, "the user's file before that");
}

Test(settings, bad_lines_are_named_and_the_rest_holds)
{
	static const char text[] = "policy = always\nworkload_treshold = 5\nmemory_limit = -3\r\nlog_level = call";
	write_file("bad.conf", text, strlen(text));
	setenv("EPOCHLY_GPU_CONFIG", path, 1);
	cr_assert_eq(load(), 2, "%s", said);
	cr_assert_not_null(strstr(said, "bad.conf:2"), "%s", said);
	cr_assert_not_null(strstr(said, "workload_threshold"));
	cr_assert_not_null(strstr(said, "bad.conf:3"));
	cr_assert(options.policy == POLICY_ALWAYS && options.log_level == LOG_CALL && options.memory_limit == 0);
}

Test(settings, bad_environment)
{
	setenv("EPOCHLY_GPU_WORKLOAD_TRESHOLD", "5", 1);
	setenv("EPOCHLY_GPU_POLICY", "perhaps", 1);
	cr_assert_eq(load(), 2, "%s", said);
	cr_assert_eq(options.policy, POLICY_THRESHOLD);
}

/* What cannot be a config file is left out after one sentence: never read to its end, never waited for. */
Test(settings, files_that_are_none)
{
	char fifo[128];
	snprintf(fifo, sizeof fifo, "%s/fifo", folder);
	cr_assert_eq(mkfifo(fifo, 0600), 0);
	const char *const none[] = {folder, fifo, "/dev/zero", "/nowhere/at/all"};
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
		setenv("EPOCHLY_GPU_CONFIG", none[i], 1);
		cr_assert_eq(load(), 1, "%s: %s", none[i], said);
		cr_assert_not_null(strstr(said, none[i]), "%s", said);
	}
}

Test(settings, bytes_that_are_no_text)
{
	static char noise[300000];
	for (size_t i = 0; i < sizeof noise; i++)
		noise[i] = (char)(i * 2654435761u >> 13);
	write_file("noise.conf", noise, sizeof noise);
	setenv("EPOCHLY_GPU_CONFIG", path, 1);
	cr_assert_leq(load(), 1, "%s", said);
	cr_assert_eq(options.workload_threshold, 10000000);
}

Test(settings, profiles)
{
	struct machine machine;
	static const char good[] = "\xef\xbb\xbfname = here\nlink_up_bytes = 1e9\r\nlink_down_bytes = 2e9";
	write_file("good.conf", good, strlen(good));
	cr_assert(settings_load_machine(path, &machine));
	cr_assert(machine.link_up_bytes == 1e9 && strcmp(machine.name, "here") == 0);
	write_file("bad.conf", "link_up_bytes = -1\n", 19);
	cr_assert_not(settings_load_machine(path, &machine));
	cr_assert(machine.link_up_bytes == 0);
}

Test(settings, programs)
{
	options_set_defaults(&options);
	cr_assert_not(settings_program_excluded(&options));
	strcpy(options.except, "unit_*");
	cr_assert(settings_program_excluded(&options));
	strcpy(options.except, "");
	strcpy(options.only, "octave*,R");
	cr_assert(settings_program_excluded(&options));
	strcpy(options.only, "octave*,unit_settings");
	cr_assert_not(settings_program_excluded(&options));
}
