/* launch.c - variables of MPI launchers and batch systems about the processes of a node */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/text/number.h"

/*
 * Variables of MPI come first: under a batch system the step of the system is MPI's launcher, once
 * per node. Sources: Open MPI, "Environment variables set for MPI applications"; MPICH's Hydra and
 * Intel MPI (MPI_LOCALNRANKS); MVAPICH2 user guide; HPE PALS, mpiexec(1); IBM jsrun.
 */
static const struct {
	const char *size, *rank;
} launch_plain[] = {
	{"OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
	{"MPI_LOCALNRANKS", "MPI_LOCALRANKID"},
	{"MV2_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_RANK"},
	{"PALS_LOCAL_SIZE", "PALS_LOCAL_RANKID"},
	{"PMI_LOCAL_SIZE", "PMI_LOCAL_RANK"},
	{"JSM_NAMESPACE_LOCAL_SIZE", "JSM_NAMESPACE_LOCAL_RANK"},
};

/* Slurm, srun(1): "4(x2),3" lists the tasks per node of the step; and the number of this node. */
static const char launch_slurm[] = "SLURM_STEP_TASKS_PER_NODE",
		  launch_slurm_node[] = "SLURM_NODEID", launch_slurm_rank[] = "SLURM_LOCALID";

/* Flux, flux-environment(7): numbers of the whole job. */
static const char launch_flux_size[] = "FLUX_JOB_SIZE", launch_flux_nodes[] = "FLUX_JOB_NNODES",
		  launch_flux_rank[] = "FLUX_TASK_LOCAL_ID";

static int launch_bound(uint64_t count)
{
	return count < LAUNCH_PROCESSES_MAX ? (int)count : LAUNCH_PROCESSES_MAX;
}

/* Reads a text that is a number; 0 for any other. */
static int launch_read(const char *text)
{
	const char *end = "";
	const uint64_t count = text != NULL ? number_scan_count(text, &end) : 0;
	return *end == '\0' ? launch_bound(count) : 0;
}

/* Reads entry number node of a list of numbers with repetition counts; 0 if there is none. */
static int launch_read_list(const char *text, uint64_t node)
{
	while (*text >= '0' && *text <= '9') {
		const uint64_t count = number_scan_count(text, &text);
		uint64_t times = 1;
		if (text[0] == '(' && text[1] == 'x') {
			times = number_scan_count(text + 2, &text);
			if (*text++ != ')')
				return 0;
		}
		if (node < times)
			return launch_bound(count);
		node -= times;
		if (*text++ != ',')
			return 0;
	}
	return 0;
}

static int launch_read_slurm(launch_find_value *find)
{
	const char *list = find(launch_slurm), *node = find(launch_slurm_node);
	return list != NULL && node != NULL ? launch_read_list(list, number_scan_count(node, NULL))
	                                    : 0;
}

static int launch_read_flux(launch_find_value *find)
{
	const int size = launch_read(find(launch_flux_size)),
		  nodes = launch_read(find(launch_flux_nodes));
	return size > 0 && nodes > 0 ? (size - 1) / nodes + 1 : 0;
}

/* A number that is not below the count is none. */
static int launch_read_rank(const char *text, int count)
{
	const char *end = "";
	const uint64_t rank = text != NULL ? number_scan_count(text, &end) : 0;
	const bool told = text != NULL && *text >= '0' && *text <= '9' && *end == '\0';
	return told && rank < (uint64_t)count ? (int)rank : -1;
}

struct launch launch_describe(launch_find_value *find)
{
	const char *rank = NULL;
	int count = 0;
	for (size_t i = 0; i < sizeof launch_plain / sizeof launch_plain[0] && count == 0; i++) {
		count = launch_read(find(launch_plain[i].size));
		rank = launch_plain[i].rank;
	}
	if (count == 0) {
		count = launch_read_slurm(find);
		rank = launch_slurm_rank;
	}
	if (count == 0) {
		count = launch_read_flux(find);
		rank = launch_flux_rank;
	}
	return count > 0 ? (struct launch){count, launch_read_rank(find(rank), count)}
	                 : (struct launch){1, -1};
}

int launch_count_processes(launch_find_value *find)
{
	return launch_describe(find).processes;
}
