/* link_register.c - the cost of page-locking a program's memory, and whether VmPin counts it */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/link/link_bench.h"
#include "policy/text/human.h"

/* Reads a line "name   N kB" of a file of /proc; -1 where there is none. */
static long link_register_read_kib(const char *path, const char *name)
{
	char line[256];
	long kib = -1;
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return -1;
	while (kib < 0 && fgets(line, sizeof line, file) != NULL)
		if (strncmp(line, name, strlen(name)) == 0)
			kib = strtol(line + strlen(name), NULL, 10);
	fclose(file);
	return kib;
}

static void link_register_print_pages(const struct link_bench *bench, size_t size_bytes,
                                      const char *pages, int advice)
{
	const struct cuda_api *api = &bench->device.set.api;
	const double gigabytes = (double)size_bytes / 1e9;
	char *memory =
		mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return;
	const long huge_before =
		link_register_read_kib("/proc/self/smaps_rollup", "AnonHugePages:");
	const int refused = madvise(memory, size_bytes, advice);
	memset(memory, 1, size_bytes);
	const long huge =
		link_register_read_kib("/proc/self/smaps_rollup", "AnonHugePages:") - huge_before;
	const long before = link_register_read_kib("/proc/self/status", "VmPin:");
	for (int time = 1; time <= 2; time++) {
		const double begin = device_seconds();
		const int error = api->host_register(memory, size_bytes, 0);
		const double middle = device_seconds();
		if (error != CUDA_SUCCESS) {
			printf("%-12s cudaHostRegister: %s\n", pages, api->get_error_string(error));
			api->get_last_error();
			break;
		}
		const long within = link_register_read_kib("/proc/self/status", "VmPin:");
		const double end = device_seconds();
		device_check(&bench->device, api->host_unregister(memory), "cudaHostUnregister");
		printf("%-12s %d  %8.3f s/GB %8.3f s/GB   VmPin %+ld KiB, huge pages %ld KiB%s\n",
		       pages, time, (middle - begin) / gigabytes,
		       (device_seconds() - end) / gigabytes, within - before, huge,
		       refused != 0 ? " (advice refused)" : "");
	}
	munmap(memory, size_bytes);
}

void link_register_measure(struct link_bench *bench)
{
	const size_t size_bytes = bench->quick ? (size_t)4 << 20 : (size_t)1 << 30;
	if (bench->device.set.api.host_register == NULL ||
	    bench->device.set.api.host_unregister == NULL) {
		printf("page-locking: not measured, this CUDA has no cudaHostRegister\n\n");
		return;
	}
	char size[HUMAN_BYTES];
	human_format_size(size_bytes, size);
	printf("page-locking %s of a program's memory: cudaHostRegister, cudaHostUnregister\n",
	       size);
	link_register_print_pages(bench, size_bytes, "4K pages", MADV_NOHUGEPAGE);
	link_register_print_pages(bench, size_bytes, "huge pages", MADV_HUGEPAGE);
	printf("\n");
}
