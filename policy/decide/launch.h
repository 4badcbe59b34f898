/* launch.h - the processes that a launcher started on this node, by its variables; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_LAUNCH_H
#define GPUSHIM_POLICY_DECIDE_LAUNCH_H

enum { LAUNCH_PROCESSES_MAX = 1 << 16 };

/* Returns the value of an environment variable, NULL if it is not set. */
typedef const char *launch_find_value(const char *name);

/*
 * The processes of this job on this node, as Open MPI, MPICH, Intel MPI, MVAPICH, PALS, jsrun,
 * Slurm or Flux say.
 */
struct launch {
	int processes; /* 1 if no launcher says so, or its variable cannot be read */
	int rank;      /* this one's number among them, from 0; -1: unknown */
};
struct launch launch_describe(launch_find_value *find);

/* Their number alone. */
int launch_count_processes(launch_find_value *find);

#endif
