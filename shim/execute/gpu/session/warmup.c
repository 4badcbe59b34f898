/* warmup.c - the steps from no CUDA to devices that take calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/session/warmup.h"

#include <stdatomic.h>

#include "shim/base/clock.h"
#include "shim/base/diag.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/cuda/cuda_exit.h"
#include "shim/execute/gpu/device/blas_math.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/device/memory.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/node/device_nodes.h"
#include "shim/execute/gpu/session/card_choice.h"
#include "shim/execute/gpu/session/quick_look.h"
#include "shim/execute/gpu/session/residency.h"

static const struct options *warmup_options;
static const struct cuda_guard *warmup_guard;

/* Static: too large for the stack of a program's thread, and the set is used until exit. */
static struct cuda_set warmup_set;
static struct cuda_search warmup_search;

/* The device that is being started; the index of the next one; those that wait, by index. */
static const struct cuda_device *warmup_card;
static int warmup_next;
static bool warmup_waits[CUDA_DEVICES];
static atomic_int warmup_waiting;

/* The starting thread's CUDA state to restore; the last CUDA error, for the message. */
static struct guest warmup_caller;
static int warmup_caller_error, warmup_error;

static enum reason warmup_judge(int error)
{
	warmup_error = error;
	return error == CUDA_SUCCESS ? REASON_NONE : REASON_CUDA_START_FAILED;
}

static enum reason warmup_read_device(void)
{
	warmup_caller_error = warmup_set.api.peek_at_last_error();
	guest_save(&warmup_caller, &warmup_set.api);
	return warmup_caller.saved ? REASON_NONE : REASON_CUDA_START_FAILED;
}

static enum reason warmup_set_device(void)
{
	return warmup_judge(guest_open(warmup_card->number));
}

/* cudaFree(NULL) is the usual way to create the context. */
static enum reason warmup_create_context(void)
{
	const enum reason reason = warmup_judge(warmup_set.api.free(NULL));
	guest_settle(warmup_card->number);
	return reason;
}

static enum reason warmup_start_memory(void)
{
	size_t free_bytes = 0, total_bytes = 0;
	uint64_t limit_bytes;
	const enum reason reason =
		warmup_judge(warmup_set.api.mem_get_info(&free_bytes, &total_bytes));
	if (reason != REASON_NONE)
		return reason;
	/* deterministic: free memory differs from run to run. */
	limit_bytes = (uint64_t)(warmup_options->deterministic ? total_bytes : free_bytes) / 5 * 4;
	if (warmup_options->memory_limit != 0)
		limit_bytes = options_find_memory(warmup_options);
	else
		limit_bytes /= (uint64_t)card_choice_count_sharers(warmup_card);
	memory_start(&warmup_set.api, warmup_card->number, limit_bytes);
	return REASON_NONE;
}

static enum reason warmup_settle_memory(void)
{
	memory_settle(warmup_card->number);
	return REASON_NONE;
}

/* The device did not start: gives back what its pool holds. */
static enum reason warmup_empty_memory(void)
{
	memory_trim(warmup_card->number);
	return REASON_NONE;
}

static enum reason warmup_restore_device(void)
{
	guest_leave(&warmup_caller);
	if (warmup_caller_error == CUDA_SUCCESS &&
	    warmup_set.api.peek_at_last_error() != CUDA_SUCCESS)
		warmup_set.api.get_last_error();
	return REASON_NONE;
}

/* name: for a listener. */
struct warmup_step {
	const char *name;
	enum reason (*take)(void);
};

static const struct warmup_step warmup_reading = {"read device", warmup_read_device},
				warmup_settling = {"settle memory", warmup_settle_memory},
				warmup_emptying = {"empty memory", warmup_empty_memory},
				warmup_restoring = {"restore device", warmup_restore_device};

static enum reason warmup_take_step(const struct warmup_step *step)
{
	if (!cuda_api_enter(warmup_guard))
		return REASON_EXITING;
	const int64_t begin_ns = observe_begin(step->name);
	const enum reason reason = step->take();
	observe_end(step->name, begin_ns);
	cuda_exit_register();
	cuda_api_leave(warmup_guard);
	return reason;
}

static enum reason warmup_take_steps(const struct warmup_step *steps, size_t count)
{
	enum reason reason = REASON_NONE;
	for (size_t i = 0; i < count && reason == REASON_NONE; i++)
		reason = warmup_take_step(&steps[i]);
	return reason;
}

/* The second half of the message about a device that does not start. */
static const char *warmup_consequence(void)
{
	return warmup_set.count == 1 ? "every call stays on the CPU" : "it is left out";
}

/* Nobody has named it, and another one may be free. */
static bool warmup_is_passed_over(enum reason reason)
{
	return reason == REASON_CUDA_START_FAILED &&
	       warmup_error == CUDA_ERROR_DEVICES_UNAVAILABLE && card_choice_is_free() &&
	       warmup_next < warmup_set.count;
}

static void warmup_say_start(enum reason reason)
{
	const int device = warmup_card->number;
	if (warmup_is_passed_over(reason))
		return;
	if (reason == REASON_MATH_NOT_NATIVE)
		diag_warn("cuBLAS does not pin native precision on GPU %d; %s", device,
		          warmup_consequence());
	else if (reason == REASON_DEVICE_MEMORY)
		diag_warn("GPU %d has no memory left for cuBLAS's workspace; %s", device,
		          warmup_consequence());
	else if (reason == REASON_CUDA_START_FAILED)
		diag_warn("CUDA does not start on GPU %d: %s; %s", device,
		          warmup_set.api.get_error_string(warmup_error), warmup_consequence());
	else if (reason != REASON_EXITING)
		diag_warn("GPU %d does not take a stream or a cuBLAS handle; %s", device,
		          warmup_consequence());
}

static enum reason warmup_prepare_device(void)
{
	static const struct warmup_step steps[] = {{"set device", warmup_set_device},
	                                           {"create context", warmup_create_context},
	                                           {"start memory", warmup_start_memory}};
	enum reason reason = warmup_take_steps(steps, sizeof steps / sizeof steps[0]);
	if (reason != REASON_NONE)
		return reason;
	const int64_t begin_ns = observe_begin("create lane");
	reason = lanes_create_first(warmup_card, warmup_guard);
	observe_end("create lane", begin_ns);
	return reason;
}

/* lane reasons are about calls; here they all mean that CUDA did not start. */
static enum reason warmup_start_device(void)
{
	const enum reason reason = warmup_prepare_device();
	if (reason == REASON_NONE)
		return warmup_take_step(&warmup_settling);
	warmup_say_start(reason);
	if (reason == REASON_EXITING || warmup_take_step(&warmup_emptying) == REASON_EXITING)
		return REASON_EXITING;
	return reason == REASON_MATH_NOT_NATIVE ? reason : REASON_CUDA_START_FAILED;
}

/*
 * The rings lie, and the copying threads run, on the NUMA node of the first device, which takes
 * most of the calls: a copy from the other node's memory takes up to three times as long.
 */
static enum reason warmup_configure_copies(void)
{
	staging_configure(&warmup_set.api, 0);
	staging_set_node(cuda_devices_find_root(), warmup_card->numa_node);
	copiers_configure(warmup_card->numa_node);
	return REASON_NONE;
}

/* Page-locking is slow. Where it fails, the first call tries again. */
static enum reason warmup_lock_rings(void)
{
	staging_prepare();
	return REASON_NONE;
}

/* Once, for the first device that starts. */
static enum reason warmup_begin_residency(void)
{
	residency_begin(warmup_options, warmup_card);
	return REASON_NONE;
}

static const struct warmup_step warmup_tracking = {"begin residency", warmup_begin_residency};

static const struct warmup_step warmup_copying[] = {{"configure copies", warmup_configure_copies},
                                                    {"page-lock rings", warmup_lock_rings}};

/* Tries the set's devices in order until one starts; else returns the first one's reason. */
static enum reason warmup_start_first(void)
{
	enum reason first = REASON_NONE, reason = REASON_CUDA_START_FAILED;
	while (reason != REASON_NONE && reason != REASON_EXITING &&
	       warmup_next < warmup_set.count) {
		warmup_card = &warmup_set.devices[warmup_next++];
		reason = warmup_start_device();
		first = first == REASON_NONE ? reason : first;
	}
	if (reason == REASON_NONE && warmup_card != &warmup_set.devices[0])
		card_choice_settle(warmup_card);
	if (reason == REASON_NONE)
		return warmup_take_steps(warmup_copying,
		                         sizeof warmup_copying / sizeof warmup_copying[0]);
	if (reason == REASON_EXITING)
		return reason;
	if (warmup_set.count > 1)
		diag_warn("none of %d GPUs starts; every call stays on the CPU", warmup_set.count);
	return first;
}

static void warmup_say_relative(enum reason reason)
{
	if (reason != REASON_EXITING && warmup_search.relative != NULL)
		diag_warn("%s holds no absolute path, so that CUDA is not searched there; write "
		          "the whole path",
		          warmup_search.relative);
	if (reason != REASON_EXITING && warmup_search.planted)
		diag_warn("an element of LD_LIBRARY_PATH is no absolute path, and leads to CUDA's "
		          "libraries in the working directory; every call stays on the CPU");
}

static void warmup_say_search(enum reason reason)
{
	const struct cuda_refusal *refusal = cuda_find_refusal(&warmup_search);
	warmup_say_relative(reason);
	if (reason != REASON_EXITING && refusal != NULL && !refusal->expected)
		diag_warn("%s; every call stays on the CPU", refusal->sentence);
}

/*
 * Reports devices that were named and are not used. A set that was refused elsewhere may have
 * recorded them already.
 */
static void warmup_say_left_out(void)
{
	bool said[CUDA_DEVICES] = {false};
	for (int i = 0; i < warmup_search.refusal_count; i++) {
		const struct cuda_refusal *refusal = &warmup_search.refusal[i];
		if (refusal->device < 0 || refusal->expected ||
		    refusal->major != warmup_set.major || said[refusal->device])
			continue;
		said[refusal->device] = true;
		diag_warn("%s; it is left out", refusal->sentence);
	}
}

static enum reason warmup_choose_card(void)
{
	card_choice_make(&warmup_set, warmup_options);
	return REASON_NONE;
}

static const struct warmup_step warmup_choosing = {"choose device", warmup_choose_card};

static enum reason warmup_start_devices(int64_t begun_ns)
{
	if (warmup_take_step(&warmup_choosing) == REASON_EXITING)
		return REASON_EXITING;
	warmup_card = &warmup_set.devices[0];
	enum reason reason = warmup_take_step(&warmup_reading);
	if (reason != REASON_NONE) {
		warmup_say_start(reason);
		return reason;
	}
	lanes_start(&warmup_set);
	if (warmup_options->deterministic)
		lanes_fix();
	enum reason started = warmup_start_first();
	/*
	 * Before calls are accepted: they would disturb each other. deterministic: measurements
	 * vary.
	 */
	if (started == REASON_NONE && !warmup_options->deterministic)
		started = quick_look_take(&warmup_set, warmup_card, warmup_guard, begun_ns);
	if (started == REASON_NONE)
		started = warmup_take_step(&warmup_tracking);
	reason = started == REASON_EXITING ? started : warmup_take_step(&warmup_restoring);
	if (started == REASON_NONE && reason != REASON_NONE)
		warmup_say_start(reason);
	return started == REASON_NONE ? reason : started;
}

static enum reason warmup_look_at_program(void)
{
	residency_look();
	return REASON_NONE;
}

static const struct warmup_step warmup_looking = {"look at the program", warmup_look_at_program};

/* Whether libraries of CUDA, which were not found, would be of no use either. */
static bool warmup_lacks_driver(void)
{
	if (warmup_options->cuda_path[0] != '\0' || !cuda_api_enter_load(warmup_guard))
		return false;
	const bool none = device_nodes_lack_driver();
	cuda_api_leave(warmup_guard);
	return none;
}

static enum reason warmup_run_first(void)
{
	const int64_t begun_ns = clock_monotonic_ns(),
		      begin_ns = observe_begin("open CUDA libraries");
	if (warmup_take_step(&warmup_looking) == REASON_EXITING)
		return REASON_EXITING;
	const enum reason reason = cuda_open(warmup_options->cuda_path, warmup_options->devices,
	                                     warmup_guard, &warmup_set, &warmup_search);
	observe_end("open CUDA libraries", begin_ns);
	if (reason != REASON_NONE) {
		warmup_say_search(reason);
		return reason == REASON_NO_CUDA && warmup_lacks_driver() ? REASON_NO_DRIVER
		                                                         : reason;
	}
	warmup_say_left_out();
	blas_math_start((enum math)warmup_options->math);
	return warmup_start_devices(begun_ns);
}

/* Detects most machines without a GPU before any CUDA library is opened. */
static enum reason warmup_look_for_driver(void)
{
	if (warmup_options->cuda_path[0] != '\0')
		return REASON_NONE;
	if (!cuda_api_enter_load(warmup_guard))
		return REASON_EXITING;
	const bool none = device_nodes_rule_out();
	cuda_exit_register();
	cuda_api_leave(warmup_guard);
	return none ? REASON_NO_DRIVER : REASON_NONE;
}

enum reason warmup_run(const struct options *options, const struct cuda_guard *guard)
{
	const int64_t begin_ns = observe_begin("start CUDA");
	warmup_options = options;
	warmup_guard = guard;
	enum reason reason = warmup_look_for_driver();
	if (reason == REASON_NONE)
		reason = warmup_run_first();
	observe_end("start CUDA", begin_ns);
	return reason;
}

/* An exclusive device would be lost for other processes. */
static enum reason warmup_admit_device(void)
{
	int mode = -1;
	const int error = warmup_set.api.device_get_attribute(&mode, CUDA_ATTRIBUTE_COMPUTE_MODE,
	                                                      warmup_card->number);
	return error == CUDA_SUCCESS && mode == CUDA_COMPUTE_MODE_SHARED &&
	                       card_choice_borrow(warmup_card)
	               ? REASON_NONE
	               : REASON_CUDA_START_FAILED;
}

static const struct warmup_step warmup_admitting = {"admit device", warmup_admit_device};

static void warmup_start_rest(void)
{
	if (warmup_next == warmup_set.count || warmup_take_step(&warmup_reading) != REASON_NONE)
		return;
	while (warmup_next < warmup_set.count) {
		warmup_card = &warmup_set.devices[warmup_next++];
		if (warmup_start_device() == REASON_EXITING)
			return;
	}
	warmup_take_step(&warmup_restoring);
}

bool warmup_has_more(void)
{
	return card_choice_is_free() && !warmup_options->deterministic &&
	       (warmup_next < warmup_set.count || atomic_load(&warmup_waiting) > 0);
}

/* Those behind the first that started. */
static void warmup_list_waiting(void)
{
	for (; warmup_next < warmup_set.count; warmup_next++) {
		warmup_waits[warmup_next] = true;
		atomic_fetch_add(&warmup_waiting, 1);
	}
}

/* One that is not admitted, because another process works on it, waits for the next time. */
static enum reason warmup_try_waiting(int index)
{
	warmup_card = &warmup_set.devices[index];
	const enum reason reason = warmup_take_step(&warmup_admitting);
	if (reason != REASON_NONE)
		return reason;
	warmup_waits[index] = false;
	atomic_fetch_sub(&warmup_waiting, 1);
	return warmup_start_device();
}

void warmup_run_more(void)
{
	warmup_list_waiting();
	if (atomic_load(&warmup_waiting) == 0 || warmup_take_step(&warmup_reading) != REASON_NONE)
		return;
	for (int i = 0; i < warmup_set.count; i++)
		if (warmup_waits[i] && warmup_try_waiting(i) == REASON_EXITING)
			return;
	warmup_take_step(&warmup_restoring);
}

void warmup_run_rest(void)
{
	/*
	 * deterministic: which device is idle varies, and another model computes in another order.
	 */
	if (!warmup_options->deterministic && !card_choice_is_free())
		warmup_start_rest();
}
