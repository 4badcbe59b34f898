/* memory_policy_test.c - a thread's memory policy around an allocation, on the kernel's and ours */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/execute/gpu/node/memory_policy.h"
#include "tests/unit/scratch.h"

enum { DEFAULT, PREFERRED, BIND, INTERLEAVE, STATIC_NODES = 1 << 15 };

static char root[256];

static void open_root(void)
{
	scratch_make(root, sizeof root, "memory_policy_test");
}

static void close_root(void)
{
	scratch_remove(root);
	memory_policy_use_kernel(NULL);
}

TestSuite(memory_policy, .init = open_root, .fini = close_root);

static void plant_nodes(const char *list)
{
	static const char *const folders[] = {"/sys", "/sys/devices", "/sys/devices/system",
	                                      "/sys/devices/system/node"};
	char path[512];
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		snprintf(path, sizeof path, "%s%s", root, folders[i]);
		mkdir(path, 0700);
	}
	snprintf(path, sizeof path, "%s/sys/devices/system/node/has_memory", root);
	scratch_write_file(path, list);
}

/* A kernel with 200 nodes, of which some are not allowed. */
static struct memory_policy current;
static int calls_get, calls_set, forbidden_node = -1, refusal;

static int fake_get(struct memory_policy *policy)
{
	calls_get++;
	errno = refusal;
	if (refusal == 0)
		*policy = current;
	return refusal == 0 ? 0 : -1;
}

static int fake_set(const struct memory_policy *policy)
{
	calls_set++;
	const int node = forbidden_node;
	errno = EINVAL;
	if (node >= 0 && (policy->nodes[node / 64] >> node % 64 & 1) != 0)
		return -1;
	current = *policy;
	return 0;
}

static const struct memory_policy_kernel fake = {fake_get, fake_set};

static void use_fake(int mode, unsigned long nodes)
{
	current = (struct memory_policy){.mode = mode, .nodes = {nodes}};
	memory_policy_use_kernel(&fake);
}

Test(memory_policy, prefers_the_node_and_restores_what_was)
{
	struct memory_policy before;
	plant_nodes("0-1,100\n");
	use_fake(INTERLEAVE | STATIC_NODES, 3);
	errno = 42;
	cr_assert(memory_policy_prefer(root, 100, &before));
	cr_expect_eq(current.mode, PREFERRED);
	cr_expect_eq(current.nodes[1], 1UL << 36);
	cr_expect_eq(current.nodes[0], 0);
	memory_policy_restore(&before);
	cr_expect_eq(current.mode, INTERLEAVE | STATIC_NODES);
	cr_expect_eq(current.nodes[0], 3);
	cr_expect_eq(current.nodes[1], 0);
	cr_expect_eq(errno, 42);
}

Test(memory_policy, does_nothing_without_a_choice)
{
	struct memory_policy before;
	use_fake(BIND, 1);
	cr_expect_not(memory_policy_prefer(root, 0, &before), "no files of the kernel");
	plant_nodes("0\n");
	cr_expect_not(memory_policy_prefer(root, 0, &before), "a single node");
	plant_nodes("0-7\n");
	cr_expect_not(memory_policy_prefer(root, -1, &before), "an unknown node");
	cr_expect_not(memory_policy_prefer(root, MEMORY_POLICY_NODES, &before), "no such node");
	cr_expect_eq(calls_get + calls_set, 0);
	cr_expect_eq(current.mode, BIND);
}

/* A control group without the node, and a container that filters the calls. */
Test(memory_policy, accepts_refusals)
{
	struct memory_policy before;
	plant_nodes("0-1\n");
	use_fake(BIND, 1);
	forbidden_node = 1;
	errno = 42;
	cr_expect_not(memory_policy_prefer(root, 1, &before));
	cr_expect_eq(current.mode, BIND);
	cr_expect_eq(current.nodes[0], 1);
	cr_expect_eq(errno, 42);
	refusal = EPERM;
	const int sets = calls_set;
	cr_expect_not(memory_policy_prefer(root, 0, &before));
	cr_expect_eq(calls_set, sets, "what cannot be restored is not changed");
}

static int read_kernel(unsigned long nodes[16])
{
	int mode = -1;
	memset(nodes, 0, 16 * sizeof *nodes);
	return syscall(SYS_get_mempolicy, &mode, nodes, 1025, NULL, 0) == 0 ? mode : -1;
}

/* The kernel of this machine, with node 0, in each mode that a program may have set. */
Test(memory_policy, keeps_each_policy_of_the_real_kernel)
{
	static const int modes[] = {DEFAULT, PREFERRED, BIND, INTERLEAVE, BIND | STATIC_NODES};
	unsigned long nodes[16], first[16] = {1};
	struct memory_policy before;
	plant_nodes("0-1\n");
	if (read_kernel(nodes) < 0 || syscall(SYS_set_mempolicy, PREFERRED, first, 1025) != 0)
		SCRATCH_SKIP(root, "this kernel refuses memory policies: %s", strerror(errno));
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		const bool bare = modes[i] == DEFAULT;
		cr_assert_eq(
			syscall(SYS_set_mempolicy, modes[i], bare ? NULL : first, bare ? 0 : 1025),
			0);
		cr_assert(memory_policy_prefer(root, 0, &before));
		cr_expect_eq(read_kernel(nodes), PREFERRED);
		cr_expect_eq(nodes[0], 1);
		memory_policy_restore(&before);
		cr_expect_eq(read_kernel(nodes), modes[i]);
		cr_expect_eq(nodes[0], bare ? 0 : 1);
	}
}
