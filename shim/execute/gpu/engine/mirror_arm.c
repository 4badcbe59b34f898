/* mirror_arm.c - pages of a call's result are armed by a copy thread while the rest is stored */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/mirror_arm.h"

#include "shim/execute/gpu/copy/copiers.h"

/* Tests with small operands need smaller parts. */
#ifndef MIRROR_ARM_PART_BYTES
#define MIRROR_ARM_PART_BYTES (8 << 20)
#endif
/*
 * One part of MIRROR_ARM_TAPER of it where no more than such a part is left. A job that runs goes
 * on with what is stored meanwhile, if that is MIRROR_ARM_LEAST_BYTES.
 */
enum { MIRROR_ARM_TAPER = 4, MIRROR_ARM_LEAST_BYTES = MIRROR_ARM_PART_BYTES / 16 };

enum { MIRROR_ARM_WAIT_NS = 20000 };

void mirror_arm_begin(struct mirror_arm *arm, struct resident_operand *operand)
{
	arm->operand = operand;
	arm->stored_bytes = 0;
	arm->end = operand->view.base;
	arm->busy = false;
}

/* How many bytes of the view precede the address, which is in one of its rows or at its end. */
static uint64_t mirror_arm_count_before(const struct host_view *view, uintptr_t address)
{
	const uint64_t offset = address - view->base;
	return offset / view->pitch_bytes * view->width_bytes + offset % view->pitch_bytes;
}

static uintptr_t mirror_arm_find_end(const struct host_view *view, uint64_t bytes)
{
	return view->base + bytes / view->width_bytes * view->pitch_bytes +
	       bytes % view->width_bytes;
}

static bool mirror_arm_follows(const struct mirror_arm *arm, const struct pack_area *area)
{
	const struct host_view *view = &arm->operand->view;
	const bool in_order = area->count == 1 || area->run_bytes == view->width_bytes;
	return in_order &&
	       mirror_arm_count_before(view, (uintptr_t)area->host) == arm->stored_bytes;
}

static void mirror_arm_work(void *self)
{
	struct mirror_arm *arm = self;
	uintptr_t armed_end, stored_end = atomic_load(&arm->stored_end);
	do {
		armed_end = stored_end;
		resident_arm(arm->operand, armed_end);
		stored_end = atomic_load(&arm->stored_end);
	} while (stored_end - armed_end >= MIRROR_ARM_LEAST_BYTES);
}

static void mirror_arm_submit(struct mirror_arm *arm, uintptr_t stored_end)
{
	arm->busy = true;
	arm->end = stored_end;
	arm->job = (struct copy_job){.kind = COPY_ASK,
	                             .is_urgent = true,
	                             .ask = mirror_arm_work,
	                             .question = arm,
	                             .bell = &arm->bell};
	copiers_submit(&arm->job);
}

static bool mirror_arm_is_busy(struct mirror_arm *arm)
{
	arm->busy = arm->busy && !atomic_load_explicit(&arm->job.done, memory_order_acquire);
	return arm->busy;
}

static uint64_t mirror_arm_choose_part(const struct mirror_arm *arm)
{
	const uint64_t left_bytes = host_view_bytes(&arm->operand->view) - arm->stored_bytes;
	return left_bytes > MIRROR_ARM_PART_BYTES ? MIRROR_ARM_PART_BYTES
	                                          : MIRROR_ARM_PART_BYTES / MIRROR_ARM_TAPER;
}

void mirror_arm_note_stored(struct mirror_arm *arm, const struct pack_area *area)
{
	if (arm->operand == NULL || !mirror_arm_follows(arm, area))
		return;
	arm->stored_bytes += area->run_bytes * area->count;
	const uintptr_t stored_end = mirror_arm_find_end(&arm->operand->view, arm->stored_bytes);
	atomic_store(&arm->stored_end, stored_end);
	if (stored_end - arm->end >= mirror_arm_choose_part(arm) && !mirror_arm_is_busy(arm) &&
	    copiers_count() > 1)
		mirror_arm_submit(arm, stored_end);
}

void mirror_arm_end(struct mirror_arm *arm)
{
	if (mirror_arm_is_busy(arm)) {
		copiers_withdraw(&arm->bell);
		while (mirror_arm_is_busy(arm))
			copiers_wait(&arm->bell, atomic_load(&arm->bell.rings), MIRROR_ARM_WAIT_NS);
	}
	arm->operand = NULL;
}
