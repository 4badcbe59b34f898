/* machine_assume.c - assumptions for what a profile does not say */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/machine/machine.h"
#include "policy/machine/panel_rates.h"

/*
 * One core of a server: 30 Gflop/s of DGEMM (2 to 3 GHz and 16 operations per cycle, less memory's
 * share; the lower end of the usual). Transforms in double precision by measured plans: 4 Gflop/s,
 * between 5.8 at 2^10 points and 2.3 at 2^23; one core of an i7-6700K takes 38.2 ms for 2^20
 * points, 2.7 Gflop/s (hurdad's cuFFTW benchmark). Estimated plans: half of that; FFTW 3.3.6 on 40
 * threads of a Broadwell reaches 18 of 35 Gflop/s at 2^21 points and 11.5 of 25 at 2^22
 * (gearshifft). Single precision is twice as fast, complex as fast as real.
 */
static const double assume_core_gemm_flops = 30e9, assume_core_fft_flops = 4e9,
		    assume_estimated = 0.5, assume_single = 2;

/*
 * What one core reads of memory: between 17 GB/s alone and a share of 37 for eight (a desktop of
 * two channels, Arrow issue 3378). A device's own memory: 0.8 of the data sheet.
 */
static const double assume_core_memory_bytes = 12e9, assume_device_memory = 0.8;

/*
 * The time of a transform on the device beside its flops: 42 us in one dimension and 85 in three
 * are cuFFT's least on a P100; 50 in two, where 512 x 512 points take 56 us and 1024 x 1024 140
 * (gearshifft, CUDA 9).
 */
static const double assume_fft_floor_ns[FFT_GPU_RANK] = {42e3, 50e3, 85e3};

/*
 * Clock cycles that trsm takes for each row of its triangle beside its flops at the rate of gemm:
 * 1.0 to 1.5 us at 0.875 GHz on a K40 (clBLAS, doc/performance/cuBLAS_7.0/Tesla_K40: 781 us for
 * order 576, 3.02 ms for 1152, where gemm's rate gives 159 us and 1.27 ms).
 */
static const double assume_trsm_row_cycles = 1000;

/*
 * Threads of a machine that gives no number: more than any has, so that each thread of a caller
 * counts as one.
 */
enum { ASSUME_THREADS = 256 };

/*
 * Rates relative to a copy from page-locked memory: the shim reaches this share through its rings
 * (assumption: one copy thread moves 18 GB/s, bench/results, and there are a few), and cudaMemcpy
 * from ordinary memory half of it, at most 10 GB/s: 10 to 17 on an H200 (DeepSpeed pull request
 * 8283), 8 on an H100 (kvikio issue 456), 9.6 on an RTX 5090 (kekzl/imp issue 1409).
 */
static const double assume_staged = 0.8, assume_pageable = 0.5, assume_pageable_bytes = 10e9;

/*
 * cuFFT is bound by the card's memory. Two passes over 2^24 points, each reading and writing 16
 * bytes per double complex number, and half of that rate: 0.94 operations per byte. It is at most
 * half as fast as the card's products.
 */
static const double assume_fft_per_byte = 5.0 * 24 / (2 * 2 * 16) / 2, assume_fft_of_gemm = 0.5;

/*
 * Fixed cost of a call: 30 us, between the 20 us of a GTX 1080 (hurdad's cuFFTW benchmark) and the
 * 65 us of a K80 (gearshifft) for the smallest complete round trip. Start: 500 ms; the context
 * alone takes 130 ms (openqmc issue 111) to 500 ms (cuInit, nvtrust issue 113), and handles and
 * staging follow. A cuFFT plan: 10 ms, between the 0.8 to 4 ms of CUDA 8 (gearshifft) and the 150
 * ms since 11.3 (gadgetron issue 1016), which are paid when no other plan is kept; the shim keeps
 * its plans.
 */
static const double assume_call_ns = 30e3, assume_start_ns = 500e6, assume_plan_ns = 10e6;

/*
 * Start of cuSOLVER: loading its library and cuSPARSE takes 10 ms from the page cache, and 1.4 s
 * from a disk (12.0.4, 31 MB of memory); the handle, which loads kernels: assumption.
 */
static const double assume_solver_ns = 300e6;

/*
 * A card that was not seen yet is taken for an A100, the usual card of a server. A slower one would
 * never start CUDA on machines where it pays; a faster one costs at most one start, after which the
 * card is known.
 */
enum { ASSUME_CAPABILITY = 80, ASSUME_UNITS = 108 };

static void machine_assume_fill(double *field, double value)
{
	if (!(*field > 0))
		*field = value;
}

static double machine_assume_larger(double a, double b)
{
	return a > b ? a : b;
}

/*
 * The rate of large problems that the profile gives for an element: from the ends of its curves, or
 * flat.
 */
static double machine_assume_known(const struct machine *machine, enum machine_side side,
                                   enum family family, enum element element)
{
	const int threads = machine->cpu_threads >= 1 && machine->cpu_threads < ASSUME_THREADS
	                            ? (int)machine->cpu_threads
	                            : ASSUME_THREADS;
	return machine_find_rate(machine, side, family, element, MACHINE_SIZE_MOST, threads);
}

/* The same for transforms by estimated plans, 0 if no figure is theirs. */
static double machine_assume_known_estimate(const struct machine *machine, enum element element)
{
	const bool known = machine->cpu_fft_estimate_flops[element] > 0 ||
	                   machine->first_estimated[FAMILY_FFT_C2C][element] != 0;
	return known ? machine_find_fft_rate(machine, FFT_ESTIMATED, FAMILY_FFT_C2C, element,
	                                     MACHINE_SIZE_MOST, ASSUME_THREADS)
	             : 0;
}

/* The CPU's rate for doubles, derived from any element that is known, else 0. */
static double machine_assume_known_double(const struct machine *machine, enum family family)
{
	static const enum element order[] = {ELEMENT_D, ELEMENT_Z, ELEMENT_S, ELEMENT_C};
	for (int i = 0; i < ELEMENT_BLAS_COUNT; i++) {
		const double rate = machine_assume_known(machine, MACHINE_CPU, family, order[i]);
		if (rate > 0)
			return order[i] == ELEMENT_S || order[i] == ELEMENT_C ? rate / assume_single
			                                                      : rate;
	}
	return 0;
}

static void machine_assume_fill_cpu(struct machine *machine, enum family family,
                                    double double_flops, double *field)
{
	for (int element = 0; element < ELEMENT_BLAS_COUNT; element++) {
		const double known =
			machine_assume_known(machine, MACHINE_CPU, family, (enum element)element);
		const bool single = element == ELEMENT_S || element == ELEMENT_C;
		if (family == FAMILY_GEMM || element >= ELEMENT_C)
			machine_assume_fill(
				&field[element],
				known > 0 ? known : double_flops * (single ? assume_single : 1));
	}
}

/*
 * Estimated plans where the profile says nothing of them: as fast as measured ones if it knows
 * those (it does not tell the two apart), else by the assumption, in which share is their part.
 */
static void machine_assume_estimated(struct machine *machine, double share)
{
	double *field = machine->cpu_fft_estimate_flops;
	const double c = machine_assume_known_estimate(machine, ELEMENT_C),
		     z = machine_assume_known_estimate(machine, ELEMENT_Z);
	machine_assume_fill(&field[ELEMENT_C], c > 0   ? c
	                                       : z > 0 ? z * assume_single
	                                               : machine->cpu_fft_flops[ELEMENT_C] * share);
	machine_assume_fill(&field[ELEMENT_Z], z > 0   ? z
	                                       : c > 0 ? c / assume_single
	                                               : machine->cpu_fft_flops[ELEMENT_Z] * share);
}

/*
 * Rates that are known without a number of threads hold for any number, and give an estimate of the
 * cores.
 */
static void machine_assume_cpu(struct machine *machine)
{
	double gemm = machine_assume_known_double(machine, FAMILY_GEMM),
	       fft = machine_assume_known_double(machine, FAMILY_FFT_C2C);
	double threads = machine->cpu_threads;
	if (!(threads >= 1))
		threads = gemm > 0 ? machine_assume_larger(1, gemm / assume_core_gemm_flops)
		                   : ASSUME_THREADS;
	if (!(gemm > 0) && !(fft > 0))
		machine_assume_fill(&machine->cpu_threads, threads);
	if (!(gemm > 0))
		gemm = assume_core_gemm_flops * threads;
	const double counted = machine_count_threads(FAMILY_FFT_C2C, threads),
		     share = fft > 0 ? 1 : assume_estimated;
	/* A profile may call all of a machine one thread. */
	const double cores = machine_assume_larger(threads, gemm / assume_core_gemm_flops);
	if (!(fft > 0))
		fft = assume_core_fft_flops * counted;
	machine_assume_fill_cpu(machine, FAMILY_GEMM, gemm, machine->cpu_gemm_flops);
	machine_assume_fill_cpu(machine, FAMILY_FFT_C2C, fft, machine->cpu_fft_flops);
	machine_assume_estimated(machine, share);
	machine_assume_fill(&machine->cpu_memory_bytes,
	                    assume_core_memory_bytes *
	                            machine_count_threads(FAMILY_FFT_C2C, cores));
}

static void machine_assume_gpu_fft(struct machine *machine, int capability, int units)
{
	const double memory_bytes = panel_rates_find_memory(capability, units);
	for (int element = ELEMENT_C; element <= ELEMENT_Z; element++) {
		const double known = machine_assume_known(machine, MACHINE_GPU, FAMILY_FFT_C2C,
		                                          (enum element)element);
		const double moved = memory_bytes * assume_fft_per_byte *
		                     (element == ELEMENT_C ? assume_single : 1);
		const double worked = machine->gpu_gemm_flops[element] * assume_fft_of_gemm;
		machine_assume_fill(&machine->gpu_fft_flops[element], known > 0        ? known
		                                                      : moved < worked ? moved
		                                                                       : worked);
	}
}

static void machine_assume_gpu(struct machine *machine, int capability, int multiprocessors)
{
	struct panel_rates rates = {.units = 0};
	for (int element = 0; element < ELEMENT_BLAS_COUNT; element++) {
		rates = panel_rates_find(machine, (enum element)element, capability,
		                         multiprocessors);
		const double known = machine_assume_known(machine, MACHINE_GPU, FAMILY_GEMM,
		                                          (enum element)element);
		machine_assume_fill(&machine->gpu_gemm_flops[element],
		                    known > 0 ? known : rates.work_flops_s);
	}
	machine_assume_gpu_fft(machine, capability, rates.units);
	machine_assume_fill(&machine->gpu_multiprocessors, rates.units);
	machine_assume_fill(&machine->gpu_count, 1);
	machine_assume_fill(&machine->operation_ns, rates.operation_ns);
	machine_assume_fill(&machine->copy_ns, rates.copy_ns);
	machine->link_duplex = rates.duplex;
	machine_assume_fill(&machine->gpu_memory_bytes,
	                    panel_rates_find_memory(capability, rates.units) *
	                            assume_device_memory);
	for (int rank = 0; rank < FFT_GPU_RANK; rank++)
		machine_assume_fill(&machine->gpu_fft_floor_ns[rank], assume_fft_floor_ns[rank]);
	machine_assume_fill(&machine->gpu_trsm_row_ns,
	                    assume_trsm_row_cycles / panel_rates_find_clock(capability));
}

static void machine_assume_link(double *staged, double *pinned, double *pageable, double card_bytes)
{
	machine_assume_fill(pinned, machine_assume_larger(card_bytes, *staged));
	machine_assume_fill(staged, *pinned * assume_staged);
	const double half = *pinned * assume_pageable;
	machine_assume_fill(pageable, half < assume_pageable_bytes ? half : assume_pageable_bytes);
}

void machine_assume(struct machine *machine, int capability, int multiprocessors)
{
	const double said = machine->gpu_capability;
	const int known = capability > 0                   ? capability
	                  : said >= 1 && said <= INT16_MAX ? (int)said
	                                                   : 0;
	const int seen = known > 0 ? known : ASSUME_CAPABILITY;
	const int units = multiprocessors > 0 || known > 0 ? multiprocessors : ASSUME_UNITS;
	const struct panel_rates card = panel_rates_find(NULL, ELEMENT_D, seen, units);
	machine_assume_cpu(machine);
	machine_assume_gpu(machine, seen, units);
	machine_assume_link(&machine->link_up_bytes, &machine->link_up_pinned_bytes,
	                    &machine->link_up_pageable_bytes, card.up_bytes_s);
	machine_assume_link(&machine->link_down_bytes, &machine->link_down_pinned_bytes,
	                    &machine->link_down_pageable_bytes, card.down_bytes_s);
	machine_assume_fill(&machine->gpu_capability, seen);
	machine_assume_fill(&machine->call_fixed_ns, assume_call_ns);
	machine_assume_fill(&machine->start_ns, assume_start_ns);
	machine_assume_fill(&machine->fft_plan_ns, assume_plan_ns);
	machine_assume_fill(&machine->solver_start_ns, assume_solver_ns);
}
