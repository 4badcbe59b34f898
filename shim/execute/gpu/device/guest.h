/* guest.h - saves and restores the contexts and the capture mode of the program's threads */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_GUEST_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_GUEST_H

#include "shim/execute/gpu/cuda/cuda_api.h"

/*
 * The state of the calling thread: its context (NULL: none; that is what it gets back, since
 * selecting a device would create a context there), or its device where the driver's library cannot
 * be asked, and what captures of streams prohibit in it.
 */
struct guest {
	void *context;
	int device;
	int mode; /* of captures; negative: unchanged */
	bool saved;
};

/*
 * Saves the calling thread's state, and takes it out of the captures of the program's other
 * threads: our streams are no part of them. Nothing happens where it is saved already, or while
 * CUDA is not initialised. api NULL: the runtime is not known yet.
 */
void guest_save(struct guest *guest, const struct cuda_api *api);

/* Restores what was saved; nothing is left of ours in the thread. */
void guest_leave(struct guest *guest);

/*
 * Starts the device, as its first use does: makes its primary context and binds it to the calling
 * thread, whose state was saved. Returns CUDA's error.
 */
int guest_open(int device);

/* Notes the identity of the context, once it is in use. */
void guest_settle(int device);

/*
 * Binds the opened device's context to the calling thread; enter saves the thread's state before.
 * false: nothing was changed.
 */
bool guest_enter(struct guest *guest, int device);
bool guest_select(int device);

/*
 * Whether the context of the device is that of guest_settle. If not, the program has reset the
 * device: nothing that was created there may be used or destroyed. A driver call, no more.
 */
bool guest_is_whole(int device);

/*
 * Waits for all work of a device that need not be one of ours, without making it the thread's; back
 * is selected then. Returns CUDA's error.
 */
int guest_wait_for(int device, int back);

#endif
