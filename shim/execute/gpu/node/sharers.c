/* sharers.c - counts the processes of the node per device */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/node/sharers.h"

#include <dirent.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "policy/decide/launch.h"
#include "shim/base/variables.h"

/*
 * The kernel module has a folder here for each device of the node, visible to this process or not.
 */
static const char sharers_folder[] = "/proc/driver/nvidia/gpus";

static const char *sharers_find_value(const char *name)
{
	return variables_find(name);
}

static int sharers_count_node(void)
{
	DIR *folder = opendir(sharers_folder);
	int count = 0;
	if (folder == NULL)
		return 0;
	for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
		count += entry->d_name[0] != '.';
	closedir(folder);
	return count;
}

int sharers_divide(int processes, int devices, int dealt)
{
	int among = devices > 1 ? devices : 1;
	among = dealt > among ? dealt : among;
	return processes > among ? (processes - 1) / among + 1 : 1;
}

/* cards: of the node, as far as known; divided: these, where each process may see its own. */
static atomic_int sharers_processes, sharers_cards, sharers_divided;

int sharers_count_processes(void)
{
	int processes = atomic_load_explicit(&sharers_processes, memory_order_acquire);
	if (processes == 0) {
		processes = launch_count_processes(sharers_find_value);
		const int told = launch_count_cards(sharers_find_value);
		const int cards = told > 0 ? told : sharers_count_node();
		const bool divided = variables_find("CUDA_VISIBLE_DEVICES") != NULL;
		atomic_store_explicit(&sharers_cards, cards, memory_order_relaxed);
		atomic_store_explicit(&sharers_divided, divided ? cards : 0, memory_order_relaxed);
		atomic_store_explicit(&sharers_processes, processes, memory_order_release);
	}
	return processes;
}

int sharers_count(int devices)
{
	const int processes = sharers_count_processes();
	const atomic_int *cards = devices < 1 ? &sharers_cards : &sharers_divided;
	return sharers_divide(processes, devices,
	                      atomic_load_explicit(cards, memory_order_relaxed));
}
