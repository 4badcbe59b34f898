/* sim_profile.h - properties of each simulated device and its speed in virtual time */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_PROFILE_H
#define SIMCUDA_SIM_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

struct sim_profile {
#define SIM_PROFILE(key, low, high, fallback) double key;
#include "sim_profile.def"
	size_t memory_bytes;
	int capability; /* 10 * major + minor */
};

/*
 * The profile of a card that may exist. Later sources override earlier ones: the file's lines
 * before any section, the variables SIMCUDA_MEMORY and SIMCUDA_CAPABILITY, the file's section of
 * the card.
 */
const struct sim_profile *sim_profile_card(int card);
/* The value of a key; below 0: there is none. */
double sim_profile_value(const struct sim_profile *profile, const char *key);

/*
 * Whether SIMCUDA_CLOCK named a file that could be read: work then takes virtual time
 * (sim_clock.c).
 */
bool sim_profile_has_clock(void);
/* Whether SIMCUDA_DRY is set: operations take time, but no data are touched. */
bool sim_profile_is_dry(void);

#endif
