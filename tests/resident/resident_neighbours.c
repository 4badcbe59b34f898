/* resident_neighbours.c - the test of tracking unmaps no memory that other threads map meanwhile */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

#include "kernel_probe.h"
#include "shim/execute/gpu/resident/resident.h"

/* Blocks of half the size that the test works with: they would fit into a hole that it leaves. */
enum { ROUNDS = 60, BLOCKS = 64, BLOCK_BYTES = 1 << 20 };

static atomic_bool over;
static atomic_int lost;

static void *map_block(void)
{
	void *block =
		mmap(NULL, BLOCK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return block == MAP_FAILED ? NULL : block;
}

static void unmap_block(void *block)
{
	unsigned char present;
	if (block == NULL)
		return;
	if (mincore(block, 1, &present) != 0)
		atomic_fetch_add(&lost, 1);
	munmap(block, BLOCK_BYTES);
}

/* So many at once that they fill every hole; each must be there until it is unmapped. */
static void *map_blocks(void *unused)
{
	while (!atomic_load(&over)) {
		void *block[BLOCKS];
		for (int i = 0; i < BLOCKS; i++)
			block[i] = map_block();
		for (int i = 0; i < BLOCKS; i++)
			unmap_block(block[i]);
	}
	return unused;
}

int main(void)
{
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX,
	                                           .asks_despite_filter = true};
	const char *fault, *missing = kernel_probe_find_missing();
	pthread_t thread;
	if (missing != NULL) {
		printf("skipped: %s\n", missing);
		return 77;
	}
	if (pthread_create(&thread, NULL, map_blocks, NULL) != 0)
		return 1;
	for (int i = 0; i < ROUNDS; i++) {
		const enum track_reason reason = resident_open(&settings, &fault);
		if (reason != TRACK_REASON_NONE) {
			printf("FAIL round %d: %s (%s)\n", i, track_reason_sentence(reason),
			       fault == NULL ? "" : fault);
			return 1;
		}
		resident_close();
	}
	atomic_store(&over, true);
	pthread_join(thread, NULL);
	printf("%d rounds, %d blocks of another thread were unmapped\n", ROUNDS,
	       atomic_load(&lost));
	return atomic_load(&lost) == 0 ? 0 : 1;
}
