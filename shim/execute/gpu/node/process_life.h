/* process_life.h - whether a process still is the one that it was */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_PROCESS_LIFE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_PROCESS_LIFE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A process of this machine. The kernel gives its number to another one later. */
struct process_life {
	pid_t pid;
	uint64_t start; /* in the kernel's ticks since its own start; 0: unknown */
	uint64_t space; /* stands for the space of numbers, such as a container's, that pid is of */
};

/* The calling process. root: "", or a test's folder in the place of /. */
struct process_life process_life_own(const char *root);

/* Nanoseconds since the calling process was made, to a hundredth of a second; 0: unknown. */
int64_t process_life_age_ns(const char *root);

/* In whose space this process cannot look. */
bool process_life_is_foreign(const struct process_life *life, uint64_t space);

/*
 * Whether it lives, of a process of the own space. One that has ended does not live while its
 * parent has yet to ask for its status.
 */
bool process_life_goes_on(const char *root, const struct process_life *life);

#endif
