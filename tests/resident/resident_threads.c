/* resident_threads.c - threads with operands of their own and a common one; one drops all */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "card.h"
#include "chance.h"
#include "kernel_probe.h"
#include "shim/execute/gpu/watch/watch.h"
#include "tests/driver/fewer.h"

enum { WORKERS = 4, ROUNDS = 400, OWN_BYTES = 300000, COMMON_BYTES = 500000, EDGE_BYTES = 40 };

/* The workers' operands lie side by side: neighbours share pages. */
static char *own, *common;
static atomic_int working = WORKERS;

static char *own_of(size_t worker)
{
	return own + worker * (size_t)OWN_BYTES;
}

static void call(char *memory, size_t bytes, enum resident_access access, enum card_end end)
{
	card_call(memory, bytes, bytes, 1, access, end, NULL, NULL);
}

static void work_once(char *memory)
{
	switch (chance_draw() % 8) {
	case 0: call(memory, OWN_BYTES, RESIDENT_WRITE, CARD_ENDS); break;
	case 1: call(memory, OWN_BYTES, RESIDENT_UPDATE, CARD_ENDS); break;
	case 2: call(memory, OWN_BYTES, RESIDENT_READ, CARD_ABORTS); break;
	case 3: memory[chance_draw() % OWN_BYTES] ^= 1; break;
	case 4:
		memory[chance_draw() % EDGE_BYTES] ^= 1;
		memory[OWN_BYTES - 1 - chance_draw() % EDGE_BYTES] ^= 1;
		break;
	case 5: call(common, COMMON_BYTES, RESIDENT_READ, CARD_ENDS); break;
	case 6: call(common + 1000, COMMON_BYTES / 2, RESIDENT_READ, CARD_ENDS); break;
	default: call(memory + 16, OWN_BYTES / 2, RESIDENT_READ, CARD_ENDS);
	}
	call(memory, OWN_BYTES, RESIDENT_READ, CARD_ENDS);
}

static void *work(void *number)
{
	const size_t worker = *(const size_t *)number;
	chance_seed(worker + 1);
	chance_step = "calls of several threads";
	for (int i = 0; i < fewer_of(ROUNDS); i++)
		work_once(own_of(worker));
	atomic_fetch_sub(&working, 1);
	return NULL;
}

/* As the engine does where the device failed, or memory was freed. */
static void *drop(void *unused)
{
	(void)unused;
	chance_seed(99);
	while (atomic_load(&working) > 0) {
		const uint64_t chance = chance_draw() % 64;
		if (chance == 0)
			resident_flush();
		else if (chance < 8)
			resident_invalidate(common, COMMON_BYTES);
		else
			(void)resident_stats_get();
		card_free_retired();
	}
	return NULL;
}

/* usage: resident_threads [hash | auto] */
int main(int count, char **word)
{
	const bool hashes = count > 1 && strcmp(word[1], "hash") == 0,
		   guesses = count > 1 && strcmp(word[1], "auto") == 0;
	const char *fault, *missing = hashes ? NULL : kernel_probe_find_missing();
	/* So little that windows have to make room for others. */
	const struct resident_settings settings = {.mode = hashes ? RESIDENT_HASH : RESIDENT_TRACK,
	                                           .limit_bytes = 1600000,
	                                           .tracks_at_once = !guesses,
	                                           .asks_despite_filter = true,
	                                           .begin_watch = watch_begin};
	if (hashes && !digest_is_built())
		missing = "the library was built without xxhash.h";
	if (missing != NULL) {
		printf("skipped: %s\n", missing);
		return 77;
	}
	const enum track_reason reason = resident_open(&settings, &fault);
	if (reason != TRACK_REASON_NONE) {
		printf("FAIL nothing stays: %s\n", track_reason_sentence(reason));
		return 1;
	}
	own = calloc(WORKERS, OWN_BYTES);
	common = calloc(1, COMMON_BYTES);
	if (own == NULL || common == NULL)
		return 1;
	pthread_t thread[WORKERS + 1];
	size_t number[WORKERS];
	for (size_t i = 0; i < WORKERS; i++) {
		number[i] = i;
		if (pthread_create(&thread[i], NULL, work, &number[i]) != 0)
			abort();
	}
	if (pthread_create(&thread[WORKERS], NULL, drop, NULL) != 0)
		abort();
	for (size_t i = 0; i <= WORKERS; i++)
		pthread_join(thread[i], NULL);
	printf("%llu operands compared, none stale; %.0f of %.0f MB sent\n",
	       (unsigned long long)card_counts.checks, (double)card_counts.sent_bytes / 1e6,
	       (double)card_counts.asked_bytes / 1e6);
	resident_close();
	card_free_retired();
	free(own);
	free(common);
	return card_counts.checks > (uint64_t)fewer_of(ROUNDS) ? 0 : 1;
}
