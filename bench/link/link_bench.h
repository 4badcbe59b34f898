/* link_bench.h - what bench/link measures, part by part; each part prints its table and fills its figures */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_LINK_LINK_BENCH_H
#define GPUSHIM_BENCH_LINK_LINK_BENCH_H

#include "measure/device.h"

/* Rates per second, as in policy/machine/machine.h; 0: not measured. */
struct link_figures {
	double up_bytes, down_bytes; /* page-locked memory, one direction alone, the best chunk */
	double duplex; /* the part of its rate that a direction keeps while both move: mean of the two */
	double operation_ns, call_fixed_ns;
	double gpu_gemm_flops[ELEMENT_COUNT], gpu_fft_flops[ELEMENT_COUNT];
	double cpu_gemm_flops[ELEMENT_COUNT], cpu_fft_flops[ELEMENT_COUNT];
};

/* quick: sizes with which everything runs once in a moment, and no figure means anything. */
struct link_bench {
	struct device device;
	bool quick;
	struct link_figures figures;
};

/* Copies of 1 to 64 MB: page-locked one way and both ways at once, and pageable. */
void link_copy_measure(struct link_bench *bench);

/* Page-locking a program's memory, on small and on huge pages, and whether VmPin tells of it. */
void link_register_measure(const struct link_bench *bench);

/*
 * Packing into a ring of page-locked memory and back by 1 to 16 threads, alone and with the copies
 * behind it.
 */
void link_stage_measure(const struct link_bench *bench);

/* Products of the shapes of panels, large ones, a second of them on end, and large transforms. */
void link_kernel_measure(struct link_bench *bench);

/* What an operation costs beside its work: launches, copies, events, one whole small call. */
void link_operation_measure(struct link_bench *bench);

/* Products and transforms by the CPU libraries that the loader finds; says which it does not. */
void link_cpu_measure(struct link_bench *bench);

#endif
