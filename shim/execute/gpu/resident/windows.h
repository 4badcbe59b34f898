/* windows.h - parts of the program's memory that have a copy on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_WINDOWS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_WINDOWS_H

#include "shim/execute/gpu/resident/digest.h"
#include "shim/execute/gpu/resident/host_view.h"

enum { WINDOWS_MAX = 256 };

/*
 * valid: pages whose copy is that of the memory as long as they stay clean. Each of them was armed,
 * then copied whole, and not armed again since. Windows may overlap. Where pages are hashed: those
 * whose copy has this digest. A window for one form of a view has those bytes alone, and other ones
 * beside them: it serves that view only.
 */
struct window {
	struct pages_set valid;
	struct host_view only; /* form 0: the window serves all views of that form inside it */
	struct digest *digest; /* of each valid page, where pages are hashed */
	void *mirror;          /* the engine's, on this device; NULL: none yet */
	int device;
	uint64_t used, users, generation;
	bool is_dropped; /* not found any more; freed when users is 0 */
};

/* Callers hold the mutex of resident.c. */

void windows_set_limit(uint64_t bytes);
/* The smallest window that serves the view, or NULL. */
struct window *windows_find(const struct host_view *view);
/*
 * A new window of the pages around the view. Windows inside it that it replaces are dropped, and as
 * many others, the longest unused ones first, as the limit asks for. NULL where it does not fit.
 */
struct window *windows_make(const struct host_view *view);
/* Pages of the view's own that are valid in the window. */
uint64_t windows_count_valid(const struct window *window, const struct host_view *view);
/* Drops the window that nobody uses and that was not used for the longest time; false: none. */
bool windows_drop_oldest(void);
void windows_drop(struct window *window);
void windows_drop_all(void);

/* A user keeps a window's memory and mirror; windows_take notes the use. */
void windows_take(struct window *window);
void windows_leave(struct window *window);

/*
 * Pages of the span are valid in no window, and calls under way do not make them so: their
 * generation is another one.
 */
void windows_forget(struct pages_span span);
/* The same for all pages that have bytes of the view. Valid ones are disarmed. */
void windows_forget_view(const struct host_view *view);

/* Whether a window has a page of the view's. */
bool windows_meet(const struct host_view *view);

/* A mirror of a dropped window without users, to be freed by the caller; NULL: none is left. */
void *windows_take_retired(void);

uint64_t windows_count_bytes(void);
int windows_count(void);

#endif
