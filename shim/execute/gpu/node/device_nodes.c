/* device_nodes.c - looks for the device files of NVIDIA's drivers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/node/device_nodes.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "policy/text/sentence.h"
#include "shim/base/library_path.h"
#include "shim/base/variables.h"

static bool device_nodes_has(const char *root, const char *file)
{
	const int saved_errno = errno;
	char path[PATH_MAX];
	struct sentence sentence = sentence_start(path, sizeof path);
	sentence_add(&sentence, root);
	sentence_add(&sentence, file);
	const bool found = access(path, F_OK) == 0;
	errno = saved_errno;
	return found;
}

bool device_nodes_exist(const char *root)
{
	static const char *const node[] = {"/dev/nvidiactl", "/dev/nvidia-uvm",
	                                   "/dev/nvhost-ctrl-gpu", "/dev/nvgpu", "/dev/dxg"};
	bool found = false;
	for (size_t i = 0; i < sizeof node / sizeof node[0] && !found; i++)
		found = device_nodes_has(root, node[i]);
	return found;
}

const char *device_nodes_find_absence(const char *root)
{
	if (device_nodes_exist(root))
		return NULL;
	return device_nodes_has(root, "/proc/driver/nvidia/version") ? "no GPU" : "no driver";
}

static bool device_nodes_are_named(void)
{
	static const char *const variable[] = {"CUDA_PATH", "CUDA_HOME", "LD_LIBRARY_PATH",
	                                       "CONDA_PREFIX"};
	for (size_t i = 0; i < sizeof variable / sizeof variable[0]; i++) {
		const char *value = variables_find(variable[i]);
		if (value != NULL && value[0] != '\0')
			return true;
	}
	return false;
}

bool device_nodes_lack_driver(void)
{
	/* Not closed: the runtime needs it next. */
	return !device_nodes_exist("") && (library_path_is_relative("libcuda.so.1") ||
	                                   dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) == NULL);
}

bool device_nodes_rule_out(void)
{
	static const char *const runtime[] = {"libcudart.so.13", "libcudart.so.12",
	                                      "libcudart.so.11.0"};
	if (device_nodes_exist("") || device_nodes_are_named() ||
	    dlsym(RTLD_DEFAULT, "cudaGetDeviceCount") != NULL)
		return false;
	for (size_t i = 0; i < sizeof runtime / sizeof runtime[0]; i++) {
		void *loaded = dlopen(runtime[i], RTLD_LAZY | RTLD_NOLOAD);
		if (loaded == NULL)
			continue;
		dlclose(loaded);
		return false;
	}
	return device_nodes_lack_driver();
}
