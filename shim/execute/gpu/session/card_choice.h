/* card_choice.h - the GPU that this process takes of those that it sees */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_CARD_CHOICE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_CARD_CHOICE_H

#include "policy/options/options.h"
#include "shim/execute/gpu/cuda/cuda.h"

/*
 * Enters the process into the ledger of the node (ledger.h). With devices = auto puts the set's
 * devices into the order in which they are tried (policy/decide/cards.h); deterministic: whatever
 * other processes do. One message where the processes of each GPU cannot be counted and that
 * matters. In the thread that starts CUDA, inside its guard.
 */
void card_choice_make(struct cuda_set *set, const struct options *options);

/* Whether it was auto that chose. Then the others are only tried where the first does not start. */
bool card_choice_is_free(void);

/*
 * Whether a further device may be used beside the first: auto chose, no other process works on it
 * now or has borrowed it, and the launcher leads none there. It is this process's to borrow then.
 */
bool card_choice_borrow(const struct cuda_device *card);

/* Bars further devices on which other processes have begun to work. From any thread. */
void card_choice_watch(void);

/* This device has started first. The same thread. */
void card_choice_settle(const struct cuda_device *card);

/*
 * Processes on the device, this one included: those of the ledger, or those that the launcher leads
 * there if they are more.
 */
int card_choice_count_sharers(const struct cuda_device *card);

/*
 * Processes that use a device that takes calls, this one included: those of the ledger that have
 * done so lately; where there is none, and until it was read again, as the launcher deals them.
 * used: devices that take calls. From any thread.
 */
int card_choice_count_peers(int device, int used);

#endif
