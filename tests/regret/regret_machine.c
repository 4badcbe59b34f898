/* regret_machine.c - five machines on which traces are replayed, and profiles of them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/regret/regret_machine.h"

#include <stdio.h>

#include "measure/random.h"

/*
 * From a weak GPU on a slow link to a strong one on a fast link. The figures lie in the range of
 * public ones for such cards and were not measured.
 */
static const struct regret_row regret_rows[REGRET_MACHINES] = {
	{"t4", 4, 75, 40, 38, 3.5, 9, 40, 4.2, 0.24, 150, 240, 8.5, 8, 0.9, 9, 35, 420, 0.9},
	{"v100", 16, 70, 80, 32, 2.8, 25, 110, 13.5, 6.6, 900, 800, 10.5, 10, 0.85, 10, 40, 500,
         1.2},
	{"a100", 1, 80, 108, 45, 3.8, 6, 20, 18.4, 17.5, 1800, 1400, 21, 20, 0.8, 8, 30, 450, 1},
	{"h200", 32, 90, 132, 48, 4, 70, 250, 51, 58, 4500, 4000, 44, 42, 0.92, 8, 30, 600, 1.5},
	{"gh200", 64, 90, 132, 38, 3.2, 110, 400, 51, 60, 4500, 3600, 95, 90, 0.95, 6, 25, 520,
         1.2},
};

const struct regret_row *regret_machine_find(int index)
{
	return &regret_rows[index];
}

static const double regret_looks_wrong = 0.15;
enum { REGRET_WRONG_STEP = 2, REGRET_LOOK_SEED = 77 };

const char *regret_machine_name(int index)
{
	return regret_rows[index].name;
}

int regret_machine_threads(int index)
{
	return regret_rows[index].threads;
}

double regret_machine_start_ns(int index)
{
	return regret_rows[index].start_ms * 1e6;
}

/* Small products leave cores idle, and the more so the more cores there are. */
static void regret_add_products(struct machine *machine, const struct regret_row *row,
                                enum element element)
{
	static const double sizes[] = {8, 24, 64, 128, 256, 512, 1024, 2048, 8192};
	const bool single = element == ELEMENT_S || element == ELEMENT_C;
	const double all = row->core_gflops * 1e9 * (single ? 2 : 1) * row->threads;
	struct machine_curve curve = {.side = MACHINE_CPU,
	                              .family = FAMILY_GEMM,
	                              .element = element,
	                              .threads = row->threads,
	                              .count = sizeof sizes / sizeof sizes[0]};
	for (int i = 0; i < curve.count; i++) {
		curve.point[i].size = sizes[i];
		curve.point[i].rate = all * sizes[i] / (sizes[i] + 20 + 6.0 * (row->threads - 1));
	}
	machine_add_curve(machine, &curve);
	machine->cpu_gemm_flops[element] = all;
	machine->gpu_gemm_flops[element] = (single ? row->gpu_tflops_s : row->gpu_tflops_d) * 1e12;
}

/* In the cache cores limit the rate, beyond it memory does. */
static void regret_add_transforms(struct machine *machine, const struct regret_row *row,
                                  enum element element)
{
	static const double sizes[] = {16, 256, 4096, 65536, 1048576, 16777216};
	const double twice = element == ELEMENT_C ? 2 : 1;
	const double all = row->core_fft_gflops * 1e9 * twice * row->threads,
		     memory = row->memory_fft_gflops * 1e9 * twice;
	struct machine_curve curve = {.side = MACHINE_CPU,
	                              .family = FAMILY_FFT_C2C,
	                              .element = element,
	                              .threads = row->threads,
	                              .count = sizeof sizes / sizeof sizes[0]};
	for (int i = 0; i < curve.count; i++) {
		const double share = i == 0   ? 0.4
		                     : i == 1 ? 0.8
		                              : 1,
			     bound = i < 4 ? 2 * memory : memory;
		curve.point[i].size = sizes[i];
		curve.point[i].rate = all * share < bound ? all * share : bound;
	}
	machine_add_curve(machine, &curve);
	machine->cpu_fft_flops[element] = all < memory ? all : memory;
	machine->gpu_fft_flops[element] = row->gpu_fft_gflops * 1e9 * twice;
}

void regret_machine_fill(int index, struct machine *machine)
{
	const struct regret_row *row = &regret_rows[index];
	*machine = (struct machine){.cpu_threads = row->threads, .gpu_count = 1};
	snprintf(machine->name, sizeof machine->name, "%s", row->name);
	for (int element = 0; element < ELEMENT_BLAS_COUNT; element++)
		regret_add_products(machine, row, (enum element)element);
	regret_add_transforms(machine, row, ELEMENT_C);
	regret_add_transforms(machine, row, ELEMENT_Z);
	machine->link_up_bytes = machine->link_up_pinned_bytes = row->link_up_gb * 1e9;
	machine->link_down_bytes = machine->link_down_pinned_bytes = row->link_down_gb * 1e9;
	machine->link_up_pageable_bytes = machine->link_up_bytes / 2;
	machine->link_down_pageable_bytes = machine->link_down_bytes / 2;
	machine->link_duplex = row->duplex;
	machine->operation_ns = row->operation_us * 1e3;
	machine->gpu_multiprocessors = row->multiprocessors;
	machine->call_fixed_ns = row->fixed_us * 1e3;
	machine->start_ns = row->start_ms * 1e6;
	machine->fft_plan_ns = row->plan_ms * 1e6;
}

void regret_machine_believe(int index, enum regret_belief belief, struct machine *machine)
{
	*machine = (struct machine){.name = ""};
	if (belief == REGRET_RIGHT)
		regret_machine_fill(index, machine);
	else if (belief == REGRET_WRONG)
		regret_machine_fill((index + REGRET_WRONG_STEP) % REGRET_MACHINES, machine);
	else
		machine_assume(machine, 0, 0);
}

static double regret_glance(double rate, int index, unsigned what)
{
	return rate * (1 + 2 * regret_looks_wrong *
	                           random_number(REGRET_LOOK_SEED + (uint64_t)index, what));
}

void regret_machine_look(int index, enum regret_belief belief, int processes,
                         struct machine *machine)
{
	struct machine truth;
	if (belief == REGRET_RIGHT)
		return; /* measured on this machine: the warm-up measures nothing */
	if (belief == REGRET_NONE)
		*machine = (struct machine){.name = ""};
	regret_machine_fill(index, &truth);
	machine->link_up_bytes = regret_glance(truth.link_up_bytes, index, 0) / processes;
	machine->link_down_bytes = regret_glance(truth.link_down_bytes, index, 1) / processes;
	machine->link_duplex = truth.link_duplex;
	machine->operation_ns = regret_glance(truth.operation_ns, index, 2) * processes;
	for (unsigned element = 0; element < ELEMENT_BLAS_COUNT; element++)
		machine->gpu_gemm_flops[element] =
			regret_glance(truth.gpu_gemm_flops[element], index, 3 + element) /
			processes;
	machine->gpu_multiprocessors = truth.gpu_multiprocessors;
	machine_assume(machine, regret_rows[index].capability, regret_rows[index].multiprocessors);
}
