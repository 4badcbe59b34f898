/* panel_orders.h - which function writes the steps of which family, and what these functions share; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_ORDERS_H
#define GPUSHIM_POLICY_PLAN_PANEL_ORDERS_H

#include "policy/plan/panel_builder.h"

/*
 * Each writes all steps of builder->problem in the order that choice names. Its sizes are in
 * bounds: 1 <= slice <= k; group and width at least 1, and at most n (COLUMNS), m (ROWS), the
 * larger of the two (RINGS), m and n (BLOCKS); 1 <= last <= width. What does not fit
 * builder->memory_bytes fails in the builder. Buffers are ordered as a whole: what is loaded while
 * a part of it is in use already has to be buffers of its own; neighbours form one image where each
 * but the last has a whole number of PANEL_ALIGNMENT_BYTES, and a kernel that reads several names
 * the one that was loaded last.
 */
typedef void panel_writer(struct panel_builder *builder, const struct panel_choice *choice);
panel_writer panel_gemm_write;     /* gemm, gemm3m */
panel_writer panel_symm_write;     /* symm, hemm */
panel_writer panel_update_write;   /* syrk, herk, syr2k, her2k, gemmt */
panel_writer panel_triangle_write; /* trmm, trsm */

/* The families that are planned, by whom, and in which orders (a bit each). */
enum {
	PANEL_COLUMNS = 1 << PANEL_ORDER_COLUMNS,
	PANEL_ROWS = 1 << PANEL_ORDER_ROWS,
	PANEL_RINGS = 1 << PANEL_ORDER_RINGS,
	PANEL_BLOCKS = 1 << PANEL_ORDER_BLOCKS
};
#define PANEL_WRITERS(ROW)                                                                         \
	ROW(GEMM, panel_gemm_write, PANEL_COLUMNS | PANEL_ROWS | PANEL_RINGS | PANEL_BLOCKS)       \
	ROW(GEMM3M, panel_gemm_write, PANEL_COLUMNS | PANEL_ROWS | PANEL_RINGS | PANEL_BLOCKS)     \
	ROW(SYMM, panel_symm_write, PANEL_COLUMNS | PANEL_ROWS | PANEL_BLOCKS)                     \
	ROW(HEMM, panel_symm_write, PANEL_COLUMNS | PANEL_ROWS | PANEL_BLOCKS)                     \
	ROW(SYRK, panel_update_write, PANEL_COLUMNS | PANEL_RINGS | PANEL_BLOCKS)                  \
	ROW(HERK, panel_update_write, PANEL_COLUMNS | PANEL_RINGS | PANEL_BLOCKS)                  \
	ROW(SYR2K, panel_update_write, PANEL_COLUMNS | PANEL_RINGS | PANEL_BLOCKS)                 \
	ROW(HER2K, panel_update_write, PANEL_COLUMNS | PANEL_RINGS | PANEL_BLOCKS)                 \
	ROW(GEMMT, panel_update_write, PANEL_COLUMNS | PANEL_RINGS | PANEL_BLOCKS)                 \
	ROW(TRMM, panel_triangle_write, PANEL_COLUMNS | PANEL_ROWS | PANEL_BLOCKS)                 \
	ROW(TRSM, panel_triangle_write, PANEL_COLUMNS | PANEL_ROWS | PANEL_BLOCKS)

/*
 * Cuts of slices and panels are multiples of it, but for the end of the dimension; 512 bytes of
 * single precision.
 */
enum { PANEL_GRAIN = 128 };

/*
 * The spans that a dimension is cut into, one after the other: the first has first elements, the
 * others width. growing: none has more than twice the one before, so that a small first one lets
 * the next stage begin early. Towards the end each is about half of what is left, but not less than
 * last, since nothing overlaps what the last one leaves to do; last = width cuts evenly. Sizes are
 * positive; all are rounded up to PANEL_GRAIN.
 */
struct panel_cut {
	int64_t size, first, width, last;
	bool growing;
};

/* The span after the given one (begin with zeros); false where there is none. */
bool panel_orders_next(const struct panel_cut *cut, struct panel_span *span);

/*
 * Whether the arena has room for all operands at once and extra_bytes: then no buffer is used
 * twice.
 */
bool panel_orders_fit(const struct panel_builder *builder, uint64_t extra_bytes);

/*
 * Buffers of panels that follow each other. reuse: three that take turns, each of rows x columns
 * elements (the largest panel); otherwise a new one for each.
 */
enum { PANEL_RING_BUFFERS = 3 };
struct panel_ring {
	bool reuse;
	int64_t rows, columns;
	int taken, buffers[PANEL_RING_BUFFERS];
};

/* The buffer for the next panel, of so many elements. */
int panel_orders_take(struct panel_builder *builder, struct panel_ring *ring, int64_t rows,
                      int64_t columns);

/*
 * More steps than that are not gone through one by one to find their time, and no better plan is
 * looked for.
 */
enum { PANEL_LONG = 5000 };

/* panels_time, where copies are reckoned with in grouped operations at a time: less exact, and sooner done. Of a long
 * plan it is reckoned from its totals. */
double panel_time_estimate(const struct panel_problem *problem, const struct panel_rates *rates,
                           const struct panel_plan *plan, uint64_t grouped);

#endif
