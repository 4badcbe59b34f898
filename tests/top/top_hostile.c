/* top_hostile.c - shared memory made to mislead `gpushim top`: it is refused, and never a crash */
/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/process/segment_list.h"
#include "cli/top/top_view.h"
#include "shim/record/pool.h"
#include "tests/top/top_file.h"

enum { HOSTILE_ROUNDS = 300, HOSTILE_START = 777, HOSTILE_CHUNKS = 4 };
enum { STRIDE = SEGMENT_BYTES(sizeof(struct counters_file)) };

static struct counters_file file;
static uint64_t hostile_seed = 7;
static int hostile_taken;

static uint64_t top_hostile_draw(uint64_t below)
{
	hostile_seed = hostile_seed * 6364136223846793005u + 1442695040888963407u;
	return (hostile_seed >> 24) % below;
}

static void top_hostile_need(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "top_hostile: %s\n", what);
	exit(1);
}

static void top_hostile_scribble(char *bytes, size_t size, uint64_t changes)
{
	static const uint64_t words[] = {0, 1, UINT64_MAX, INT64_MAX, 1u << 31, 0x1b5b324a, 65536};
	for (; changes > 0; changes--) {
		const uint64_t word = top_hostile_draw(2) == 0 ? words[top_hostile_draw(7)]
		                                               : top_hostile_draw(UINT64_MAX);
		memcpy(bytes + top_hostile_draw(size - sizeof word), &word,
		       1 + top_hostile_draw(sizeof word));
	}
}

static void *top_hostile_make(size_t size_bytes, int flags)
{
	const int id = shmget(IPC_PRIVATE, size_bytes, IPC_CREAT | 0600 | flags);
	void *start = id >= 0 ? shmat(id, NULL, 0) : (void *)-1;
	if (id >= 0)
		shmctl(id, IPC_RMID, NULL);
	return start == (void *)-1 ? NULL : start;
}

/* The counts of a process that works, or that claims to. */
static void top_hostile_fill(char *start, size_t room)
{
	top_file_start(&file, getpid(), HOSTILE_START, "/opt/bin/\033[31msimulation");
	file.slots_used = (uint32_t)top_hostile_draw(40);
	file.spilled = (uint32_t)top_hostile_draw(2);
	file.forwarded[0][SYMBOL_dgemm_] = 5;
	top_hostile_scribble((char *)&file, top_hostile_draw(2) == 0 ? 700 : sizeof file,
	                     top_hostile_draw(4) * top_hostile_draw(50));
	memcpy(start, (const void *)&file, room < sizeof file ? room : sizeof file);
}

/* A pool of few chunks that claims many. */
static void top_hostile_fill_pool(char *start, size_t size_bytes)
{
	struct pool_head head = {.magic = "gpspool",
	                         .version = POOL_VERSION,
	                         .next = -1,
	                         .stride = STRIDE,
	                         .capacity = HOSTILE_CHUNKS,
	                         .claimed = top_hostile_draw(3) == 0 ? UINT64_MAX : 3};
	if (top_hostile_draw(2) == 0)
		top_hostile_scribble((char *)&head + 8, sizeof head - 8, 3);
	memcpy(start, (const void *)&head, sizeof head);
	for (size_t at = SEGMENT_GRAIN; at + STRIDE <= size_bytes; at += STRIDE)
		top_hostile_fill(start + at, STRIDE);
}

static void top_hostile_show(struct top_watch *watch)
{
	struct top_view view;
	struct emit emit;
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	top_hostile_need(stream != NULL, "there is no memory");
	top_view_make(&view, watch);
	emit_begin(&emit, stream, false);
	top_print(&emit, &view, watch, &(struct top_page){.columns = 100});
	emit_end(&emit);
	top_view_free(&view);
	fclose(stream);
	for (const char *letter = text; *letter != '\0'; letter++)
		top_hostile_need((*letter >= ' ' && *letter <= '~') || *letter == '\n',
		                 "a control character is shown");
	hostile_taken += strstr(text, "simulation") != NULL;
	free(text);
}

static void top_hostile_round(struct top_watch *watch)
{
	static const char *const none[] = {NULL};
	static const size_t sizes[] = {8, 4096, SEGMENT_GRAIN, STRIDE, STRIDE, STRIDE};
	const bool is_pool = top_hostile_draw(3) == 0;
	const size_t size =
		is_pool ? SEGMENT_GRAIN + HOSTILE_CHUNKS * STRIDE : sizes[top_hostile_draw(6)];
	char *start = top_hostile_make(size, 0);
	top_hostile_need(start != NULL, "there is no shared memory");
	if (is_pool)
		top_hostile_fill_pool(start, size);
	else
		top_hostile_fill(start, size);
	top_watch_look(watch, none, true);
	top_hostile_show(watch);
	top_watch_settle(watch);
	shmdt(start);
	if (top_hostile_draw(4) == 0)
		top_watch_free(watch);
}

static _Noreturn void top_hostile_write(char *start, size_t size)
{
	for (unsigned i = 0;; i++) {
		top_hostile_fill_pool(start, size);
		if (i % 2 == 0)
			top_hostile_fill(start, size);
		if (i % 16 == 0)
			madvise(start, size, MADV_REMOVE);
	}
}

/* A process that writes all the time while its counts are read. */
static void top_hostile_race(struct top_watch *watch)
{
	const size_t size = SEGMENT_GRAIN + HOSTILE_CHUNKS * STRIDE;
	char *start = top_hostile_make(size, 0);
	const pid_t writer = start != NULL ? fork() : -1;
	if (writer == 0)
		top_hostile_write(start, size);
	top_hostile_need(writer > 0, "cannot begin the race");
	for (int round = 0; round < HOSTILE_ROUNDS; round++) {
		static const char *const none[] = {NULL};
		top_watch_look(watch, none, true);
		top_hostile_show(watch);
		top_watch_settle(watch);
	}
	kill(writer, SIGKILL);
	waitpid(writer, NULL, 0);
	shmdt(start);
}

/* A copy of memory that cannot be read. */
static void top_hostile_check_copy(void)
{
	char into[8192];
	char *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct segment_item item = {.size_bytes = 8192, .start = memory};
	top_hostile_need(memory != MAP_FAILED, "there is no memory");
	memset(memory, 7, 8192);
	top_hostile_need(segment_list_copy(&item, 0, into, 8192) && into[8191] == 7,
	                 "a copy is wrong");
	top_hostile_need(!segment_list_copy(&item, 1, into, 8192) &&
	                         !segment_list_copy(&item, UINT64_MAX, into, 2),
	                 "a copy begins or ends outside");
	mprotect(memory + 4096, 4096, PROT_NONE);
	top_hostile_need(!segment_list_copy(&item, 0, into, 8192), "a fault is not noticed");
	munmap(memory, 8192);
}

int main(void)
{
	struct top_watch watch = {0};
	char *first = top_hostile_make(SEGMENT_GRAIN, 0);
	if (first == NULL) {
		puts("skipped: no System V shared memory here");
		return 77;
	}
	shmdt(first);
	/*
	 * A pool of 1 TiB. And huge pages: where the system has none, reading them raises SIGBUS.
	 * The memory is there during all looks.
	 */
	char *huge = top_hostile_make((size_t)1 << 40, SHM_NORESERVE);
	if (huge != NULL)
		top_hostile_fill_pool(huge, 0);
	char *absent = top_hostile_make((size_t)1 << 21, SHM_NORESERVE | SHM_HUGETLB);
	top_hostile_check_copy();
	for (int round = 0; round < HOSTILE_ROUNDS; round++)
		top_hostile_round(&watch);
	top_hostile_race(&watch);
	top_watch_free(&watch);
	fprintf(stderr, "top_hostile: taken in %d of %d looks%s%s\n", hostile_taken,
	        2 * HOSTILE_ROUNDS, huge != NULL ? ", with 1 TiB" : "",
	        absent != NULL ? ", with huge pages" : "");
	top_hostile_need(hostile_taken > HOSTILE_ROUNDS / 10, "hardly anything was taken");
	return 0;
}
