/* gemm_strips.h - the strips by which a rectangle of C grows to all of it; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_GEMM_STRIPS_H
#define GPUSHIM_POLICY_PLAN_GEMM_STRIPS_H

#include "policy/plan/panel_plan.h"

/* Kernels compute tiles of tile x tile elements, units of them at a time; units = 0: any amount. */
struct gemm_waves {
	int tile, units;
};

/* Waves of a kernel over so many elements; parts of one where there are no waves. */
double gemm_strips_count_waves(const struct gemm_waves *waves, int64_t rows, int64_t columns);

/* One dimension of C: size of the first rectangle, of strips, and down to which the last shrink. */
struct gemm_side {
	int64_t size, first, width, last;
	struct panel_span span; /* the newest strip */
};

struct gemm_strips {
	struct gemm_waves waves;
	struct gemm_side row, column;
};

/* The first rectangle of RINGS: both spans begin at 0. */
struct gemm_strips gemm_strips_start(const struct blas_call *blas, const struct gemm_waves *waves,
                                     const struct panel_choice *choice);

/*
 * Moves to the next strip: new rows times all columns before, or new columns times all rows before,
 * along the dimension of which less is there. Its width is changed by up to a third so that the
 * kernel fills its waves. by_rows: which of both spans is new. false: C is complete.
 */
bool gemm_strips_next(struct gemm_strips *strips, bool *by_rows);

/* Whether the newest strip is the last one. */
bool gemm_strips_is_done(const struct gemm_strips *strips);

/* Elements of the dimension up to the end of the newest strip. */
int64_t gemm_strips_find_end(const struct gemm_side *side);

#endif
