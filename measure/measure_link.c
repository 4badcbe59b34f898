/* measure_link.c - the link's bandwidth by size of copy: page-locked, both ways, pageable */
/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/measure_link.h"

#include <stdlib.h>
#include <string.h>

#include "measure/spread.h"

enum { LINK_ROUNDS = 3, LINK_ALIGNMENT_BYTES = 4096 };

static void measure_link_queue(const struct device *device, const struct measure_lane *lane,
                               size_t done)
{
	char *host = lane->host + done % lane->span, *place = lane->device + done % lane->span;
	device_copy(device, lane->is_up ? place : host, lane->is_up ? host : place, lane->chunk,
	            lane->stream);
}

/* Bytes per second of one direction alone, in some rounds. */
static struct spread measure_link_alone(const struct device *device,
                                        const struct measure_lane *lane)
{
	double rate[LINK_ROUNDS];
	for (int round = 0; round < LINK_ROUNDS; round++) {
		const double begin = device_seconds();
		for (size_t done = 0; done < lane->total; done += lane->chunk)
			measure_link_queue(device, lane, done);
		device_wait(device, lane->stream);
		rate[round] = (double)lane->total / (device_seconds() - begin);
	}
	return spread_of(rate, LINK_ROUNDS);
}

/* Bytes per second of one direction while the other one has twice as much to copy. */
static double measure_link_beside(const struct device *device, const struct measure_lane *lane,
                                  const struct measure_lane *other)
{
	double rate[LINK_ROUNDS];
	for (int round = 0; round < LINK_ROUNDS; round++) {
		const double begin = device_seconds();
		for (size_t done = 0; done < lane->total; done += lane->chunk) {
			measure_link_queue(device, lane, done);
			measure_link_queue(device, other, done);
			measure_link_queue(device, other, done + lane->chunk);
		}
		device_wait(device, lane->stream);
		rate[round] = (double)lane->total / (device_seconds() - begin);
		device_wait(device, other->stream);
	}
	return spread_of(rate, LINK_ROUNDS).median;
}

static void measure_link_open_way(struct measure_link *link, enum measure_way way,
                                  size_t span_bytes, size_t total_bytes)
{
	const struct device *device = link->device;
	struct measure_lane *pinned = &link->pinned[way], *pageable = &link->pageable[way];
	*pinned = (struct measure_lane){
		.span = span_bytes, .total = total_bytes, .is_up = way == MEASURE_UP};
	pinned->stream = device->stream[way == MEASURE_UP ? 1 : 2];
	pinned->host = device_take_pinned(device, span_bytes);
	pinned->device = device_take(device, span_bytes);
	*pageable = *pinned;
	pageable->host = aligned_alloc(LINK_ALIGNMENT_BYTES, span_bytes);
	if (pageable->host == NULL)
		exit(1);
	memset(pinned->host, way, span_bytes);
	memset(pageable->host, way, span_bytes);
	device_copy(device, pinned->device, pinned->host, span_bytes, pinned->stream);
	device_wait(device, pinned->stream);
}

void measure_link_open(struct measure_link *link, const struct device *device, size_t span_bytes,
                       size_t total_bytes)
{
	link->device = device;
	for (int way = MEASURE_UP; way < MEASURE_WAYS; way++)
		measure_link_open_way(link, (enum measure_way)way, span_bytes, total_bytes);
}

void measure_link_copies(struct measure_link *link, size_t chunk_bytes, struct measure_rates *rates)
{
	for (int way = MEASURE_UP; way < MEASURE_WAYS; way++) {
		link->pinned[way].chunk = link->pageable[way].chunk = chunk_bytes;
		const struct spread alone = measure_link_alone(link->device, &link->pinned[way]),
				    pageable =
					    measure_link_alone(link->device, &link->pageable[way]);
		rates->alone[way] = alone.median;
		rates->alone_varies[way] = alone.varies;
		rates->pageable[way] = pageable.median;
		rates->pageable_varies[way] = pageable.varies;
	}
	for (int way = MEASURE_UP; way < MEASURE_WAYS; way++)
		rates->beside[way] = measure_link_beside(link->device, &link->pinned[way],
		                                         &link->pinned[1 - way]);
}

void measure_link_close(struct measure_link *link)
{
	for (int way = MEASURE_UP; way < MEASURE_WAYS; way++) {
		device_free(link->device, link->pinned[way].device);
		device_free_pinned(link->device, link->pinned[way].host);
		free(link->pageable[way].host);
	}
}

double measure_link_duplex(const struct measure_rates *rates)
{
	const double kept = (rates->beside[MEASURE_UP] / rates->alone[MEASURE_UP] +
	                     rates->beside[MEASURE_DOWN] / rates->alone[MEASURE_DOWN]) /
	                    2;
	return kept < 1 ? kept : 1;
}
