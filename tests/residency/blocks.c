/* blocks.c - matrices of a block, and what a call leaves of its other bytes */
/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../resident/chance.h"
#include "../resident/writers.h"

enum { PAGE = 4096, TALL_ROWS = 2048, TALL_LD = 2104, NEIGHBOURS = 2, READ_BYTES = 1536 };

struct block blocks_all[BLOCKS_COUNT];

/* -- matrices -- */

void blocks_set_filler(const struct block *block)
{
	chance_filler = block->type == 's' ? exact_fill_floats : exact_fill_doubles;
}

void blocks_make(void)
{
	static const char types[] = "dsz";
	chance_grain = sizeof(double);
	for (int i = 0; i < BLOCKS_COUNT; i++) {
		blocks_all[i].type = types[i / 6 % 3];
		blocks_set_filler(&blocks_all[i]);
		region_make(&blocks_all[i].region, (enum region_kind)(i % 6 % REGION_KINDS));
	}
}

struct block *blocks_choose(char type, const struct block * not, const struct block *nor)
{
	for (;;) {
		struct block *block = &blocks_all[chance_below(BLOCKS_COUNT)];
		if (block->type == type && block != not &&block != nor)
			return block;
	}
}

static struct matrix find_rows(const struct block *block, enum layout layout)
{
	const size_t bytes = exact_element_bytes(block->type);
	const size_t pitch = (REGION_ROW_PAGES + 1) * PAGE;
	const size_t first = layout == LAYOUT_PART ? chance_below(100) : layout == LAYOUT_HALF;
	return (struct matrix){block->type, block->region.memory + first * bytes,
	                       (int)(REGION_ROW_PAGES * PAGE / bytes - first),
	                       (int)(block->region.bytes / pitch), (int)(pitch / bytes)};
}

/* Columns of matrices without gaps: two operands of a call fit to each other. */
static int rows_of(char type)
{
	return type == 's' ? 160 : type == 'd' ? 128 : 80;
}

struct matrix blocks_find_matrix(const struct block *block, enum layout layout)
{
	if (block->region.kind == REGION_ROWS)
		return find_rows(block, layout);
	const size_t bytes = exact_element_bytes(block->type);
	const size_t count = block->region.bytes / bytes;
	int rows = rows_of(block->type), ld = rows;
	size_t first = 0;
	if (layout == LAYOUT_HALF) {
		first = count / 2 + 1;
	} else if (layout == LAYOUT_TALL) {
		rows = count < TALL_LD ? (int)count / 2 : TALL_ROWS;
		ld = count < TALL_LD ? rows : TALL_LD;
	} else if (layout == LAYOUT_PART) {
		first = chance_below(count / 2);
		rows = 1 + (int)chance_below((size_t)rows);
		ld = rows + (int)chance_below(50);
	}
	const int columns = (int)((count - first - (size_t)rows) / (size_t)ld) + 1;
	return (struct matrix){block->type, block->region.memory + first * bytes, rows, columns,
	                       ld};
}

/* -- neighbours -- */

static struct {
	char *place[NEIGHBOURS];
	int places;
	sem_t start, done;
	atomic_bool stops;
	bool is_busy, is_left;
} neighbour;

static void *write_neighbours(void *unused)
{
	(void)unused;
	chance_seed(77);
	for (;;) {
		while (sem_wait(&neighbour.start) != 0)
			continue;
		do {
			for (int i = 0; i < neighbour.places; i++)
				chance_fill(neighbour.place[i], chance_grain);
		} while (!atomic_load(&neighbour.stops));
		sem_post(&neighbour.done);
	}
	return NULL;
}

static void begin_writing(void)
{
	static bool runs;
	pthread_t thread;
	if (!runs) {
		sem_init(&neighbour.start, 0, 0);
		sem_init(&neighbour.done, 0, 0);
		if (pthread_create(&thread, NULL, write_neighbours, NULL) != 0)
			abort();
		pthread_detach(thread);
		runs = true;
	}
	atomic_store(&neighbour.stops, false);
	neighbour.is_busy = true;
	sem_post(&neighbour.start);
}

void blocks_leave_neighbours(void)
{
	neighbour.is_left = true;
}

static void end_writing(void)
{
	if (!neighbour.is_busy)
		return;
	atomic_store(&neighbour.stops, true);
	while (sem_wait(&neighbour.done) != 0)
		continue;
	neighbour.is_busy = false;
}

/* -- a call -- */

static struct {
	struct block *block;
	struct matrix result;
	char *before;
	size_t room;
	char *read_into;
} call;

static bool is_readable(const struct region *region, size_t offset)
{
	const size_t row = (REGION_ROW_PAGES + 1) * PAGE;
	return region->kind != REGION_ROWS || offset % row < row - PAGE;
}

/* Pages that must not be read lie at multiples of a page. */
static void visit(void (*act)(char *now, char *before, size_t bytes))
{
	const struct region *region = &call.block->region;
	for (size_t at = 0; at < region->bytes; at += PAGE) {
		const size_t left = region->bytes - at;
		if (is_readable(region, at))
			act(region->memory + at, call.before + at, left < PAGE ? left : PAGE);
	}
}

static void save(char *now, char *before, size_t bytes)
{
	memcpy(before, now, bytes);
}

/* Numbers in front of the matrix and behind it, where the block has any. */
static void find_neighbours(void)
{
	const struct region *region = &call.block->region;
	char *end = call.result.memory + exact_span_bytes(&call.result);
	neighbour.places = 0;
	if (call.result.memory - region->memory >= 64)
		neighbour.place[neighbour.places++] = call.result.memory - 64;
	if (region->memory + region->bytes - end >= 64 &&
	    is_readable(region, (size_t)(end + 8 - region->memory)))
		neighbour.place[neighbour.places++] = end;
}

static void find_read(void)
{
	char *end = call.result.memory + exact_span_bytes(&call.result) + 64;
	const char *last = call.block->region.memory + call.block->region.bytes;
	call.read_into = NULL;
	if (call.block->region.kind != REGION_ROWS && last - end > READ_BYTES &&
	    writers_begin_read(end, READ_BYTES))
		call.read_into = end;
}

void blocks_begin_call(struct block *block, const struct matrix *result)
{
	call.block = block;
	call.result = *result;
	if (call.room < block->region.bytes) {
		call.room = block->region.bytes;
		free(call.before);
		call.before = malloc(call.room);
		if (call.before == NULL)
			abort();
	}
	visit(save);
	find_neighbours();
	blocks_set_filler(block);
	call.read_into = NULL;
	if (!neighbour.is_left && chance_draw() % 8 == 0)
		find_read();
	if (!neighbour.is_left && chance_draw() % 8 == 0)
		begin_writing();
	else
		neighbour.places = 0;
}

static void allow(const char *memory, size_t bytes)
{
	memcpy(call.before + (memory - call.block->region.memory), memory, bytes);
}

static void compare(char *now, char *before, size_t bytes)
{
	if (memcmp(now, before, bytes) == 0)
		return;
	size_t at = 0;
	while (now[at] == before[at])
		at++;
	printf("FAIL after %s: byte %zu of a block of %zu is not the result's, and has changed\n",
	       chance_step, (size_t)(now + at - call.block->region.memory),
	       call.block->region.bytes);
	fflush(stdout);
	_Exit(1);
}

void blocks_end_call(void)
{
	end_writing();
	writers_await();
	const struct matrix *result = &call.result;
	const size_t bytes = exact_element_bytes(result->type);
	for (int j = 0; j < result->columns; j++)
		allow(result->memory + (size_t)j * (size_t)result->ld * bytes,
		      (size_t)result->rows * bytes);
	for (int i = 0; i < neighbour.places; i++)
		allow(neighbour.place[i], chance_grain);
	if (call.read_into != NULL)
		allow(call.read_into, READ_BYTES);
	visit(compare);
}
