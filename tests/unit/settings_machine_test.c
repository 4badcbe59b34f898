/* settings_machine_test.c - which profile is used, and one message for each that cannot be */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "shim/execute/gpu/node/device_nodes.h"
#include "shim/settings/settings_machine.h"
#include "tests/unit/capture.h"
#include "tests/unit/scratch.h"

enum { PATH_BYTES = 256, TEXT_BYTES = 4096 };

static const char reference[] = "link_up_bytes = 1e9\nlink_down_bytes = 2e9\n";
static const char unused[] = "the profile is not used; `gpushim calibrate` makes a new one";

static char folder[PATH_BYTES], named_file[PATH_BYTES], cache_file[PATH_BYTES];
static struct options options;
static struct machine machine, here;
static struct capture capture;

static void make_folder(const char *name)
{
	char path[PATH_BYTES];
	snprintf(path, sizeof path, "%.150s/%s", folder, name);
	cr_assert_eq(mkdir(path, 0700), 0, "%s", path);
}

static void start(void)
{
	scratch_make(folder, sizeof folder, "settings_machine");
	make_folder("gpushim");
	snprintf(named_file, sizeof named_file, "%.150s/named.conf", folder);
	settings_machine_describe_machine(&here);
	snprintf(cache_file, sizeof cache_file, "%.150s/gpushim/machine-%.64s.conf", folder,
	         here.host);
	setenv("XDG_CACHE_HOME", folder, 1);
	setenv("HOME", "/nonexistent", 1);
	options_set_defaults(&options);
}

static void stop(void)
{
	scratch_remove(folder);
}

TestSuite(settings_machine, .init = start, .fini = stop, .timeout = 30);

/* A measured profile of that host and processor. */
static void write_measured(const char *path, const char *host, const char *cpu)
{
	char text[TEXT_BYTES];
	snprintf(text, sizeof text,
	         "profile = 1\nhost = \"%s\"\ncpu = \"%s\"\nmeasured = \"2026-11-21T00:00:00Z\"\n"
	         "%send = true\n",
	         host, cpu, reference);
	scratch_write_file(path, text);
}

static bool find(void)
{
	memset(&machine, 0xff, sizeof machine);
	capture_begin(&capture);
	const bool found = settings_machine_find_machine(&options, &machine);
	capture_end_whole(&capture);
	return found;
}

static bool find_named(const char *path)
{
	snprintf(options.profile, sizeof options.profile, "%s", path);
	return find();
}

/*
 * The profile is not used, nothing of it remains, and this sentence after the file's name is the
 * only message.
 */
static void expect_refused(const char *file, const char *sentence)
{
	static const struct machine nothing;
	char wanted[TEXT_BYTES];
	snprintf(wanted, sizeof wanted, "gpushim: warn: %s%s\n", file, sentence);
	cr_expect_str_eq(capture.text, wanted);
	cr_expect_eq(memcmp(&machine, &nothing, sizeof machine), 0);
}

/* The same with the usual end of the sentence. */
static void expect_unused(const char *file, const char *what)
{
	char sentence[TEXT_BYTES];
	snprintf(sentence, sizeof sentence, "%s; %s", what, unused);
	expect_refused(file, sentence);
}

Test(settings_machine, without_a_profile_nothing_is_said)
{
	cr_expect_not(find());
	cr_expect_str_eq(capture.text, "");
	setenv("XDG_CACHE_HOME", "/nonexistent", 1);
	cr_expect_not(find());
	cr_expect_str_eq(capture.text, "");
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	cr_expect_not(find());
	cr_expect_str_eq(capture.text, "");
	cr_expect_eq(machine.link_up_bytes, 0);
}

Test(settings_machine, a_measured_one_is_found)
{
	write_measured(cache_file, here.host, here.cpu);
	cr_expect(find());
	cr_expect_str_eq(capture.text, "");
	cr_expect(machine_is_measured(&machine));
	cr_expect_eq(machine.link_down_bytes, 2e9);
}

Test(settings_machine, a_named_one_goes_before_it)
{
	write_measured(cache_file, here.host, here.cpu);
	scratch_write_file(named_file, reference);
	cr_expect(find_named(named_file));
	cr_expect_str_eq(capture.text, "");
	cr_expect_not(machine_is_measured(&machine));
	cr_expect_not(find_named("/nonexistent"));
	expect_unused("/nonexistent", ": cannot open: No such file or directory");
	cr_expect_not(find_named(folder));
	expect_unused(folder, ": not a regular file");
}

Test(settings_machine, has_its_place)
{
	char path[PATH_BYTES], wanted[PATH_BYTES];
	cr_expect(settings_machine_path(path, sizeof path));
	cr_expect_str_eq(path, cache_file);
	cr_expect_not(settings_machine_path(path, strlen(cache_file)), "no room for the 0");
	setenv("XDG_CACHE_HOME", "relative/folders/are/ignored", 1);
	setenv("HOME", folder, 1);
	cr_expect(settings_machine_path(path, sizeof path));
	snprintf(wanted, sizeof wanted, "%.150s/.cache/gpushim/machine-%.64s.conf", folder,
	         here.host);
	cr_expect_str_eq(path, wanted);
	make_folder(".cache");
	make_folder(".cache/gpushim");
	write_measured(wanted, here.host, here.cpu);
	cr_expect(find());
	unsetenv("HOME");
	cr_expect_not(settings_machine_path(path, sizeof path));
}

Test(settings_machine, of_another_host_is_refused)
{
	char sentence[TEXT_BYTES];
	write_measured(cache_file, "another-host", here.cpu);
	cr_expect_not(find());
	snprintf(sentence, sizeof sentence,
	         ": it was measured on the host 'another-host', and this is '%s'; the profile is "
	         "not used; `gpushim "
	         "calibrate` measures this machine",
	         here.host);
	expect_refused(cache_file, sentence);
	write_measured(named_file, "another-host", here.cpu);
	cr_expect_not(find_named(named_file));
	expect_refused(named_file, sentence);
}

Test(settings_machine, of_another_processor_is_refused)
{
	char said[TEXT_BYTES];
	if (here.cpu[0] == '\0')
		SCRATCH_SKIP(folder, "skipped: /proc/cpuinfo names no processor here");
	write_measured(cache_file, here.host, "another processor");
	cr_expect_not(find());
	snprintf(said, sizeof said,
	         "gpushim: warn: %s: it was measured on the processor 'another processor', and "
	         "this is '",
	         cache_file);
	cr_expect_eq(strncmp(capture.text, said, strlen(said)), 0, "%s", capture.text);
	cr_expect_eq(capture_count_lines(capture.text), 1);
}

/* A dry run may ask whether the GPU would pay on another machine. */
Test(settings_machine, a_dry_run_may_be_against_another_machine)
{
	options.policy = POLICY_DRY;
	write_measured(named_file, "another-host", "another processor");
	cr_expect(find_named(named_file));
	cr_expect_str_eq(capture.text, "");
	write_measured(cache_file, "another-host", "another processor");
	cr_expect_not(find_named(""), "but only against one that somebody asked for");
	cr_expect_eq(capture_count_lines(capture.text), 1);
}

/* The same where single routines have the policy, as long as no call uses the profile on a GPU. */
Test(settings_machine, a_dry_run_of_one_routine_may_be_too)
{
	const bool has_gpu = device_nodes_exist("");
	options.policy = POLICY_NEVER;
	options.policies.routine[FAMILY_GEMM][ELEMENT_D] = POLICY_DRY;
	write_measured(named_file, "another-host", "another processor");
	cr_expect(find_named(named_file));
	cr_expect_str_eq(capture.text, "");
	for (int policy = POLICY_AUTO; policy <= POLICY_ALWAYS; policy++) {
		options.policy = policy;
		cr_expect_eq(find_named(named_file), !has_gpu, "%d: %s", policy, capture.text);
	}
	options.policies.routine[FAMILY_GEMM][ELEMENT_D] = ROUTINE_POLICY_NONE;
	cr_expect_not(find_named(named_file), "there is no dry run");
}

Test(settings_machine, broken_ones_are_refused)
{
	static const struct {
		const char *text, *sentence;
	} cases[] = {
		{"", ": link_up_bytes is missing or 0, and without it nothing can be predicted"},
		{"link_up_bytes = 1e9\n",
	         ": link_down_bytes is missing or 0, and without it nothing can be predicted"},
		{"link_up_bytes = 1e9\nlink_down_bytes = -1\nnonsense\n",
	         ":2: link_down_bytes cannot be '-1'; allowed: a finite number, 0 or more"},
		{"profile = 1\nlink_up_bytes = 1e9\nlink_down_bytes = 2e9\n",
	         ": its last line, end = true, is missing, so a part of it is lost"},
		{"profile = 1\nlink_up_bytes = 1e9\nlink_down_bytes = 2e9\nend = tr",
	         ":4: end cannot be 'tr'; allowed: true"},
		{"profile = 1\nlink_up_by", ":2: no equals sign between key and value"},
		{"profile = 2\nfuture = 1\n",
	         ":1: profiles of version '2' cannot be read; this is for version 1"},
		{"workload_threshold = 1\n", ":1: unknown key 'workload_threshold'"},
		{"gpu_dgemm = 64:-1e9\n",
	         ":1: gpu_dgemm cannot have '64:-1e9'; allowed: size:rate with sizes from 1 to "
	         "1e19 "
	         "and finite rates from 1 on"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		scratch_write_file(cache_file, cases[i].text);
		cr_expect_not(find(), "%s", cases[i].text);
		expect_unused(cache_file, cases[i].sentence);
	}
}

Test(settings_machine, garbage_is_refused)
{
	static char bytes[1 << 16];
	uint32_t state = 1;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)((state = state * 1664525 + 1013904223) >> 24);
	scratch_write_bytes(cache_file, bytes, sizeof bytes);
	cr_expect_not(find());
	cr_expect_eq(capture_count_lines(capture.text), 1);
	static const char zeros[512];
	scratch_write_bytes(cache_file, zeros, sizeof zeros);
	cr_expect_not(find());
	expect_unused(cache_file, ":1: a byte is 0, so this is no text");
	memset(bytes, 'x', sizeof bytes);
	scratch_write_bytes(cache_file, bytes, sizeof bytes);
	cr_expect_not(find());
	expect_unused(cache_file, ":1: the line is too long");
}

/* The file of calibrate may be loaded by name on any machine. */
Test(settings_machine, may_be_loaded_by_name)
{
	write_measured(named_file, "another-host", "another processor");
	cr_expect(settings_machine_load_machine(named_file, &machine));
	cr_expect_str_eq(machine.cpu, "another processor");
	capture_begin(&capture);
	cr_expect_not(settings_machine_load_machine("/nonexistent", &machine));
	capture_end_whole(&capture);
	expect_unused("/nonexistent", ": cannot open: No such file or directory");
}

Test(settings_machine, knows_where_it_is)
{
	char text[TEXT_BYTES] = "", line[TEXT_BYTES];
	struct utsname system;
	uname(&system);
	cr_expect_str_eq(here.host, system.nodename);
	cr_expect(here.gpu[0] == '\0' && here.link_up_bytes == 0);
	FILE *file = fopen("/proc/cpuinfo", "r");
	while (file != NULL && text[0] == '\0' && fgets(line, sizeof line, file) != NULL)
		if (strncmp(line, "model name", strlen("model name")) == 0)
			snprintf(text, sizeof text, "%.*s",
			         (int)strcspn(strstr(line, ": ") + 2, "\n"),
			         strstr(line, ": ") + 2);
	if (file != NULL)
		fclose(file);
	cr_expect_str_eq(here.cpu, text);
}

Test(settings_machine, leaves_errno)
{
	errno = ERANGE;
	find();
	find_named("/nonexistent");
	cr_expect_eq(errno, ERANGE);
}
