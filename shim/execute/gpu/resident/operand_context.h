/* operand_context.h - what planning, arming and proving operands share; internal to the room */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OPERAND_CONTEXT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OPERAND_CONTEXT_H

#include "policy/resident/admission.h"
#include "policy/resident/hashing_cost.h"
#include "policy/resident/track_reason.h"
#include "policy/resident/tracking_cost.h"
#include "shim/execute/gpu/resident/resident_operand.h"

/* Callers hold the mutex of resident.c. stats: counted in. */
struct operand_context {
	bool tracks_at_once, hashes;
	/* The statement of the kernel's test that does not hold, or NULL. */
	const char *fault;
	/* Whether this call has asked the guards; asks them. See operand_arm_guard. */
	bool is_guarded;
	enum track_reason (*ask_guards)(void);
	/* When pages were armed last; 0: pins were looked for long enough since. */
	int64_t armed_ns;
	/* Pages were armed since descriptors were looked at: see operand_arm_search. */
	bool is_unsearched;
	/* Has what was kept on a guess watched; NULL: nobody does. Whether some of it is new. */
	_Atomic(resident_begin_watch *) begin_watch;
	bool has_guess;
	uint64_t fault_ns; /* the time of one */
	/* When the process began; page faults that saved transfers have paid for. */
	int64_t begun_ns;
	uint64_t paid_ns;
	struct tracking_rates rates;
	struct hashing_rates hashing;
	struct admission_announced announced;
	struct resident_stats stats;
};

/*
 * Whether page faults that no saved transfer has paid for, and so many nanoseconds of them more,
 * take too much of the process's time.
 */
static inline bool operand_context_is_costly(const struct operand_context *context,
                                             uint64_t more_ns, int64_t now_ns)
{
	const uint64_t all_ns = context->stats.fault_ns + more_ns;
	return all_ns > context->paid_ns &&
	       admission_is_costly(all_ns - context->paid_ns,
	                           (uint64_t)(now_ns - context->begun_ns));
}

/* Each was a page fault of the program. */
void operand_context_count_faults(struct operand_context *context, uint64_t written_pages);
/* Of an operand that the program has rewritten: whether calls have paid for that before. */
void operand_context_note_paid(struct operand_context *context, const struct admission *admission,
                               uint64_t written_pages);

/* A part of the view's pages, another one each time. */
struct pages_span operand_context_choose_part(const struct host_view *view);
/* Valid pages of the part that were written stay so no longer, and are counted: how many. */
uint64_t operand_context_look(struct operand_context *context, struct window *window,
                              struct pages_span part);

/*
 * Pages that the program has written are counted too where no call asks for them any more. Before
 * the view is admitted: some windows, in turn. Before pages of other windows are given up for it:
 * those windows.
 */
void operand_context_audit_some(struct operand_context *context, const struct host_view *view);
void operand_context_audit_meeting(struct operand_context *context, const struct host_view *view);

/*
 * Looks at the windows that were kept on a guess, and gives those up that the program rewrites.
 * Nanoseconds until they are to be looked at again; 0: there are none.
 */
int64_t operand_context_watch(struct operand_context *context);

#endif
