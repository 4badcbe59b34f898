/* pool.c - finds a pool by its name, and takes a chunk of it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/pool.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "policy/text/number.h"
#include "policy/text/sentence.h"

/* A segment that is mapped as a whole, until its chunk was taken. */
struct pool_segment {
	struct pool_head *head;
	size_t size_bytes;
};

bool pool_is_name(const char *text)
{
	return text[0] == '@';
}

void pool_format_name(int id, uint64_t nonce, char out[POOL_NAME_BYTES])
{
	char digits[NUMBER_DIGITS_BYTES];
	struct sentence name = sentence_start(out, POOL_NAME_BYTES);
	sentence_add(&name, "@");
	number_format_count((uint64_t)id, digits);
	sentence_add(&name, digits);
	sentence_add(&name, "-");
	number_format_count(nonce, digits);
	sentence_add(&name, digits);
}

bool pool_parse_name(const char *name, int *id, uint64_t *nonce)
{
	if (name[0] != '@' || name[1] < '0' || name[1] > '9')
		return false;
	const uint64_t number = number_scan_count(name + 1, &name);
	if (number > INT_MAX || *name != '-' || name[1] < '0' || name[1] > '9')
		return false;
	*id = (int)number;
	*nonce = number_scan_count(name + 1, &name);
	return *name == '\0' || *name == '/';
}

const char *pool_find_folder(const char *name)
{
	return pool_is_name(name) ? strchr(name, '/') : NULL;
}

bool pool_is_head(const struct pool_head *head, uint64_t segment_bytes)
{
	return memcmp(head->magic, "gpspool", sizeof(head->magic)) == 0 &&
	       head->version == POOL_VERSION && segment_bytes >= SEGMENT_GRAIN &&
	       head->stride >= SEGMENT_GRAIN && head->stride % SEGMENT_GRAIN == 0 &&
	       head->capacity <= (segment_bytes - SEGMENT_GRAIN) / head->stride;
}

/* Never 0. */
static int pool_find_error(void)
{
	const int error = errno;
	return error != 0 ? error : EINVAL;
}

/* The id may be that of another program's segment: in another IPC namespace, for one. */
static int pool_open(struct pool_segment *pool, int id, uint64_t nonce, size_t chunk_bytes)
{
	struct shmid_ds status;
	if (shmctl(id, IPC_STAT, &status) != 0)
		return pool_find_error();
	if (status.shm_segsz < SEGMENT_GRAIN ||
	    (status.shm_segsz - SEGMENT_GRAIN) % chunk_bytes != 0)
		return EINVAL;
	pool->size_bytes = SEGMENT_BYTES(status.shm_segsz);
	pool->head = shmat(id, NULL, 0);
	if (pool->head == (void *)-1)
		return pool_find_error();
	if (pool_is_head(pool->head, status.shm_segsz) && pool->head->nonce == nonce &&
	    pool->head->stride == SEGMENT_BYTES(chunk_bytes))
		return 0;
	munmap(pool->head, pool->size_bytes);
	return EINVAL;
}

/*
 * Unmaps the parts before and behind the chunk, which has left: another thread's memory may be in
 * its place already.
 */
static void pool_close(const struct pool_segment *pool, size_t chunk, size_t chunk_bytes)
{
	char *start = (char *)pool->head;
	const size_t behind = chunk + chunk_bytes;
	munmap(start, chunk);
	if (behind < pool->size_bytes)
		munmap(start + behind, pool->size_bytes - behind);
}

/* ENOSPC, with *next, where the segment is full. */
static int pool_take(int id, uint64_t nonce, const struct segment_memory *memory, int *next)
{
	struct pool_segment pool;
	const size_t chunk_bytes = SEGMENT_BYTES(memory->size_bytes);
	int error = pool_open(&pool, id, nonce, chunk_bytes);
	*next = -1;
	if (error != 0)
		return error;
	const uint64_t number = atomic_fetch_add(&pool.head->claimed, 1);
	const uint64_t capacity = (pool.size_bytes - SEGMENT_GRAIN) / chunk_bytes;
	const size_t chunk = SEGMENT_GRAIN + (size_t)number * chunk_bytes;
	*next = pool.head->next;
	error = number < capacity ? segment_place((char *)pool.head + chunk, memory) : ENOSPC;
	if (error == 0)
		pool_close(&pool, chunk, chunk_bytes);
	else
		munmap(pool.head, pool.size_bytes);
	return error;
}

static void pool_note_left_out(int id, uint64_t nonce, size_t chunk_bytes)
{
	struct pool_segment pool;
	if (pool_open(&pool, id, nonce, chunk_bytes) != 0)
		return;
	atomic_fetch_add(&pool.head->left_out, 1);
	munmap(pool.head, pool.size_bytes);
}

int pool_join(const char *name, const struct segment_memory *memory)
{
	int first = -1, id = -1, error = ENOSPC;
	uint64_t nonce = 0;
	if (!pool_parse_name(name, &first, &nonce))
		return EINVAL;
	id = first;
	for (int i = 0; i < POOL_SEGMENTS && id >= 0 && error == ENOSPC; i++)
		error = pool_take(id, nonce, memory, &id);
	if (error == ENOSPC)
		pool_note_left_out(first, nonce, SEGMENT_BYTES(memory->size_bytes));
	return error;
}

int pool_note_rank(const char *name, size_t memory_bytes, int rank, int ranks)
{
	struct pool_segment pool;
	int id = -1;
	uint64_t nonce = 0;
	if (!pool_parse_name(name, &id, &nonce) || rank < 0 || rank >= POOL_RANKS)
		return EINVAL;
	const int error = pool_open(&pool, id, nonce, SEGMENT_BYTES(memory_bytes));
	if (error != 0)
		return error;
	uint32_t most = atomic_load(&pool.head->ranks);
	while (most < (uint32_t)ranks &&
	       !atomic_compare_exchange_weak(&pool.head->ranks, &most, (uint32_t)ranks))
		;
	atomic_fetch_or(&pool.head->present[rank / 64], (uint64_t)1 << rank % 64);
	munmap(pool.head, pool.size_bytes);
	return 0;
}
