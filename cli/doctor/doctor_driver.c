/* doctor_driver.c - what the kernel and the loader show of NVIDIA's driver and cards */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "shim/execute/gpu/node/kernel_text.h"

static void doctor_driver_find_library(struct doctor *doctor)
{
	struct link_map *map = NULL;
	void *handle = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (handle == NULL) {
		doctor_report_add(&doctor->report, "driver library libcuda.so.1: not found (%s)",
		                  dlerror());
	} else if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0) {
		doctor->driver.file = say_need(strdup(map->l_name));
		doctor_report_add(&doctor->report, "driver library: %s", map->l_name);
	}
}

/* The first line of the module's file; without one it is not loaded. */
static void doctor_driver_find_module(struct doctor *doctor)
{
	char text[KERNEL_TEXT_BYTES];
	doctor->driver.has_module =
		kernel_text_read(cuda_devices_find_root(), "/proc/driver/nvidia", "/version", text);
	if (doctor->driver.has_module)
		text[strcspn(text, "\n")] = '\0';
	doctor_report_add(&doctor->report, "kernel module: %s",
	                  doctor->driver.has_module ? text
	                                            : "not loaded (/proc/driver/nvidia/version)");
}

static void doctor_driver_find_files(struct doctor *doctor)
{
	glob_t found = {0};
	char *pattern = say_text("%s/dev/nvidia[0-9]*", cuda_devices_find_root());
	if (glob(pattern, 0, NULL, &found) == 0)
		doctor_report_add(&doctor->report, "device files: %zu (%s ...)",
		                  (size_t)found.gl_pathc, found.gl_pathv[0]);
	else
		doctor_report_add(&doctor->report, "device files: none (/dev/nvidia*)");
	globfree(&found);
	free(pattern);
}

/* A display or compute device of NVIDIA's. folder is below the root of the kernel's files. */
static bool doctor_driver_is_card(const char *folder)
{
	char vendor[KERNEL_TEXT_BYTES], class[KERNEL_TEXT_BYTES];
	return kernel_text_read(cuda_devices_find_root(), folder, "/vendor", vendor) &&
	       kernel_text_read(cuda_devices_find_root(), folder, "/class", class) &&
	       strncmp(vendor, "0x10de", 6) == 0 && strncmp(class, "0x03", 4) == 0;
}

static void doctor_driver_find_cards(struct doctor *doctor)
{
	glob_t found = {0};
	size_t count = 0;
	const char *root = cuda_devices_find_root();
	char *pattern = say_text("%s/sys/bus/pci/devices/*", root);
	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			count += doctor_driver_is_card(found.gl_pathv[i] + strlen(root));
	globfree(&found);
	free(pattern);
	doctor->driver.has_card = count > 0;
	doctor_report_add(&doctor->report, "NVIDIA cards on the PCI bus: %zu", count);
}

static bool doctor_driver_is_contained(void)
{
	static const char *const files[] = {"/.dockerenv", "/run/.containerenv", "/.singularity.d"};
	bool contained = false;
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		char *path = say_text("%s%s", cuda_devices_find_root(), files[i]);
		contained |= access(path, F_OK) == 0;
		free(path);
	}
	return contained || getenv("KUBERNETES_SERVICE_HOST") != NULL;
}

void doctor_driver_examine(struct doctor *doctor)
{
	doctor_report_begin(&doctor->report, "driver");
	doctor_driver_find_library(doctor);
	doctor_driver_find_module(doctor);
	doctor_driver_find_files(doctor);
	doctor_driver_find_cards(doctor);
	doctor->driver.is_contained = doctor_driver_is_contained();
	if (doctor->driver.is_contained)
		doctor_report_add(&doctor->report, "this is a container");
}
