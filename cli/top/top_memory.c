/* top_memory.c - reads counters from segments of shared memory, each byte once, and checks them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/top/top_memory.h"

#include <stdio.h>
#include <string.h>

#include "cli/process/segment_list.h"
#include "shim/record/pool.h"

/* The most chunks that are looked at, so that no segment can hold the tool up. */
enum { MEMORY_CHUNKS = 16384, MEMORY_NAME_BYTES = 64 };

struct top_memory {
	void (*see)(void *context, enum top_fault fault, const char *name,
	            const struct top_sample *sample);
	void *context;
	uint64_t chunks;
};

static bool top_memory_copy_rows(const struct segment_item *item, uint64_t offset,
                                 struct counters_file *file)
{
	const size_t first = offsetof(struct counters_file, decided[COUNTERS_FIRST]);
	const size_t rows = offsetof(struct counters_file, forwarded);
	const size_t slots = file->slots_used < COUNTERS_SLOTS ? file->slots_used : COUNTERS_SLOTS;
	if (file->spilled != 0 &&
	    !segment_list_copy(item, offset + first, (char *)file + first, rows - first))
		return false;
	return segment_list_copy(item, offset + rows, (char *)file + rows,
	                         slots * sizeof file->forwarded[0]);
}

/* Pages that the process never wrote are not read: that would take memory for them. */
static enum top_fault top_memory_load(const struct segment_item *item, uint64_t offset,
                                      struct counters_file *file)
{
	const size_t first = offsetof(struct counters_file, decided[COUNTERS_FIRST]);
	memset((void *)file, 0, sizeof *file);
	if (!segment_list_copy(item, offset, file, first))
		return TOP_GONE;
	const enum top_fault fault = top_read_check_head(file);
	if (fault == TOP_FINE && !top_memory_copy_rows(item, offset, file))
		return TOP_UNREADABLE;
	return fault == TOP_SHORT || fault == TOP_NO_COUNTERS ? TOP_GONE : fault;
}

static void top_memory_read(struct top_memory *memory, const struct segment_item *item,
                            uint64_t offset, enum top_kind kind)
{
	static struct counters_file file;
	static struct top_sample sample;
	char name[MEMORY_NAME_BYTES];
	const enum top_fault fault = top_memory_load(item, offset, &file);
	if (fault == TOP_GONE)
		return;
	if (kind == TOP_SEGMENT && item->creator > 0)
		file.pid = item->creator;
	snprintf(name, sizeof name, "shared memory %d of process %lld", item->id,
	         (long long)file.pid);
	if (fault == TOP_FINE && file.pid > 0 && file.pid <= INT32_MAX) {
		top_read_counters(&file, kind, &sample);
		sample.is_known = kind == TOP_CHUNK || item->creator > 0;
		memory->see(memory->context, fault, name, &sample);
	} else {
		memory->see(memory->context, fault == TOP_FINE ? TOP_NO_COUNTERS : fault, name,
		            NULL);
	}
}

static void top_memory_read_pool(struct top_memory *memory, const struct segment_item *item,
                                 const struct pool_head *head)
{
	for (uint64_t chunk = 0; chunk < head->capacity && chunk < head->claimed; chunk++)
		if (memory->chunks++ < MEMORY_CHUNKS)
			top_memory_read(memory, item, SEGMENT_GRAIN + chunk * head->stride,
			                TOP_CHUNK);
}

static void top_memory_look(void *context, const struct segment_item *item)
{
	struct pool_head head;
	struct top_memory *memory = context;
	if (!segment_list_copy(item, 0, &head, sizeof head))
		return;
	if (pool_is_head(&head, item->size_bytes))
		top_memory_read_pool(memory, item, &head);
	else if (memcmp(head.magic, "gpushim", sizeof head.magic) == 0)
		top_memory_read(memory, item, 0, TOP_SEGMENT);
}

void top_memory_visit(void (*see)(void *context, enum top_fault fault, const char *name,
                                  const struct top_sample *sample),
                      void *context)
{
	struct top_memory memory = {see, context, 0};
	segment_list_visit(top_memory_look, &memory);
}
