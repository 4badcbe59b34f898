/* schedule_memory.h - the contents of a device's memory by bytes, for the checker */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_MEMORY_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/schedule/schedule_events.h"

enum memory_origin { MEMORY_UNKNOWN, MEMORY_LOADED, MEMORY_COMPUTED };

/* The contents of a byte. depth: of a result, the number of products added up in each element. */
struct memory_content {
	enum memory_origin origin;
	bool stored;
	double depth;
};

struct memory_segment {
	uint64_t begin, end;
	struct memory_content content;
};

/* Segments with contents, by address; neighbours that touch differ in contents. */
struct schedule_memory {
	struct memory_segment *segment;
	size_t count, room;
	struct memory_segment *fresh; /* new segments while a change is made */
	size_t fresh_count, fresh_room;
};

/*
 * The bytes of an area that an operation uses: each run whole, or those of a triangle of square
 * elements.
 */
enum memory_part { MEMORY_WHOLE, MEMORY_UPPER, MEMORY_LOWER };
struct memory_view {
	struct event_area area;
	enum memory_part part;
	uint64_t element_bytes;
};

/*
 * visit is called for each piece of the view that has one content, MEMORY_UNKNOWN included. It may
 * change the content.
 */
struct memory_visitor {
	void *self;
	void (*visit)(void *self, const struct memory_segment *piece,
	              struct memory_content *content);
};

void schedule_memory_change(struct schedule_memory *memory, const struct memory_view *view,
                            const struct memory_visitor *visitor);
void schedule_memory_read(const struct schedule_memory *memory, const struct memory_view *view,
                          const struct memory_visitor *visitor);
void schedule_memory_free(struct schedule_memory *memory);

#endif
