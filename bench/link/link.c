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

/* Writes a profile as policy/machine/machine.h reads it. false where the file cannot be written. */
static bool link_write_profile(const struct link_bench *bench, const char *path)
{
	const struct link_figures *figures = &bench->figures;
	FILE *file = fopen(path, "we");
	if (file == NULL)
		return false;
	fprintf(file, "# %s: measured by bench/link%s%s\n", bench->device.name,
	        bench->device.simulated
	                ? " on the SIMULATED CUDA of the tests: no machine is like this"
	                : "",
	        bench->quick ? ", QUICK: no figure means anything" : "");
	fprintf(file, "name = \"%.100s%s\"\n", bench->device.name, bench->quick ? " (quick)" : "");
	fprintf(file, "# Of page-locked memory, one direction alone.\n");
	fprintf(file, "link_up_bytes = %.4g\nlink_down_bytes = %.4g\n", figures->up_bytes,
	        figures->down_bytes);
	fprintf(file, "link_duplex = %.3f\n", figures->duplex);
	fprintf(file, "gpu_multiprocessors = %d\n", bench->device.set.devices[0].multiprocessors);
	fprintf(file, "operation_ns = %.4g\ncall_fixed_ns = %.4g\n", figures->operation_ns,
	        figures->call_fixed_ns);
	link_write_rates(file, "gpu_gemm_flops", figures->gpu_gemm_flops);
	link_write_rates(file, "gpu_fft_flops", figures->gpu_fft_flops);
	link_write_rates(file, "cpu_gemm_flops", figures->cpu_gemm_flops);
	link_write_rates(file, "cpu_fft_flops", figures->cpu_fft_flops);
	return fclose(file) == 0;
}

static int link_refuse_arguments(void)
{
	fprintf(stderr,
	        "usage: link [--quick] [--profile FILE]    FILE: where the machine profile goes\n");
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
		else if (strcmp(argv[i], "--profile") == 0 && i + 1 < argc)
			profile = argv[++i];
		else
			return link_refuse_arguments();
	if (!device_open(&bench.device, sentence)) {
		printf("link: skipped, %s\n", sentence);
		return LINK_SKIPPED;
	}
	link_print_head(&bench);
	link_rates_measure_copies(&bench);
	link_stage_measure(&bench);
	link_kernel_measure(&bench);
	link_rates_measure_operations(&bench);
	link_register_measure(&bench);
	link_rates_measure_cpu(&bench);
	if (profile != NULL && !link_write_profile(&bench, profile)) {
		perror(profile);
		return 1;
	}
	return 0;
}
