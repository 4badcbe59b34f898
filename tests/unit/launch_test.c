/* launch_test.c - processes of a node and a job: variables of launchers, bad values, precedence */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "policy/decide/launch.h"

/* The environment of a process: name, value, name, value. */
static const char *const *environment;

static const char *find(const char *name)
{
	for (const char *const *at = environment; *at != NULL; at += 2)
		if (strcmp(at[0], name) == 0)
			return at[1];
	return NULL;
}

#define EXPECT_PROCESSES(wanted, ...)                                                              \
	do {                                                                                       \
		environment = (const char *const[]){__VA_ARGS__, NULL};                            \
		const int found = launch_count_processes(find);                                    \
		cr_expect_eq(found, wanted, "%s: %d", environment[1], found);                      \
	} while (0)

Test(launch, alone)
{
	EXPECT_PROCESSES(1, "HOME", "/");
}

Test(launch, words_of_launchers)
{
	EXPECT_PROCESSES(4, "OMPI_COMM_WORLD_LOCAL_SIZE", "4");
	EXPECT_PROCESSES(8, "MPI_LOCALNRANKS", "8");
	EXPECT_PROCESSES(3, "MV2_COMM_WORLD_LOCAL_SIZE", "3");
	EXPECT_PROCESSES(2, "PALS_LOCAL_SIZE", "2");
	EXPECT_PROCESSES(5, "PMI_LOCAL_SIZE", "5");
	EXPECT_PROCESSES(6, "JSM_NAMESPACE_LOCAL_SIZE", "6");
	EXPECT_PROCESSES(1, "OMPI_COMM_WORLD_LOCAL_SIZE", "1");
}

Test(launch, slurm_tells_of_each_node)
{
	EXPECT_PROCESSES(4, "SLURM_STEP_TASKS_PER_NODE", "4", "SLURM_NODEID", "0");
	EXPECT_PROCESSES(4, "SLURM_STEP_TASKS_PER_NODE", "4(x2),3", "SLURM_NODEID", "0");
	EXPECT_PROCESSES(4, "SLURM_STEP_TASKS_PER_NODE", "4(x2),3", "SLURM_NODEID", "1");
	EXPECT_PROCESSES(3, "SLURM_STEP_TASKS_PER_NODE", "4(x2),3", "SLURM_NODEID", "2");
	EXPECT_PROCESSES(1, "SLURM_STEP_TASKS_PER_NODE", "4(x2),3", "SLURM_NODEID", "3");
	EXPECT_PROCESSES(1, "SLURM_STEP_TASKS_PER_NODE", "4(x2),3");
	EXPECT_PROCESSES(7, "SLURM_STEP_TASKS_PER_NODE", "1,2(x3),7", "SLURM_NODEID", "4");
}

Test(launch, cards_that_slurm_gave)
{
	static const char *const values[] = {"4", "1", "", "x", "-1", "4,2"};
	static const int wanted[] = {4, 1, 0, 0, 0, 0};
	for (int i = 0; i < 6; i++) {
		environment = (const char *const[]){"SLURM_GPUS_ON_NODE", values[i], NULL};
		cr_expect_eq(launch_count_cards(find), wanted[i], "%s", values[i]);
	}
	environment = (const char *const[]){"CUDA_VISIBLE_DEVICES", "0,1", NULL};
	cr_expect_eq(launch_count_cards(find), 0);
}

#define EXPECT_RANK(wanted, ...)                                                                   \
	do {                                                                                       \
		environment = (const char *const[]){__VA_ARGS__, NULL};                            \
		const struct launch found = launch_describe(find);                                 \
		cr_expect_eq(found.rank, wanted, "%s: %d", environment[2], found.rank);            \
	} while (0)

Test(launch, ranks_of_launchers)
{
	EXPECT_RANK(3, "OMPI_COMM_WORLD_LOCAL_SIZE", "4", "OMPI_COMM_WORLD_LOCAL_RANK", "3");
	EXPECT_RANK(0, "MPI_LOCALNRANKS", "8", "MPI_LOCALRANKID", "0");
	EXPECT_RANK(1, "MV2_COMM_WORLD_LOCAL_SIZE", "2", "MV2_COMM_WORLD_LOCAL_RANK", "1");
	EXPECT_RANK(1, "PALS_LOCAL_SIZE", "2", "PALS_LOCAL_RANKID", "1");
	EXPECT_RANK(4, "PMI_LOCAL_SIZE", "5", "PMI_LOCAL_RANK", "4");
	EXPECT_RANK(2, "JSM_NAMESPACE_LOCAL_SIZE", "6", "JSM_NAMESPACE_LOCAL_RANK", "2");
	EXPECT_RANK(2, "SLURM_STEP_TASKS_PER_NODE", "4(x2),3", "SLURM_LOCALID", "2", "SLURM_NODEID",
	            "2");
	EXPECT_RANK(1, "FLUX_JOB_SIZE", "8", "FLUX_TASK_LOCAL_ID", "1", "FLUX_JOB_NNODES", "2");
}

/* Open MPI under Slurm: srun starts one daemon per node, whose variables the ranks inherit. */
Test(launch, ranks_are_those_of_the_inner_launcher)
{
	EXPECT_RANK(3, "OMPI_COMM_WORLD_LOCAL_SIZE", "4", "OMPI_COMM_WORLD_LOCAL_RANK", "3",
	            "SLURM_LOCALID", "0", "SLURM_STEP_TASKS_PER_NODE", "1", "SLURM_NODEID", "0");
	EXPECT_RANK(-1, "OMPI_COMM_WORLD_LOCAL_SIZE", "4", "MPI_LOCALRANKID", "2", "SLURM_LOCALID",
	            "0");
}

Test(launch, bad_ranks)
{
	EXPECT_RANK(-1, "MPI_LOCALNRANKS", "4", "MPI_LOCALRANKID", "4");
	EXPECT_RANK(-1, "MPI_LOCALNRANKS", "4", "MPI_LOCALRANKID", "");
	EXPECT_RANK(-1, "MPI_LOCALNRANKS", "4", "MPI_LOCALRANKID", " 1");
	EXPECT_RANK(-1, "MPI_LOCALNRANKS", "4", "MPI_LOCALRANKID", "-1");
	EXPECT_RANK(-1, "MPI_LOCALNRANKS", "4", "MPI_LOCALRANKID", "1x");
	EXPECT_RANK(-1, "MPI_LOCALNRANKS", "4", "MPI_LOCALRANKID", "99999999999999999999");
	EXPECT_RANK(-1, "MPI_LOCALNRANKS", "4", "HOME", "/");
	EXPECT_RANK(-1, "HOME", "/", "MPI_LOCALRANKID", "1");
}

/* A batch script is one process, however many tasks its job may start. */
Test(launch, slurm_batch_script)
{
	EXPECT_PROCESSES(1, "SLURM_TASKS_PER_NODE", "4(x2)", "SLURM_NODEID", "0",
	                 "SLURM_NTASKS_PER_NODE", "4");
}

Test(launch, flux_tells_of_the_job)
{
	EXPECT_PROCESSES(4, "FLUX_JOB_SIZE", "8", "FLUX_JOB_NNODES", "2");
	EXPECT_PROCESSES(5, "FLUX_JOB_SIZE", "9", "FLUX_JOB_NNODES", "2");
	EXPECT_PROCESSES(1, "FLUX_JOB_SIZE", "9");
	EXPECT_PROCESSES(1, "FLUX_JOB_SIZE", "9", "FLUX_JOB_NNODES", "0");
}

/* mpirun under srun is one task per node. */
Test(launch, mpi_comes_before_the_batch_system)
{
	EXPECT_PROCESSES(16, "SLURM_STEP_TASKS_PER_NODE", "1(x2)", "SLURM_NODEID", "1",
	                 "OMPI_COMM_WORLD_LOCAL_SIZE", "16");
}

Test(launch, broken_words)
{
	static const char *const value[] = {"", "x", "-4", "0", "4x", "4 4", "0x4"};
	for (size_t i = 0; i < sizeof value / sizeof value[0]; i++)
		EXPECT_PROCESSES(1, "OMPI_COMM_WORLD_LOCAL_SIZE", value[i]);
	static const char *const list[] = {"",   "(x2)",  "4(x",   "4(x2",        "4(y2),3",
	                                   ",4", "4(x0)", "4;(x2", "0(x99999999", "4(x),4(x0),,",
	                                   "4 ", "x4"};
	for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
		EXPECT_PROCESSES(1, "SLURM_STEP_TASKS_PER_NODE", list[i], "SLURM_NODEID", "1");
	EXPECT_PROCESSES(LAUNCH_PROCESSES_MAX, "OMPI_COMM_WORLD_LOCAL_SIZE",
	                 "99999999999999999999999");
	EXPECT_PROCESSES(LAUNCH_PROCESSES_MAX, "SLURM_STEP_TASKS_PER_NODE",
	                 "99999999999999999999999(x99999999999999999999)", "SLURM_NODEID", "17");
}

#define EXPECT_WORLD(wanted_size, wanted_rank, wanted_job, wanted_step, ...)                       \
	do {                                                                                       \
		environment = (const char *const[]){__VA_ARGS__, NULL};                            \
		const struct launch_world found = launch_describe_world(find);                     \
		cr_expect_eq(found.size, wanted_size, "%s: %d", environment[1], found.size);       \
		cr_expect_eq(found.rank, wanted_rank, "%s: %d", environment[1], found.rank);       \
		cr_expect_str_eq(found.job, wanted_job);                                           \
		cr_expect_str_eq(found.step, wanted_step);                                         \
	} while (0)

Test(launch, world_of_launchers)
{
	EXPECT_WORLD(8, 3, "", "1134886913", "OMPI_COMM_WORLD_SIZE", "8", "OMPI_COMM_WORLD_RANK",
	             "3", "PMIX_NAMESPACE", "1134886913");
	EXPECT_WORLD(2, 0, "", "", "PMI_SIZE", "2", "PMI_RANK", "0", "MPI_LOCALNRANKS", "2");
	EXPECT_WORLD(4, 1, "", "77", "MV2_COMM_WORLD_SIZE", "4", "MV2_COMM_WORLD_RANK", "1",
	             "MPIRUN_ID", "77");
	EXPECT_WORLD(6, 5, "12.server", "a-b", "PALS_SIZE", "6", "PALS_RANKID", "5", "PALS_APID",
	             "a-b", "PBS_JOBID", "12.server");
	EXPECT_WORLD(6, 5, "", "", "PALS_RANKID", "5", "PMI_SIZE", "6", "PMI_RANK", "5");
	EXPECT_WORLD(3, 2, "9", "", "JSM_NAMESPACE_SIZE", "3", "JSM_NAMESPACE_RANK", "2",
	             "LSB_JOBID", "9");
	EXPECT_WORLD(16, 15, "41", "0", "SLURM_STEP_NUM_TASKS", "16", "SLURM_PROCID", "15",
	             "SLURM_JOB_ID", "41", "SLURM_STEP_ID", "0");
	EXPECT_WORLD(2, 1, "fABC", "fABC", "FLUX_JOB_SIZE", "2", "FLUX_TASK_RANK", "1",
	             "FLUX_JOB_ID", "fABC");
	EXPECT_WORLD(1, -1, "", "", "HOME", "/");
}

/* mpirun in a batch script of Slurm: the ranks inherit the variables of the script, or of srun. */
Test(launch, world_of_the_inner_launcher)
{
	EXPECT_WORLD(4, 2, "41", "5", "OMPI_COMM_WORLD_SIZE", "4", "OMPI_COMM_WORLD_RANK", "2",
	             "PMIX_NAMESPACE", "5", "SLURM_JOB_ID", "41", "SLURM_STEP_ID", "3",
	             "SLURM_STEP_NUM_TASKS", "2", "SLURM_PROCID", "0");
}

/* sbatch sets SLURM_PROCID; the shell of salloc has the number of a special step. */
Test(launch, batch_scripts_are_no_ranks)
{
	EXPECT_WORLD(1, -1, "41", "", "SLURM_JOB_ID", "41", "SLURM_PROCID", "0", "SLURM_NTASKS",
	             "4");
	EXPECT_WORLD(1, -1, "41", "", "SLURM_JOB_ID", "41", "SLURM_PROCID", "0",
	             "SLURM_STEP_NUM_TASKS", "4", "SLURM_STEP_ID", "4294967290");
	EXPECT_WORLD(4, 0, "41", "4294967200", "SLURM_JOB_ID", "41", "SLURM_PROCID", "0",
	             "SLURM_STEP_NUM_TASKS", "4", "SLURM_STEP_ID", "4294967200");
}

Test(launch, broken_worlds)
{
	EXPECT_WORLD(1, -1, "", "", "PMI_SIZE", "2", "PMI_RANK", "2");
	EXPECT_WORLD(1, -1, "", "", "PMI_SIZE", "2");
	EXPECT_WORLD(1, -1, "", "", "PMI_RANK", "1");
	EXPECT_WORLD(1, -1, "", "", "PMI_SIZE", "0", "PMI_RANK", "0");
	EXPECT_WORLD(1, -1, "_.", "", "PBS_JOBID", "..");
	EXPECT_WORLD(1, -1, "_a_1__s", "", "PBS_JOBID", "/a[1]%s");
	EXPECT_WORLD(1, -1, "012345678901234567890123456789012345678901234567890123456789012", "",
	             "PBS_JOBID",
	             "0123456789012345678901234567890123456789012345678901234567890123456789");
}

Test(launch, names_the_job)
{
	const struct launch_world both = {.job = "41", .step = "2"}, step = {.step = "2"},
				  none = {.size = 1};
	cr_expect_str_eq(launch_name_job(&both), "41");
	cr_expect_str_eq(launch_name_job(&step), "2");
	cr_expect_str_eq(launch_name_job(&none), "");
}

Test(launch, gpus_of_a_slurm_step)
{
	static const char *const step[] = {"SLURM_STEP_TASKS_PER_NODE",
	                                   "2",
	                                   "SLURM_NODEID",
	                                   "0",
	                                   "SLURM_GPUS_ON_NODE",
	                                   "4",
	                                   NULL};
	static const char *const alone[] = {"SLURM_GPUS_ON_NODE", "4", NULL};
	environment = step;
	cr_expect_eq(launch_describe(find).gpus, 4);
	environment = alone;
	cr_expect_eq(launch_describe(find).gpus, 0, "no step");
}

static void expect_launcher(const char *size, const char *rank, const char *launcher)
{
	environment = (const char *const[]){size, "2", rank, "1", NULL};
	cr_expect_str_eq(launch_describe_world(find).launcher, launcher);
}

Test(launch, launchers_have_names)
{
	expect_launcher("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI");
	expect_launcher("SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "Slurm");
	expect_launcher("FLUX_JOB_SIZE", "FLUX_TASK_RANK", "Flux");
	expect_launcher("HOME", "PATH", "");
}
