/* sightings.h - what earlier calls have shown about their operands; samples of bytes */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_SIGHTINGS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_SIGHTINGS_H

#include "policy/resident/admission.h"
#include "shim/execute/gpu/pages/host_view.h"

/*
 * What is known of the operand. Of more than eight that hash to one set the one is forgotten that
 * has not been asked for the longest: an entry stays for the next seven calls. The mutex of
 * resident.c is held.
 */
struct admission *sightings_find(const struct host_view *view);
void sightings_clear(void);

/* A hash of nine cache lines that are spread over the view. */
uint64_t sightings_sample(const struct host_view *view);

#endif
