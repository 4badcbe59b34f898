/* resident.c - opening, the guards at each call, and the mutex around all else */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/resident.h"

#include <pthread.h>
#include <stdatomic.h>

#include "policy/resident/admission.h"
#include "shim/base/clock.h"
#include "shim/base/diag.h"
#include "shim/execute/gpu/resident/hash_plan.h"
#include "shim/execute/gpu/resident/operand_arm.h"
#include "shim/execute/gpu/resident/operand_proof.h"
#include "shim/execute/gpu/resident/own_memory.h"
#include "shim/execute/gpu/resident/registered.h"
#include "shim/execute/gpu/resident/resident_guards.h"
#include "shim/execute/gpu/resident/resident_room.h"
#include "shim/execute/gpu/resident/sightings.h"
#include "shim/execute/gpu/resident/track.h"
#include "shim/execute/gpu/resident/track_guard.h"
#include "shim/execute/gpu/resident/track_proof.h"
#include "shim/rights/call_filter.h"

static pthread_mutex_t resident_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct resident_settings resident_set;
struct operand_context resident_context;
/* now: the reason, but for one of the rates of hashing; untold: see resident_leave. */
_Atomic enum track_reason resident_now = TRACK_REASON_CLOSED;
static enum track_reason resident_untold;
static atomic_bool resident_hash_is_slow;
bool resident_repeats;
static _Atomic double resident_rate;

static bool resident_hashes(void)
{
	return resident_set.mode == RESIDENT_HASH;
}

bool resident_enter(void)
{
	if (!own_memory_is_same())
		return false;
	pthread_mutex_lock(&resident_mutex);
	return true;
}

/* Whether nothing is tracked for now, for a reason that may end. */
static bool resident_may_return(enum track_reason reason)
{
	return !resident_hashes() && !track_reason_is_final(reason) &&
	       reason != TRACK_REASON_NONE && reason != TRACK_REASON_CLOSED;
}

/* Somebody who asks for tracking is told once that it has ended, without the lock. */
void resident_leave(void)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	const enum track_reason untold = resident_untold;
	resident_untold = TRACK_REASON_NONE;
	pthread_mutex_unlock(&resident_mutex);
	if (untold != TRACK_REASON_NONE && diag_once(&said))
		diag_note("residency = track: %s; operands are sent each time %s",
		          track_reason_sentence(untold),
		          track_reason_is_final(untold) ? "from now on" : "while that lasts");
}

/*
 * The guards first: the test would disturb nobody, but takes milliseconds. What forbids tracking
 * for now may end: then the test is made, and the guards are asked again later.
 */
static enum track_reason resident_try(void)
{
	const enum track_reason reason = resident_guards_ask_slow();
	if (reason == TRACK_REASON_CUDA || reason == TRACK_REASON_NO_STATUS)
		return reason;
	resident_context.fault =
		track_proof_find_fault(&resident_context.fault_ns, &resident_context.rates);
	if (resident_context.fault != NULL)
		return TRACK_REASON_WRONG;
	const int64_t begin_ns = clock_monotonic_ns();
	track_guard_descriptors();
	resident_context.rates.search_ns = (uint64_t)(clock_monotonic_ns() - begin_ns);
	if (!own_memory_mark())
		return TRACK_REASON_NO_RESOURCES;
	if (reason != TRACK_REASON_NONE)
		resident_guards_note(reason);
	return reason;
}

static enum track_reason resident_open_tracking(void)
{
	const bool heeds = !resident_set.asks_despite_filter;
	enum track_reason reason = heeds ? track_guard_filter() : TRACK_REASON_NONE;
	track_heed_filter(heeds);
	if (reason == TRACK_REASON_NONE)
		reason = track_open();
	if (reason == TRACK_REASON_NONE) {
		reason = resident_try();
		if (!own_memory_is_marked())
			track_close();
	}
	return reason;
}

static enum track_reason resident_open_hashing(void)
{
	if (!digest_is_built())
		return TRACK_REASON_NO_HASH;
	digest_begin();
	return own_memory_mark() ? TRACK_REASON_NONE : TRACK_REASON_NO_RESOURCES;
}

enum track_reason resident_open(const struct resident_settings *settings, const char **fault)
{
	*fault = NULL;
	if (own_memory_is_marked())
		return resident_reason();
	resident_set = *settings;
	resident_context =
		(struct operand_context){.tracks_at_once = settings->tracks_at_once,
	                                 .hashes = resident_hashes(),
	                                 .begin_watch = settings->begin_watch,
	                                 .ask_guards = resident_guards_ask,
	                                 .begun_ns = clock_monotonic_ns() - settings->age_ns};
	windows_set_limit(settings->limit_bytes);
	resident_guards_open(settings->program_uses_cuda, settings->tracks_at_once);
	const enum track_reason reason =
		resident_hashes() ? resident_open_hashing() : resident_open_tracking();
	*fault = resident_context.fault;
	resident_now = reason;
	return reason;
}

static void resident_drop_all(void)
{
	windows_drop_all();
	registered_clear();
	sightings_clear();
}

/*
 * Under a filter that the program has set up meanwhile the kernel is asked nothing any more: the
 * descriptors are closed, which ends all registrations.
 */
void resident_suspend(enum track_reason reason)
{
	if (resident_now == TRACK_REASON_FILTERED)
		return;
	if (reason == TRACK_REASON_FILTERED)
		track_close();
	if (reason != TRACK_REASON_NONE && resident_now == TRACK_REASON_NONE) {
		resident_drop_all();
		if (resident_set.tracks_at_once && reason != TRACK_REASON_CLOSED)
			resident_untold = reason;
	}
	resident_now = reason;
}

void resident_close(void)
{
	if (!resident_enter())
		return;
	resident_drop_all();
	track_close();
	own_memory_forget();
	resident_now = TRACK_REASON_CLOSED;
	resident_leave();
}

void resident_stop(void)
{
	if (!resident_enter())
		return;
	resident_suspend(TRACK_REASON_CLOSED);
	resident_leave();
}

enum track_reason resident_reason(void)
{
	if (own_memory_is_marked() && !own_memory_is_same())
		return TRACK_REASON_OTHER_MEMORY;
	const enum track_reason now = resident_now;
	return now == TRACK_REASON_NONE && atomic_load(&resident_hash_is_slow)
	               ? TRACK_REASON_HASH_SLOW
	               : now;
}

/* Somebody who asks for tracking has it tried in spite of a filter. */
static bool resident_is_filtered_now(void)
{
	return !resident_hashes() && !resident_set.asks_despite_filter &&
	       !track_reason_is_final(resident_now) && call_filter_is_on();
}

void resident_begin(struct resident_call *call)
{
	call->operands = 0;
	call->defers = call->announces = false;
	if (!resident_enter())
		return;
	resident_context.rates.send_bytes_s = atomic_load(&resident_rate);
	resident_context.hashing.send_bytes_s = resident_context.rates.send_bytes_s;
	hashing_cost_refresh(&resident_context.hashing, clock_monotonic_ns());
	atomic_store(&resident_hash_is_slow,
	             resident_hashes() && !hashing_cost_pays_input(&resident_context.hashing));
	resident_context.is_guarded = resident_now != TRACK_REASON_NONE || resident_repeats;
	resident_repeats = false;
	resident_guards_begin_call(windows_count() == 0);
	if (resident_is_filtered_now())
		resident_suspend(TRACK_REASON_FILTERED);
	else if (resident_may_return(resident_now))
		resident_suspend(resident_guards_ask_again());
	resident_leave();
}

/* The descriptors are asked about where they may be used: what arms asks again. */
static bool resident_may_look(void)
{
	return resident_hashes() || windows_count() == 0 || track_is_ours();
}

static void resident_plan_operand(struct resident_call *call, struct resident_operand *operand)
{
	uint64_t generation[RESIDENT_OPERANDS_MAX];
	for (int i = 0; i < call->operands; i++)
		generation[i] =
			call->operand[i].is_tracked ? call->operand[i].window->generation : 0;
	if (call->defers && operand->access == RESIDENT_READ && operand_proof_guess(operand))
		return;
	enum track_reason reason = resident_may_look() ? TRACK_REASON_NONE : TRACK_REASON_LOST;
	if (reason == TRACK_REASON_NONE && (operand->access & RESIDENT_READ) != 0 &&
	    !resident_hashes())
		reason = operand_plan_read(&resident_context, operand);
	if (resident_hashes() && operand->access == RESIDENT_WRITE)
		hash_plan_note_write(&resident_context, &operand->view);
	if (reason == TRACK_REASON_NONE && (operand->access & RESIDENT_WRITE) != 0)
		reason = operand_plan_write(&resident_context, operand,
		                            call->defers && !resident_hashes());
	if (reason != TRACK_REASON_NONE)
		resident_suspend(reason);
	else
		operand_plan_follow(call->operand, call->operands, operand, generation);
}

/* The mutex is another thread's meanwhile: the operand's memory does not change during the call. */
static bool resident_take_digests(struct resident_operand *operand)
{
	resident_leave();
	const uint64_t bytes = host_view_count_own(&operand->view) * pages_size();
	const int64_t start_ns = clock_monotonic_ns();
	const bool taken = hash_plan_take(operand, resident_set.run_parts, resident_set.may_read);
	const int64_t end_ns = clock_monotonic_ns();
	pthread_mutex_lock(&resident_mutex);
	resident_context.stats.hash_ns += (uint64_t)(end_ns - start_ns);
	if (taken)
		hashing_cost_note(&resident_context.hashing, bytes, end_ns - start_ns, end_ns);
	return taken;
}

static void resident_plan_by_digests(struct resident_operand *operand)
{
	if ((operand->access & RESIDENT_READ) == 0 || !hash_plan_begin(&resident_context, operand))
		return;
	hash_plan_settle(&resident_context, operand, resident_take_digests(operand));
}

/* What lies beside a triangle may be no memory that can be read, so it is not hashed. */
static bool resident_takes(const struct host_view *view)
{
	return view->form == 0 || !resident_hashes();
}

struct resident_operand *resident_plan(struct resident_call *call, const struct host_view *view,
                                       enum resident_access access)
{
	if (call->operands == RESIDENT_OPERANDS_MAX)
		return NULL;
	struct resident_operand *operand = &call->operand[call->operands++];
	*operand = (struct resident_operand){
		.view = *view, .access = access, .is_announced = call->announces};
	if (resident_enter()) {
		const bool takes = resident_takes(view);
		if (takes && resident_hashes())
			resident_plan_by_digests(operand);
		if (takes && resident_now == TRACK_REASON_NONE)
			resident_plan_operand(call, operand);
		if (!takes && (access & RESIDENT_WRITE) != 0)
			windows_forget_view(view, NULL);
		const uint64_t bytes = host_view_bytes(view);
		const bool reads = (access & RESIDENT_READ) != 0;
		resident_context.stats.asked_bytes += reads ? bytes : 0;
		resident_context.stats.sent_bytes += operand->is_tracked ? operand->send_bytes
		                                     : reads             ? bytes
		                                                         : 0;
		resident_leave();
	}
	return operand;
}

void *resident_attach(struct resident_operand *operand, void *mirror, int device)
{
	if (!operand->is_tracked || !resident_enter())
		return mirror;
	if (operand->window->mirror == NULL) {
		operand->window->mirror = mirror;
		operand->window->device = device;
	}
	operand->mirror = operand->window->mirror;
	resident_leave();
	return operand->mirror;
}

static void resident_note_sent(struct resident_operand *operand, uint64_t run)
{
	if (resident_hashes())
		hash_plan_note_sent(operand, operand->run[run]);
	else
		operand_plan_note_sent(operand, operand->run[run]);
}

void resident_sent(struct resident_operand *operand, uint64_t run)
{
	if (!operand->is_tracked || !resident_enter())
		return;
	resident_note_sent(operand, run);
	resident_leave();
}

void resident_sent_all(struct resident_operand *operand)
{
	if (!operand->is_tracked || !resident_enter())
		return;
	for (uint64_t run = 0; run < operand->runs; run++)
		resident_note_sent(operand, run);
	resident_leave();
}

void resident_commit(struct resident_operand *operand, uint64_t bytes)
{
	operand->committed_bytes += bytes;
}

void resident_arm(struct resident_operand *operand, uintptr_t stored_end)
{
	if (!operand->is_tracked || resident_hashes() || !resident_enter())
		return;
	if (resident_now == TRACK_REASON_NONE && resident_may_look() &&
	    operand_plan_is_current(operand))
		resident_suspend(operand_arm_stored(&resident_context, operand, stored_end));
	resident_leave();
}

static void resident_note_result(struct resident_operand *operand)
{
	if (resident_hashes()) {
		const bool hashes =
			hash_plan_begin_result(operand) && resident_take_digests(operand);
		hash_plan_note_result(&resident_context, operand, hashes);
	} else if (resident_now == TRACK_REASON_NONE && resident_may_look()) {
		resident_suspend(operand_plan_note_result(&resident_context, operand));
	}
}

static void resident_search(void)
{
	if (resident_now != TRACK_REASON_NONE || resident_hashes())
		return;
	const enum track_reason reason = operand_arm_search(&resident_context);
	if (reason == TRACK_REASON_NONE)
		return;
	resident_guards_note(reason);
	resident_suspend(reason);
}

void resident_end(struct resident_call *call)
{
	if (!resident_enter())
		return;
	for (int i = 0; i < call->operands; i++) {
		struct resident_operand *operand = &call->operand[i];
		if ((operand->access & RESIDENT_WRITE) != 0)
			resident_note_result(operand);
		operand_plan_end(operand);
	}
	call->operands = 0;
	resident_search();
	resident_prove_later();
}

/* What a mirror of the call's holds is unknown. */
void resident_abort(struct resident_call *call)
{
	if (!resident_enter())
		return;
	for (int i = 0; i < call->operands; i++) {
		struct resident_operand *operand = &call->operand[i];
		if (operand->is_tracked && !operand->window->is_dropped)
			windows_drop(operand->window);
		operand_plan_end(operand);
	}
	call->operands = 0;
	resident_leave();
}

void resident_invalidate(const void *memory, uint64_t bytes)
{
	const uintptr_t start = (uintptr_t)memory;
	if (bytes == 0 || !resident_enter())
		return;
	windows_forget((struct pages_span){start, start + bytes});
	resident_leave();
}

void resident_overwrite(const struct host_view *view)
{
	if (!resident_enter())
		return;
	if (windows_meet(view) && track_is_ours())
		windows_forget_view(view, NULL);
	resident_leave();
}

void resident_set_rate(double send_bytes_s)
{
	atomic_store_explicit(&resident_rate, send_bytes_s, memory_order_relaxed);
}

void resident_note_cuda(void)
{
	if (!resident_guards_note_cuda() || !resident_enter())
		return;
	resident_guards_demand();
	resident_leave();
}

bool resident_is_on(void)
{
	return own_memory_is_same() && !track_reason_is_final(resident_now);
}

bool resident_expects(const struct host_view *view, int device)
{
	if (!own_memory_is_same() || pthread_mutex_trylock(&resident_mutex) != 0)
		return false;
	const struct window *window = windows_find(view);
	const bool expected =
		window != NULL && window->mirror != NULL && window->device == device &&
		admission_is_hit(windows_count_valid(window, view), host_view_count_own(view));
	resident_leave();
	return expected;
}

bool resident_drop_oldest(void)
{
	if (!resident_enter())
		return false;
	const bool dropped = windows_drop_oldest();
	resident_leave();
	return dropped;
}

void resident_flush(void)
{
	if (!resident_enter())
		return;
	resident_drop_all();
	resident_leave();
}

void *resident_take_retired(void)
{
	if (!resident_enter())
		return NULL;
	void *mirror = windows_take_retired();
	resident_leave();
	return mirror;
}

struct resident_stats resident_stats_get(void)
{
	struct resident_stats stats = {0};
	if (resident_enter()) {
		stats = resident_context.stats;
		stats.windows = (uint64_t)windows_count();
		stats.window_bytes = windows_count_bytes();
		stats.registrations = (uint64_t)registered_count();
		resident_leave();
	}
	return stats;
}

struct tracking_rates resident_rates_get(void)
{
	struct tracking_rates rates = {.send_bytes_s = 0};
	if (resident_enter()) {
		rates = resident_context.rates;
		resident_leave();
	}
	return rates;
}
