/* link.c - measures the link to the GPU, kernels and the host's copies; writes a machine profile */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/link/link_bench.h"

/* The exit status of all programs of this folder where there is no GPU. */
enum { LINK_SKIPPED = 77 };

static void link_print_head(const struct link_bench *bench)
{
	const struct cuda_set *set = &bench->device.set;
	const struct cuda_device *gpu = &set->devices[0];
	if (bench->device.simulated)
		printf("SIMULATED: this is the CUDA of the tests; no figure below is a speed\n");
	if (bench->quick)
		printf("QUICK: sizes so small that no figure below means anything\n");
	printf("%s, compute capability %d.%d, %d multiprocessors; CUDA runtime %d.%d, driver "
	       "for %d.%d\n\n",
	       bench->device.name, gpu->capability / 10, gpu->capability % 10, gpu->multiprocessors,
	       set->runtime_version / 1000, set->runtime_version % 1000 / 10,
	       set->driver_version / 1000, set->driver_version % 1000 / 10);
	fflush(stdout);
}

static void link_write_rates(FILE *file, const char *key, const double rate[ELEMENT_COUNT])
{
	for (enum element element = ELEMENT_S; element <= ELEMENT_Z; element++)
		if (rate[element] > 0)
			fprintf(file, "%s_%c = %.4g\n", key, "sdcz"[element], rate[element]);
}

static void link_write_number(FILE *file, const char *key, double value)
{
	if (value > 0)
		fprintf(file, "%s = %.4g\n", key, value);
}

static void link_write_link(FILE *file, const struct link_figures *figures)
{
	fprintf(file, "# Ordinary memory by the shim's engine, page-locked memory, ordinary memory "
	              "by cudaMemcpy.\n");
	link_write_number(file, "link_up_bytes", figures->up_staged_bytes);
	link_write_number(file, "link_down_bytes", figures->down_staged_bytes);
	link_write_number(file, "link_up_pinned_bytes", figures->up_pinned_bytes);
	link_write_number(file, "link_down_pinned_bytes", figures->down_pinned_bytes);
	link_write_number(file, "link_up_pageable_bytes", figures->up_pageable_bytes);
	link_write_number(file, "link_down_pageable_bytes", figures->down_pageable_bytes);
	link_write_number(file, "link_duplex", figures->duplex);
}

/* Writes what is known so far, as policy/machine/machine.h reads it. */
static void link_write_figures(FILE *file, const struct link_bench *bench)
{
	const struct link_figures *figures = &bench->figures;
	const struct cuda_device *gpu = &bench->device.set.devices[0];
	fprintf(file, "# %s: measured by bench/link%s%s\n", bench->device.name,
	        bench->device.simulated
	                ? " on the SIMULATED CUDA of the tests: no machine is like this"
	                : "",
	        bench->quick ? ", QUICK: no figure means anything" : "");
	fprintf(file, "name = \"%.100s%s\"\n", bench->device.name, bench->quick ? " (quick)" : "");
	link_write_link(file, figures);
	link_write_number(file, "gpu_multiprocessors", gpu->multiprocessors);
	link_write_number(file, "gpu_capability", gpu->capability);
	link_write_number(file, "operation_ns", figures->operation_ns);
	link_write_number(file, "copy_ns", figures->copy_ns);
	link_write_number(file, "call_fixed_ns", figures->call_fixed_ns);
	link_write_number(file, "start_ns", figures->start_ns);
	link_write_number(file, "fft_plan_ns", figures->fft_plan_ns);
	link_write_rates(file, "gpu_gemm_flops", figures->gpu_gemm_flops);
	link_write_rates(file, "gpu_fft_flops", figures->gpu_fft_flops);
	link_write_rates(file, "cpu_gemm_flops", figures->cpu_gemm_flops);
	link_write_rates(file, "cpu_fft_flops", figures->cpu_fft_flops);
}

/* Replaces the profile by one that holds all figures so far. The program ends where it cannot. */
static void link_write_profile(const struct link_bench *bench, const char *path)
{
	char *partial = NULL;
	if (path == NULL)
		return;
	FILE *file = asprintf(&partial, "%s.part", path) < 0 ? NULL : fopen(partial, "we");
	if (file != NULL)
		link_write_figures(file, bench);
	if (file == NULL || fclose(file) != 0 || rename(partial, path) != 0) {
		perror(path);
		exit(1);
	}
	free(partial);
}

/* The first parts fill the profile, which is written after each. */
enum { LINK_BRIEF_PARTS = 5 };
static void link_measure_all(struct link_bench *bench, const char *profile)
{
	static void (*const parts[])(struct link_bench * bench) = {
		link_rates_measure_copies, link_engine_measure,    link_rates_measure_operations,
		link_kernel_measure,       link_rates_measure_cpu, link_stage_measure,
		link_register_measure,
	};
	const size_t count = bench->brief ? LINK_BRIEF_PARTS : sizeof parts / sizeof parts[0];
	for (size_t i = 0; i < count; i++) {
		parts[i](bench);
		link_write_profile(bench, profile);
	}
}

static int link_refuse_arguments(void)
{
	fprintf(stderr,
	        "usage: link [--quick] [--brief] [--profile FILE]\n"
	        "--brief: only what the profile needs; FILE: where the machine profile goes\n");
	return 2;
}

int main(int argc, char **argv)
{
	static struct link_bench bench;
	char sentence[CUDA_SENTENCE_BYTES];
	const char *profile = NULL;
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--quick") == 0)
			bench.quick = true;
		else if (strcmp(argv[i], "--brief") == 0)
			bench.brief = true;
		else if (strcmp(argv[i], "--profile") == 0 && i + 1 < argc)
			profile = argv[++i];
		else
			return link_refuse_arguments();
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!device_open(&bench.device, sentence)) {
		printf("link: skipped, %s\n", sentence);
		return LINK_SKIPPED;
	}
	link_print_head(&bench);
	link_measure_all(&bench, profile);
	return 0;
}
