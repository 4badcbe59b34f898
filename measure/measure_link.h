/* measure_link.h - the link's bandwidth by size of copy: page-locked, both ways, pageable */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_MEASURE_LINK_H
#define GPUSHIM_MEASURE_MEASURE_LINK_H

#include "measure/device.h"

enum measure_way { MEASURE_UP, MEASURE_DOWN, MEASURE_WAYS };

/*
 * One direction: buffers of span bytes on host and device, through which copies of chunk bytes go
 * round until total bytes are copied.
 */
struct measure_lane {
	char *host, *device;
	size_t span, chunk, total;
	bool is_up;
	void *stream;
};

/*
 * The buffers of both directions, on streams of the device. pageable shares the device's buffers
 * with pinned.
 */
struct measure_link {
	const struct device *device;
	struct measure_lane pinned[MEASURE_WAYS], pageable[MEASURE_WAYS];
};

/*
 * Medians of bytes per second for copies of one size. beside: while the other direction is busy
 * too. varies: how much those alone and of pageable memory do, as in struct spread.
 */
struct measure_rates {
	double alone[MEASURE_WAYS], beside[MEASURE_WAYS], pageable[MEASURE_WAYS];
	double alone_varies[MEASURE_WAYS], pageable_varies[MEASURE_WAYS];
};

/*
 * Prepares measurements of copies of at most half of span_bytes, total_bytes in each run. The
 * program ends where there is no memory.
 */
void measure_link_open(struct measure_link *link, const struct device *device, size_t span_bytes,
                       size_t total_bytes);
void measure_link_copies(struct measure_link *link, size_t chunk_bytes,
                         struct measure_rates *rates);
void measure_link_close(struct measure_link *link);

/* Share of its rate that each direction keeps while both move, 0 to 1; mean of both. */
double measure_link_duplex(const struct measure_rates *rates);

#endif
