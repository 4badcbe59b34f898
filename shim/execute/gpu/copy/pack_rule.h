/* pack_rule.h - which elements of a matrix a copy is about, and how results enter C */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_COPY_PACK_RULE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_COPY_PACK_RULE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "policy/call/call.h"
#include "shim/execute/gpu/copy/pack_copy.h"

enum pack_part { PACK_WHOLE, PACK_UPPER, PACK_LOWER };

/*
 * part: only the elements of that triangle are touched, with unit without its diagonal; (row,
 * column) are the indices of the area's first element. hermitian: the imaginary parts of the
 * diagonal become 0. element and beta of a result, how it enters C: C := z + beta C; with beta = 0
 * C := z without reading C.
 */
struct pack_rule {
	enum element element;
	double beta[2];
	enum pack_part part;
	bool hermitian;
	int64_t row, column;
	bool unit; /* for loads */
	/* Of loads: numbers of this part that are not finite are found (copy_bell.special). */
	enum pack_watch watch;
	enum pack_part watched;
	int64_t watched_columns; /* with a triangle that is a part of what is loaded */
	/* Of loads of the whole: NULL, or where pack_copy_find_size of all numbers is kept. */
	_Atomic uint32_t *largest;
};

/*
 * The elements of a column that a rule is about, counted from row rule->row on. The diagonal may
 * lie outside the column.
 */
struct pack_reach {
	int64_t begin, end, diagonal;
};

static inline int64_t pack_rule_bound(int64_t value, int64_t most)
{
	return value < 0 ? 0 : value > most ? most : value;
}

/* Of count elements of a column; end is begin where there are none. */
static inline struct pack_reach pack_rule_reach(const struct pack_rule *rule, int64_t column,
                                                int64_t count)
{
	struct pack_reach reach = {0, count, column - rule->row};
	if (rule->part == PACK_UPPER)
		reach.end = pack_rule_bound(reach.diagonal + !rule->unit, count);
	if (rule->part == PACK_LOWER)
		reach.begin = pack_rule_bound(reach.diagonal + rule->unit, count);
	return reach;
}

#endif
