/* launch.h - the processes that a launcher started, of this node and all, by its variables; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_LAUNCH_H
#define GPUSHIM_POLICY_DECIDE_LAUNCH_H

#include <stdbool.h>

enum { LAUNCH_PROCESSES_MAX = 1 << 16, LAUNCH_NAME_BYTES = 64 };

/* Returns the value of an environment variable, NULL if it is not set. */
typedef const char *launch_find_value(const char *name);

/*
 * The processes of this job on this node, as Open MPI, MPICH, Intel MPI, MVAPICH, PALS, jsrun,
 * Slurm or Flux say.
 */
struct launch {
	int processes; /* 1 if no launcher says so, or its variable cannot be read */
	int rank;      /* this one's number among them, from 0; -1: unknown */
	int gpus;      /* that they have together, as Slurm says; 0: unknown */
};
struct launch launch_describe(launch_find_value *find);

/* Their number alone. */
int launch_count_processes(launch_find_value *find);

/*
 * The GPUs of this node that Slurm has given to all of them together, whatever each of them sees;
 * 0: it does not say.
 */
int launch_count_cards(launch_find_value *find);

/*
 * All processes of this launch, on all nodes. The names hold letters, digits and . - @ _ only, and
 * are empty where there is none. A batch script, and a shell of salloc, is no rank.
 */
struct launch_world {
	int size;                     /* 1 if no launcher says so */
	int rank;                     /* of this process, from 0; -1: it is none */
	const char *launcher;         /* static; empty where the process is no rank */
	char job[LAUNCH_NAME_BYTES];  /* of the batch system */
	char step[LAUNCH_NAME_BYTES]; /* of this launch, by its launcher */
};
struct launch_world launch_describe_world(launch_find_value *find);

/* Whether a program of this name starts ranks on a node, and is none: its variables may say so. */
bool launch_is_daemon(const char *name);

/* The job of the batch system, else the launch; empty if neither has a name. */
const char *launch_name_job(const struct launch_world *world);

#endif
