/* resident_operand.h - an operand of a call: what the engine asks, and what it is told */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_RESIDENT_OPERAND_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_RESIDENT_OPERAND_H

#include "shim/execute/gpu/pages/host_view.h"
#include "shim/execute/gpu/resident/windows.h"

enum resident_access { RESIDENT_READ = 1, RESIDENT_WRITE = 2, RESIDENT_UPDATE = 3 };

enum { RESIDENT_OPERANDS_MAX = 8 };

/*
 * See resident_prove. RESIDENT_AWAITED, which the engine adds: other threads ask, and this one has
 * nothing to do for it.
 */
enum resident_proof { RESIDENT_PENDING, RESIDENT_PROVEN, RESIDENT_REFUTED, RESIDENT_AWAITED };

/* Which pages of its span are unchanged. disarms: no question, its pages are to be disarmed. */
struct resident_question {
	struct pages_set clean;
	bool disarms;
};

/* An operand of a call. mirror, window: of the window, NULL mirror: none yet, see resident_attach.
 */
struct resident_operand {
	bool is_tracked; /* false: send all of it, to memory of the engine's own */
	struct pages_span window_span;
	void *mirror;
	struct pages_span *run; /* the bytes to send, ascending */
	uint64_t runs, send_bytes;

	/*
	 * The mirror has all of the operand, but for what the program has written since; the kernel
	 * was asked about that up to asked_end. See resident_prove.
	 */
	bool is_unproven;
	uintptr_t asked_end;

	/*
	 * Of a result: pages that are armed and valid in no window. They were armed for earlier
	 * calls, and resident_prove disarms them; or, anew, by resident_arm.
	 */
	struct pages_span armed;
	bool is_armed_anew;

	/* for this room */
	struct host_view view;
	enum resident_access access;
	bool is_announced;
	struct window *window;
	uint64_t generation, committed_bytes;
	bool is_kept; /* what is sent, or committed, becomes valid */
	/* Pages that the view has a part of become so too, once all runs are sent; those so far. */
	bool shares;
	uint64_t sent_runs;
	/* Where pages are hashed: those of the hull; whether a hit or a miss is noted. */
	struct digest *digest;
	bool is_judged;
};

/* Calls work(self, part) for each part from 0 on, on any threads, and returns once all are done. */
typedef void resident_run_parts(void (*work)(void *self, uint64_t part), void *self,
                                uint64_t parts);

/* Whether the calling thread can read the memory, so that nobody is disturbed. */
typedef bool resident_may_read(const void *memory, uint64_t bytes);

/* Has resident_watch called, on a thread of its own, until it returns 0. false: nobody does. */
typedef bool resident_begin_watch(void);

struct resident_stats {
	uint64_t asked_bytes, sent_bytes, armed_pages, written_pages, fault_ns;
	uint64_t hashed_bytes, hash_ns;
	uint64_t windows, window_bytes, registrations;
};

#endif
