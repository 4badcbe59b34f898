/* pack.h - copies by the processor between the program's matrices and tight staging */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_COPY_PACK_H
#define GPUSHIM_SHIM_EXECUTE_GPU_COPY_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/execute/gpu/copy/pack_copy.h"
#include "shim/execute/gpu/copy/pack_rule.h"

/*
 * count runs of run_bytes each in the program's memory, pitch_bytes apart, tight in staging. The
 * gaps are never touched.
 */
struct pack_area {
	char *host;
	uint64_t run_bytes, count, pitch_bytes;
};

/* Copies the area to staging with ordinary stores: the link reads it next. */
void pack_gather(void *staging, const struct pack_area *area);

/* The same by a rule, which may be NULL; what does not belong to its part becomes 0 in staging. */
void pack_gather_part(void *staging, const struct pack_area *area, const struct pack_rule *rule);

/*
 * Whether one of the numbers that the rule watches is infinite or not a number, in staging that
 * pack_gather_part has filled by it.
 */
bool pack_is_special(const void *staging, const struct pack_area *area,
                     const struct pack_rule *rule);

/* Copies staging to the area, long runs with streaming stores. rule NULL: plain bytes. */
void pack_scatter(const struct pack_area *area, const void *staging, const struct pack_rule *rule);

static inline enum pack_watch pack_find_watch(enum element element)
{
	return element == ELEMENT_S || element == ELEMENT_C ? PACK_WATCH_SINGLE : PACK_WATCH_DOUBLE;
}

/*
 * The same; watch says what numbers the results are of. Returns FP_SPECIAL if one of those that
 * were written is infinite or not a number, with the flags of invalid operations and overflow that
 * adding to C raised; else 0.
 */
unsigned pack_scatter_watched(const struct pack_area *area, const void *staging,
                              const struct pack_rule *rule, enum pack_watch watch);

/*
 * Populates the pages that lie wholly in the area, because the first store to each would be slow;
 * by the rule, which may be NULL, only those of its part.
 */
void pack_populate(const struct pack_area *area, const struct pack_rule *rule);

#endif
