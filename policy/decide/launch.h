/* launch.h - how many processes a launcher started on this node, from the variables that it sets; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_LAUNCH_H
#define GPUSHIM_POLICY_DECIDE_LAUNCH_H

enum { LAUNCH_PROCESSES_MAX = 1 << 16 };

/* The value of a variable, NULL where it is not set. */
typedef const char *launch_find_value(const char *name);

/*
 * Processes of this job on this node: of Open MPI, MPICH, Intel MPI, MVAPICH, PALS, jsrun, Slurm
 * and Flux. 1 where no launcher says so, or none that can be read.
 */
int launch_count_processes(launch_find_value *find);

#endif
