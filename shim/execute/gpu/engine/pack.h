/* pack.h - copies by the processor between the program's matrices and tight staging */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_PACK_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/call.h"
#include "shim/execute/gpu/engine/pack_copy.h"

/*
 * count runs of run_bytes each in the program's memory, pitch_bytes apart, tight in staging. The
 * gaps are never touched.
 */
struct pack_area {
	char *host;
	uint64_t run_bytes, count, pitch_bytes;
};

enum pack_part { PACK_WHOLE, PACK_UPPER, PACK_LOWER };

/*
 * How a result enters C: C := z + beta C; with beta = 0 C := z without reading C. part: only the
 * elements of that triangle; (row, column) are the indices of the area's first element. hermitian:
 * the imaginary parts of the diagonal become 0.
 */
struct pack_rule {
	enum element element;
	double beta[2];
	enum pack_part part;
	bool hermitian;
	int64_t row, column;
};

/* Copies the area to staging with ordinary stores: the link reads it next. */
void pack_gather(void *staging, const struct pack_area *area);

/* Copies staging to the area, long runs with streaming stores. rule NULL: plain bytes. */
void pack_scatter(const struct pack_area *area, const void *staging, const struct pack_rule *rule);

static inline enum pack_watch pack_find_watch(enum element element)
{
	return element == ELEMENT_S || element == ELEMENT_C ? PACK_WATCH_SINGLE : PACK_WATCH_DOUBLE;
}

/*
 * The same; watch says what numbers the results are of. Returns whether one of those that were
 * written is infinite or not a number.
 */
bool pack_scatter_watched(const struct pack_area *area, const void *staging,
                          const struct pack_rule *rule, enum pack_watch watch);

/*
 * Populates the pages that lie wholly in the area, because the first store to each would be slow.
 */
void pack_populate(const struct pack_area *area);

#endif
