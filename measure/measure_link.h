/* measure_link.h - bandwidth of the link by the size of a copy: page-locked, both ways at once, pageable */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_MEASURE_LINK_H
#define GPUSHIM_MEASURE_MEASURE_LINK_H

#include "measure/device.h"

enum measure_way { MEASURE_UP, MEASURE_DOWN, MEASURE_WAYS };

/*
 * One direction: a host and a device buffer of span bytes, through which copies of chunk bytes
 * walk.
 */
struct measure_lane {
	char *host, *device;
	size_t span, chunk, total;
	bool is_up;
	void *stream;
};

/*
 * The buffers of both directions, on streams of the device's; pageable shares the device's with
 * pinned.
 */
struct measure_link {
	const struct device *device;
	struct measure_lane pinned[MEASURE_WAYS], pageable[MEASURE_WAYS];
};

/* Bytes per second of copies of one size: medians. beside: while the other way is busy too. */
struct measure_rates {
	double alone[MEASURE_WAYS], beside[MEASURE_WAYS], pageable[MEASURE_WAYS];
};

/*
 * Copies of at most half of span_bytes will be measured, so many bytes of them. The program ends
 * without memory.
 */
void measure_link_open(struct measure_link *link, const struct device *device, size_t span_bytes,
                       size_t total_bytes);
void measure_link_copies(struct measure_link *link, size_t chunk_bytes,
                         struct measure_rates *rates);
void measure_link_close(struct measure_link *link);

/* The part of its rate that each way keeps while both move, 0 to 1. */
double measure_link_duplex(const struct measure_rates *rates);

#endif
