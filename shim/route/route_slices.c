/* route_slices.c - makes plans for parts of a batch once, where no thread uses FFTW's planner */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/route_slices.h"

#include <stddef.h>

#include "shim/base/one_off.h"
#include "shim/execute/cpu/cpu_planner.h"
#include "shim/execute/cpu/cpu_threads.h"
#include "shim/route/route_planner.h"

static struct cpu_slices *route_slices_load(const struct plan_entry *entry)
{
	return atomic_load_explicit(&entry->slices, memory_order_acquire);
}

static int route_slices_at_least_one(int threads)
{
	return threads > 1 ? threads : 1;
}

/* The planner is locked. Calls that go on meanwhile are not learnt from. */
static void route_slices_make(const struct visit *visit, struct plan_entry *entry)
{
	const struct fft_call *call = &visit->call.fft;
	struct cpu_slices_planner planner = route_planner_find(visit->call.element, visit->code);
	struct fft_share share;
	planner.threads = route_slices_at_least_one(planner.threads);
	if (!fft_share_cut(call, visit->share.wanted, &share))
		return;
	one_off_note();
	struct cpu_slices *slices = cpu_slices_make(
		&share, call, route_slices_at_least_one(entry->request.threads), &planner);
	one_off_note();
	if (slices == NULL)
		atomic_store_explicit(&entry->unsliced, true, memory_order_relaxed);
	atomic_store_explicit(&entry->slices, slices, memory_order_release);
}

/* A loop of the program's own may call, jump or throw, for which the GPU's part is not prepared. */
static bool route_slices_may_leave(const struct visit *visit, const struct plan_entry *entry)
{
	return entry->request.threads > 1 && route_planner_has_callback(visit->call.element);
}

const struct cpu_slices *route_slices_find(const struct visit *visit)
{
	struct plan_entry *entry = plans_find(visit->call.fft.plan_key);
	if (entry == NULL || visit->code == NULL || route_slices_may_leave(visit, entry) ||
	    atomic_load_explicit(&entry->unsliced, memory_order_relaxed))
		return NULL;
	if (route_slices_load(entry) == NULL && cpu_planner_try_lock()) {
		if (route_slices_load(entry) == NULL)
			route_slices_make(visit, entry);
		cpu_planner_unlock();
	}
	return route_slices_load(entry);
}

int route_slices_count_threads(const struct visit *visit)
{
	const struct plan_entry *entry = plans_find(visit->call.fft.plan_key);
	return cpu_threads_find_fft(visit->code, entry != NULL ? entry->request.threads : 0);
}

void route_slices_drop(struct plan_entry *entry)
{
	struct cpu_slices *slices = route_slices_load(entry);
	if (slices != NULL)
		cpu_slices_drop(slices);
}
