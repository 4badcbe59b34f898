/* link_copy.c - bandwidth of the link by the size of a copy: page-locked, both ways at once, pageable */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/link_bench.h"
#include "bench/spawn.h"

enum { ROUNDS = 3, UP, DOWN, WAYS };

static const size_t MEGABYTE = 1 << 20;

/* One direction: a host and a device buffer of span bytes, through which copies of chunk bytes walk. */
struct lane {
	char *host, *device;
	size_t span, chunk, total;
	bool is_up;
	void *stream;
};

static void lane_queue(const struct link_bench *bench, const struct lane *lane, size_t done)
{
	char *host = lane->host + done % lane->span, *device = lane->device + done % lane->span;
	device_copy(&bench->device, lane->is_up ? device : host, lane->is_up ? host : device, lane->chunk,
	            lane->stream);
}

/* Bytes per second of one lane alone: the median of some rounds. */
static double measure_alone(const struct link_bench *bench, const struct lane *lane)
{
	double rate[ROUNDS];
	for (int round = 0; round < ROUNDS; round++) {
		const double begin = device_seconds();
		for (size_t done = 0; done < lane->total; done += lane->chunk)
			lane_queue(bench, lane, done);
		device_wait(&bench->device, lane->stream);
		rate[round] = (double)lane->total / (device_seconds() - begin);
	}
	return spread_of(rate, ROUNDS).median;
}

/* Bytes per second of the first lane while the other one has more to do than that lane. */
static double measure_beside(const struct link_bench *bench, const struct lane *lane, const struct lane *other)
{
	double rate[ROUNDS];
	for (int round = 0; round < ROUNDS; round++) {
		const double begin = device_seconds();
		for (size_t done = 0; done < lane->total; done += lane->chunk) {
			lane_queue(bench, lane, done);
			lane_queue(bench, other, done);
			lane_queue(bench, other, done + lane->chunk);
		}
		device_wait(&bench->device, lane->stream);
		rate[round] = (double)lane->total / (device_seconds() - begin);
		device_wait(&bench->device, other->stream);
	}
	return spread_of(rate, ROUNDS).median;
}

static void print_row(struct link_bench *bench, struct lane pinned[WAYS], struct lane pageable[WAYS], size_t chunk)
{
	double alone[WAYS], beside[WAYS], plain[WAYS];
	struct link_figures *figures = &bench->figures;
	for (int way = UP; way <= DOWN; way++) {
		pinned[way].chunk = pageable[way].chunk = chunk;
		alone[way - UP] = measure_alone(bench, &pinned[way]);
		plain[way - UP] = measure_alone(bench, &pageable[way]);
	}
	for (int way = UP; way <= DOWN; way++)
		beside[way - UP] = measure_beside(bench, &pinned[way], &pinned[UP + DOWN - way]);
	printf("%8zu  %8.1f %8.1f   %8.1f %8.1f   %8.1f %8.1f\n", chunk / MEGABYTE, alone[0] / 1e9, alone[1] / 1e9,
	       beside[0] / 1e9, beside[1] / 1e9, plain[0] / 1e9, plain[1] / 1e9);
	fflush(stdout);
	if (alone[0] + alone[1] < figures->up_bytes + figures->down_bytes)
		return;
	figures->up_bytes = alone[0];
	figures->down_bytes = alone[1];
	figures->duplex = (beside[0] / alone[0] + beside[1] / alone[1]) / 2;
	if (figures->duplex > 1)
		figures->duplex = 1;
}

void link_copy_measure(struct link_bench *bench)
{
	const size_t most = bench->quick ? MEGABYTE : 64 * MEGABYTE, span = 2 * most;
	const size_t total = bench->quick ? 2 * MEGABYTE : 2048 * MEGABYTE;
	struct lane pinned[DOWN + 1], pageable[DOWN + 1];
	for (int way = UP; way <= DOWN; way++) {
		pinned[way] = (struct lane){.span = span, .total = total, .is_up = way == UP};
		pinned[way].stream = bench->device.stream[way == UP ? 1 : 2];
		pinned[way].host = device_take_pinned(&bench->device, span);
		pinned[way].device = device_take(&bench->device, span);
		pageable[way] = pinned[way];
		pageable[way].host = aligned_alloc(4096, span);
		if (pageable[way].host == NULL)
			exit(1);
		memset(pinned[way].host, way, span);
		memset(pageable[way].host, way, span);
		device_copy(&bench->device, pinned[way].device, pinned[way].host, span, pinned[way].stream);
		device_wait(&bench->device, pinned[way].stream);
	}
	printf("copies, GB/s: page-locked alone, page-locked while the other way is busy too, pageable\n");
	printf("%8s  %8s %8s   %8s %8s   %8s %8s\n", "MB", "up", "down", "up", "down", "up", "down");
	for (size_t chunk = MEGABYTE; chunk <= most; chunk *= 2)
		print_row(bench, pinned, pageable, chunk);
	printf("both ways at once each keeps %.2f of its rate\n\n", bench->figures.duplex);
	for (int way = UP; way <= DOWN; way++) {
		device_free(&bench->device, pinned[way].device);
		device_free_pinned(&bench->device, pinned[way].host);
		free(pageable[way].host);
	}
}
