/* resident_stress.c - random events around operands; each call's copies are compared byte by byte */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "card.h"
#include "chance.h"
#include "kernel_probe.h"
#include "regions.h"
#include "writers.h"

/*
 * usage: resident_stress OPERATIONS [SEED [MODE]]
 *
 * MODE: track, each operand at once; auto: operands are tracked that their history admits; hash and
 * hash_auto: pages are hashed instead.
 */
enum { REGIONS = 20, CHILD_CALLS = 6, PINNED_CALLS = 3, UNCHANGED_CALLS = 3 };
static const uint64_t limit_bytes = 24 << 20;

static struct region region[REGIONS];

/* Operations watch. */
static bool begin_watch(void)
{
	return true;
}

static struct resident_settings settings = {.limit_bytes = limit_bytes,
                                            .tracks_at_once = true,
                                            .asks_despite_filter = true,
                                            .begin_watch = begin_watch};

/* A program that is wrong writes its operand during the call, after the copy. */
static void store_late(const struct host_view *view, void *self)
{
	(void)self;
	char *byte = (char *)view->base + chance_below(view->width_bytes);
	if (chance_draw() % 4 == 0)
		*byte ^= (char)(1 + chance_draw() % 255);
}

/* Two threads, for a part each. */
struct half {
	void (*work)(void *self, uint64_t part);
	void *self;
	uint64_t first, end;
};

static void *run_half(void *self)
{
	const struct half *half = self;
	for (uint64_t part = half->first; part < half->end; part++)
		half->work(half->self, part);
	return NULL;
}

static void run_parts(void (*work)(void *self, uint64_t part), void *self, uint64_t parts)
{
	struct half first = {work, self, 0, parts / 2}, second = {work, self, parts / 2, parts};
	pthread_t thread;
	if (pthread_create(&thread, NULL, run_half, &second) != 0)
		abort();
	run_half(&first);
	pthread_join(thread, NULL);
}

/* Now and then memory must not be read. */
static bool may_read(const void *start, uint64_t bytes)
{
	enum { PERIOD = 61 };
	static atomic_uint asked;
	(void)start, (void)bytes;
	return atomic_fetch_add(&asked, 1) % PERIOD != 0;
}

static struct region *choose_region(void)
{
	return &region[chance_draw() % REGIONS];
}

/* What lies before the operand, or behind it, is another one: they may share a page. */
static void call_neighbour(const struct host_view *view, const struct region *around)
{
	static bool is_under_way;
	const struct pages_span hull = host_view_hull(view),
				all = {(uintptr_t)around->memory,
	                               (uintptr_t)around->memory + around->bytes};
	const bool before = chance_draw() % 2 == 0;
	const uintptr_t first = before ? all.start : hull.end, end = before ? hull.start : all.end;
	if (is_under_way || first >= end)
		return;
	is_under_way = true;
	card_call((const void *)first, end - first, end - first, 1, RESIDENT_READ, CARD_ENDS, NULL,
	          NULL);
	is_under_way = false;
}

/* Others write next to the operand, and read what is there, while the call is under way. */
static void disturb(const struct host_view *view, void *self)
{
	const struct region *around = self;
	for (int i = 0; i < 4; i++) {
		char *byte = around->memory + chance_draw() % around->bytes;
		if (i < 2) /* near the operand's edges, in pages that it shares */
			byte = i == 0 ? (char *)view->base - 1 - chance_draw() % 64
			              : (char *)host_view_hull(view).end + chance_draw() % 64;
		const struct pages_span place = {(uintptr_t)byte, (uintptr_t)byte + 1};
		if (byte >= around->memory && byte < around->memory + around->bytes &&
		    !host_view_touches(view, place))
			*byte ^= 0x33;
	}
	if (chance_draw() % 4 == 0)
		call_neighbour(view, around);
}

static void call_on(struct region *around)
{
	static const enum card_end ends[] = {CARD_ENDS, CARD_ENDS, CARD_ENDS,   CARD_ENDS,
	                                     CARD_ENDS, CARD_ENDS, CARD_ENDS,   CARD_SKIPS_RUNS,
	                                     CARD_ENDS, CARD_ENDS, CARD_ABORTS, CARD_FAILS_HALFWAY};
	static const enum resident_access accesses[] = {RESIDENT_READ, RESIDENT_READ, RESIDENT_READ,
	                                                RESIDENT_WRITE, RESIDENT_UPDATE};
	const struct region_view view = region_choose_view(around);
	const enum resident_access access = accesses[chance_draw() % 5];
	const enum card_end end = ends[chance_draw() % 12];
	/* Operands are admitted, or proven late, once they were seen unchanged. */
	const bool settles = !settings.tracks_at_once || chance_draw() % 8 == 0;
	for (int i = 0; settles && i < UNCHANGED_CALLS; i++)
		card_call(around->memory + view.offset, view.width, view.pitch, view.rows,
		          RESIDENT_READ, CARD_ENDS, NULL, NULL);
	if (settles && chance_draw() % 2 == 0)
		region_events[0].happen(around);
	card_call(around->memory + view.offset, view.width, view.pitch, view.rows, access, end,
	          around->kind == REGION_ROWS ? NULL : disturb, around);
}

static void happen(void)
{
	const struct region_event *event = &region_events[chance_draw() % region_event_count];
	chance_step = event->name;
	event->happen(choose_region());
}

/* Where the system lets a child write its parent's memory. */
static void write_to_parent(const struct region *around)
{
	static char text[1 << 14];
	const size_t bytes = around->kind == REGION_ROWS ? 4096 : sizeof text;
	const struct iovec from = {text, bytes}, to = {around->memory, bytes};
	memset(text, (int)chance_draw(), sizeof text);
	process_vm_writev(getppid(), &from, 1, &to, 1, 0);
}

/* The child's memory is its own; what the parent knows of its pages says nothing of the child's. */
static void fork_child(void)
{
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		chance_step = "a store in a forked child";
		for (int i = 0; i < CHILD_CALLS; i++) {
			struct region *around = choose_region();
			call_on(around);
			region_events[0].happen(around);
			call_on(around);
		}
		write_to_parent(choose_region());
		_Exit(resident_reason() == TRACK_REASON_NONE ? 2 : 0);
	}
	int status = 0;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		printf("FAIL a forked child ended with status %d\n", status);
		exit(1);
	}
}

/* A read is under way into the memory next to an operand, while that one is used. */
static void read_beside(void)
{
	struct region *around = choose_region();
	if (around->kind == REGION_ROWS)
		return;
	const struct region_view *first = &around->view[1], *second = &around->view[2];
	chance_step = "a read under way into a neighbour";
	if (!writers_begin_read(around->memory + second->offset, second->width))
		return;
	card_call(around->memory, first->width, first->pitch, 1, RESIDENT_READ, CARD_ENDS, NULL,
	          NULL);
	writers_await();
	card_call(around->memory + second->offset, second->width, second->pitch, 1, RESIDENT_READ,
	          CARD_ENDS, NULL, NULL);
	card_call(around->memory, around->bytes, around->bytes, 1, RESIDENT_READ, CARD_ENDS, NULL,
	          NULL);
}

/* Pinned memory is written without a trace in the page tables. */
static void pin(void)
{
	struct region *around = choose_region();
	const size_t bytes = around->bytes < (1 << 20) ? around->bytes : 1 << 20;
	if (around->kind == REGION_ROWS || !writers_pin(around->memory, bytes))
		return;
	chance_step = "a read into pinned memory";
	for (int i = 0; i < PINNED_CALLS; i++) {
		card_call(around->memory, bytes, bytes, 1, RESIDENT_READ, CARD_ENDS, NULL, NULL);
		writers_read_pinned(around->memory, bytes);
		card_call(around->memory, bytes, bytes, 1, RESIDENT_READ, CARD_ENDS, NULL, NULL);
	}
	writers_unpin();
	card_call(around->memory, bytes, bytes, 1, RESIDENT_READ, CARD_ENDS, NULL, NULL);
}

static void open_module(void)
{
	const char *fault;
	const enum track_reason reason = resident_open(&settings, &fault);
	if (reason == TRACK_REASON_NONE)
		return;
	printf("FAIL not tracked: %s%s%s\n", track_reason_sentence(reason),
	       fault != NULL ? "; it does not hold that " : "", fault != NULL ? fault : "");
	exit(1);
}

static void empty_module(void)
{
	chance_step = "the end of all copies";
	struct region *around = choose_region();
	switch (chance_draw() % 3) {
	case 0: resident_flush(); break;
	case 1: resident_invalidate(around->memory, around->bytes); break;
	default: resident_close(); open_module();
	}
	card_free_retired();
}

static void operate(void)
{
	const uint64_t chance = chance_draw() % 1000;
	if (chance % 8 == 0)
		(void)resident_watch();
	if (chance < 550)
		call_on(choose_region());
	else if (chance < 970)
		happen();
	else if (chance < 982)
		read_beside();
	else if (chance < 994)
		pin();
	else if (chance < 997)
		fork_child();
	else
		empty_module();
}

/* Pages of a mapping of their own, with ones. */
static char *map_ones(size_t bytes)
{
	char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		abort();
	memset(memory, 1, bytes);
	return memory;
}

/* More runs of written pages than one answer of the kernel names. */
static void write_stripes(void)
{
	enum { STRIPES = 400, ROUNDS = 3 };
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = STRIPES * page;
	char *memory = map_ones(bytes);
	chance_step = "stores to every other page";
	for (int round = 0; round < ROUNDS; round++) {
		for (int call = 0; call < ROUNDS; call++)
			card_call(memory, bytes, bytes, 1, RESIDENT_READ, CARD_ENDS, NULL, NULL);
		for (size_t i = (size_t)round % 2; i < STRIPES; i += 2)
			memory[i * page] = (char)(round + 2);
	}
	card_call(memory, bytes, bytes, 1, RESIDENT_READ, CARD_ENDS, NULL, NULL);
	munmap(memory, bytes);
}

/* A result that is armed before all of it is stored; its mirror is never read. */
static void store_early(char *memory, size_t bytes, const char *neighbour, size_t before,
                        char *written)
{
	struct host_view view;
	struct resident_call call;
	resident_begin(&call);
	call.defers = true;
	if (!host_view_make(&view, memory, bytes, bytes, 1))
		abort();
	struct resident_operand *operand = resident_plan(&call, &view, RESIDENT_WRITE);
	if (!pages_is_empty(operand->armed)) /* for the call before */
		card_call(neighbour, before, before, 1, RESIDENT_READ, CARD_ENDS, NULL, NULL);
	while (resident_prove(operand) == RESIDENT_PENDING)
		continue;
	*written ^= 1;
	memset(memory, *written, bytes);
	resident_arm(operand, (uintptr_t)memory + bytes / 2);
	resident_commit(operand, bytes);
	resident_end(&call);
}

/* A neighbour is written in the page that it shares with a result, just before that is armed. */
static void write_beside_result(void)
{
	enum { PAGES = 64, CALLS = 3 };
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = PAGES * page;
	char *memory = map_ones(bytes);
	const size_t before = bytes / 4 + page / 2;
	chance_step = "a store beside a result that is under way";
	/* A window of memory that is gone would serve both. */
	resident_flush();
	card_free_retired();
	for (int call = 0; call < CALLS; call++) {
		for (int i = 0; i < CALLS; i++)
			card_call(memory, before, before, 1, RESIDENT_READ, CARD_ENDS, NULL, NULL);
		store_early(memory + before, bytes / 2, memory, before, memory + before - 1);
	}
	card_call(memory, before, before, 1, RESIDENT_READ, CARD_ENDS, NULL, NULL);
	munmap(memory, bytes);
}

/* false: the mode cannot be tried here. */
static bool choose_mode(const char *mode)
{
	settings.tracks_at_once = strstr(mode, "auto") == NULL;
	const char *missing = NULL;
	if (strncmp(mode, "hash", 4) == 0) {
		settings.mode = RESIDENT_HASH;
		settings.run_parts = run_parts;
		settings.may_read = may_read;
		card_late = store_late;
		missing = digest_is_built() ? NULL : "the library was built without xxhash.h";
	} else {
		missing = kernel_probe_find_missing();
	}
	if (missing != NULL)
		printf("skipped: %s\n", missing);
	return missing == NULL;
}

int main(int count, char **word)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	const long operations = count > 1 ? strtol(word[1], NULL, 10) : 10000;
	const uint64_t seed = count > 2 ? strtoull(word[2], NULL, 10) : 1;
	if (!choose_mode(count > 3 ? word[3] : "track"))
		return 77;
	chance_seed(seed);
	if (!writers_open())
		return 1;
	open_module();
	for (int i = 0; i < REGIONS; i++)
		region_make(&region[i], (enum region_kind)(i % REGION_KINDS));
	write_stripes();
	write_beside_result();
	for (long i = 0; i < operations; i++)
		operate();
	const struct resident_stats stats = resident_stats_get();
	printf("%ld operations, %llu operands compared, none stale; %.0f of %.0f MB sent; "
	       "%llu windows, %llu registrations; %llu proven late, %llu refuted, "
	       "%llu disarmed late\n",
	       operations, (unsigned long long)card_counts.checks,
	       (double)card_counts.sent_bytes / 1e6, (double)card_counts.asked_bytes / 1e6,
	       (unsigned long long)stats.windows, (unsigned long long)stats.registrations,
	       (unsigned long long)(card_counts.deferred - card_counts.refuted),
	       (unsigned long long)card_counts.refuted, (unsigned long long)card_counts.disarmed);
	resident_close();
	card_free_retired();
	return card_counts.checks * 8 > (uint64_t)operations ? 0 : 1;
}
