/* launch.c - variables of launchers and batch systems about the processes of a node and a job */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "policy/text/number.h"

/*
 * A row for each launcher: its name, what it says of the processes on this node, of all processes,
 * and by which name it calls them. NULL: it does not say. Variables of MPI come first: under a
 * batch system the step of the system is MPI's launcher, once per node. Sources: Open MPI,
 * "Environment variables set for MPI applications"; MPICH's Hydra and Intel MPI (MPI_LOCALNRANKS);
 * MVAPICH2 user guide; HPE PALS, mpiexec(1); IBM jsrun. With PALS the size is PMI's.
 */
static const struct {
	const char *name, *local_size, *local_rank, *size, *rank, *step;
} launch_row[] = {
	{"Open MPI", "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
         "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMIX_NAMESPACE"},
	{"Hydra", "MPI_LOCALNRANKS", "MPI_LOCALRANKID", "PMI_SIZE", "PMI_RANK", "PMI_JOBID"},
	{"MVAPICH", "MV2_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_SIZE",
         "MV2_COMM_WORLD_RANK", "MPIRUN_ID"},
	{"PALS", "PALS_LOCAL_SIZE", "PALS_LOCAL_RANKID", "PALS_SIZE", "PALS_RANKID", "PALS_APID"},
	{"PMI", "PMI_LOCAL_SIZE", "PMI_LOCAL_RANK", "PMI_SIZE", "PMI_RANK", "PMI_JOBID"},
	{"jsrun", "JSM_NAMESPACE_LOCAL_SIZE", "JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_SIZE",
         "JSM_NAMESPACE_RANK", "PMIX_NAMESPACE"},
	{"Slurm", NULL, NULL, "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_STEP_ID"},
	{"Flux", NULL, NULL, "FLUX_JOB_SIZE", "FLUX_TASK_RANK", "FLUX_JOB_ID"},
};
enum { LAUNCH_ROWS = sizeof launch_row / sizeof launch_row[0] };

/* Names of jobs of batch systems: Slurm, PBS, LSF, Flux. */
static const char *const launch_batch[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID"};

/*
 * Steps of Slurm that are no launch: the batch script and a shell of salloc. The shell inherits the
 * size of the job. They have the highest numbers of 32 bits.
 */
enum { LAUNCH_STEP_SPECIAL = 16 };

/* Slurm, srun(1): "4(x2),3" lists the tasks per node of the step; and the number of this node. */
static const char launch_slurm[] = "SLURM_STEP_TASKS_PER_NODE",
		  launch_slurm_node[] = "SLURM_NODEID", launch_slurm_rank[] = "SLURM_LOCALID",
		  launch_slurm_gpus[] = "SLURM_GPUS_ON_NODE";

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
	for (int i = 0; i < LAUNCH_ROWS && count == 0; i++) {
		if (launch_row[i].local_size == NULL)
			continue;
		count = launch_read(find(launch_row[i].local_size));
		rank = launch_row[i].local_rank;
	}
	if (count == 0) {
		count = launch_read_slurm(find);
		rank = launch_slurm_rank;
	}
	if (count == 0) {
		count = launch_read_flux(find);
		rank = launch_flux_rank;
	}
	if (count == 0)
		return (struct launch){1, -1, 0};
	return (struct launch){count, launch_read_rank(find(rank), count),
	                       launch_read(find(launch_slurm_gpus))};
}

int launch_count_processes(launch_find_value *find)
{
	return launch_describe(find).processes;
}

int launch_count_cards(launch_find_value *find)
{
	return launch_read(find("SLURM_GPUS_ON_NODE"));
}

static bool launch_is_step(const char *name)
{
	return name == NULL || number_scan_count(name, NULL) <= UINT32_MAX - LAUNCH_STEP_SPECIAL;
}

static bool launch_is_plain(char letter)
{
	return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
	       (letter >= 'A' && letter <= 'Z') || letter == '.' || letter == '-' || letter == '@';
}

/* Any text becomes part of a file name: other letters, and a point in front, are underscores. */
static void launch_copy_name(char out[LAUNCH_NAME_BYTES], const char *name)
{
	size_t length = 0;
	for (; name != NULL && name[length] != '\0' && length < LAUNCH_NAME_BYTES - 1; length++) {
		const char letter = name[length];
		const bool plain = launch_is_plain(letter) && (length > 0 || letter != '.');
		out[length] = plain ? letter : '_';
	}
	out[length] = '\0';
}

/* Row i says which rank this process has. */
static bool launch_read_row(launch_find_value *find, int i, struct launch_world *world)
{
	const int size = launch_read(find(launch_row[i].size));
	const char *step = find(launch_row[i].step);
	const int rank = size > 0 ? launch_read_rank(find(launch_row[i].rank), size) : -1;
	if (rank < 0 || (launch_row[i].local_size == NULL && !launch_is_step(step)))
		return false;
	world->size = size;
	world->rank = rank;
	world->launcher = launch_row[i].name;
	launch_copy_name(world->step, step);
	return true;
}

struct launch_world launch_describe_world(launch_find_value *find)
{
	struct launch_world world = {.size = 1, .rank = -1, .launcher = ""};
	for (int i = 0; i < LAUNCH_ROWS && world.rank < 0; i++)
		launch_read_row(find, i, &world);
	for (size_t i = 0; i < sizeof launch_batch / sizeof launch_batch[0]; i++)
		if (world.job[0] == '\0')
			launch_copy_name(world.job, find(launch_batch[i]));
	return world;
}

const char *launch_name_job(const struct launch_world *world)
{
	return world->job[0] != '\0' ? world->job : world->step;
}

bool launch_is_daemon(const char *name)
{
	static const char *const daemon[] = {"orted", "prted", "hydra_pmi_proxy",
	                                     "hydra_bstrap_proxy"};
	for (size_t i = 0; i < sizeof daemon / sizeof daemon[0]; i++)
		if (strcmp(name, daemon[i]) == 0)
			return true;
	return false;
}
