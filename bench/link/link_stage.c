/* link_stage.c - copies between a program's memory and a page-locked ring, and the link */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/link/link_bench.h"

enum { THREADS_MAX = 16, SLOTS = 4 };

enum way { WAY_PACK, WAY_UNPACK, WAY_ADD, WAY_UP, WAY_DOWN, WAY_COUNT };

/* A thread's share of the program's memory and of the ring: slots of chunk bytes. */
struct stager {
	const struct link_bench *bench;
	pthread_t thread;
	pthread_barrier_t *start;
	enum way way;
	char *user, *ring, *device;
	size_t user_bytes, chunk_bytes;
	int slots;
	void *event[SLOTS];
};

static void link_stage_wait_event(const struct stager *stager, int slot)
{
	const struct cuda_api *api = &stager->bench->device.set.api;
	int error;
	while ((error = api->event_query(stager->event[slot])) == CUDA_ERROR_NOT_READY)
		sched_yield();
	device_check(&stager->bench->device, error, "cudaEventQuery");
}

/* C := z + 2 C, as the host computes a result that beta scales. */
static void link_stage_add(double *restrict user, const double *restrict ring, size_t count)
{
	for (size_t i = 0; i < count; i++)
		user[i] = ring[i] + 2 * user[i];
}

/* Queues the slot's copy to or from the device, and an event behind it. */
static void link_stage_send(const struct stager *stager, int slot, size_t done)
{
	const struct device *device = &stager->bench->device;
	char *ring = stager->ring + (size_t)slot * stager->chunk_bytes,
	     *place = stager->device + done;
	void *stream = device->stream[stager->way == WAY_UP ? 1 : 2];
	device_copy(device, stager->way == WAY_UP ? place : ring,
	            stager->way == WAY_UP ? ring : place, stager->chunk_bytes, stream);
	device_check(device, device->set.api.event_record(stager->event[slot], stream),
	             "cudaEventRecord");
}

static void link_stage_do(const struct stager *stager, int slot, size_t chunk, size_t chunks)
{
	const size_t bytes = stager->chunk_bytes, done = chunk * bytes;
	char *user = stager->user + done, *ring = stager->ring + (size_t)slot * bytes;
	switch (stager->way) {
	case WAY_PACK: memcpy(ring, user, bytes); return;
	case WAY_UNPACK: memcpy(user, ring, bytes); return;
	case WAY_ADD:
		link_stage_add((double *)(void *)user, (double *)(void *)ring,
		               bytes / sizeof(double));
		return;
	case WAY_UP:
		if (chunk >= SLOTS)
			link_stage_wait_event(stager, slot);
		memcpy(ring, user, bytes);
		link_stage_send(stager, slot, done);
		return;
	case WAY_DOWN:
		for (size_t ahead = chunk == 0 ? 0 : SLOTS - 1;
		     ahead < SLOTS && chunk + ahead < chunks; ahead++)
			link_stage_send(stager, (int)((chunk + ahead) % SLOTS),
			                (chunk + ahead) * bytes);
		link_stage_wait_event(stager, slot);
		memcpy(user, ring, bytes);
		return;
	default: return;
	}
}

static void *link_stage_run(void *argument)
{
	const struct stager *stager = argument;
	const size_t chunks = stager->user_bytes / stager->chunk_bytes;
	const struct device *device = &stager->bench->device;
	device_check(device, device->set.api.set_device(device->set.devices[0].number),
	             "cudaSetDevice");
	pthread_barrier_wait(stager->start);
	for (size_t chunk = 0; chunk < chunks; chunk++)
		link_stage_do(stager, (int)(chunk % (size_t)stager->slots), chunk, chunks);
	if (stager->way == WAY_UP)
		device_wait(device, device->stream[1]);
	return NULL;
}

struct stage {
	char *user, *ring, *device;
	size_t user_bytes, chunk_bytes;
};

/*
 * Bytes per second of all threads, whose parts of the ring make up ring_bytes; for the link each
 * thread has SLOTS chunks.
 */
static double link_stage_run_threads(const struct link_bench *bench, const struct stage *stage,
                                     int threads, enum way way, size_t ring_bytes)
{
	static struct stager stagers[THREADS_MAX];
	pthread_barrier_t start;
	pthread_barrier_init(&start, NULL, (unsigned)threads + 1);
	const size_t share =
		stage->user_bytes / (size_t)threads / stage->chunk_bytes * stage->chunk_bytes;
	const bool link = way == WAY_UP || way == WAY_DOWN;
	const size_t slots = link ? SLOTS : ring_bytes / (size_t)threads / stage->chunk_bytes;
	for (int i = 0; i < threads; i++) {
		struct stager *stager = &stagers[i];
		*stager = (struct stager){.bench = bench,
		                          .start = &start,
		                          .way = way,
		                          .chunk_bytes = stage->chunk_bytes};
		stager->slots = slots == 0 ? 1 : (int)slots;
		stager->user = stage->user + (size_t)i * share;
		stager->device = stage->device + (size_t)i * share;
		stager->ring = stage->ring + (size_t)(i * stager->slots) * stage->chunk_bytes;
		stager->user_bytes = share;
		for (int slot = 0; slot < SLOTS; slot++)
			device_check(&bench->device,
			             bench->device.set.api.event_create(&stager->event[slot],
			                                                CUDA_EVENT_UNTIMED),
			             "cudaEventCreateWithFlags");
		if (pthread_create(&stager->thread, NULL, link_stage_run, stager) != 0)
			exit(1);
	}
	const double begin = device_seconds();
	pthread_barrier_wait(&start);
	for (int i = 0; i < threads; i++)
		pthread_join(stagers[i].thread, NULL);
	const double seconds = device_seconds() - begin;
	for (int i = 0; i < threads * SLOTS; i++)
		device_check(
			&bench->device,
			bench->device.set.api.event_destroy(stagers[i / SLOTS].event[i % SLOTS]),
			"cudaEventDestroy");
	pthread_barrier_destroy(&start);
	return (double)share * threads / seconds;
}

static void link_stage_print_row(const struct link_bench *bench, const struct stage *stage,
                                 int threads, size_t ring_bytes, size_t memory_bytes)
{
	printf("%7d  ", threads);
	for (enum way way = WAY_PACK; way <= WAY_ADD; way++)
		printf(" %7.1f %7.1f  ",
		       link_stage_run_threads(bench, stage, threads, way, ring_bytes) / 1e9,
		       link_stage_run_threads(bench, stage, threads, way, memory_bytes) / 1e9);
	for (enum way way = WAY_UP; way <= WAY_DOWN; way++) {
		/* The first run finds unused slots, and is not counted. */
		link_stage_run_threads(bench, stage, threads, way, ring_bytes);
		printf(" %7.1f",
		       link_stage_run_threads(bench, stage, threads, way, ring_bytes) / 1e9);
	}
	printf("\n");
	fflush(stdout);
}

void link_stage_measure(struct link_bench *bench)
{
	const size_t chunk = bench->quick ? 1 << 16 : 2 << 20, ring = 8 * chunk,
		     memory = bench->quick ? ring : 256 * chunk;
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct stage stage = {.chunk_bytes = chunk,
	                      .user_bytes = bench->quick ? 64 * chunk : 512 * chunk};
	stage.user = aligned_alloc(4096, stage.user_bytes);
	stage.ring =
		device_take_pinned(&bench->device, memory + (size_t)THREADS_MAX * SLOTS * chunk);
	stage.device = device_take(&bench->device, stage.user_bytes);
	if (stage.user == NULL)
		exit(1);
	memset(stage.user, 1, stage.user_bytes);
	memset(stage.ring, 1, memory + (size_t)THREADS_MAX * SLOTS * chunk);
	printf("staging, GB/s, in chunks of %zu KB: ring of %zu MB, or %zu MB that no cache "
	       "holds; with the link behind: ring of "
	       "%d chunks a thread\n",
	       chunk >> 10, ring >> 20, memory >> 20, SLOTS);
	printf("%7s   %7s %7s   %7s %7s   %7s %7s   %7s %7s\n", "threads", "pack", "(DRAM)",
	       "unpack", "(DRAM)", "C:=z+bC", "(DRAM)", "up", "down");
	for (int threads = 1; threads <= processors && threads <= THREADS_MAX; threads *= 2)
		link_stage_print_row(bench, &stage, threads, ring, memory);
	printf("\n");
	device_free(&bench->device, stage.device);
	device_free_pinned(&bench->device, stage.ring);
	free(stage.user);
}
