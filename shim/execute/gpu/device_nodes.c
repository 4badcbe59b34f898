/* device_nodes.c - looks for the files of NVIDIA's drivers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device_nodes.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "policy/words.h"

bool device_nodes_exist(const char *root)
{
	static const char *const node[] = {"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvhost-ctrl-gpu", "/dev/nvgpu",
	                                   "/dev/dxg"};
	const int saved_errno = errno;
	bool found = false;
	for (size_t i = 0; i < sizeof node / sizeof node[0] && !found; i++) {
		char path[PATH_MAX];
		struct sentence sentence = sentence_start(path, sizeof path);
		sentence_add(&sentence, root);
		sentence_add(&sentence, node[i]);
		found = access(path, F_OK) == 0;
	}
	errno = saved_errno;
	return found;
}
