/* memory_policy.h - on which NUMA node the kernel places memory that this thread allocates */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_MEMORY_POLICY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_MEMORY_POLICY_H

#include <stdbool.h>

/* As many nodes as any kernel is built for. */
enum { MEMORY_POLICY_NODES = 1024, MEMORY_POLICY_WORDS = MEMORY_POLICY_NODES / 64 };

/* A thread's policy as set_mempolicy(2) describes it: a mode, with its flags, and nodes. */
struct memory_policy {
	int mode;
	unsigned long nodes[MEMORY_POLICY_WORDS];
};

/*
 * Has the calling thread's memory placed on the node from now on, where it has room. true: it is
 * so, *before is the former policy, and memory_policy_restore must follow in this thread. false:
 * nothing has changed, because the node is unknown (-1), the only one (by files under root, which
 * is "" but in tests) or not allowed to this process, because the kernel refuses, or under a filter
 * of system calls, which may end the program for these. errno is kept.
 */
bool memory_policy_prefer(const char *root, int node, struct memory_policy *before);
void memory_policy_restore(const struct memory_policy *before);

/* The two calls of the kernel, which return 0 on success. NULL: the real ones. For tests. */
struct memory_policy_kernel {
	int (*get)(struct memory_policy *policy);
	int (*set)(const struct memory_policy *policy);
};
void memory_policy_use_kernel(const struct memory_policy_kernel *kernel);

#endif
