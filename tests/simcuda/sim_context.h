/* sim_context.h - contexts: primary ones, those of the driver API, and each thread's stack of them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_CONTEXT_H
#define SIMCUDA_SIM_CONTEXT_H

#include "sim_driver.h"
#include "sim_engine.h"

/*
 * The device that the thread's calls go to: the owner of its current context, else the card that it
 * selected (0 at first). A context of the driver API is a device of its own on a card.
 */
struct sim_device *sim_context_device(void);
/* cudaSetDevice. From major 12 on it opens the card's primary context. Lock held. */
int sim_context_select(int index);
/* Opens what sim_context_device returns, and makes it current. Lock held. */
int sim_context_open(void);
/* The device's context has ended: its identity is not used again. Lock held. */
void sim_context_end(struct sim_device *device);

#endif
