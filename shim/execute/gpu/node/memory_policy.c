/* memory_policy.c - asks the kernel for memory of one NUMA node, by system calls without libnuma */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/node/memory_policy.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/execute/gpu/node/kernel_text.h"
#include "shim/rights/call_filter.h"

/* Of linux/mempolicy.h. The kernel takes one bit less than it is told. */
enum { MEMORY_POLICY_PREFERRED = 1, MEMORY_POLICY_BITS = MEMORY_POLICY_NODES + 1 };

static int memory_policy_get(struct memory_policy *policy)
{
	return (int)syscall(SYS_get_mempolicy, &policy->mode, policy->nodes, MEMORY_POLICY_BITS,
	                    NULL, 0);
}

/* Modes without nodes, such as the default, refuse any, and some of them a list without any. */
static int memory_policy_set(const struct memory_policy *policy)
{
	unsigned long any = 0;
	for (int i = 0; i < MEMORY_POLICY_WORDS; i++)
		any |= policy->nodes[i];
	return (int)syscall(SYS_set_mempolicy, policy->mode, any != 0 ? policy->nodes : NULL,
	                    any != 0 ? MEMORY_POLICY_BITS : 0);
}

static const struct memory_policy_kernel memory_policy_real = {memory_policy_get,
                                                               memory_policy_set};
static const struct memory_policy_kernel *memory_policy_used = &memory_policy_real;

void memory_policy_use_kernel(const struct memory_policy_kernel *kernel)
{
	memory_policy_used = kernel != NULL ? kernel : &memory_policy_real;
}

/* The kernel's list of nodes with memory is "0" on most machines, "0-1" or "0,8" on others. */
static bool memory_policy_has_choice(const char *root)
{
	char text[KERNEL_TEXT_BYTES];
	if (!kernel_text_read(root, "/sys/devices/system/node/has_memory", "", text))
		return false;
	for (const char *letter = text; *letter != '\0'; letter++)
		if (*letter == '-' || *letter == ',')
			return true;
	return false;
}

bool memory_policy_prefer(const char *root, int node, struct memory_policy *before)
{
	const int saved_errno = errno;
	struct memory_policy wanted = {.mode = MEMORY_POLICY_PREFERRED};
	*before = (struct memory_policy){.mode = 0};
	if (node < 0 || node >= MEMORY_POLICY_NODES)
		return false;
	wanted.nodes[node / 64] = 1UL << node % 64;
	const bool changed = memory_policy_has_choice(root) && !call_filter_is_on() &&
	                     memory_policy_used->get(before) == 0 &&
	                     memory_policy_used->set(&wanted) == 0;
	errno = saved_errno;
	return changed;
}

void memory_policy_restore(const struct memory_policy *before)
{
	const int saved_errno = errno;
	memory_policy_used->set(before);
	errno = saved_errno;
}
