/* transfer_copy.c - copies the same chunks by the library's copiers or by plain loops */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/engine/transfer_copy.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "shim/base/clock.h"
#include "shim/execute/gpu/copy/copiers.h"

enum { THREADS_MAX = 64, WAIT_NS = 50000 };

#if defined(__x86_64__)

static void transfer_copy_string(void *to, const void *from, size_t size_bytes)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size_bytes) : : "memory");
}

__attribute__((target("avx2"))) static void transfer_copy_vector(void *to, const void *from,
                                                                 size_t size_bytes)
{
	char *target = to;
	const char *source = from;
	size_t i = 0;
	for (; i + 128 <= size_bytes; i += 128) {
		const __m256i *in = (const __m256i *)(const void *)(source + i);
		__m256i *out = (__m256i *)(void *)(target + i);
		const __m256i first = _mm256_loadu_si256(in), second = _mm256_loadu_si256(in + 1);
		const __m256i third = _mm256_loadu_si256(in + 2),
			      fourth = _mm256_loadu_si256(in + 3);
		_mm256_storeu_si256(out, first);
		_mm256_storeu_si256(out + 1, second);
		_mm256_storeu_si256(out + 2, third);
		_mm256_storeu_si256(out + 3, fourth);
	}
	memcpy(target + i, source + i, size_bytes - i);
}

bool transfer_copy_has(enum transfer_who who)
{
	return who != TRANSFER_VECTOR || __builtin_cpu_supports("avx2");
}

#else

#define transfer_copy_string transfer_copy_memory
#define transfer_copy_vector transfer_copy_memory

bool transfer_copy_has(enum transfer_who who)
{
	return who == TRANSFER_OURS || who == TRANSFER_MEMCPY;
}

#endif

static void transfer_copy_memory(void *to, const void *from, size_t size_bytes)
{
	memcpy(to, from, size_bytes);
}

static const struct {
	const char *name;
	void (*copy)(void *to, const void *from, size_t size_bytes);
} kinds[TRANSFER_KINDS] = {
	[TRANSFER_OURS] = {"ours", NULL},
	[TRANSFER_MEMCPY] = {"memcpy", transfer_copy_memory},
	[TRANSFER_STRING] = {"rep movsb", transfer_copy_string},
	[TRANSFER_VECTOR] = {"vectors", transfer_copy_vector},
};

const char *transfer_copy_name(enum transfer_who who)
{
	return kinds[who].name;
}

/* One run is cut anywhere; of several runs each stays whole. */
static uint64_t transfer_copy_chunk_runs(const struct pack_area *area)
{
	const uint64_t runs = staging_chunk_bytes() / area->run_bytes;
	return runs > 0 ? runs : 1;
}

static uint64_t transfer_copy_count_chunks(const struct pack_area *area)
{
	const uint64_t chunk_bytes = staging_chunk_bytes();
	if (area->count == 1)
		return (area->run_bytes + chunk_bytes - 1) / chunk_bytes;
	return (area->count + transfer_copy_chunk_runs(area) - 1) / transfer_copy_chunk_runs(area);
}

static struct pack_area transfer_copy_cut_chunk(const struct pack_area *area, uint64_t number)
{
	const uint64_t chunk_bytes = staging_chunk_bytes(), runs = transfer_copy_chunk_runs(area);
	const uint64_t left = area->count == 1 ? area->run_bytes - number * chunk_bytes
	                                       : area->count - number * runs;
	if (area->count == 1)
		return (struct pack_area){area->host + number * chunk_bytes,
		                          left < chunk_bytes ? left : chunk_bytes, 1,
		                          area->pitch_bytes};
	return (struct pack_area){area->host + number * runs * area->pitch_bytes, area->run_bytes,
	                          left < runs ? left : runs, area->pitch_bytes};
}

/* Puts each chunk into the next place of the ring, once the place's last copy is done. */
static void transfer_copy_run_ours(const struct transfer *transfer, const struct staging *staging)
{
	const uint64_t places = staging->size_bytes[transfer->way] / staging_chunk_bytes(),
		       chunks = transfer_copy_count_chunks(&transfer->area);
	struct copy_job *jobs = calloc(places, sizeof *jobs);
	struct copy_bell bell = {.watch = PACK_WATCH_DOUBLE};
	uint64_t begun = 0, ended = 0;
	if (jobs == NULL)
		exit(1);
	while (ended < chunks) {
		const uint32_t seen = atomic_load(&bell.rings);
		for (; begun < chunks && begun - ended < places; begun++) {
			struct copy_job *job = &jobs[begun % places];
			*job = (struct copy_job){
				.kind = transfer->way == STAGING_UP ? COPY_GATHER : COPY_SCATTER,
				.area = transfer_copy_cut_chunk(&transfer->area, begun),
				.staging = staging->base[transfer->way] +
			                   begun % places * staging_chunk_bytes(),
				.rule = transfer->rule,
				.bell = &bell,
			};
			copiers_submit(job);
		}
		if (atomic_load_explicit(&jobs[ended % places].done, memory_order_acquire))
			ended++;
		else if (!copiers_help())
			copiers_wait(&bell, seen, WAIT_NS);
	}
	free(jobs);
}

struct member {
	pthread_t thread;
	const struct transfer *transfer;
	const struct staging *staging;
	uint64_t number, threads;
};

/* Copies every threads-th chunk, into places that no other thread uses. */
static void *transfer_copy_run_member(void *argument)
{
	const struct member *member = argument;
	const struct transfer *transfer = member->transfer;
	const enum staging_way way = transfer->way;
	const uint64_t chunks = transfer_copy_count_chunks(&transfer->area),
		       count = member->staging->size_bytes[way] / staging_chunk_bytes();
	const uint64_t places = count / member->threads > 0 ? count / member->threads : 1;
	for (uint64_t i = member->number, turn = 0; i < chunks; i += member->threads, turn++) {
		const struct pack_area chunk = transfer_copy_cut_chunk(&transfer->area, i);
		const uint64_t place = (member->number + member->threads * (turn % places)) % count;
		char *tight = member->staging->base[way] + place * staging_chunk_bytes();
		for (uint64_t run = 0; run < chunk.count; run++) {
			char *host = chunk.host + run * chunk.pitch_bytes,
			     *at = tight + run * chunk.run_bytes;
			kinds[transfer->who].copy(way == STAGING_UP ? at : host,
			                          way == STAGING_UP ? host : at, chunk.run_bytes);
		}
	}
	return NULL;
}

static void transfer_copy_run_others(const struct transfer *transfer, const struct staging *staging,
                                     int threads)
{
	struct member members[THREADS_MAX];
	for (int i = 0; i < threads; i++)
		members[i] = (struct member){.transfer = transfer,
		                             .staging = staging,
		                             .number = (uint64_t)i,
		                             .threads = (uint64_t)threads};
	for (int i = 1; i < threads; i++)
		if (pthread_create(&members[i].thread, NULL, transfer_copy_run_member,
		                   &members[i]) != 0) {
			fprintf(stderr, "transfer: no thread can be made\n");
			exit(1);
		}
	transfer_copy_run_member(&members[0]);
	for (int i = 1; i < threads; i++)
		pthread_join(members[i].thread, NULL);
}

double transfer_copy_run(const struct transfer *transfer, const struct staging *staging,
                         int threads)
{
	const int64_t begin = clock_monotonic_ns();
	if (transfer->who == TRANSFER_OURS)
		transfer_copy_run_ours(transfer, staging);
	else
		transfer_copy_run_others(transfer, staging,
		                         threads < THREADS_MAX ? threads : THREADS_MAX);
	return (double)(clock_monotonic_ns() - begin);
}
