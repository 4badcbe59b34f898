/* sightings.c - a table of operands by address and shape */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/sightings.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shim/rights/call_filter.h"
#include "shim/rights/readable.h"

enum {
	SIGHTINGS_SETS = 64,
	SIGHTINGS_WAYS = 8,
	SIGHTINGS_LINES = 8,
	SIGHTINGS_LINE_BYTES = 64,
	SIGHTINGS_WORDS = (SIGHTINGS_LINES + 1) * SIGHTINGS_LINE_BYTES / 8
};

/* used: when it was last asked for; 0: never, so that the entry is free. */
struct sighting {
	struct host_view view;
	uint64_t used;
	struct admission admission;
};

/* Operands of one hash share a set. */
static struct sighting sightings_all[SIGHTINGS_SETS][SIGHTINGS_WAYS];
static uint64_t sightings_clock;

static uint64_t sightings_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static struct sighting *sightings_find_set(const struct host_view *view)
{
	uint64_t hash = sightings_mix(1, view->base);
	hash = sightings_mix(hash, view->width_bytes);
	hash = sightings_mix(sightings_mix(hash, view->pitch_bytes), view->rows);
	return sightings_all[sightings_mix(hash, view->form) % SIGHTINGS_SETS];
}

/* The view's entry, or the one of its set that has not been asked for the longest. */
static struct sighting *sightings_find_entry(const struct host_view *view)
{
	struct sighting *set = sightings_find_set(view), *oldest = set;
	for (struct sighting *one = set; one < set + SIGHTINGS_WAYS; one++) {
		if (one->used != 0 && host_view_equals(&one->view, view))
			return one;
		if (one->used < oldest->used)
			oldest = one;
	}
	*oldest = (struct sighting){.view = *view, .admission = {.state = ADMISSION_NEW}};
	return oldest;
}

struct admission *sightings_find(const struct host_view *view)
{
	struct sighting *entry = sightings_find_entry(view);
	entry->used = ++sightings_clock;
	return &entry->admission;
}

void sightings_clear(void)
{
	memset(sightings_all, 0, sizeof sightings_all);
}

/* Bytes of the view from its byte `at` on, within one row. */
static struct iovec sightings_find_line(const struct host_view *view, uint64_t at)
{
	const uint64_t column = at % view->width_bytes;
	const struct pages_span row = host_view_row(view, at / view->width_bytes);
	const uint64_t left = view->width_bytes - column;
	return (struct iovec){(char *)row.start + column,
	                      left < SIGHTINGS_LINE_BYTES ? left : SIGHTINGS_LINE_BYTES};
}

/* Whether the line's first and last page can be read. */
static bool sightings_may_read(const struct iovec *line)
{
	const uintptr_t first = (uintptr_t)line->iov_base, last = first + line->iov_len - 1;
	return readable_page(pages_around((struct pages_span){first, first + 1}).start) &&
	       readable_page(pages_around((struct pages_span){last, last + 1}).start);
}

/* Where a filter may end the program for the rare system call. */
static bool sightings_copy(const struct iovec *line, int lines, char *copy)
{
	for (int i = 0; i < lines; i++) {
		if (!sightings_may_read(&line[i]))
			return false;
		memcpy(copy, line[i].iov_base, line[i].iov_len);
		copy += line[i].iov_len;
	}
	return true;
}

static bool sightings_have_copied(const struct iovec *line, int lines, uint64_t bytes, void *copy)
{
	const struct iovec local = {copy, bytes};
	const long read = syscall(SYS_process_vm_readv, getpid(), &local, 1, line, lines, 0);
	return read >= 0 && (uint64_t)read == bytes;
}

/*
 * The kernel reads the lines: memory that is not accessible must not raise a signal here, whose
 * handler might leave the call while the mutex is held. Returns whether all were read.
 */
static bool sightings_read(const struct iovec *line, int lines, uint64_t bytes, void *copy)
{
	const int error = errno;
	const bool read = call_filter_is_on() ? sightings_copy(line, lines, copy)
	                                      : sightings_have_copied(line, lines, bytes, copy);
	errno = error;
	return read;
}

/* Another value each time where the memory cannot be read. */
static uint64_t sightings_refuse(void)
{
	static uint64_t refused;
	return ++refused;
}

uint64_t sightings_sample(const struct host_view *view)
{
	const uint64_t bytes = host_view_bytes(view);
	const uint64_t step = bytes / SIGHTINGS_LINES > 0 ? bytes / SIGHTINGS_LINES : 1;
	uint64_t copy[SIGHTINGS_WORDS] = {0};
	struct iovec line[SIGHTINGS_LINES + 1];
	uint64_t hash = bytes, size = 0;
	int lines = 0;
	for (uint64_t at = 0; at < bytes && lines <= SIGHTINGS_LINES; at += step) {
		line[lines] = sightings_find_line(view, at);
		size += line[lines++].iov_len;
	}
	if (!sightings_read(line, lines, size, copy))
		return sightings_refuse();
	for (uint64_t i = 0; i * sizeof hash < size; i++)
		hash = sightings_mix(hash, copy[i]);
	return hash;
}
