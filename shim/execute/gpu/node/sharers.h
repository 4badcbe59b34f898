/* sharers.h - how many processes share one device */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_SHARERS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_SHARERS_H

/*
 * Processes per device, rounded up, this one included: the processes that the launcher started on
 * this node (policy/decide/launch.h), divided by the devices that each of them uses. Where
 * CUDA_VISIBLE_DEVICES is set, the devices that Slurm gave them, else the node's, are taken to be
 * divided among the processes; likewise for devices 0, before it is known how many there are.
 * Reads the environment and a folder once; then a few loads.
 */
int sharers_count(int devices);

/* The processes that the launcher started on this node, this one included. */
int sharers_count_processes(void);

/*
 * The same from given numbers: processes of the node, devices of this process, and devices of the
 * node if they are divided among the processes (else 0).
 */
int sharers_divide(int processes, int devices, int dealt);

#endif
