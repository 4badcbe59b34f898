/* resident_age.c - what tracking may cost a process: page faults by its age, and at its start */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel_probe.h"
#include "shim/base/clock.h"
#include "shim/execute/gpu/resident/resident.h"
#include "shim/execute/gpu/resident/track.h"

/* To rewrite all of it takes more than the page faults that are always free. */
enum { OPERAND_BYTES = 256 << 20, NOT_POSSIBLE = 77 };

static int failed;
static char *memory;

static void check(const char *what, bool held)
{
	if (held)
		return;
	failed++;
	printf("FAIL %s\n", what);
}

/* One call with the operand; how it was planned. The link is slow, so that tracking pays. */
static struct resident_operand call_as(enum resident_access access, bool announces)
{
	struct resident_call call;
	struct host_view view;
	host_view_make(&view, memory, OPERAND_BYTES, OPERAND_BYTES, 1);
	resident_set_rate(1);
	resident_begin(&call);
	call.announces = announces;
	struct resident_operand *operand = resident_plan(&call, &view, access);
	const struct resident_operand planned = *operand;
	if (access == RESIDENT_WRITE)
		resident_commit(operand, OPERAND_BYTES);
	resident_sent_all(operand);
	resident_end(&call);
	return planned;
}

static bool call(enum resident_access access)
{
	return call_as(access, false).is_tracked;
}

/* A result is tracked at the first call that reads it, or at the second one. */
static bool tracks_first_read(int64_t age_ns)
{
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX, .age_ns = age_ns};
	const char *fault = NULL;
	check("the tracking opens", resident_open(&settings, &fault) == TRACK_REASON_NONE);
	check("a result is not tracked", !call(RESIDENT_WRITE));
	const bool first = call(RESIDENT_READ), second = call(RESIDENT_READ);
	check("what was read twice is tracked", second);
	resident_close();
	return first;
}

/* A call of small operands begins only where something is kept, which it may read or overwrite. */
static void test_small_calls(void)
{
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX};
	const double fast_bytes_s = 5e10;
	const char *fault = NULL;
	enum { SMALL_BYTES = 1 << 16 };
	check("the tracking opens", resident_open(&settings, &fault) == TRACK_REASON_NONE);
	check("a small call does not begin", !resident_wants(fast_bytes_s, SMALL_BYTES));
	check("a large one does", resident_wants(fast_bytes_s, OPERAND_BYTES));
	check("so does one of an unknown link", resident_wants(0, SMALL_BYTES));
	for (int i = 0; i < 3; i++)
		call(RESIDENT_READ);
	check("a small call begins beside a tracked operand",
	      resident_wants(fast_bytes_s, SMALL_BYTES));
	resident_close();
	check("without tracking none begins", !resident_wants(fast_bytes_s, OPERAND_BYTES));
}

static uint64_t count_armed(void)
{
	return resident_stats_get().armed_pages;
}

/* A result that calls make again and again and that the program alone reads is not armed for ever. */
static void test_unread_results(void)
{
	enum { UNREAD = 8 };
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX};
	const char *fault = NULL;
	check("the tracking opens", resident_open(&settings, &fault) == TRACK_REASON_NONE);
	for (int i = 0; i < 4; i++) {
		call(RESIDENT_WRITE);
		call(RESIDENT_READ);
		call(RESIDENT_READ);
	}
	const uint64_t before = count_armed();
	for (int i = 0; i < 2 * UNREAD; i++) {
		call(RESIDENT_WRITE);
		call(RESIDENT_READ);
	}
	const uint64_t read_often = count_armed() - before;
	check("what is read is armed each time", read_often >= 2 * UNREAD);
	for (int i = 0; i < UNREAD + 1; i++)
		call(RESIDENT_WRITE);
	const uint64_t unread = count_armed();
	call(RESIDENT_WRITE);
	check("what nobody reads is not armed any more", count_armed() == unread);
	resident_close();
}

static bool sends_nothing(void)
{
	const struct resident_operand planned = call_as(RESIDENT_READ, false);
	return planned.is_tracked && planned.send_bytes == 0;
}

/* Factors are kept for the first solve, if the process is old enough for page faults. */
static void test_announced_results(int64_t age_ns, bool keeps)
{
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX, .age_ns = age_ns};
	const char *fault = NULL;
	check("the tracking opens", resident_open(&settings, &fault) == TRACK_REASON_NONE);
	call_as(RESIDENT_WRITE, true);
	check("factors are kept in an old process only", sends_nothing() == keeps);
	resident_close();
}

/* Factors that no call reads are kept twice; each time they are armed. */
static void test_unread_factors(void)
{
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX,
	                                           .age_ns = INT64_C(3600000000000)};
	const char *fault = NULL;
	check("the tracking opens", resident_open(&settings, &fault) == TRACK_REASON_NONE);
	for (int i = 0; i < 2; i++)
		call_as(RESIDENT_WRITE, true);
	const uint64_t twice = count_armed();
	check("factors are kept", twice > 0);
	for (int i = 0; i < 3; i++)
		call_as(RESIDENT_WRITE, true);
	check("those that nobody has read are not", count_armed() == twice);
	resident_close();
}

static void call_for(uint64_t bytes, enum resident_access access, bool announces)
{
	struct resident_call call;
	struct host_view view;
	const double link_bytes_s = 5e9;
	host_view_make(&view, memory, bytes, bytes, 1);
	resident_set_rate(link_bytes_s);
	resident_begin(&call);
	call.announces = announces;
	struct resident_operand *operand = resident_plan(&call, &view, access);
	if (access == RESIDENT_WRITE)
		resident_commit(operand, bytes);
	resident_sent_all(operand);
	resident_end(&call);
}

/* -- guesses that are watched ------------------------------------------------------------------ */

static int watches_begun;

/* This thread looks itself. */
static bool note_watch(void)
{
	watches_begun++;
	return true;
}

static void open_young(resident_begin_watch *begin_watch)
{
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX,
	                                           .begin_watch = begin_watch};
	const char *fault = NULL;
	watches_begun = 0;
	check("the tracking opens", resident_open(&settings, &fault) == TRACK_REASON_NONE);
}

static void open_watched(void)
{
	open_young(note_watch);
	check("there is nothing to watch", resident_watch() == 0 && watches_begun == 0);
	call_as(RESIDENT_WRITE, true);
	check("factors are watched", watches_begun == 1 && resident_watch() > 0);
	check("they are kept in a young process too", sends_nothing());
}

/* A program that begins to rewrite factors has page faults for what it has written by then. */
static void test_rewritten_guess(void)
{
	open_watched();
	memset(memory, 2, OPERAND_BYTES / 4);
	check("what is rewritten is watched no more", resident_watch() == 0);
	const uint64_t pages = resident_stats_get().written_pages;
	check("what was written is counted", pages * pages_size() == OPERAND_BYTES / 4);
	memset(memory, 3, OPERAND_BYTES);
	check("and sent", !sends_nothing());
	check("what follows is no page fault", resident_stats_get().written_pages == pages);
	call_as(RESIDENT_WRITE, true);
	check("such factors are not kept again", !sends_nothing() && watches_begun == 1);
	resident_close();
}

/* A few pages are sent; the rest stays. */
static void test_touched_guess(void)
{
	open_watched();
	memset(memory, 2, (size_t)pages_size());
	check("it is watched still", resident_watch() > 0);
	const struct resident_operand planned = call_as(RESIDENT_READ, false);
	check("a page is sent", planned.is_tracked && planned.send_bytes == pages_size());
	resident_close();
}

/* Calls that have read factors have paid for the page faults of rewriting them. */
static void test_paid_guess(void)
{
	enum { PAID_MOST = 1100 };
	int calls = 0;
	open_watched();
	while (resident_watch() > 0 && calls++ < PAID_MOST)
		call(RESIDENT_READ);
	check("paid factors are not watched", calls > 0 && calls < PAID_MOST);
	check("they stay", sends_nothing());
	resident_close();
	check("nor is what is gone", resident_watch() == 0);
}

/*
 * Factors of another size each time, which a call reads before the program rewrites them: also such
 * guesses end once their page faults take 1 % of the process's time, or 5 ms.
 */
static void test_many_guesses(void)
{
	enum { ROUNDS = 60, BYTES = 64 << 20, STEP = 8192, FREE_NS = 5000000 };
	const int64_t begin_ns = clock_monotonic_ns();
	uint64_t round_ns = 0;
	open_young(note_watch);
	for (int i = 0; i < ROUNDS; i++) {
		const uint64_t bytes = BYTES + (uint64_t)i * STEP;
		const uint64_t before_ns = resident_stats_get().fault_ns;
		call_for(bytes, RESIDENT_WRITE, true);
		call_for(bytes, RESIDENT_READ, false);
		memset(memory, i, bytes / 4);
		check("each is given up", resident_watch() == 0);
		const uint64_t took_ns = resident_stats_get().fault_ns - before_ns;
		round_ns = took_ns > round_ns ? took_ns : round_ns;
	}
	const uint64_t life_ns = (uint64_t)(clock_monotonic_ns() - begin_ns);
	check("the first ones are kept", round_ns > 0);
	check("guesses do not end all tracking", resident_reason() == TRACK_REASON_NONE);
	check("guesses end", resident_stats_get().fault_ns < FREE_NS + life_ns / 100 + round_ns);
	resident_close();
}

/* Forbids ioctl, as another thread of the program may do for all threads at any moment. */
static void forbid_requests(void)
{
	struct sock_filter rule[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	const struct sock_fprog filter = {sizeof rule / sizeof *rule, rule};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
		_exit(NOT_POSSIBLE);
}

static void test_filtered_requests(void)
{
	int status = -1;
	open_young(NULL);
	const pid_t child = fork();
	if (child == 0) {
		forbid_requests();
		_exit(track_arm((struct pages_span){(uintptr_t)memory,
		                                    (uintptr_t)memory + pages_size()}) != EPERM);
	}
	check("a child begins", child > 0 && waitpid(child, &status, 0) == child);
	check("a request under a filter fails, and ends nothing",
	      status == 0 || (WIFEXITED(status) && WEXITSTATUS(status) == NOT_POSSIBLE));
	resident_close();
}

/* Without a thread that looks there are no guesses any more. */
static bool refuse_watch(void)
{
	watches_begun++;
	return false;
}

static void test_nobody_watches(void)
{
	open_young(refuse_watch);
	call_as(RESIDENT_WRITE, true);
	const uint64_t once = count_armed();
	check("somebody was asked to watch", watches_begun == 1 && once > 0);
	call_as(RESIDENT_WRITE, true);
	check("factors are not kept unwatched", count_armed() == once && watches_begun == 1);
	resident_close();
}

/* -- page faults that no call asks about -------------------------------------------------------- */

/*
 * Each round has an operand of its own in the same memory, which the program rewrites: no call asks
 * for the last one again. The page faults end once they take 1 % of the process's time, or 5 ms.
 */
static void test_growing_operands(enum resident_access first)
{
	enum { ROUNDS = 60, BYTES = 32 << 20, STEP = 8192, ENOUGH = ROUNDS / 2 };
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX,
	                                           .age_ns = INT64_C(1000000000)};
	const char *fault = NULL;
	uint64_t armed = 0;
	int rounds = 0;
	check("the tracking opens", resident_open(&settings, &fault) == TRACK_REASON_NONE);
	for (int i = 0; i < ROUNDS; i++) {
		const uint64_t bytes = BYTES + (uint64_t)i * STEP;
		memset(memory, i, bytes);
		call_for(bytes, first, false);
		call_for(bytes, RESIDENT_READ, false);
		call_for(bytes, RESIDENT_READ, false);
		const uint64_t now = count_armed();
		rounds += now > armed;
		armed = now;
	}
	check("operands are tracked at first", rounds > 0);
	check("operands that are always rewritten are not tracked for long", rounds <= ENOUGH);
	check("their page faults are counted", resident_stats_get().written_pages > 0);
	resident_close();
}

/* Memory that the program has given back was not rewritten. */
static void test_freed_operands(void)
{
	enum { ROUNDS = 20 };
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX,
	                                           .age_ns = INT64_C(1000000000)};
	const char *fault = NULL;
	check("the tracking opens", resident_open(&settings, &fault) == TRACK_REASON_NONE);
	for (int i = 0; i < ROUNDS; i++) {
		const uint64_t bytes = OPERAND_BYTES / 4 + (uint64_t)i * 8192;
		memset(memory, i, bytes);
		for (int j = 0; j < 3; j++)
			call_for(bytes, RESIDENT_READ, false);
		check("the memory is mapped anew",
		      mmap(memory, OPERAND_BYTES, PROT_READ | PROT_WRITE,
		           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == memory);
	}
	check("no page fault is counted", resident_stats_get().fault_ns == 0);
	check("nothing has ended the tracking", resident_reason() == TRACK_REASON_NONE);
	resident_close();
	memset(memory, 1, OPERAND_BYTES);
}

/* -- descriptors ------------------------------------------------------------------------------- */

static void *wait_for_end(void *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
	return NULL;
}

/* Of the table of descriptors, as the kernel has it now; 0: unknown. */
static long read_table_size(void)
{
	char line[256];
	long size = 0;
	FILE *file = fopen("/proc/self/status", "re");
	while (file != NULL && fgets(line, sizeof line, file) != NULL)
		sscanf(line, "FDSize: %ld", &size);
	if (file != NULL)
		fclose(file);
	return size;
}

/* The kernel waits ten milliseconds to make a table larger that several threads share. */
static void test_descriptors(void)
{
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX};
	const char *fault = NULL;
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_t thread;
	pthread_mutex_lock(&mutex);
	check("a thread", pthread_create(&thread, NULL, wait_for_end, &mutex) == 0);
	const long before = read_table_size();
	check("the tracking opens", resident_open(&settings, &fault) == TRACK_REASON_NONE);
	check("the table has its size", read_table_size() == before);
	resident_close();
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
}

int main(void)
{
	const char *missing = kernel_probe_find_missing();
	if (missing != NULL) {
		printf("skipped: %s\n", missing);
		return NOT_POSSIBLE;
	}
	memory = mmap(NULL, OPERAND_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	              0);
	if (memory == MAP_FAILED)
		return 1;
	memset(memory, 1, OPERAND_BYTES);
	test_descriptors();
	test_small_calls();
	test_unread_results();
	test_announced_results(INT64_C(3600000000000), true);
	test_announced_results(0, false);
	test_unread_factors();
	test_rewritten_guess();
	test_touched_guess();
	test_paid_guess();
	test_nobody_watches();
	test_many_guesses();
	test_filtered_requests();
	test_growing_operands(RESIDENT_WRITE);
	test_growing_operands(RESIDENT_READ);
	test_freed_operands();
	check("not at the first read in a young process", !tracks_first_read(0));
	check("at once in an old one", tracks_first_read(INT64_C(3600000000000)));
	printf("resident_age: %d failed\n", failed);
	return failed > 0;
}
