/* resident_operand.h - an operand of a call: what the engine asks, and what it is told */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_RESIDENT_OPERAND_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_RESIDENT_OPERAND_H

#include "shim/execute/gpu/resident/host_view.h"
#include "shim/execute/gpu/resident/windows.h"

enum resident_access { RESIDENT_READ = 1, RESIDENT_WRITE = 2, RESIDENT_UPDATE = 3 };

enum { RESIDENT_OPERANDS_MAX = 8 };

/* An operand of a call. mirror, window: of the window, NULL mirror: none yet, see resident_attach.
 */
struct resident_operand {
	bool is_tracked; /* false: send all of it, to memory of the engine's own */
	struct pages_span window_span;
	void *mirror;
	struct pages_span *run; /* the bytes to send, ascending */
	uint64_t runs, send_bytes;

	/* for this room */
	struct host_view view;
	enum resident_access access;
	struct window *window;
	uint64_t generation, committed_bytes;
	bool is_kept; /* what is sent, or committed, becomes valid */
};

struct resident_stats {
	uint64_t asked_bytes, sent_bytes, armed_pages, written_pages, fault_ns;
	uint64_t windows, window_bytes, registrations;
};

#endif
