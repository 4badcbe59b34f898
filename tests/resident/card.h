/* card.h - a device in memory, and the oracle: what a call finds there has to be the program's bytes */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_RESIDENT_CARD_H
#define GPUSHIM_TESTS_RESIDENT_CARD_H

#include "shim/execute/gpu/resident/resident.h"

struct card_counts {
	uint64_t checks, asked_bytes, sent_bytes, tracked, mismatches, deferred, refuted;
	uint64_t disarmed; /* results some of whose pages were armed */
};

extern struct card_counts card_counts;

/* What happens to the memory while a call is under way, by others than the operand's owner. */
typedef void card_disturb(const struct host_view *view, void *self);

/* Not NULL: runs of an input are noted at the end of the call, as the engine does, after this. */
extern card_disturb *card_late;

/* What the call comes to. */
enum card_end {
	CARD_ENDS,
	CARD_SKIPS_RUNS, /* ends, and some runs were never sent */
	CARD_ABORTS,
	CARD_FAILS_HALFWAY /* a part of the result is stored; the processor computes the rest */
};

/* Tracks every operand from its first sighting on; false: it cannot, and stdout says why. */
bool card_open(void);

/* One call with one operand. Ends the program with status 1 where the mirror differs. */
void card_call(const void *base, uint64_t width_bytes, uint64_t pitch_bytes, uint64_t rows,
               enum resident_access access, enum card_end end, card_disturb *disturb, void *self);
void card_free_retired(void);

#endif
