/* sim_visible.h - which cards of the machine the process sees, and in which order */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_VISIBLE_H
#define SIMCUDA_SIM_VISIBLE_H

#include "sim_profile.h"

enum { SIM_UUID_BYTES = 16 };

/* Devices that the process sees. */
int sim_visible_count(void);
/* The card of the machine, in the order of PCI ids, that the process sees as this device. */
int sim_visible_card(int device);
/* The profile of that card. */
const struct sim_profile *sim_profile(int device);

/* Of a card of the machine. */
void sim_visible_uuid(int card, unsigned char uuid[SIM_UUID_BYTES]);

#endif
