/* doctor_gpu.c - the doctor's section on driver, devices and CUDA libraries */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "shim/execute/gpu/cuda/cuda.h"

static void doctor_gpu_print_driver_library(void)
{
	struct link_map *map = NULL;
	void *handle = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (handle == NULL)
		say_fact("driver library libcuda.so.1: not found (%s)", dlerror());
	else if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0)
		say_fact("driver library: %s", map->l_name);
}

static void doctor_gpu_print_devices(void)
{
	glob_t found = {0};
	if (glob("/dev/nvidia[0-9]*", 0, NULL, &found) == 0)
		say_fact("device files: %zu (%s ...)", (size_t)found.gl_pathc, found.gl_pathv[0]);
	else
		say_fact("device files: none (/dev/nvidia*)");
	globfree(&found);
}

static void doctor_gpu_print_module(void)
{
	char line[256] = "";
	FILE *file = fopen("/proc/driver/nvidia/version", "re");
	if (file != NULL && fgets(line, sizeof line, file) != NULL)
		line[strcspn(line, "\n")] = '\0';
	if (file != NULL)
		fclose(file);
	say_fact("kernel module: %s",
	         line[0] != '\0' ? line : "not loaded (/proc/driver/nvidia/version)");
}

/* Asking for the memory starts CUDA on the device, as a call would. */
static void doctor_gpu_print_memory(const struct cuda_set *set, const struct cuda_device *card)
{
	static const size_t megabyte = 1000000;
	size_t free_bytes = 0, total_bytes = 0;
	int error = set->api.set_device(card->number);
	if (error == CUDA_SUCCESS)
		error = set->api.mem_get_info(&free_bytes, &total_bytes);
	if (error != CUDA_SUCCESS)
		say_fact("CUDA does not start on GPU %d: %s", card->number,
		         set->api.get_error_string(error));
	else
		say_fact(
			"memory of GPU %d: %zu MB, of which %zu MB are free and %zu MB are held by "
			"CUDA itself and by other programs",
			card->number, total_bytes / megabyte, free_bytes / megabyte,
			(total_bytes - free_bytes) / megabyte);
}

static void doctor_gpu_print_card(const struct cuda_set *set, const struct cuda_device *card)
{
	char node[32] = "";
	if (card->numa_node >= 0)
		snprintf(node, sizeof node, ", NUMA node %d", card->numa_node);
	say_fact("GPU %d of %d, compute capability %d.%d, %d multiprocessors%s%s%s", card->number,
	         set->device_count, card->capability / 10, card->capability % 10,
	         card->multiprocessors, card->pci_bus_id[0] != '\0' ? ", PCI " : "",
	         card->pci_bus_id, node);
	doctor_gpu_print_memory(set, card);
}

static void doctor_gpu_print_set(const struct cuda_set *set)
{
	static const char *const name[CUDA_LIBRARY_COUNT] = {"cudart", "cublas", "cufft"};
	say_fact("taken: CUDA %d, runtime %d.%d, driver for CUDA %d.%d", set->major,
	         set->runtime_version / 1000, set->runtime_version % 1000 / 10,
	         set->driver_version / 1000, set->driver_version % 1000 / 10);
	for (int i = 0; i < CUDA_LIBRARY_COUNT; i++)
		say_fact("%s: %s", name[i], set->path[i]);
	for (int i = 0; i < set->count; i++)
		doctor_gpu_print_card(set, &set->devices[i]);
}

/* Folders that do not exist are passed over silently, except the one that the user named. */
static void doctor_gpu_check_path(const char *cuda_path)
{
	struct stat status;
	if (cuda_path[0] != '\0' && (stat(cuda_path, &status) != 0 || !S_ISDIR(status.st_mode)))
		say_fact("not searched: %s, which the option cuda_path names, is no folder",
		         cuda_path);
}

static void doctor_gpu_print_search(const struct cuda_search *search)
{
	for (int i = 0; i < search->place_count; i++)
		say_fact("searched: %s",
		         search->place[i][0] != '\0' ? search->place[i] : "the loader's own path");
	if (search->relative != NULL)
		say_fact("not searched: %s holds no absolute path", search->relative);
	if (search->planted)
		say_fact("not searched: an element of LD_LIBRARY_PATH is no absolute path, and "
		         "leads to CUDA's libraries in the working directory");
	for (int i = 0; i < search->refusal_count && i < CUDA_REFUSALS; i++)
		say_fact("%s: CUDA %d: %s", search->refusal[i].device < 0 ? "refused" : "left out",
		         search->refusal[i].major, search->refusal[i].sentence);
	if (search->refusals_dropped > 0)
		say_fact("refused: %d more", search->refusals_dropped);
}

void doctor_gpu_print(struct doctor *doctor)
{
	static struct cuda_set set;
	static struct cuda_search search;
	say_section("driver");
	doctor_gpu_print_driver_library();
	doctor_gpu_print_module();
	doctor_gpu_print_devices();
	say_section("CUDA libraries");
	fflush(stdout);
	doctor->gpu =
		cuda_open(doctor->options.cuda_path, doctor->options.devices, NULL, &set, &search);
	doctor_gpu_check_path(doctor->options.cuda_path);
	doctor_gpu_print_search(&search);
	if (doctor->gpu == REASON_NONE)
		doctor_gpu_print_set(&set);
	else
		say_fact("the GPU cannot be used: %s", reason_sentence(doctor->gpu));
}
