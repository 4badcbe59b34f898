/* resident.h - operands that have not changed since they were sent are not sent again */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_RESIDENT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_RESIDENT_H

#include "policy/resident/hashing_cost.h"
#include "policy/resident/track_reason.h"
#include "policy/resident/tracking_cost.h"
#include "shim/execute/gpu/resident/resident_operand.h"

/*
 * The engine keeps a copy (mirror) of windows of the program's memory on the device. This room
 * tells which bytes of an operand the mirror lacks. It copies nothing, and knows nothing of CUDA.
 *
 * A byte is left out only if its page was armed before it was copied, lay whole in that operand,
 * and is clean by the kernel's word at the time of the call. This holds as long as nobody writes to
 * an operand during the call, as BLAS and FFTW demand. Without tracking all bytes are to be sent.
 *
 * Or pages are hashed (RESIDENT_HASH). Then a byte is left out only if its page lay whole in the
 * operand that it was sent for, lies whole in this one, and has the hash of the bytes that the
 * mirror got. Neither the kernel nor other writers are asked about.
 *
 * Threads may call at the same time, each with its own struct resident_call, inside a section of
 * shim/shield. In a forked child, and in every process but the one that opened, nothing is tracked.
 */

/* Hashes see all writes, on any system and in any memory; they take a processor's time. */
enum resident_mode { RESIDENT_TRACK, RESIDENT_HASH };

struct resident_settings {
	enum resident_mode mode;
	uint64_t limit_bytes;     /* of all windows */
	bool tracks_at_once;      /* every operand, at its first sighting */
	bool program_uses_cuda;   /* the program itself */
	bool asks_despite_filter; /* of system calls; else nothing is tried under one */
	int64_t age_ns;           /* of the process: page faults may take 1 % of its life */
	/* Where pages are hashed: what runs parts of an operand on several threads (NULL: the
	 * caller hashes alone), and what is asked before memory is read (NULL: nothing). */
	resident_run_parts *run_parts;
	resident_may_read *may_read;
	/* Factors are kept in young processes too, if somebody watches. NULL: nobody. */
	resident_begin_watch *begin_watch;
};

/*
 * defers: after resident_begin, by a caller that asks resident_prove. announces: the same, by one
 * whose results are read by later calls as a rule, as factors are by solves.
 */
struct resident_call {
	struct resident_operand operand[RESIDENT_OPERANDS_MAX];
	int operands;
	bool defers, announces;
};

/*
 * Opens the tracking and tests it, which takes milliseconds. TRACK_REASON_NONE, or why nothing is
 * tracked, which may end later (resident_reason). Once per process, or again after resident_close;
 * *fault: the statement that the kernel fails, or NULL.
 */
enum track_reason resident_open(const struct resident_settings *settings, const char **fault);
void resident_close(void);
/* Nothing is tracked from now on; calls may be under way, and may go on calling. */
void resident_stop(void);
/* Why nothing is tracked now; it may be tracked again at a later call. */
enum track_reason resident_reason(void);

/*
 * Whether a call is to begin at all, whose largest operand has so many bytes, for a link of this
 * rate. false: nothing is kept, and its operands are too small to be. From any thread, without the
 * mutex: where many calls are small, this is all that they pay.
 */
bool resident_wants(double send_bytes_s, uint64_t most_bytes);
/* Whether there is a window, or a mirror that was not taken yet; needs no mutex either. */
bool resident_has_mirrors(void);
void resident_begin(struct resident_call *call);
/*
 * Plans an operand; NULL where a call has too many. An operand that is written overlaps no other
 * one of the call.
 */
struct resident_operand *resident_plan(struct resident_call *call, const struct host_view *view,
                                       enum resident_access access);
/*
 * Asks the kernel about a part of an operand that is unproven, any time after its plan, again and
 * again until all of it is RESIDENT_PROVEN. Where a result of the call is armed, its pages are
 * disarmed instead: they can be written before that, but the kernel has a page fault for each.
 * The mirror may be used before that, as long as nothing that comes of it is stored.
 * RESIDENT_REFUTED: it lacks something after all. Then the call has to end as it is, with nothing
 * noted, and to be planned anew without deferring.
 */
enum resident_proof resident_prove(struct resident_operand *operand);
/*
 * The same in three steps, of which the second one is taken for each question by any thread, also
 * at the same time. Begins at most *count questions, and sets it to how many; none: the proof is
 * returned. All that were begun must end, by either function.
 */
enum resident_proof resident_prove_begin(struct resident_operand *operand,
                                         struct resident_question question[], int *count);
void resident_ask(struct resident_question *question);
enum resident_proof resident_prove_end(struct resident_operand *operand,
                                       struct resident_question question[], int count);
void resident_prove_cancel(struct resident_question question[], int count);
/* The mirror that the engine has made for the window on the device; returns the one that another
 * thread was quicker with, or the same. */
void *resident_attach(struct resident_operand *operand, void *mirror, int device);
/* The run is in the mirror; all runs are. */
void resident_sent(struct resident_operand *operand, uint64_t run);
void resident_sent_all(struct resident_operand *operand);
/*
 * So many bytes of the operand were written to the program's memory, and are the mirror's: not so
 * after C := z + beta C on the host. The operand stays valid once all bytes are committed.
 */
void resident_commit(struct resident_operand *operand, uint64_t bytes);
/*
 * Of an operand that will be committed: its first bytes, up to stored_end, are in the program's
 * memory as in the mirror, and are not written again by the call. Their pages may be armed now,
 * while the rest is under way. Any thread, one at a time for an operand; resident_end and
 * resident_abort come after it.
 */
void resident_arm(struct resident_operand *operand, uintptr_t stored_end);
/* All is done, or all that was planned is void. */
void resident_end(struct resident_call *call);
void resident_abort(struct resident_call *call);

/*
 * The rate at which operands are sent: what takes longer to track is not tracked. Until then, and
 * with 0, all is taken to pay. From any thread.
 */
void resident_set_rate(double send_bytes_s);
/*
 * Looks at results that were kept for their calls' sake: what the program writes before a few calls
 * have read it is tracked no longer, so that a wrong guess costs some milliseconds of page faults.
 * For a thread of its own. Nanoseconds until the next look; 0: there is nothing to watch.
 */
int64_t resident_watch(void);
/* The program uses CUDA itself: nothing is tracked from now on. From any thread. */
void resident_note_cuda(void);

/* Whether writes are tracked now, or may be at the next call: reasons end, but for lost files. */
bool resident_is_on(void);
/*
 * Whether the device had most of the view when it was planned last: what a call is expected to find
 * there. Asks the kernel nothing, and waits for no other thread: false while one is in this room,
 * since calls that stay on the CPU ask too.
 */
bool resident_expects(const struct host_view *view, int device);

/*
 * The engine is about to write the view, which is no planned operand: copies of it are void, and
 * its pages are not armed any more.
 */
void resident_overwrite(const struct host_view *view);

/* The copies of this memory are void; those of all memory. */
void resident_invalidate(const void *memory, uint64_t bytes);
void resident_flush(void);

/* Gives up the window that was not used for the longest time, for its mirror; false: none. */
bool resident_drop_oldest(void);

/* Mirrors that are not used any more, one at a time; NULL: none. */
void *resident_take_retired(void);
struct resident_stats resident_stats_get(void);
/* The times that the test of tracking measured; 0 where it was not made. */
struct tracking_rates resident_rates_get(void);

#endif
