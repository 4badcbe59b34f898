/* regret_machine.h - the five machines on which traces are replayed, and what a policy may believe of them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_REGRET_MACHINE_H
#define GPUSHIM_TESTS_REGRET_REGRET_MACHINE_H

#include "policy/machine/machine.h"

enum { REGRET_MACHINES = 5 };

/* What a process begins with: the machine's own profile, another machine's, none at all. */
enum regret_belief { REGRET_RIGHT, REGRET_WRONG, REGRET_NONE, REGRET_BELIEFS };

/* Their names, and the threads that the CPU library has there. */
const char *regret_machine_name(int index);
int regret_machine_threads(int index);

/* What CUDA's start takes. */
double regret_machine_start_ns(int index);

/* What machine index is capable of, complete. */
void regret_machine_fill(int index, struct machine *machine);

/* The profile that a process on machine index begins with. */
void regret_machine_believe(int index, enum regret_belief belief, struct machine *machine);

/*
 * The same once CUDA has started: the warm-up had a quick look at links, operations and products,
 * to within 15 %.
 */
void regret_machine_look(int index, enum regret_belief belief, struct machine *machine);

#endif
