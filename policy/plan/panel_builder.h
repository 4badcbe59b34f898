/* panel_builder.h - adds steps to a plan and finds what each waits for; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_BUILDER_H
#define GPUSHIM_POLICY_PLAN_PANEL_BUILDER_H

#include "policy/plan/panel_plan.h"

/* Buffers are aligned as the memory of cudaMalloc is. */
enum { PANEL_ALIGNMENT_BYTES = 256 };

/* A part of the arena. Steps that use a buffer are ordered for the buffer as a whole. */
struct panel_buffer {
	uint64_t place_bytes, size_bytes;
	/*
		 * 1 + number of the last step of each kind that wrote or read the buffer; 0: none
		 */
	uint32_t written[PANEL_KINDS], read[PANEL_KINDS];
};

/*
 * A failure (no host memory, arena too large, more than 2^31 steps) is kept, and later calls do
 * nothing.
 */
struct panel_builder {
	const struct panel_problem *problem;
	uint64_t memory_bytes;
	int tile, units; /* of panel_rates; units = 0: kernels have no waves */
	struct panel_plan *plan;
	struct panel_buffer *buffers;
	int buffer_count, buffer_room;
	uint32_t step_room;
	bool failed, too_large;
};

/* Begins an empty plan, which must outlive the builder. */
struct panel_builder panel_builder_start(const struct panel_problem *problem, uint64_t memory_bytes,
                                         struct panel_plan *plan);

/* Frees the memory of the builder. false if it failed; the plan is empty then. */
bool panel_builder_end(struct panel_builder *builder);

/* Adds a buffer for rows x columns elements and returns its number. */
int panel_builder_add_buffer(struct panel_builder *builder, int64_t rows, int64_t columns);
/* The same for a part of an operand: it takes no room in the arena where the operand is held. */
int panel_builder_add_buffer_of(struct panel_builder *builder, enum operand operand, int64_t rows,
                                int64_t columns);

/*
 * Adds a buffer in the place of another one, for a part of an image that is ordered separately: it
 * is loaded or stored while kernels use other parts.
 */
int panel_builder_add_part(struct panel_builder *builder, int buffer);

/*
 * A rectangle of an operand in a buffer. The buffer holds the elements of the operand from
 * (first_row, first_column) on, with leading dimension ld.
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
 * Each adds a step; empty rectangles add none. The buffers are those of the blocks; y_buffer is
 * ignored if the kernel has no y.
 */
void panel_builder_load(struct panel_builder *builder, const struct panel_image *image,
                        struct panel_span row, struct panel_span column);
void panel_builder_work(struct panel_builder *builder, const struct panel_work *work, int x_buffer,
                        int y_buffer, int z_buffer);
void panel_builder_store(struct panel_builder *builder, const struct panel_image *image,
                         struct panel_span row, struct panel_span column);

/*
 * A writer adds all steps of builder->problem in the order of the choice, whose sizes are in
 * bounds: 1 <= slice <= k; group and width at least 1 and at most n (COLUMNS), m (ROWS), the larger
 * of both (RINGS), m and n (BLOCKS); 1 <= last <= width. If builder->memory_bytes is too small, the
 * builder fails. A part that is loaded while another part is in use needs a buffer of its own.
 * Neighbouring buffers form one image if all but the last have a whole number of
 * PANEL_ALIGNMENT_BYTES; a kernel that reads several of them names the one that is loaded last.
 */
typedef void panel_writer(struct panel_builder *builder, const struct panel_choice *choice);

/*
 * Cuts a dimension into consecutive spans: `first` elements, then `width` each. growing: no span
 * has more than twice its predecessor, so that after a small first one the next stage begins early.
 * Towards the end each span is about half of the rest, but not less than last, because nothing
 * overlaps the work on the last span; last = width cuts evenly. Sizes are positive and rounded up
 * to PANEL_GRAIN.
 */
struct panel_cut {
	int64_t size, first, width, last;
	bool growing;
};

/* Moves *span (zeroed at first) to the next span; false if there is none. */
bool panel_builder_next(const struct panel_cut *cut, struct panel_span *span);

/* Whether the arena has room for all operands at once and extra_bytes: then no buffer is reused. */
bool panel_builder_fit(const struct panel_builder *builder, uint64_t extra_bytes);

/*
 * Buffers for consecutive panels of an operand. reuse: three that take turns, each of rows x
 * columns elements (the largest panel); otherwise a new one for each panel.
 */
enum { PANEL_RING_BUFFERS = 3 };
struct panel_ring {
	bool reuse;
	enum operand operand;
	int64_t rows, columns;
	int taken, buffers[PANEL_RING_BUFFERS];
};

/* Returns the buffer for the next panel of rows x columns elements. */
int panel_builder_take(struct panel_builder *builder, struct panel_ring *ring, int64_t rows,
                       int64_t columns);

#endif
