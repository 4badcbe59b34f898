/* mirrors.h - operands of a call that are on the device already, or stay there after it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_MIRRORS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_MIRRORS_H

#include "shim/execute/gpu/device/lane.h"
#include "shim/execute/gpu/engine/mirror_areas.h"
#include "shim/execute/gpu/engine/mirror_arm.h"
#include "shim/execute/gpu/engine/mirror_proof.h"
#include "shim/execute/gpu/resident/resident.h"

/* Those of one call; the lane's memory. */
struct mirrors {
	struct lane *lane;
	struct resident_call call;
	struct mirror mirror[RESIDENT_OPERANDS_MAX];
	int count;
	enum pack_watch watch;
	bool refuted; /* see mirrors_prove */
	struct mirror_proof proof;
	struct mirror_arm arm;
};

/*
 * Begins a call on the lane, whose device is current. most_bytes: of its largest operand. NULL
 * where nothing is tracked, or nothing is kept yet and this call's operands are too small to be:
 * then no other function of the call is called. If the thread leaves the call, its mirrors are
 * dropped.
 */
struct mirrors *mirrors_begin(struct lane *lane, uint64_t most_bytes);

/*
 * Before operands are planned: the call looks at all numbers that it sends or commits, and fails if
 * one is not finite. What it need not send was found finite by such calls too.
 */
void mirrors_set_watch(struct mirrors *mirrors, enum pack_watch watch);

/*
 * Before operands are planned: the call asks mirrors_prove, again and again, before it stores
 * anything. Until then inputs that the last calls have found unchanged count as such, so that the
 * kernel is asked while the device works. RESIDENT_REFUTED: one has changed. Then nothing may be
 * stored, mirrors_retreat ends the call's mirrors, and the call is repeated without deferring.
 * RESIDENT_AWAITED: copy threads ask, or it is left to copiers_help.
 */
void mirrors_defer(struct mirrors *mirrors);
enum resident_proof mirrors_prove(struct mirrors *mirrors);
void mirrors_retreat(struct mirrors *mirrors);

/* Results that are planned from now on are read by later calls as a rule. */
void mirrors_announce(struct mirrors *mirrors);

/*
 * An operand of runs of area->run_bytes with elements of size_bytes, or of the triangle that the
 * rule is about, unless that is NULL; its mirror is the lane's until the call ends. All results
 * must be planned, after all inputs, before anything is copied; inputs may be left out. Device
 * memory of mirrors is taken here. commits: the call writes the result to its mirror too, if it has
 * one, and nothing else to the program's memory.
 */
const struct mirror *mirrors_plan_input(struct mirrors *mirrors, const struct pack_area *area,
                                        uint64_t size_bytes, const struct pack_rule *rule);
const struct mirror *mirrors_plan_result(struct mirrors *mirrors, const struct pack_area *area,
                                         uint64_t size_bytes, const struct pack_rule *rule,
                                         bool commits);

/* The same for a result that the call also reads, as inputs are read. */
const struct mirror *mirrors_plan_update(struct mirrors *mirrors, const struct pack_area *area,
                                         uint64_t size_bytes, bool commits);

/*
 * A part of a result that commits is in the program's memory, and is not written again: it may be
 * armed before the call ends.
 */
void mirrors_note_stored(struct mirrors *mirrors, const struct pack_area *area);

/*
 * For results that are not planned, before they are stored: no mirror has them any more, and to
 * write them takes no page faults. With or without a call.
 */
void mirrors_overwrite(const struct pack_area *area);

/*
 * A call has come back for this reason: true if the device had no room for it beside mirrors, which
 * are freed then. The call is to be repeated without any.
 */
bool mirrors_give_way(enum reason reason);

/* The call uses none of the mirrors after all. */
void mirrors_skip(struct mirrors *mirrors);

/*
 * The end of the call. fine: all areas of inputs were sent, and results that commit are in the
 * program's memory as in their mirrors. Otherwise the mirrors are dropped. The lane is the
 * caller's still.
 */
void mirrors_end(struct mirrors *mirrors, bool fine);

/* Frees mirrors that nobody uses until the lane's device has so many bytes, or none are left. */
void mirrors_make_room(const struct lane *lane, uint64_t size_bytes);

/*
 * Frees all mirrors of the device, which is current, that no call uses: the program needs memory.
 * Gives up tracking for good: no call will use a mirror again, so no page has to stay armed. Frees
 * nothing on the device.
 */
void mirrors_trim(void);
void mirrors_stop(void);

/* Whether there may be mirrors now. */
bool mirrors_are_on(void);

/* Whether the device is expected to have the operand; see resident_expects. A few loads. */
bool mirrors_expect(int device, const struct pack_area *area, const struct pack_rule *rule);

#endif
