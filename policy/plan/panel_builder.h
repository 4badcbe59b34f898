/* panel_builder.h - writes the steps of a plan; what each has to wait for follows from the buffers it uses; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_BUILDER_H
#define GPUSHIM_POLICY_PLAN_PANEL_BUILDER_H

#include "policy/plan/panel_plan.h"

/* Places in the arena begin where cudaMalloc's memory could. */
enum { PANEL_ALIGNMENT_BYTES = 256 };

/* A part of the arena. What is read and written in it is ordered as a whole. */
struct panel_buffer {
	uint64_t place_bytes, size_bytes;
	uint32_t written[PANEL_KINDS],
		read[PANEL_KINDS]; /* 1 + the last step of the kind that does so, 0: none */
};

/* Failures (no host memory, too much arena, more than 2^31 steps) stick: the rest does nothing. */
struct panel_builder {
	const struct panel_problem *problem;
	uint64_t memory_bytes;
	struct panel_plan *plan;
	struct panel_buffer *buffers;
	int buffer_count, buffer_room;
	uint32_t step_room;
	bool failed, too_large;
};

/* Begins with an empty plan, which must outlive the builder. */
struct panel_builder panel_builder_start(const struct panel_problem *problem, uint64_t memory_bytes,
                                         struct panel_plan *plan);

/* Frees the builder's own memory; false where it failed: then the plan is empty. */
bool panel_builder_end(struct panel_builder *builder);

/* A new buffer for rows x columns elements; its number. */
int panel_builder_add_buffer(struct panel_builder *builder, int64_t rows, int64_t columns);

/*
 * A buffer in the same place as another one, for what is to be ordered by itself: a part of an
 * image that is loaded or stored while kernels work with other parts.
 */
int panel_builder_add_part(struct panel_builder *builder, int buffer);

/*
 * A rectangle of an operand as it lies in a buffer that holds, from its beginning and with leading
 * dimension ld, the operand's elements from (first_row, first_column) on.
 */
struct panel_image {
	enum operand operand;
	int buffer;
	int64_t first_row, first_column, ld;
};
struct panel_block panel_builder_find(const struct panel_builder *builder,
                                      const struct panel_image *image, struct panel_span row,
                                      struct panel_span column);

/*
 * Add a step. Empty rectangles add none. Buffers are those of the blocks; y_buffer is ignored
 * without a y.
 */
void panel_builder_load(struct panel_builder *builder, const struct panel_image *image,
                        struct panel_span row, struct panel_span column);
void panel_builder_work(struct panel_builder *builder, const struct panel_work *work, int x_buffer,
                        int y_buffer, int z_buffer);
void panel_builder_store(struct panel_builder *builder, const struct panel_image *image,
                         struct panel_span row, struct panel_span column);

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
bool panel_builder_next(const struct panel_cut *cut, struct panel_span *span);

/*
 * Whether the arena has room for all operands at once and extra_bytes: then no buffer is used
 * twice.
 */
bool panel_builder_fit(const struct panel_builder *builder, uint64_t extra_bytes);

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
int panel_builder_take(struct panel_builder *builder, struct panel_ring *ring, int64_t rows,
                       int64_t columns);

#endif
