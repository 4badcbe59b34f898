/* machine_shipped_test.c - the shipped reference machines: complete, usable anywhere, different */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "policy/machine/machine.h"

enum { SHIPPED_LEAST = 5 };

static struct machine machine;
static char message[MACHINE_MESSAGE_BYTES];

static void read_profile(const char *path)
{
	char line[512];
	FILE *file = fopen(path, "r");
	cr_assert_not_null(file, "%s", path);
	memset(&machine, 0, sizeof machine);
	while (fgets(line, sizeof line, file) != NULL) {
		cr_assert_not_null(strchr(line, '\n'), "%s: %s", path, line);
		cr_expect(machine_parse_line(&machine, line, message), "%s: %s: %s", path, line,
		          message);
	}
	fclose(file);
}

static void read_named(const char *name)
{
	char path[512];
	snprintf(path, sizeof path, UNIT_SOURCE_DIR "/config/machines/%s.conf", name);
	read_profile(path);
}

/* No prediction rests on an assumption that the file does not name. */
static void expect_complete(const char *path)
{
	cr_expect(machine_is_usable(&machine, message), "%s: %s", path, message);
#define MACHINE_TEXT(field)
#define MACHINE_NUMBER(key, field) cr_expect_gt(machine.field, 0, "%s: %s is missing", path, key);
#include "policy/machine/machine.def"
	cr_expect(machine.link_duplex <= 1 && machine.link_up_bytes <= machine.link_up_pinned_bytes,
	          "%s", path);
	cr_expect(machine.link_down_bytes <= machine.link_down_pinned_bytes, "%s", path);
	cr_expect(machine.link_up_pageable_bytes <= machine.link_up_bytes, "%s", path);
	cr_expect(machine.link_down_pageable_bytes <= machine.link_down_bytes, "%s", path);
}

Test(machine_shipped, are_whole_and_hold_anywhere)
{
	glob_t found;
	const struct machine here = {.host = "host", .cpu = "cpu", .gpu = "gpu"};
	cr_assert_eq(glob(UNIT_SOURCE_DIR "/config/machines/*.conf", 0, NULL, &found), 0);
	cr_expect_geq(found.gl_pathc, SHIPPED_LEAST);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		read_profile(found.gl_pathv[i]);
		expect_complete(found.gl_pathv[i]);
		cr_expect(machine.name[0] != '\0' && machine.gpu[0] != '\0' &&
		          machine.cpu[0] != '\0');
		cr_expect(machine_holds_for(&machine, &here, message), "%s: %s", found.gl_pathv[i],
		          message);
		cr_expect_not(machine_is_measured(&machine), "%s is from published figures",
		              found.gl_pathv[i]);
	}
	globfree(&found);
}

/*
 * From weak to strong GPUs, slow to fast links, few to many cores, so that a policy is tried on all
 * of them.
 */
Test(machine_shipped, span_what_there_is)
{
	static const char *const names[] = {"workstation", "rtx4090", "v100",
	                                    "a100",        "h200",    "gh200"};
	struct {
		double dgemm, link, cpu;
	} least = {1e30, 1e30, 1e30}, most = {0, 0, 0};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		read_named(names[i]);
		const double dgemm = machine.gpu_gemm_flops[ELEMENT_D],
			     cpu = machine.cpu_gemm_flops[ELEMENT_D];
		least.dgemm = dgemm < least.dgemm ? dgemm : least.dgemm;
		most.dgemm = dgemm > most.dgemm ? dgemm : most.dgemm;
		least.link =
			machine.link_up_bytes < least.link ? machine.link_up_bytes : least.link;
		most.link = machine.link_up_bytes > most.link ? machine.link_up_bytes : most.link;
		least.cpu = cpu < least.cpu ? cpu : least.cpu;
		most.cpu = cpu > most.cpu ? cpu : most.cpu;
	}
	cr_expect_gt(most.dgemm, 100 * least.dgemm);
	cr_expect_gt(most.link, 8 * least.link);
	cr_expect_gt(most.cpu, 15 * least.cpu);
}
