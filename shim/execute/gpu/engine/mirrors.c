/* mirrors.c - device memory for mirrors; what a call has sent is noted when it ends */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/mirrors.h"

#include "shim/base/lasting.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/device/traffic.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/engine/mirror_numbers.h"

/* A mirror is a block of the device's pool; one that is not spare is never used again. */
static void mirrors_free_retired(void)
{
	struct memory_block *block;
	while ((block = resident_take_retired()) != NULL)
		if (block->spare)
			memory_give(block);
}

static bool mirrors_reclaim(int device)
{
	(void)device;
	const bool dropped = resident_drop_oldest();
	mirrors_free_retired();
	return dropped;
}

static void mirrors_take_back(void *object, bool reusable, bool gone)
{
	(void)gone;
	(void)reusable;
	mirrors_end(object, false);
}

struct mirrors *mirrors_begin(struct lane *lane, uint64_t most_bytes)
{
	const double send_bytes_s =
		resident_is_on() ? engine_rates_find(lane, ELEMENT_D).up_bytes_s : 0;
	if (!resident_wants(send_bytes_s, most_bytes)) {
		if (resident_has_mirrors())
			mirrors_free_retired();
		return NULL;
	}
	if (lane->mirrors == NULL)
		lane->mirrors = lasting_take(sizeof(struct mirrors));
	struct mirrors *mirrors = lane->mirrors;
	if (mirrors == NULL)
		return NULL;
	memory_set_reclaimer(MEMORY_RECLAIM_COPIES, mirrors_reclaim);
	mirrors->lane = lane;
	mirrors->count = 0;
	mirrors->watch = PACK_WATCH_NONE;
	mirrors->refuted = false;
	resident_set_rate(send_bytes_s);
	resident_begin(&mirrors->call);
	lanes_note_loan(lane, mirrors_take_back, mirrors);
	mirrors_free_retired();
	return mirrors;
}

void mirrors_set_watch(struct mirrors *mirrors, enum pack_watch watch)
{
	mirrors->watch = watch;
}

void mirrors_defer(struct mirrors *mirrors)
{
	mirrors->call.defers = true;
}

/* Results without mirror may be armed too. */
static bool mirrors_is_unproven(const struct mirror *mirror)
{
	return (mirror->device != NULL && mirror->operand->is_unproven) ||
	       !pages_is_empty(mirror->operand->armed);
}

enum resident_proof mirrors_prove(struct mirrors *mirrors)
{
	enum resident_proof proof = mirrors->refuted ? RESIDENT_REFUTED : RESIDENT_PROVEN;
	for (int i = 0; i < mirrors->count && proof == RESIDENT_PROVEN; i++) {
		const struct mirror *mirror = &mirrors->mirror[i];
		if (mirrors_is_unproven(mirror))
			proof = mirror_proof_go_on(&mirrors->proof, mirror->operand);
	}
	mirrors->refuted = proof == RESIDENT_REFUTED;
	return proof;
}

void mirrors_retreat(struct mirrors *mirrors)
{
	mirror_proof_stop(&mirrors->proof);
	mirror_arm_end(&mirrors->arm);
	resident_end(&mirrors->call);
	mirrors->count = 0;
}

/* Memory for the window's mirror, where this call is the first to need it. */
static struct memory_block *mirrors_find_block(const struct mirrors *mirrors,
                                               struct resident_operand *operand)
{
	const uint64_t bytes = operand->window_span.end - operand->window_span.start;
	const int device = mirrors->lane->device;
	struct memory_block *block = operand->mirror, *made;
	if (block != NULL)
		return block->device == device ? block : NULL;
	if (bytes > memory_available(device) || memory_take(device, bytes, &made) != REASON_NONE)
		return NULL;
	memory_spare(made);
	mirror_numbers_begin(made, mirrors->watch);
	block = resident_attach(operand, made, device);
	if (block != made)
		memory_give(made);
	return block->device == device ? block : NULL;
}

static bool mirrors_is_proven(struct resident_operand *operand)
{
	enum resident_proof proof;
	while ((proof = resident_prove(operand)) == RESIDENT_PENDING)
		continue;
	return proof == RESIDENT_PROVEN;
}

static void mirrors_place(const struct mirrors *mirrors, struct mirror *mirror)
{
	struct resident_operand *operand = mirror->operand;
	const struct memory_block *block =
		operand->is_tracked ? mirrors_find_block(mirrors, operand) : NULL;
	if (block == NULL)
		return;
	mirror->device = (char *)block->pointer + (operand->view.base - operand->window_span.start);
	const bool known = mirror_numbers_are_known(mirror, mirrors->watch);
	/* What is to be sent all the same cannot be noted before it is proven. */
	if (!known && operand->is_unproven && !mirrors_is_proven(operand))
		mirror->device = NULL;
	if (mirror->device != NULL && operand->access != RESIDENT_WRITE &&
	    !mirror_areas_list(mirror, known))
		mirror->device = NULL;
}

/* The form tells copies of a triangle from those of another part, or by another rule. */
static bool mirrors_view(const struct pack_area *area, const struct pack_rule *rule,
                         struct host_view *view)
{
	if (!host_view_make(view, area->host, area->run_bytes, area->pitch_bytes, area->count))
		return false;
	if (rule != NULL && rule->part != PACK_WHOLE)
		view->form = (uint64_t)rule->part | (uint64_t)rule->unit << 2 |
		             (uint64_t)rule->hermitian << 3 | (uint64_t)rule->element << 4 |
		             area->pitch_bytes << 8;
	return true;
}

static void mirrors_describe(struct mirror *mirror, const struct pack_area *area,
                             uint64_t size_bytes, const struct pack_rule *rule, bool reads)
{
	const bool is_part = rule != NULL && rule->part != PACK_WHOLE;
	const uint64_t bytes = area->run_bytes * area->count;
	mirror->triangle = (struct mirror_triangle){is_part ? rule->part : PACK_WHOLE, size_bytes,
	                                            area->run_bytes, area->pitch_bytes};
	mirror->read_bytes = !reads ? 0 : is_part ? (bytes + area->run_bytes) / 2 : bytes;
	mirror->sent_bytes = mirror->read_bytes;
}

static struct mirror *mirrors_plan(struct mirrors *mirrors, const struct pack_area *area,
                                   uint64_t size_bytes, const struct pack_rule *rule,
                                   enum resident_access access, bool places)
{
	static struct mirror none;
	struct host_view view;
	if (mirrors == NULL || !mirrors_view(area, rule, &view))
		return &none;
	struct resident_operand *operand = resident_plan(&mirrors->call, &view, access);
	if (operand == NULL)
		return &none;
	struct mirror *mirror = &mirrors->mirror[mirrors->count++];
	mirror->operand = operand;
	mirror->device = NULL;
	mirror->held = mirror->commits = false;
	mirror->areas = 0;
	mirrors_describe(mirror, area, size_bytes, rule, access != RESIDENT_WRITE);
	if (places && view.base % size_bytes == 0)
		mirrors_place(mirrors, mirror);
	return mirror;
}

void mirrors_announce(struct mirrors *mirrors)
{
	mirrors->call.announces = true;
}

const struct mirror *mirrors_plan_input(struct mirrors *mirrors, const struct pack_area *area,
                                        uint64_t size_bytes, const struct pack_rule *rule)
{
	return mirrors_plan(mirrors, area, size_bytes, rule, RESIDENT_READ, true);
}

const struct mirror *mirrors_plan_result(struct mirrors *mirrors, const struct pack_area *area,
                                         uint64_t size_bytes, const struct pack_rule *rule,
                                         bool commits)
{
	struct mirror *mirror =
		mirrors_plan(mirrors, area, size_bytes, rule, RESIDENT_WRITE, commits);
	if (mirror->operand != NULL)
		mirror->commits = commits;
	if (commits && mirror->device != NULL)
		mirror_arm_begin(&mirrors->arm, mirror->operand);
	return mirror;
}

const struct mirror *mirrors_plan_update(struct mirrors *mirrors, const struct pack_area *area,
                                         uint64_t size_bytes, bool commits)
{
	struct mirror *mirror =
		mirrors_plan(mirrors, area, size_bytes, NULL, RESIDENT_UPDATE, commits);
	if (mirror->operand != NULL)
		mirror->commits = commits;
	return mirror;
}

void mirrors_note_stored(struct mirrors *mirrors, const struct pack_area *area)
{
	mirror_arm_note_stored(&mirrors->arm, area);
}

void mirrors_overwrite(const struct pack_area *area)
{
	struct host_view view;
	if (host_view_make(&view, area->host, area->run_bytes, area->pitch_bytes, area->count))
		resident_overwrite(&view);
}

void mirrors_skip(struct mirrors *mirrors)
{
	for (int i = 0; mirrors != NULL && i < mirrors->count; i++) {
		struct resident_operand *operand = mirrors->mirror[i].operand;
		if (!pages_is_empty(operand->armed))
			mirrors_is_proven(operand);
		mirrors->mirror[i].device = NULL;
		mirrors->mirror[i].sent_bytes = mirrors->mirror[i].read_bytes;
	}
}

/* A result without a mirror is noted too: it may be worth one the next time. */
static void mirrors_note(const struct mirror *mirror, enum pack_watch watch)
{
	struct resident_operand *operand = mirror->operand;
	traffic_note_kept(mirror->read_bytes - mirror->sent_bytes);
	if (mirror->device != NULL)
		mirror_numbers_end(mirror, watch);
	if (mirror->commits && (mirror->device != NULL || !operand->is_tracked))
		resident_commit(operand, host_view_bytes(&operand->view));
	if (mirror->device != NULL)
		resident_sent_all(operand);
}

/* Work that is still under way may write the mirrors of a broken lane. */
static void mirrors_abandon(const struct mirrors *mirrors)
{
	for (int i = 0; i < mirrors->count; i++)
		if (mirrors->mirror[i].operand->mirror != NULL)
			((struct memory_block *)mirrors->mirror[i].operand->mirror)->spare = false;
}

void mirrors_end(struct mirrors *mirrors, bool fine)
{
	if (mirrors == NULL)
		return;
	mirror_proof_stop(&mirrors->proof);
	mirror_arm_end(&mirrors->arm);
	for (int i = 0; i < mirrors->count && fine; i++)
		mirrors_note(&mirrors->mirror[i], mirrors->watch);
	if (mirrors->lane->broken)
		mirrors_abandon(mirrors);
	if (fine)
		resident_end(&mirrors->call);
	else
		resident_abort(&mirrors->call);
	mirrors->count = 0;
}

bool mirrors_give_way(enum reason reason)
{
	if (reason != REASON_DEVICE_MEMORY || !resident_is_on())
		return false;
	mirrors_trim();
	return true;
}

void mirrors_make_room(const struct lane *lane, uint64_t size_bytes)
{
	while (memory_available(lane->device) < size_bytes && mirrors_reclaim(lane->device))
		continue;
}

void mirrors_trim(void)
{
	resident_flush();
	mirrors_free_retired();
}

void mirrors_stop(void)
{
	resident_stop();
}

bool mirrors_are_on(void)
{
	return resident_is_on();
}

bool mirrors_expect(int device, const struct pack_area *area, const struct pack_rule *rule)
{
	struct host_view view;
	return mirrors_view(area, rule, &view) && resident_expects(&view, device);
}
