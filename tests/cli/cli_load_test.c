/* cli_load_test.c - the load of other processes, from files as the kernel writes them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/calibrate/calibrate_load.h"
#include "tests/driver/expect.h"

static char root[4096];

/* Writes a file below root. */
static void write_file(const char *path, const char *text)
{
	char name[sizeof root + 128];
	snprintf(name, sizeof name, "%s%s", root, path);
	FILE *file = fopen(name, "w");
	if (file == NULL)
		exit(1);
	fputs(text, file);
	fclose(file);
}

static void make_folders(void)
{
	static const char *const folders[] = {"/proc",
	                                      "/sys",
	                                      "/sys/devices",
	                                      "/sys/devices/system",
	                                      "/sys/devices/system/cpu",
	                                      "/sys/devices/system/cpu/cpu0",
	                                      "/sys/devices/system/cpu/cpu0/thermal_throttle"};
	char name[sizeof root + 128];
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		snprintf(name, sizeof name, "%s%s", root, folders[i]);
		mkdir(name, 0700);
	}
}

/* Looks at counters in ticks of the usual length, and at the count of throttling. */
static struct calibrate_moment look(double at_s, const char *cpu, const char *throttled)
{
	char text[256];
	snprintf(text, sizeof text, "cpu  %s\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 1\n", cpu);
	write_file("/proc/stat", text);
	write_file("/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", throttled);
	struct calibrate_moment moment = calibrate_load_look(root);
	moment.at_s = at_s;
	moment.own_s = at_s / 10;
	return moment;
}

static struct calibrate_load load_of(const char *last, const char *throttled)
{
	const struct calibrate_moment first = look(0, "100 0 100 9999 50 0 0 0 0 0", "7\n"),
				      then = look(10, last, throttled);
	struct calibrate_load load = calibrate_load_between(&first, &then);
	load.processors = 2;
	return load;
}

static void expect_words(const struct calibrate_load *load, const char *expected)
{
	char text[CALIBRATE_LOAD_BYTES];
	calibrate_load_describe(load, text);
	if (strcmp(text, expected) != 0)
		printf("it says: %s\n", text);
	expect(strcmp(text, expected) == 0, expected);
}

/* Ten seconds, of which this process takes one. */
static void test_loads(void)
{
	struct calibrate_load load = load_of("200 0 100 9999 50 0 0 0 0 0", "7\n");
	expect(load.known && load.others == 0 && !calibrate_load_disturbs(&load),
	       "an idle machine");
	expect_words(&load, "other processes took 0.00 of 2 processors");
	load = load_of("250 100 150 9999 900 10 10 0 0 0", "7\n");
	expect(load.others > 0.21 && load.others < 0.23 && calibrate_load_disturbs(&load),
	       "nice, interrupts and the system count, waiting does not");
	expect_words(&load, "other processes took 0.22 of 2 processors");
	load = load_of("250 30 120 9999 50 0 0 0 0 0", "7\n");
	expect(!calibrate_load_disturbs(&load), "0.1 of a processor");
	load.processors = 128;
	load.others = 5;
	expect(!calibrate_load_disturbs(&load), "a twentieth of a large machine");
	load = load_of("200 0 100 9999 50 0 0 200 0 0", "7\n");
	expect(calibrate_load_disturbs(&load), "a hypervisor takes a tenth");
	expect_words(&load,
	             "other processes took 0.00 of 2 processors, other virtual machines 0.20");
	load = load_of("200 0 100 9999 50 0 0 0 0 0", "9\n");
	expect(calibrate_load_disturbs(&load), "heat");
	expect_words(&load, "other processes took 0.00 of 2 processors, and heat slowed the "
	                    "processor down 2 times");
	load = load_of("90 0 100 9999 50 0 0 0 0 0", "1\n");
	expect(load.others == 0 && load.throttled == 0, "counters that go back");
}

static void test_unknown(void)
{
	struct calibrate_load load = load_of("words", "7\n");
	expect(!load.known && !calibrate_load_disturbs(&load), "a file of another form");
	expect_words(&load, "unknown: /proc/stat cannot be read");
	const struct calibrate_load here = calibrate_load_now();
	expect(!here.known || (here.others >= 0 && here.seconds > 0.1), "this machine");
}

int main(int count, char **arguments)
{
	if (count < 2)
		return 2;
	snprintf(root, sizeof root, "%.4000s", arguments[1]);
	make_folders();
	test_loads();
	test_unknown();
	printf("loads: %d failures\n", expect_failures);
	return expect_failures == 0 ? 0 : 1;
}
