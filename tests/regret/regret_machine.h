/* regret_machine.h - five machines on which traces are replayed, and profiles of them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_REGRET_MACHINE_H
#define GPUSHIM_TESTS_REGRET_REGRET_MACHINE_H

#include "policy/machine/machine.h"

enum { REGRET_MACHINES = 5 };

/*
 * Rates in Gflop/s and GB/s: of a core, with large products and with transforms in its cache; of
 * all cores, where memory limits a transform; of both memories. gpu_fft: Z; C has twice as much.
 * Links: as the shim stages operands.
 */
struct regret_row {
	const char *name;
	int threads, capability, multiprocessors;
	double core_gflops, core_fft_gflops, memory_fft_gflops, memory_gb;
	double gpu_tflops_s, gpu_tflops_d, gpu_fft_gflops, gpu_memory_gb;
	double link_up_gb, link_down_gb, duplex, operation_us, fixed_us, start_ms, plan_ms;
};

const struct regret_row *regret_machine_find(int index);

/* The profile that a process begins with: that of the machine, that of another machine, or none. */
enum regret_belief { REGRET_RIGHT, REGRET_WRONG, REGRET_NONE, REGRET_BELIEFS };

/* The machine's name, and the number of threads that the CPU library has on it. */
const char *regret_machine_name(int index);
int regret_machine_threads(int index);

/* The time that CUDA's start takes. */
double regret_machine_start_ns(int index);

/* The complete profile of machine index. */
void regret_machine_fill(int index, struct machine *machine);

/* The profile that a process on machine index begins with. */
void regret_machine_believe(int index, enum regret_belief belief, struct machine *machine);

/*
 * The profile after CUDA's start, whose warm-up measured links, operations and products to within
 * 15 %, while so many processes did the same on the same GPU.
 */
void regret_machine_look(int index, enum regret_belief belief, int processes,
                         struct machine *machine);

#endif
