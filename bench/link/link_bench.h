/* link_bench.h - the parts of bench/link; each prints its table and fills its figures */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_LINK_LINK_BENCH_H
#define GPUSHIM_BENCH_LINK_LINK_BENCH_H

#include "measure/device.h"

/* Rates per second, as in policy/machine/machine.h; 0: not measured. */
struct link_figures {
	/* page-locked memory, one direction alone, the best chunk; pageable memory, likewise */
	double up_pinned_bytes, down_pinned_bytes, up_pageable_bytes, down_pageable_bytes;
	double duplex; /* share of its rate that a direction keeps while both move; mean of both */
	double up_staged_bytes, down_staged_bytes; /* ordinary memory, by the shim's engine */
	double start_ns, operation_ns, copy_ns, call_fixed_ns, fft_plan_ns;
	double gpu_gemm_flops[ELEMENT_COUNT], gpu_fft_flops[ELEMENT_COUNT];
	double cpu_gemm_flops[ELEMENT_COUNT], cpu_fft_flops[ELEMENT_COUNT];
};

/*
 * quick: small sizes, with which everything runs once; no figure means anything. brief: only what
 * the profile needs.
 */
struct link_bench {
	struct device device;
	bool quick, brief;
	struct link_figures figures;
};

/* Copies of 1 to 64 MB: page-locked one way and both ways at once, and pageable. */
void link_rates_measure_copies(struct link_bench *bench);

/* Page-locking a program's memory, on small and on huge pages, and whether VmPin counts it. */
void link_register_measure(struct link_bench *bench);

/* The start of the shim's engine, and its copies of operands in ordinary memory. */
void link_engine_measure(struct link_bench *bench);

/*
 * Copies into a ring of page-locked memory and back by 1 to 16 threads, alone and with the link's
 * copies behind them.
 */
void link_stage_measure(struct link_bench *bench);

/*
 * Products of the shapes of panels, large products, a second of them without a pause, and large
 * transforms.
 */
void link_kernel_measure(struct link_bench *bench);

/* The cost of an operation beside its work: launches, copies, events, one whole small call. */
void link_rates_measure_operations(struct link_bench *bench);

/*
 * Products and transforms by the CPU libraries that the loader finds; prints which it does not
 * find.
 */
void link_rates_measure_cpu(struct link_bench *bench);

#endif
