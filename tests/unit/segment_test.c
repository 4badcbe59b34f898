/* segment_test.c - counters in shared memory: it ends with its processes; a pool outlives them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/record/backing.h"
#include "shim/record/counters.h"
#include "shim/record/pool.h"

enum { STRIDE = SEGMENT_BYTES(sizeof(struct counters_file)), CHUNKS = 3 };

static struct options options = {.enabled = true, .policy = POLICY_THRESHOLD};

TestSuite(segment, .timeout = 60);

/* How many segments the process made; id and status are the last one's. */
static int find_segments(pid_t pid, int *id, struct shmid_ds *status)
{
	struct shm_info all;
	struct shmid_ds one;
	int found = 0;
	const int highest = shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&all);
	for (int i = 0; i <= highest; i++) {
		const int number = shmctl(i, SHM_STAT, &one);
		if (number < 0 || one.shm_cpid != pid)
			continue;
		*id = number;
		*status = one;
		found++;
	}
	return found;
}

static void count_some(int calls)
{
	bool shared;
	for (int i = 0; i < calls; i++)
		counters_claim_slot(&shared)[SYMBOL_dgemm_]++;
	counters_add(SYMBOL_dgemm_, REASON_OVERLAP, 5, 10);
}

static uint64_t count_forwarded(const struct counters_file *file)
{
	uint64_t calls = 0;
	for (int slot = 0; slot < COUNTERS_SLOTS; slot++)
		calls += file->forwarded[slot][SYMBOL_dgemm_];
	return calls;
}

static void need_segments(void)
{
	int id = -1;
	void *memory = segment_make(SEGMENT_GRAIN, 0, &id);
	if (memory == NULL)
		cr_skip("no shared memory here: %s", strerror(errno));
	munmap(memory, SEGMENT_GRAIN);
}

Test(segment, is_private_and_readable_by_the_user_while_the_process_runs)
{
	struct shmid_ds status;
	int id = -1;
	need_segments();
	errno = EXDEV;
	counters_open(&options, false);
	cr_assert_eq(errno, EXDEV);
	count_some(7);
	cr_assert_eq(find_segments(getpid(), &id, &status), 1);
	cr_assert_eq(status.shm_perm.mode & 0777, 0600);
	cr_assert(status.shm_perm.mode & SHM_DEST);
	const struct counters_file *file = shmat(id, NULL, SHM_RDONLY);
	cr_assert_neq((const void *)file, (void *)-1);
	cr_assert_str_eq(file->magic, "gpushim");
	cr_assert_eq(file->pid, getpid());
	cr_assert_eq(file->slots_used, 1);
	cr_assert_eq(count_forwarded(file), 7);
	cr_assert_eq(counters_find_cell(file, SYMBOL_dgemm_, REASON_OVERLAP)->size_bytes, 10);
}

/* An idle process pays for the head and a part of one thread's row. */
Test(segment, takes_memory_for_what_is_counted)
{
	unsigned char resident[STRIDE / 4096];
	size_t pages = 0;
	need_segments();
	counters_open(&options, false);
	count_some(1);
	cr_assert_eq(mincore((void *)(uintptr_t)counters_view(), STRIDE, resident), 0);
	for (size_t i = 0; i < sizeof resident; i++)
		pages += resident[i] & 1;
	cr_assert_leq(pages, 3, "%zu pages", pages);
}

Test(segment, nothing_is_left_of_a_killed_process)
{
	struct shmid_ds status;
	int id = -1, ended = 0, ready[2];
	char letter = 0;
	need_segments();
	cr_assert_eq(pipe(ready), 0);
	const pid_t child = fork();
	if (child == 0) {
		counters_open(&options, false);
		count_some(1);
		if (write(ready[1], "r", 1) == 1)
			pause();
		_exit(1);
	}
	cr_assert_eq(read(ready[0], &letter, 1), 1);
	cr_assert_eq(find_segments(child, &id, &status), 1);
	kill(child, SIGKILL);
	cr_assert_eq(waitpid(child, &ended, 0), child);
	cr_assert_eq(find_segments(child, &id, &status), 0);
}

/* Whether each of many segments is new, and stays this process's own. */
static bool make_many(void)
{
	for (int i = 0; i < 200; i++) {
		int id = -1;
		volatile pid_t *memory = segment_make(SEGMENT_GRAIN, 0, &id);
		if (memory == NULL || *memory != 0)
			return false;
		*memory = getpid();
		sched_yield();
		if (*memory != getpid() || munmap((void *)memory, SEGMENT_GRAIN) != 0)
			return false;
	}
	return true;
}

Test(segment, processes_that_start_together_get_one_each)
{
	enum { PROCESSES = 16 };
	pid_t child[PROCESSES];
	struct shmid_ds status;
	int id = -1, ended = 0;
	need_segments();
	for (int i = 0; i < PROCESSES; i++) {
		child[i] = fork();
		if (child[i] == 0)
			_exit(make_many() ? 0 : 1);
	}
	for (int i = 0; i < PROCESSES; i++) {
		cr_assert_eq(waitpid(child[i], &ended, 0), child[i]);
		cr_assert_eq(ended, 0);
		cr_assert_eq(find_segments(child[i], &id, &status), 0);
	}
}

/* A row that the gate has cached since before the fork must not count in the parent's memory. */
Test(segment, a_fork_child_has_memory_of_its_own_once_it_counts)
{
	bool shared;
	int ended = -1, id = -1;
	struct shmid_ds status;
	need_segments();
	counters_open(&options, false);
	count_some(7);
	_Atomic uint64_t *row = counters_claim_slot(&shared);
	const pid_t child = fork();
	if (child == 0) {
		counters_after_fork_child();
		row[SYMBOL_dgemm_]++;
		const bool early = find_segments(getpid(), &id, &status) == 0;
		count_some(4);
		row[SYMBOL_dgemm_]++;
		_exit(early && find_segments(getpid(), &id, &status) == 1 &&
		                      count_forwarded(counters_view()) == 6
		              ? 0
		              : 1);
	}
	cr_assert_eq(waitpid(child, &ended, 0), child);
	cr_assert_eq(ended, 0);
	cr_assert_eq(count_forwarded(counters_view()), 7);
}

static struct pool_head *make_pool(char name[POOL_NAME_BYTES])
{
	int id = -1;
	struct pool_head *head = segment_make(SEGMENT_GRAIN + CHUNKS * STRIDE, 0, &id);
	cr_assert_not_null(head);
	*head = (struct pool_head){.magic = "gpspool",
	                           .version = POOL_VERSION,
	                           .next = -1,
	                           .nonce = 4711,
	                           .stride = STRIDE,
	                           .capacity = CHUNKS};
	pool_format_name(id, 4711, name);
	return head;
}

static const struct counters_file *chunk_of(const struct pool_head *head, int chunk)
{
	return (const void *)((const char *)head + SEGMENT_GRAIN + (size_t)chunk * STRIDE);
}

/* The counts of a killed process stay; the process maps its chunk and nothing else of the pool. */
Test(segment, a_pool_keeps_the_counts_of_killed_processes)
{
	int ended = 0;
	need_segments();
	struct pool_head *head = make_pool(options.counters);
	for (int i = 0; i < CHUNKS + 2; i++) {
		const pid_t child = fork();
		if (child == 0) {
			munmap(head, SEGMENT_GRAIN + CHUNKS * STRIDE);
			counters_open(&options, false);
			count_some(10 + i);
			raise(SIGKILL);
		}
		cr_assert_eq(waitpid(child, &ended, 0), child);
		cr_assert(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
		if (i < CHUNKS) {
			cr_assert_eq(chunk_of(head, i)->pid, child);
			cr_assert_eq(count_forwarded(chunk_of(head, i)), 10 + (uint64_t)i);
			cr_assert_eq(chunk_of(head, i)->end_realtime_ns, 0);
		}
	}
	cr_assert_eq(head->claimed, CHUNKS + 2);
	cr_assert_eq(head->left_out, 2);
}

/* The id of another program's segment, and names that are none, change nothing. */
Test(segment, only_the_named_pool_is_written)
{
	static const char *const wrong[] = {"@",
	                                    "@x",
	                                    "@-1-4711",
	                                    "@1",
	                                    "@1-",
	                                    "@ 1-4711",
	                                    "@99999999999-4711",
	                                    "@1-4711x",
	                                    "@2147483647-4711"};
	char *start =
		mmap(NULL, STRIDE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct segment_memory memory = {start, sizeof(struct counters_file), 8};
	char name[POOL_NAME_BYTES];
	int id = -1;
	need_segments();
	struct pool_head *head = make_pool(name);
	strcpy(start, "counted");
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		cr_assert_neq(pool_join(wrong[i], &memory), 0, "%s", wrong[i]);
	head->nonce++;
	cr_assert_eq(pool_join(name, &memory), EINVAL);
	char *foreign = segment_make(SEGMENT_GRAIN + STRIDE, 0, &id);
	cr_assert_not_null(foreign);
	pool_format_name(id, 0, name);
	cr_assert_eq(pool_join(name, &memory), EINVAL);
	for (size_t i = 0; i < SEGMENT_GRAIN + STRIDE; i++)
		cr_assert_eq(foreign[i], 0);
	cr_assert_eq(head->claimed, 0);
	cr_assert_str_eq(start, "counted");
}

/* Behind the number of a pool a name may have a folder. */
Test(segment, a_name_may_have_a_folder)
{
	char name[POOL_NAME_BYTES + 16];
	int id = -1;
	uint64_t nonce = 0;
	cr_assert(pool_parse_name("@12-4711/a b/c", &id, &nonce));
	cr_assert(id == 12 && nonce == 4711);
	cr_assert_str_eq(pool_find_folder("@12-4711/a b/c"), "/a b/c");
	cr_assert_null(pool_find_folder("@12-4711"));
	cr_assert_null(pool_find_folder("/a/b"));
	need_segments();
	struct pool_head *head = make_pool(name);
	strcat(name, "/nowhere");
	char *start =
		mmap(NULL, STRIDE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct segment_memory memory = {start, sizeof(struct counters_file), 8};
	cr_assert_eq(pool_join(name, &memory), 0);
	cr_assert_eq(head->claimed, 1);
}

/* Ranks without a call leave a bit, those of other pools and out of range nothing. */
Test(segment, a_pool_notes_ranks)
{
	const size_t size = sizeof(struct counters_file);
	char name[POOL_NAME_BYTES];
	need_segments();
	struct pool_head *head = make_pool(name);
	cr_assert_eq(pool_note_rank(name, size, 70, 96), 0);
	cr_assert_eq(pool_note_rank(name, size, 3, 80), 0);
	cr_assert_eq(pool_note_rank(name, size, 3, 80), 0);
	cr_assert_eq(pool_note_rank(name, size, POOL_RANKS, 80), EINVAL);
	cr_assert_eq(pool_note_rank(name, size, -1, 80), EINVAL);
	cr_assert(head->present[0] == 8 && head->present[1] == 64 && head->ranks == 96);
	head->nonce++;
	cr_assert_neq(pool_note_rank(name, size, 5, 80), 0);
	cr_assert(head->present[0] == 8 && head->claimed == 0);
}

/* As on another node: what cannot reach the pool ends in the folder, once the process ends. */
Test(segment, counts_that_miss_the_pool_go_to_its_folder)
{
	char folder[] = "/tmp/segment-test-XXXXXX", path[128];
	struct counters_file *file = calloc(1, sizeof *file);
	cr_assert_not_null(mkdtemp(folder));
	snprintf(options.counters, sizeof options.counters, "@2147483647-1%s", folder);
	counters_open(&options, false);
	count_some(7);
	const struct counters_file *own = counters_view();
	snprintf(path, sizeof path, "%s/gpushim-%d-%lld.counters", folder, (int)getpid(),
	         (long long)own->start_realtime_ns);
	cr_assert_neq(access(path, F_OK), 0);
	counters_close();
	const int fd = open(path, O_RDONLY);
	cr_assert(fd >= 0 && read(fd, file, sizeof *file) == (ssize_t)sizeof *file);
	cr_assert_eq(count_forwarded(file), 7);
	cr_assert(file->end_realtime_ns > 0);
	close(fd);
	unlink(path);
	backing_note_rank(options.counters, sizeof *file, 2, 4);
	snprintf(path, sizeof path, "%s/rank-2-of-4", folder);
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(rmdir(folder), 0);
	free(file);
}
