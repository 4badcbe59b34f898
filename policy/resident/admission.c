/* admission.c - sighting, sample, tracking, and longer and longer rests */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/resident/admission.h"

enum {
	ADMISSION_CLEAN_PERCENT = 90, /* below, tracking costs more than it saves */
	ADMISSION_PAID_HITS = 10,     /* at least so many pay for one rewriting by the program */
	ADMISSION_PAID_BY_RESULT = 4, /* and for one by a result, which needs no page faults */
	ADMISSION_EXPONENT_MAX = 20,
	ADMISSION_SAMPLES = 4, /* in vain, before there are fewer */
	ADMISSION_SAMPLES_EXPONENT = 6,
	ADMISSION_UNREAD_MAX = 8,   /* results in a row, of one that is kept */
	ADMISSION_UNREAD_SHARE = 2, /* of announced results one in so many is read */
	ADMISSION_COST_SHARE = 100, /* faults may take a hundredth of the time */
	ADMISSION_FREE_NS = 5000000
};

enum admission_step admission_next(struct admission *admission)
{
	if (admission->state == ADMISSION_TRACKED)
		return ADMISSION_LOOK;
	if (admission->state != ADMISSION_RESTING)
		return ADMISSION_SAMPLE;
	if (--admission->rest == 0)
		admission->state = ADMISSION_NEW;
	return ADMISSION_SKIP;
}

/* The samples of the last calls all differed: the next 1, 2, 4, ... 64 calls take none. */
static void admission_pause(struct admission *admission)
{
	const uint32_t more = admission->changes - ADMISSION_SAMPLES;
	admission->state = ADMISSION_RESTING;
	admission->rest = UINT32_C(1) << (more < ADMISSION_SAMPLES_EXPONENT
	                                          ? more
	                                          : (uint32_t)ADMISSION_SAMPLES_EXPONENT);
}

bool admission_judge_sample(struct admission *admission, uint64_t sample)
{
	const bool seen = admission->state == ADMISSION_SEEN;
	const bool same = seen && admission->sample == sample;
	admission->is_reused |= same && admission->has_result;
	admission->was_result = admission->has_result;
	admission->has_result = false;
	admission->sample = sample;
	admission->hits = 0;
	admission->state = same ? ADMISSION_TRACKED : ADMISSION_SEEN;
	admission->changes = same ? 0 : admission->changes + seen;
	if (!same && seen && admission->changes >= ADMISSION_SAMPLES)
		admission_pause(admission);
	return same;
}

static void admission_rest(struct admission *admission)
{
	admission->state = ADMISSION_RESTING;
	admission->rest = UINT32_C(1) << admission->exponent;
	if (admission->exponent < ADMISSION_EXPONENT_MAX)
		admission->exponent++;
	admission->is_reused = false;
	admission->has_result = false;
}

bool admission_judge_cost(struct admission *admission, bool may_risk)
{
	if (!admission->pays_input)
		admission_rest(admission);
	else if (admission->was_result &&
	         (admission->was_rewritten || !admission->pays_result || !may_risk))
		admission->state = ADMISSION_SEEN;
	return admission->state == ADMISSION_TRACKED;
}

void admission_note_refused(struct admission *admission)
{
	admission_rest(admission);
}

bool admission_is_hit(uint64_t clean, uint64_t all)
{
	return all > 0 && clean >= all - all / 100 * (100 - ADMISSION_CLEAN_PERCENT);
}

bool admission_judge_look(struct admission *admission, uint64_t clean_bytes, uint64_t all_bytes)
{
	if (!admission_is_hit(clean_bytes, all_bytes)) {
		admission->was_rewritten = !admission_is_paid(admission);
		admission_rest(admission);
		return false;
	}
	admission->hits++;
	admission->has_result = false;
	if (admission_is_paid(admission))
		admission->exponent = 0;
	return true;
}

void admission_note_overwritten(struct admission *admission)
{
	if (admission->state != ADMISSION_TRACKED || admission_keeps_result(admission))
		return;
	if (admission->hits < ADMISSION_PAID_BY_RESULT)
		admission_rest(admission);
	else
		admission->state = ADMISSION_NEW;
}

bool admission_takes_result(struct admission *admission)
{
	admission->unread = admission->has_result ? admission->unread + 1 : 0;
	admission->is_last = false;
	if (admission->state == ADMISSION_RESTING)
		return false;
	const uint32_t most = UINT32_C(1) << ADMISSION_SAMPLES_EXPONENT;
	return admission_keeps_result(admission) || admission->unread < ADMISSION_SAMPLES ||
	       admission->unread % most == 0 || (admission->unread & (admission->unread - 1)) == 0;
}

void admission_note_result(struct admission *admission, uint64_t sample)
{
	if (admission->state == ADMISSION_RESTING)
		return;
	admission->sample = sample;
	admission->has_result = true;
	admission->is_last = true;
	admission->state = admission_keeps_result(admission) ? ADMISSION_TRACKED : ADMISSION_SEEN;
}

void admission_note_kept(struct admission *admission)
{
	admission->unread = admission->has_result ? admission->unread + 1 : 0;
	admission->has_result = admission->is_last = true;
	admission->is_reused = admission->unread < ADMISSION_UNREAD_MAX;
	admission->state = ADMISSION_TRACKED;
}

bool admission_keeps_result(const struct admission *admission)
{
	return admission->is_reused && admission->pays_result &&
	       admission->state != ADMISSION_RESTING;
}

static bool admission_may_announce(const struct admission *admission,
                                   const struct admission_announced *announced)
{
	return admission->pays_result && !admission->was_rewritten &&
	       admission->state != ADMISSION_RESTING &&
	       announced->kept < ADMISSION_UNREAD_SHARE * (announced->read + 1);
}

/* What is announced still was read by nobody. */
void admission_announce(struct admission *admission, struct admission_announced *announced,
                        bool may_risk)
{
	if (admission->is_announced)
		admission->is_announced = admission->is_reused = false;
	if (admission->is_reused || !may_risk || !admission_may_announce(admission, announced))
		return;
	announced->kept++;
	admission->is_announced = admission->is_reused = true;
}

void admission_note_read(struct admission *admission, struct admission_announced *announced)
{
	announced->read += admission->is_announced ? 1 : 0;
	admission->is_announced = false;
}

bool admission_takes_update(struct admission *admission)
{
	if (admission->state == ADMISSION_RESTING) {
		admission_next(admission);
		return false;
	}
	return admission->has_result && admission->is_last && !admission_keeps_result(admission);
}

/* A sample that differs is a result that nobody has read: in the end few are taken. */
bool admission_judge_update(struct admission *admission, uint64_t sample)
{
	admission->is_last = false;
	if (admission->sample != sample)
		return false;
	admission->is_reused = true;
	admission->unread = 0;
	admission->hits = 0;
	return true;
}

static uint32_t admission_count_paid(const struct admission *admission)
{
	return admission->paid_hits > ADMISSION_PAID_HITS ? admission->paid_hits
	                                                  : ADMISSION_PAID_HITS;
}

/* The program pays for what it rewrites; calls that read the result before may have paid. */
static void admission_charge(struct admission *admission, uint32_t hits)
{
	admission->was_rewritten = admission->hits < hits;
	if (admission->was_rewritten)
		admission_rest(admission);
	admission->hits = 0;
}

void admission_note_update(struct admission *admission, uint64_t clean_bytes, uint64_t all_bytes,
                           bool faults)
{
	if (admission_is_hit(clean_bytes, all_bytes)) {
		admission->hits++;
		admission->has_result = false;
		return;
	}
	admission_charge(admission,
	                 faults ? admission_count_paid(admission) : ADMISSION_PAID_BY_RESULT);
}

bool admission_takes_overwritten(const struct admission *admission)
{
	return admission_keeps_result(admission);
}

void admission_judge_overwritten(struct admission *admission, uint64_t sample)
{
	admission->is_reused = admission->sample == sample;
}

void admission_note_rewritten(struct admission *admission)
{
	admission_charge(admission, admission_count_paid(admission));
}

bool admission_is_paid(const struct admission *admission)
{
	return admission->hits >= admission_count_paid(admission);
}

void admission_note_disarmed(struct admission *admission)
{
	if (admission->state == ADMISSION_TRACKED)
		admission->state = ADMISSION_NEW;
}

bool admission_is_costly(uint64_t lost_ns, uint64_t process_ns)
{
	return lost_ns > ADMISSION_FREE_NS && lost_ns > process_ns / ADMISSION_COST_SHARE;
}
