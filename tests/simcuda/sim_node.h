/* sim_node.h - what the processes of a machine share: the memory and the contexts of its cards */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_NODE_H
#define SIMCUDA_SIM_NODE_H

#include "sim_engine.h"

/*
 * The machine is the file that SIMCUDA_NODE names; without it, each process has a machine of its
 * own. What a process has ends with it, however it ends. Cards are counted by PCI ids. The
 * engine's lock is held.
 */

/* A number that stands for the machine. */
uint64_t sim_node_machine(void);
/* A context on the card is made, or ends; 0, or the CUDA error that refuses it. */
int sim_node_enter(int card);
void sim_node_leave(int card);
/* Takes bytes of the card, which this process has own_bytes of so far; false: too few are left. */
bool sim_node_take(int card, size_t size_bytes, size_t own_bytes, size_t total_bytes);
void sim_node_give(int card, size_t size_bytes);
/* What the other processes of the machine hold. */
size_t sim_node_others(int card);

#endif
