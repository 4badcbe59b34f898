/* processors_test.c - quotas, nodes and caches by the kernel's files, in a tree of the test */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/execute/gpu/copy/copiers_count.h"
#include "shim/execute/gpu/node/processors.h"
#include "tests/unit/scratch.h"

static char root[256];

/* This process's whole affinity. Quotas are smaller, so that they decide. */
static cpu_set_t affinity;

static void open_root(void)
{
	scratch_make(root, sizeof root, "processors_test");
	cr_assert_eq(sched_getaffinity(0, sizeof affinity, &affinity), 0);
}

static void close_root(void)
{
	scratch_remove(root);
}

TestSuite(processors, .init = open_root, .fini = close_root);

/* Writes a file, and makes the folders of its path. */
static void write_file(const char *path, const char *text)
{
	char whole[512];
	snprintf(whole, sizeof whole, "%s%s", root, path);
	for (char *slash = strchr(whole + strlen(root) + 1, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(whole, 0700);
		*slash = '/';
	}
	FILE *file = fopen(whole, "w");
	cr_assert_not_null(file, "%s", whole);
	fputs(text, file);
	fclose(file);
}

/* The number of processors under a quota. */
static int bound(int quota)
{
	const int own = CPU_COUNT(&affinity);
	return quota < own ? quota : own;
}

Test(processors, counts_affinity_where_no_file_is)
{
	cr_expect_eq(processors_count(root), CPU_COUNT(&affinity));
}

Test(processors, rounds_a_quota_up)
{
	write_file("/sys/fs/cgroup/cpu.max", "100000 100000\n");
	cr_expect_eq(processors_count(root), 1);
	write_file("/sys/fs/cgroup/cpu.max", "100001 100000\n");
	cr_expect_eq(processors_count(root), bound(2));
	write_file("/sys/fs/cgroup/cpu.max", "20000 100000\n");
	cr_expect_eq(processors_count(root), 1);
	write_file("/sys/fs/cgroup/cpu.max", "max 100000\n");
	cr_expect_eq(processors_count(root), CPU_COUNT(&affinity));
	write_file("/sys/fs/cgroup/cpu.max", "nonsense");
	cr_expect_eq(processors_count(root), CPU_COUNT(&affinity));
}

Test(processors, minds_every_group_around_the_process)
{
	write_file("/proc/self/cgroup", "1:name=systemd:/else\n0::/outer/inner\n");
	write_file("/sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
	cr_expect_eq(processors_count(root), CPU_COUNT(&affinity));
	write_file("/sys/fs/cgroup/outer/cpu.max", "50000 50000\n");
	cr_expect_eq(processors_count(root), 1);
	write_file("/sys/fs/cgroup/outer/cpu.max", "max 50000\n");
	write_file("/sys/fs/cgroup/outer/inner/cpu.max", "1000 50000\n");
	cr_expect_eq(processors_count(root), 1);
}

Test(processors, minds_the_old_quota)
{
	write_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
	write_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
	cr_expect_eq(processors_count(root), CPU_COUNT(&affinity));
	write_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "90000\n");
	cr_expect_eq(processors_count(root), 1);
	write_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "0\n");
	cr_expect_eq(processors_count(root), CPU_COUNT(&affinity));
}

Test(processors, of_a_node_are_those_it_may_use)
{
	cpu_set_t set;
	cr_expect_not(processors_of_node(root, 3, &set));
	cr_expect_not(processors_of_node(root, -1, &set));
	write_file("/sys/devices/system/node/node3/cpulist", "0-1023\n");
	cr_expect(processors_of_node(root, 3, &set));
	cr_expect(CPU_EQUAL(&set, &affinity));
	write_file("/sys/devices/system/node/node3/cpulist", "1000-1001,1023\n");
	cr_expect_eq(processors_of_node(root, 3, &set), CPU_ISSET(1000, &affinity) ||
	                                                        CPU_ISSET(1001, &affinity) ||
	                                                        CPU_ISSET(1023, &affinity));
	write_file("/sys/devices/system/node/node3/cpulist", "9000-9100\n");
	cr_expect_not(processors_of_node(root, 3, &set));
	write_file("/sys/devices/system/node/node3/cpulist", "\n");
	cr_expect_not(processors_of_node(root, 3, &set));
}

Test(processors, know_the_largest_cache)
{
	write_file("/sys/devices/system/cpu/cpu0/cache/index0/size", "32K\n");
	write_file("/sys/devices/system/cpu/cpu0/cache/index2/size", "1024K\n");
	cr_expect_eq(processors_cache_bytes(root), 1024 << 10);
	write_file("/sys/devices/system/cpu/cpu0/cache/index3/size", "96M\n");
	cr_expect_eq(processors_cache_bytes(root), 96 << 20);
}

/* A processor of each cache; then a quota leaves the process one of them. */
Test(processors, add_up_their_caches)
{
	const int own = CPU_COUNT(&affinity);
	write_file("/sys/devices/system/cpu/cpu0/cache/index2/size", "512K\n");
	write_file("/sys/devices/system/cpu/cpu0/cache/index3/size", "32M\n");
	write_file("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list", "0\n");
	cr_expect_eq(processors_cache_bytes(root), (uint64_t)own * 32 << 20);
	write_file("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list", "0-1023\n");
	cr_expect_eq(processors_cache_bytes(root), 32 << 20);
	write_file("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list", "0\n");
	write_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
	write_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "90000\n");
	cr_expect_eq(processors_cache_bytes(root), 32 << 20);
}

/* Eight ranks that see 16 processors; ranks that are bound to some each; more ranks than any. */
Test(processors, are_divided_among_the_ranks_of_a_node)
{
	cr_expect_eq(processors_divide(16, 16, 8), 2);
	cr_expect_eq(8 * copiers_count_choose(processors_divide(16, 16, 8)), 16);
	cr_expect_eq(processors_divide(16, 16, 1), 16);
	cr_expect_eq(processors_divide(4, 16, 4), 4, "bound by the launcher");
	cr_expect_eq(processors_divide(2, 16, 1), 2);
	cr_expect_eq(processors_divide(8, 16, 8), 2, "bound to a socket");
	cr_expect_eq(processors_divide(16, 16, 40), 1);
	cr_expect_eq(processors_divide(1, 64, 2), 1);
	cr_expect_eq(processors_divide(8, 8, 0), 8);
}

/* All that the job has is the set of its control group, not the node. */
Test(processors, of_a_job_are_those_of_its_control_group)
{
	const int own = CPU_COUNT(&affinity);
	write_file("/proc/self/cgroup", "0::/job/step\n");
	cr_expect_eq(processors_share(root, 1), own, "no list");
	write_file("/sys/fs/cgroup/job/cpuset.cpus.effective", "0-1\n");
	write_file("/sys/fs/cgroup/job/step/cpuset.cpus.effective", "\n");
	cr_expect_eq(processors_share(root, 1), bound(2));
	cr_expect_eq(processors_share(root, 2), 1);
	write_file("/sys/fs/cgroup/job/step/cpuset.cpus.effective", "1\n");
	cr_expect_eq(processors_share(root, 1), 1);
}
