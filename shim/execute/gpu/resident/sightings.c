/* sightings.c - a table of operands by address and shape */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/sightings.h"

#include <string.h>

enum { SIGHTINGS_MAX = 512, SIGHTINGS_LINES = 64, SIGHTINGS_LINE_BYTES = 64 };

static struct {
	struct host_view view;
	struct admission admission;
} sightings_all[SIGHTINGS_MAX];

static uint64_t sightings_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

struct admission *sightings_find(const struct host_view *view)
{
	uint64_t hash = sightings_mix(1, view->base);
	hash = sightings_mix(hash, view->width_bytes);
	hash = sightings_mix(sightings_mix(hash, view->pitch_bytes), view->rows);
	const uint64_t place = hash % SIGHTINGS_MAX;
	const struct host_view *known = &sightings_all[place].view;
	if (known->base != view->base || known->width_bytes != view->width_bytes ||
	    known->pitch_bytes != view->pitch_bytes || known->rows != view->rows) {
		sightings_all[place].view = *view;
		sightings_all[place].admission = (struct admission){.state = ADMISSION_NEW};
	}
	return &sightings_all[place].admission;
}

void sightings_clear(void)
{
	memset(sightings_all, 0, sizeof sightings_all);
}

/* Bytes of the view from its byte `at` on, within one row. */
static uint64_t sightings_hash_line(const struct host_view *view, uint64_t at, uint64_t hash)
{
	const uint64_t column = at % view->width_bytes;
	const struct pages_span row = host_view_row(view, at / view->width_bytes);
	const uint64_t left = view->width_bytes - column;
	const uint64_t bytes = left < SIGHTINGS_LINE_BYTES ? left : SIGHTINGS_LINE_BYTES;
	for (uint64_t i = 0; i < bytes; i += sizeof hash) {
		uint64_t word = 0;
		memcpy(&word, (const char *)row.start + column + i,
		       bytes - i < sizeof word ? bytes - i : sizeof word);
		hash = sightings_mix(hash, word);
	}
	return hash;
}

uint64_t sightings_sample(const struct host_view *view)
{
	const uint64_t bytes = host_view_bytes(view);
	const uint64_t step = bytes / SIGHTINGS_LINES > 0 ? bytes / SIGHTINGS_LINES : 1;
	uint64_t hash = bytes;
	for (uint64_t at = 0; at < bytes; at += step)
		hash = sightings_hash_line(view, at, hash);
	return hash;
}
