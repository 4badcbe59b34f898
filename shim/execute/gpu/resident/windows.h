/* windows.h - parts of the program's memory that have a copy on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_WINDOWS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_WINDOWS_H

#include "shim/execute/gpu/pages/digest.h"
#include "shim/execute/gpu/pages/host_view.h"

enum { WINDOWS_MAX = 256 };

/*
 * valid: pages whose copy is that of the memory as long as they stay clean. Each of them was armed,
 * then copied whole, and not armed again since. Windows may overlap. Where pages are hashed: those
 * whose copy has this digest. A window for one form of a view has those bytes alone, and other ones
 * beside them: it serves that view only.
 *
 * shared: pages that the view `only` has a part of, as valid ones, but for that part alone: what is
 * beside it was not copied, and may have been written by a device unseen. They count for that very
 * view. shares: until they were written too often.
 */
struct window {
	struct pages_set valid, shared;
	struct host_view only; /* form 0: the window serves all views of that form inside it */
	uint64_t own;          /* pages of that view's own */
	bool shares, is_whole; /* is_whole: all its pages are valid, and all shared if it shares */
	uint32_t proofs;       /* looks at all of a view in a row that found the window whole */
	uint32_t losses;       /* calls that found shared pages written, and no others */
	uint32_t unchanged;    /* the same looks, whatever results came in between */
	struct digest *digest; /* of each valid page, where pages are hashed */
	void *mirror;          /* the engine's, on this device; NULL: none yet */
	int device;
	uint64_t used, users, generation;
	int64_t guessed_ns; /* when it was kept on a guess that is watched; 0: none */
	bool is_dropped;    /* not found any more; freed when users is 0 */
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
/* Pages of the view's own, and those of them that are valid in the window. */
uint64_t windows_count_own(const struct window *window, const struct host_view *view);
uint64_t windows_count_valid(const struct window *window, const struct host_view *view);
/* Whether pages that the view has a part of are kept for it; all of them become so. */
bool windows_shares(const struct window *window, const struct host_view *view);
void windows_share(struct window *window);
/* Whether nothing of the view has to be sent, but for pages that are not shared. */
bool windows_is_whole(struct window *window, const struct host_view *view);
/* Of the clean set's pages only clean ones stay. Returns how many went. */
uint64_t windows_keep(struct window *window, const struct pages_set *clean);
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
/*
 * The same for all pages that have bytes of the view. Valid ones are disarmed; left, unless it is
 * NULL: but for one run of them, which is returned there for the caller to disarm; or none.
 */
void windows_forget_view(const struct host_view *view, struct pages_span *left);

/* Whether a window has a page of the view's. */
bool windows_meet(const struct host_view *view);

/*
 * A window that nobody uses, with valid pages, which does not serve the view: from the place on,
 * which is moved behind it. meets: one that has a page of the view's. NULL: there is none, and the
 * place is 0.
 */
struct window *windows_find_other(const struct host_view *view, bool meets, int *place);

/* A window that was kept on a guess: from the place on, as above. */
struct window *windows_find_guess(int *place);

/* A mirror of a dropped window without users, to be freed by the caller; NULL: none is left. */
void *windows_take_retired(void);

uint64_t windows_count_bytes(void);
int windows_count(void);
/* Whether there is one, or a mirror that was not freed yet. Needs no mutex. */
bool windows_exist(void);

#endif
