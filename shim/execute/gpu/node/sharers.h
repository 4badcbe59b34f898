/* sharers.h - how many processes use one device */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_SHARERS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_SHARERS_H

/*
 * Processes per device, rounded up, this one included: those that the launcher started on this node
 * (policy/decide/launch.h), by the devices that each of them uses. Where CUDA_VISIBLE_DEVICES is
 * set, launchers and users are taken to have dealt out the node's devices among the processes.
 * Reads the environment and a folder once; then a few loads.
 */
int sharers_count(int devices);

/* The same of what is given: processes of the node, devices that this one uses, and the node's, 0 where not dealt out.
 */
int sharers_divide(int processes, int devices, int dealt);

#endif
