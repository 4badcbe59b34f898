/* mirror_numbers.h - whether the numbers of a mirror were found finite before they came there */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_MIRROR_NUMBERS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_MIRROR_NUMBERS_H

#include "shim/execute/gpu/device/memory.h"
#include "shim/execute/gpu/engine/mirror_areas.h"

/*
 * A call of LAPACK is the CPU's if an input has a number that is not finite, so the processor looks
 * at what it sends. Of what is not sent that must be known. The note of a mirror's block says by
 * which watch all numbers of its valid pages were found finite; a call that makes pages valid
 * without that watch ends it.
 */

/* A new mirror, without valid pages, of a call with this watch. */
void mirror_numbers_begin(struct memory_block *block, enum pack_watch watch);

/* At the plan: sets mirror->note. Whether the valid pages are known to be finite. */
bool mirror_numbers_are_known(struct mirror *mirror, enum pack_watch watch);

/* In front of resident_sent_all and resident_end: pages that the call makes valid. */
void mirror_numbers_end(const struct mirror *mirror, enum pack_watch watch);

#endif
