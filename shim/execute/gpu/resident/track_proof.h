/* track_proof.h - tries the kernel's tracking on memory of its own, before anything relies on it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_TRACK_PROOF_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_TRACK_PROOF_H

#include "policy/resident/tracking_cost.h"

/*
 * NULL if all holds, else the statement that does not, in words. Takes some milliseconds.
 * *fault_ns: the time of the first write to an armed page. Fills the times of rates. track_open has
 * succeeded.
 */
const char *track_proof_find_fault(uint64_t *fault_ns, struct tracking_rates *rates);

#endif
