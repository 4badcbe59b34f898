/* route_machine.h - the machine that decisions use: profile, quick look at the GPU, assumptions */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_MACHINE_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_MACHINE_H

#include "policy/decide/decide.h"
#include "shim/record/record.h"

/*
 * Reads the profile; looks: CUDA's start is to measure the GPU (quick_look.h). Returns whether
 * there is a profile.
 */
bool route_machine_open(const struct options *options, bool looks);

/* The profile's name and date for the log; empty without a profile. Valid for ever. */
struct record_head route_machine_describe(void);

/*
 * The complete machine as known now, and its source. After the quick look its figures are included;
 * a profile that they contradict is taken for another machine's, with one warning. A few loads;
 * from any thread.
 */
const struct machine *route_machine_find(enum experience_source *source);

/* The profile as it was read, zeroed where there is none; whether there is one. */
const struct machine *route_machine_get_known(void);
bool route_machine_is_profiled(void);

#endif
