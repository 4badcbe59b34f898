/* host_memory_test.c - free memory by the kernel's files, on machines made of a few such files */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "shim/execute/gpu/node/host_memory.h"

static char root[] = "/tmp/gpushim-host-memory-XXXXXX";

static void write_file(const char *path, const char *text)
{
	char whole[256];
	snprintf(whole, sizeof whole, "%s%s", root, path);
	for (char *slash = whole + sizeof root; *slash != '\0'; slash++)
		if (*slash == '/') {
			*slash = '\0';
			mkdir(whole, 0700);
			*slash = '/';
		}
	FILE *file = fopen(whole, "w");
	cr_assert_not_null(file, "%s", whole);
	fputs(text, file);
	fclose(file);
}

static void start(void)
{
	cr_assert_not_null(mkdtemp(root));
	write_file("/proc/meminfo",
	           "MemTotal:       2000 kB\nMemFree:         100 kB\nMemAvailable:    1000 kB\n");
}

static void end(void)
{
	char command[64];
	snprintf(command, sizeof command, "rm -r %s", root);
	cr_expect_eq(system(command), 0);
}

TestSuite(host_memory, .init = start, .fini = end);

Test(host_memory, the_machine)
{
	cr_expect_eq(host_memory_available(root), 1000 << 10);
}

Test(host_memory, a_group_without_limit)
{
	write_file("/proc/self/cgroup", "0::/a/b\n");
	write_file("/sys/fs/cgroup/a/b/memory.max", "max\n");
	write_file("/sys/fs/cgroup/a/b/memory.current", "5000\n");
	cr_expect_eq(host_memory_available(root), 1000 << 10);
}

/* Files that are not needed may be missing. */
Test(host_memory, a_group_around_the_process)
{
	write_file("/proc/self/cgroup", "1:cpu:/x\n0::/a/b\n");
	write_file("/sys/fs/cgroup/a/memory.max", "100000\n");
	write_file("/sys/fs/cgroup/a/memory.current", "90000\n");
	write_file("/sys/fs/cgroup/a/memory.stat",
	           "anon 50000\nactive_file 10000\ninactive_file 20000\n");
	cr_expect_eq(host_memory_available(root), 30000);
	write_file("/sys/fs/cgroup/a/b/memory.max", "40000\n");
	write_file("/sys/fs/cgroup/a/b/memory.current", "39000\n");
	cr_expect_eq(host_memory_available(root), 1000);
	write_file("/sys/fs/cgroup/a/b/memory.current", "50000\n");
	cr_expect_eq(host_memory_available(root), 0);
}

/* The path of a group may be one that the container does not see. */
Test(host_memory, the_root_of_a_container)
{
	write_file("/proc/self/cgroup", "0::/../outside\n");
	write_file("/sys/fs/cgroup/memory.max", "7000\n");
	write_file("/sys/fs/cgroup/memory.current", "2000\n");
	cr_expect_eq(host_memory_available(root), 5000);
}

Test(host_memory, this_machine)
{
	cr_expect_gt(host_memory_available(""), 0);
}
