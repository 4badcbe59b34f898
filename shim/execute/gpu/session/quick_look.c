/* quick_look.c - a few probes on scratch memory, each larger until it takes long enough */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/session/quick_look.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include "shim/base/clock.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/cuda/cuda_name.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/session/probe.h"

enum {
	LOOK_TIMES = 3,
	LOOK_CALLS = 5,
	LOOK_HOPS = 16,
	LOOK_COPY_GROWTH = 4,
	LOOK_FIRST_ORDER = 64,
	LOOK_GROWTH = 8
};

/*
 * No probe begins after the budget, which starts when the one-time costs are paid. A probe of
 * look_enough_ns is long enough to measure; one that may take longer than look_most_ns is not
 * tried.
 */
static _Atomic int64_t look_budget_ns = 80000000;
static const int64_t look_enough_ns = 1000000, look_most_ns = 4000000;

/*
 * The host memory is twice the size of a ring on most machines. Device memory: at most this, and at
 * most 1 / LOOK_DEVICE_PART of the free memory.
 */
static const uint64_t look_host_bytes = UINT64_C(32) << 20, look_device_bytes = UINT64_C(256) << 20;
/* Smaller copies are dominated by their fixed costs. */
static const uint64_t look_least_bytes = UINT64_C(8) << 20;
enum { LOOK_DEVICE_PART = 4 };

/* Staging, which occupies processors, has to be faster by this factor. */
static const double look_staging_gain = 1.25;

static atomic_bool look_enabled, look_complete;
static struct machine look_found;

/* reason: of the first step that failed. */
struct look {
	const struct cuda_set *set;
	const struct cuda_device *card;
	const struct cuda_guard *guard;
	int64_t end_ns;
	enum reason reason;
	struct probe probe;
};

void quick_look_enable(bool enabled)
{
	atomic_store(&look_enabled, enabled);
}

void quick_look_set_budget(int64_t budget_ns)
{
	atomic_store(&look_budget_ns, budget_ns);
}

bool quick_look_read(struct machine *found)
{
	if (!atomic_load_explicit(&look_complete, memory_order_acquire))
		return false;
	*found = look_found;
	return true;
}

/* Whether the next step may begin. quick_look_leave must follow. */
static bool quick_look_enter(struct look *look)
{
	if (look->reason != REASON_NONE || clock_monotonic_ns() >= look->end_ns)
		return false;
	if (cuda_api_enter(look->guard))
		return true;
	look->reason = REASON_EXITING;
	return false;
}

static bool quick_look_leave(struct look *look, enum reason reason)
{
	cuda_api_leave(look->guard);
	look->reason = reason;
	return reason == REASON_NONE;
}

/* Sorts the values. */
static int64_t quick_look_find_median(int64_t *values, int count)
{
	for (int i = 1; i < count; i++)
		for (int j = i; j > 0 && values[j] < values[j - 1]; j--) {
			const int64_t greater = values[j - 1];
			values[j - 1] = values[j];
			values[j] = greater;
		}
	return values[count / 2];
}

/* -- links -- */

static bool quick_look_copy(struct look *look, enum staging_way way, uint64_t size_bytes,
                            int64_t *elapsed_ns)
{
	return quick_look_enter(look) &&
	       quick_look_leave(look, probe_copy(&look->probe, way, size_bytes, elapsed_ns));
}

/*
 * Down first: that populates the host's pages, and its streaming stores bypass the cache, so the
 * copy up reads memory as it would read a program's operand.
 */
static bool quick_look_copy_both(struct look *look, uint64_t size_bytes, int64_t *down_ns,
                                 int64_t *up_ns)
{
	return quick_look_copy(look, STAGING_DOWN, size_bytes, down_ns) &&
	       quick_look_copy(look, STAGING_UP, size_bytes, up_ns);
}

/*
 * The size to measure copies with; the last pair populated its pages. 0: a step failed, or there is
 * too little memory.
 */
static uint64_t quick_look_grow_copies(struct look *look)
{
	const struct probe *probe = &look->probe;
	const uint64_t most_bytes =
		probe->host_bytes < probe->device_bytes ? probe->host_bytes : probe->device_bytes;
	uint64_t size_bytes = look_least_bytes;
	while (most_bytes >= look_least_bytes) {
		int64_t down_ns, up_ns;
		if (!quick_look_copy_both(look, size_bytes, &down_ns, &up_ns))
			return 0;
		if (size_bytes == most_bytes || up_ns >= look_enough_ns || down_ns >= look_most_ns)
			return size_bytes;
		size_bytes = size_bytes < most_bytes / LOOK_COPY_GROWTH
		                     ? size_bytes * LOOK_COPY_GROWTH
		                     : most_bytes;
	}
	return 0;
}

static double quick_look_find_rate(uint64_t size_bytes, int64_t *elapsed_ns, int count)
{
	return (double)size_bytes * 1e9 / (double)quick_look_find_median(elapsed_ns, count);
}

/*
 * The rates of the engine's copies. On a slow link fewer pairs than LOOK_TIMES may be measured;
 * false: none was.
 */
static bool quick_look_at_engine(struct look *look, uint64_t size_bytes, double *up, double *down)
{
	int64_t down_ns[LOOK_TIMES], up_ns[LOOK_TIMES];
	int count = 0;
	while (count < LOOK_TIMES &&
	       quick_look_copy_both(look, size_bytes, &down_ns[count], &up_ns[count]))
		count++;
	if (count == 0)
		return false;
	*up = quick_look_find_rate(size_bytes, up_ns, count);
	*down = quick_look_find_rate(size_bytes, down_ns, count);
	return true;
}

/*
 * A device that reads ordinary memory may be slower at that than staging is: small pages, no copy
 * engine. Calls load by the faster way from now on.
 */
static void quick_look_compare_ways(struct look *look, uint64_t size_bytes)
{
	double up, down;
	flow_set_direct(false);
	const bool measured = quick_look_at_engine(look, size_bytes, &up, &down);
	const bool direct = !measured || up <= look_found.link_up_bytes * look_staging_gain;
	flow_set_direct(direct);
	if (!direct)
		look_found.link_up_bytes = up;
}

/* Page-locked memory, without copies by the processor. */
static void quick_look_at_pinned(struct look *look, uint64_t size_bytes)
{
	double *const rate[STAGING_WAYS] = {[STAGING_UP] = &look_found.link_up_pinned_bytes,
	                                    [STAGING_DOWN] = &look_found.link_down_pinned_bytes};
	int64_t elapsed_ns[LOOK_TIMES];
	for (int way = 0; way < STAGING_WAYS; way++) {
		int count = 0;
		while (count < LOOK_TIMES && quick_look_enter(look) &&
		       quick_look_leave(look, probe_pinned(&look->probe, (enum staging_way)way,
		                                           size_bytes, &elapsed_ns[count])))
			count++;
		if (count > 0)
			*rate[way] = quick_look_find_rate(size_bytes, elapsed_ns, count);
	}
}

static void quick_look_at_links(struct look *look)
{
	const uint64_t size_bytes = quick_look_grow_copies(look);
	if (size_bytes == 0)
		return;
	if (quick_look_at_engine(look, size_bytes, &look_found.link_up_bytes,
	                         &look_found.link_down_bytes) &&
	    look->card->reads_host)
		quick_look_compare_ways(look, size_bytes);
	quick_look_at_pinned(look, size_bytes);
}

/* -- fixed costs -- */

static void quick_look_at_calls(struct look *look)
{
	int64_t elapsed_ns[LOOK_CALLS];
	for (int i = 0; i < LOOK_CALLS; i++)
		if (!quick_look_enter(look) ||
		    !quick_look_leave(look, probe_call(&look->probe, &elapsed_ns[i])))
			return;
	look_found.call_fixed_ns = (double)quick_look_find_median(elapsed_ns, LOOK_CALLS);
}

/* A hop is two operations: a copy and a product. */
static void quick_look_at_operations(struct look *look)
{
	int64_t elapsed_ns[LOOK_TIMES];
	for (int i = 0; i < LOOK_TIMES; i++)
		if (!quick_look_enter(look) ||
		    !quick_look_leave(look, probe_hops(&look->probe, LOOK_HOPS, &elapsed_ns[i])))
			return;
	look_found.operation_ns =
		(double)quick_look_find_median(elapsed_ns, LOOK_TIMES) / LOOK_HOPS / 2;
}

/* -- products -- */

static bool quick_look_multiply(struct look *look, enum element element, int64_t order,
                                int64_t *elapsed_ns)
{
	return quick_look_enter(look) &&
	       quick_look_leave(look, probe_product(&look->probe, element, order, 1, elapsed_ns));
}

/* Times the second product: the first of an order selects and loads its kernel. */
static bool quick_look_multiply_twice(struct look *look, enum element element, int64_t order,
                                      int64_t *elapsed_ns)
{
	int64_t loading_ns;
	return quick_look_multiply(look, element, order, &loading_ns) &&
	       quick_look_multiply(look, element, order, elapsed_ns);
}

/*
 * The next order whose product surely ends within look_most_ns. Small products are dominated by
 * fixed costs, so scaling their time is an upper bound.
 */
static int64_t quick_look_grow_order(int64_t order, int64_t elapsed_ns, int64_t most)
{
	for (int64_t factor = LOOK_GROWTH; factor > 1; factor /= 2)
		if (order * factor <= most && elapsed_ns * factor * factor * factor <= look_most_ns)
			return order * factor;
	return order;
}

/* Flops per second; 0: a step failed. */
static double quick_look_measure_product(struct look *look, enum element element)
{
	const int64_t most = probe_most_order(&look->probe, element);
	int64_t order = LOOK_FIRST_ORDER < most ? LOOK_FIRST_ORDER : most;
	int64_t elapsed_ns[LOOK_TIMES];
	for (int64_t next;; order = next) {
		if (!quick_look_multiply_twice(look, element, order, &elapsed_ns[0]))
			return 0;
		next = quick_look_grow_order(order, elapsed_ns[0], most);
		if (next == order || elapsed_ns[0] >= look_enough_ns)
			break;
	}
	for (int i = 1; i < LOOK_TIMES; i++)
		if (!quick_look_multiply(look, element, order, &elapsed_ns[i]))
			return 0;
	const double n = (double)order;
	return 2 * n * n * n * 1e9 / (double)quick_look_find_median(elapsed_ns, LOOK_TIMES);
}

static void quick_look_at_products(struct look *look)
{
	double *flops = look_found.gpu_gemm_flops;
	flops[ELEMENT_D] = flops[ELEMENT_Z] = quick_look_measure_product(look, ELEMENT_D);
	flops[ELEMENT_S] = flops[ELEMENT_C] = quick_look_measure_product(look, ELEMENT_S);
}

/* -- all measurements -- */

static enum reason quick_look_take_memory(struct look *look)
{
	struct probe *probe = &look->probe;
	void *device = NULL;
	uint64_t size_bytes = memory_available(look->card->number) / LOOK_DEVICE_PART;
	size_bytes = size_bytes < look_device_bytes ? size_bytes : look_device_bytes;
	if (size_bytes < PROBE_LEAST_BYTES)
		return REASON_DEVICE_MEMORY;
	const enum reason reason = lanes_take_memory(probe->lane, size_bytes, &device);
	if (reason != REASON_NONE)
		return reason;
	probe->device = device;
	probe->device_bytes = size_bytes;
	void *host = mmap(NULL, look_host_bytes, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (host == MAP_FAILED)
		return REASON_HOST_MEMORY;
	/* Without huge pages the copies are slower, no more. */
	(void)madvise(host, look_host_bytes, MADV_HUGEPAGE);
	probe->host = host;
	probe->host_bytes = look_host_bytes;
	return REASON_NONE;
}

static enum reason quick_look_open(struct look *look)
{
	const enum reason reason = lanes_take(look->card->number, &look->probe.lane);
	if (reason != REASON_NONE)
		return reason;
	cuda_name_read(look->set, look->card->number, look_found.gpu, sizeof look_found.gpu);
	look_found.gpu_multiprocessors = look->card->multiprocessors;
	look_found.gpu_capability = look->card->capability;
	return quick_look_take_memory(look);
}

/* Frees the device memory too: calls may never need as much. */
static void quick_look_close(const struct look *look)
{
	if (look->probe.host != NULL)
		munmap(look->probe.host, look->probe.host_bytes);
	if (look->probe.lane == NULL)
		return;
	lanes_give(look->probe.lane);
	memory_trim(look->card->number);
}

/*
 * One-time costs are part of the start and not of the look: memory, and the first kernel. The rings
 * exist already.
 */
static bool quick_look_prepare(struct look *look)
{
	int64_t loading_ns;
	return quick_look_enter(look) && quick_look_leave(look, quick_look_open(look)) &&
	       quick_look_multiply(look, ELEMENT_D, LOOK_FIRST_ORDER, &loading_ns);
}

static void quick_look_measure(struct look *look)
{
	quick_look_at_links(look);
	quick_look_at_calls(look);
	quick_look_at_operations(look);
	quick_look_at_products(look);
}

enum reason quick_look_take(const struct cuda_set *set, const struct cuda_device *card,
                            const struct cuda_guard *guard, int64_t begun_ns)
{
	struct look look = {.set = set, .card = card, .guard = guard, .end_ns = INT64_MAX};
	if (!atomic_load(&look_enabled))
		return REASON_NONE;
	const int64_t observed_ns = observe_begin("quick look");
	const bool prepared = quick_look_prepare(&look);
	const int64_t now_ns = clock_monotonic_ns();
	look_found.start_ns = (double)(now_ns - begun_ns);
	look.end_ns = now_ns + atomic_load(&look_budget_ns);
	if (prepared)
		quick_look_measure(&look);
	observe_end("quick look", observed_ns);
	if (look.reason == REASON_EXITING || !cuda_api_enter(guard))
		return REASON_EXITING;
	quick_look_close(&look);
	cuda_api_leave(guard);
	atomic_store_explicit(&look_complete, true, memory_order_release);
	return REASON_NONE;
}
