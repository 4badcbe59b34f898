/* counters_test.c - counts survive a kill where they have to, nothing is left, no place is fatal */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/record/backing.h"
#include "shim/record/counters.h"

enum { THREADS = 100, CALLS = 1000 };

static char folder[] = "/tmp/counters_test_XXXXXX";
static struct options options = {.enabled = true, .policy = POLICY_THRESHOLD};

static void enter_folder(void)
{
	cr_assert_not_null(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
	setenv("XDG_RUNTIME_DIR", folder, 1);
}

/* The counts go to files in the folder. */
static void keep_files(void)
{
	snprintf(options.counters, sizeof(options.counters), "%s", folder);
}

static void leave_folder(void)
{
	char command[sizeof(folder) + 16];
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	cr_assert_eq(system(command), 0);
}

TestSuite(counters, .init = enter_folder, .fini = leave_folder, .timeout = 60);

/*
 * The number of files in the folder of this process, or of any process where pid is 0; path is the
 * last one's.
 */
static int find_files(const char *where, int pid, char path[256])
{
	char pattern[200];
	glob_t found;
	snprintf(pattern, sizeof(pattern),
	         pid != 0 ? "%s/gpushim-%d-*.counters" : "%s/gpushim-*.counters", where, pid);
	if (glob(pattern, 0, NULL, &found) != 0)
		return 0;
	const int count = (int)found.gl_pathc;
	snprintf(path, 256, "%s", found.gl_pathv[count - 1]);
	globfree(&found);
	return count;
}

static const struct counters_file *map_file(const char *path)
{
	const int fd = open(path, O_RDONLY);
	cr_assert_geq(fd, 0);
	const struct counters_file *file = mmap(NULL, sizeof(*file), PROT_READ, MAP_SHARED, fd, 0);
	cr_assert_neq(file, MAP_FAILED);
	close(fd);
	return file;
}

static uint64_t count_forwarded(const struct counters_file *file, int symbol)
{
	uint64_t calls = 0;
	for (int slot = 0; slot < COUNTERS_SLOTS; slot++)
		calls += file->forwarded[slot][symbol];
	return calls;
}

static int count_owners(void)
{
	int owners = 0;
	for (int slot = 0; slot < COUNTERS_SLOTS; slot++)
		owners += counters_view()->slot_owner[slot] != 0;
	return owners;
}

static void forward(int symbol, int calls)
{
	for (int i = 0; i < calls; i++) {
		bool shared;
		_Atomic uint64_t *row = counters_claim_slot(&shared);
		if (shared)
			row[symbol]++;
		else
			atomic_store_explicit(&row[symbol], row[symbol] + 1, memory_order_relaxed);
	}
}

static void send_messages_to(const char *name)
{
	const int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
	cr_assert(fd >= 0 && dup2(fd, STDERR_FILENO) >= 0);
	close(fd);
}

static off_t file_size(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 ? status.st_size : -1;
}

Test(counters, the_file_is_modest_and_its_rows_share_no_line)
{
	cr_assert_lt(sizeof(struct counters_file), 512 * 1024);
	cr_assert_leq(offsetof(struct counters_file, decided[COUNTERS_FIRST]), 4096);
	cr_assert_eq(offsetof(struct counters_file, forwarded) % COUNTERS_LINE_BYTES, 0);
	cr_assert_eq(sizeof(counters_view()->forwarded[0]) % COUNTERS_LINE_BYTES, 0);
}

Test(counters, counting_works_before_the_file_is_there)
{
	bool shared = false;
	cr_assert_not_null(counters_view());
	cr_assert_not_null(counters_claim_slot(&shared));
	cr_assert(shared);
	counters_add(SYMBOL_dgemm_, REASON_OVERLAP, 5, 10);
	cr_assert_eq(counters_find_cell(counters_view(), SYMBOL_dgemm_, REASON_OVERLAP)->calls, 1);
}

Test(counters, a_file_is_private_and_complete)
{
	char path[256], self[COUNTERS_PROGRAM_BYTES] = "";
	struct stat status;
	keep_files();
	counters_open(&options, false);
	cr_assert_eq(find_files(folder, getpid(), path), 1);
	cr_assert_eq(stat(path, &status), 0);
	cr_assert_eq(status.st_mode & 07777, 0600);
	cr_assert_eq(status.st_size, sizeof(struct counters_file));
	cr_assert_geq(status.st_blocks * 512, status.st_size);
	const struct counters_file *file = map_file(path);
	cr_assert_str_eq(file->magic, "gpushim");
	cr_assert(file->version == COUNTERS_VERSION && file->symbols == SYMBOL_COUNT &&
	          file->reasons == REASON_COUNT);
	cr_assert(file->slots == COUNTERS_SLOTS && file->pid == getpid() &&
	          file->start_realtime_ns > 0);
	cr_assert_eq(counters_find_gate_reason(file, SYMBOL_dgemm_), REASON_BELOW_THRESHOLD);
	cr_assert_gt(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
	cr_assert_str_eq(file->program, self);
	errno = EXDEV;
	counters_close();
	cr_assert_eq(errno, EXDEV);
	counters_add(SYMBOL_dgemm_, REASON_OVERLAP, 5, 10);
	cr_assert_eq(counters_find_cell(file, SYMBOL_dgemm_, REASON_OVERLAP)->calls, 1);
}

Test(counters, a_folder_of_the_users_keeps_the_file)
{
	char path[256];
	cr_assert_eq(mkdir("kept", 0700), 0);
	snprintf(options.counters, sizeof(options.counters), "kept");
	counters_open(&options, false);
	cr_assert_eq(chdir("/"), 0);
	counters_close();
	cr_assert_eq(chdir(folder), 0);
	cr_assert_eq(find_files("kept", getpid(), path), 1);
	cr_assert_geq(map_file(path)->end_realtime_ns, map_file(path)->start_realtime_ns);
}

Test(counters, cells_add_up)
{
	counters_open(&options, false);
	counters_add(SYMBOL_sgemm_, REASON_ABOVE_THRESHOLD, 100, 1000);
	counters_add(SYMBOL_sgemm_, REASON_ABOVE_THRESHOLD, -1, 1000);
	counters_add(SYMBOL_sgemm_, REASON_COUNT, 100, 1000);
	counters_add(SYMBOL_COUNT, REASON_NONE, 100, 1000);
	counters_add(-1, REASON_NONE, 100, 1000);
	const struct counters_cell *cell =
		counters_find_cell(counters_view(), SYMBOL_sgemm_, REASON_ABOVE_THRESHOLD);
	cr_assert(cell->calls == 2 && cell->elapsed_ns == 100 && cell->size_bytes == 2000);
	counters_add_device_bytes(500);
	counters_add_device_bytes(300);
	counters_add_device_bytes(-700);
	cr_assert(counters_view()->device_bytes == 100 &&
	          counters_view()->device_bytes_peak == 800);
}

Test(counters, survive_a_kill)
{
	char path[256];
	int status = 0;
	const pid_t child = fork();
	if (child == 0) {
		keep_files();
		counters_open(&options, false);
		forward(SYMBOL_dgemm_, 12345);
		counters_add(SYMBOL_dgemm_, REASON_POLICY_ALWAYS, 77, 88);
		raise(SIGKILL);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert(WIFSIGNALED(status));
	cr_assert_eq(find_files(folder, child, path), 1);
	const struct counters_file *file = map_file(path);
	cr_assert_eq(count_forwarded(file, SYMBOL_dgemm_), 12345);
	cr_assert_eq(counters_find_cell(file, SYMBOL_dgemm_, REASON_POLICY_ALWAYS)->size_bytes, 88);
	cr_assert_eq(file->end_realtime_ns, 0);
}

static void run_child(void)
{
	char path[256];
	cr_assert_eq(count_forwarded(counters_view(), SYMBOL_dgemm_), 0);
	cr_assert_eq(find_files(folder, getpid(), path), 0);
	forward(SYMBOL_dgemm_, 4);
	counters_add(SYMBOL_dgemm_, REASON_FORKED, 1, 1);
	cr_assert_eq(find_files(folder, getpid(), path), 1);
	cr_assert_eq(count_forwarded(map_file(path), SYMBOL_dgemm_), 4);
	cr_assert_eq(map_file(path)->pid, getpid());
	counters_close();
	_exit(0);
}

Test(counters, a_fork_child_has_a_file_of_its_own_once_it_counts)
{
	char path[256];
	int status = -1;
	keep_files();
	counters_open(&options, false);
	forward(SYMBOL_dgemm_, 7);
	for (int i = 0; i < 2; i++) {
		const pid_t child = fork();
		if (child == 0) {
			counters_after_fork_child();
			if (i == 0)
				_exit(0);
			run_child();
		}
		cr_assert_eq(waitpid(child, &status, 0), child);
		cr_assert_eq(status, 0);
		cr_assert_eq(find_files(folder, 0, path), 1 + i);
	}
	forward(SYMBOL_dgemm_, 1);
	cr_assert_eq(find_files(folder, getpid(), path), 1);
	cr_assert_eq(count_forwarded(map_file(path), SYMBOL_dgemm_), 8);
}

/* A row that the gate has cached since before the fork must not count in the parent's file. */
Test(counters, rows_from_before_a_fork_stay_memory_of_the_child)
{
	bool shared;
	int status = -1;
	counters_open(&options, false);
	_Atomic uint64_t *row = counters_claim_slot(&shared);
	const pid_t child = fork();
	if (child == 0) {
		counters_after_fork_child();
		row[SYMBOL_dgemm_]++;
		forward(SYMBOL_dgemm_, 1);
		row[SYMBOL_dgemm_]++;
		_exit(row == counters_claim_slot(&shared) &&
		                      count_forwarded(counters_view(), SYMBOL_dgemm_) == 3
		              ? 0
		              : 1);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert_eq(status, 0);
	cr_assert_eq(count_forwarded(counters_view(), SYMBOL_dgemm_), 0);
}

/*
 * A child without fork handlers shares the parent's memory: it must not end the parent's counts.
 */
Test(counters, a_child_without_fork_handlers_ends_nothing)
{
	int status = -1;
	counters_open(&options, false);
	const pid_t child = fork();
	if (child == 0) {
		counters_close();
		_exit(0);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert_eq(counters_view()->end_realtime_ns, 0);
}

Test(counters, a_missing_folder_of_the_users_is_told)
{
	char words[256] = "";
	send_messages_to("messages");
	snprintf(options.counters, sizeof(options.counters), "/nowhere/at/all");
	counters_open(&options, false);
	forward(SYMBOL_dgemm_, 5);
	counters_close();
	cr_assert_eq(count_forwarded(counters_view(), SYMBOL_dgemm_), 5);
	const int fd = open("messages", O_RDONLY);
	cr_assert_gt(read(fd, words, sizeof(words) - 1), 0);
	close(fd);
	cr_assert_str_eq(words, "gpushim: warn: cannot keep counters in '/nowhere/at/all': No such "
	                        "file or\n         directory; the counts end with the process\n");
}

static void *map_grain(void)
{
	void *page = mmap(NULL, SEGMENT_GRAIN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	                  -1, 0);
	cr_assert_neq(page, MAP_FAILED);
	return page;
}

Test(counters, links_and_files_that_exist_are_never_used)
{
	static struct backing backing;
	const struct segment_memory memory = {map_grain(), 4096, 8};
	backing_choose(&backing, folder);
	const int victim = open("victim", O_RDWR | O_CREAT, 0600);
	cr_assert_eq(write(victim, "precious", 8), 8);
	cr_assert_eq(symlink("victim", "gpushim-1-2.counters"), 0);
	cr_assert_eq(symlink("not yet there", "gpushim-1-3.counters"), 0);
	cr_assert_eq(link("victim", "gpushim-1-4.counters"), 0);
	for (int start = 2; start <= 4; start++)
		cr_assert_eq(backing_show(&backing, 1, start, &memory), EEXIST);
	cr_assert_eq(file_size("victim"), 8);
	cr_assert_eq(file_size("not yet there"), -1);
	memcpy(memory.start, "counted", 8);
	cr_assert_eq(backing_show(&backing, 1, 5, &memory), 0);
	cr_assert_eq(file_size("gpushim-1-5.counters"), 4096);
	cr_assert_str_eq((const char *)memory.start, "counted");
}

Test(counters, a_full_file_system_leaves_private_memory)
{
	const struct rlimit limit = {8192, 8192};
	char path[256];
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	keep_files();
	counters_open(&options, false);
	forward(SYMBOL_dgemm_, 5);
	counters_add(SYMBOL_dgemm_, REASON_OVERLAP, 1, 1);
	cr_assert_eq(count_forwarded(counters_view(), SYMBOL_dgemm_), 5);
	cr_assert_eq(find_files(folder, 0, path), 0);
}

static pthread_barrier_t all_there, all_done, may_end;

static void *run_thread(void *unused)
{
	pthread_barrier_wait(&all_there);
	forward(SYMBOL_dgemm_, CALLS);
	pthread_barrier_wait(&all_done);
	pthread_barrier_wait(&may_end);
	return unused;
}

Test(counters, more_threads_than_slots_count_right)
{
	pthread_t thread[THREADS];
	counters_open(&options, false);
	pthread_barrier_init(&all_there, NULL, THREADS + 1);
	pthread_barrier_init(&all_done, NULL, THREADS + 1);
	pthread_barrier_init(&may_end, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run_thread, NULL);
	pthread_barrier_wait(&all_there);
	pthread_barrier_wait(&all_done);
	cr_assert_eq(count_owners(), COUNTERS_SLOTS - 1);
	pthread_barrier_wait(&may_end);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	cr_assert_eq(count_forwarded(counters_view(), SYMBOL_dgemm_), THREADS * CALLS);
	cr_assert_eq(count_owners(), 0);
}

static void *run_claim(void *shared)
{
	counters_claim_slot(shared);
	return NULL;
}

Test(counters, slots_of_ended_threads_are_free_again)
{
	counters_open(&options, false);
	for (int i = 0; i < 3 * COUNTERS_SLOTS; i++) {
		bool shared = true;
		pthread_t thread;
		pthread_create(&thread, NULL, run_claim, &shared);
		pthread_join(thread, NULL);
		cr_assert_not(shared);
	}
}

/* What a process with these options says of small calls of dgemm and of sgemm. */
static void expect_gate_reasons(bool excluded, enum reason dgemm, enum reason sgemm)
{
	counters_open(&options, excluded);
	cr_expect_eq(counters_find_gate_reason(counters_view(), SYMBOL_dgemm_), dgemm);
	cr_expect_eq(counters_find_gate_reason(counters_view(), SYMBOL_cblas_sgemm), sgemm);
}

Test(counters, options_that_rule_the_gpu_out_are_the_gates_reason)
{
	char message[OPTION_MESSAGE_BYTES];
	options_set_defaults(&options);
	expect_gate_reasons(false, REASON_BELOW_THRESHOLD, REASON_BELOW_THRESHOLD);
	expect_gate_reasons(true, REASON_PROGRAM_EXCLUDED, REASON_PROGRAM_EXCLUDED);
	cr_assert(options_set(&options, "policy_dgemm", "never", message));
	expect_gate_reasons(false, REASON_POLICY_NEVER, REASON_BELOW_THRESHOLD);
	expect_gate_reasons(true, REASON_PROGRAM_EXCLUDED, REASON_PROGRAM_EXCLUDED);
	options.policy = POLICY_NEVER;
	cr_assert(options_set(&options, "policy_dgemm", "always", message));
	expect_gate_reasons(false, REASON_BELOW_THRESHOLD, REASON_POLICY_NEVER);
	options.enabled = false;
	expect_gate_reasons(true, REASON_DISABLED, REASON_DISABLED);
}

Test(counters, the_loss_of_the_gpu_is_kept_and_not_inherited)
{
	counters_open(&options, false);
	cr_expect_eq(counters_find_loss(counters_view()), REASON_NONE);
	counters_note_loss(REASON_NO_DRIVER);
	cr_expect_eq(counters_find_loss(counters_view()), REASON_NO_DRIVER);
	counters_after_fork_child();
	cr_expect_eq(counters_find_loss(counters_view()), REASON_NONE);
}

Test(counters, the_worst_of_the_verified_calls_that_agree)
{
	counters_open(&options, false);
	const struct counters_totals *totals = &counters_view()->totals;
	cr_expect_eq(counters_read_worst(counters_view()).symbol, -1);
	counters_add_verified(SYMBOL_dgemm_, 0, true);
	cr_expect_eq(counters_read_worst(counters_view()).symbol, SYMBOL_dgemm_);
	counters_add_verified(SYMBOL_cblas_sgemm, 0.25, true);
	counters_add_verified(SYMBOL_dgemm_, 0.125, true);
	counters_add_verified(SYMBOL_zgemm_, 4, false);
	cr_expect_eq(counters_read_worst(counters_view()).symbol, SYMBOL_cblas_sgemm);
	cr_expect_eq(counters_read_worst(counters_view()).ratio, 0.25);
	cr_expect(totals->verified == 4 && totals->disagreed == 1);
}

Test(counters, a_damaged_ratio_is_none)
{
	static struct counters_file file;
	static const uint64_t words[] = {UINT64_MAX, 1, 0x7fc00000ull << 32 | 1,
	                                 0x40000000ull << 32 | 1, (uint64_t)SYMBOL_COUNT + 1};
	file.totals.worst = words[1];
	cr_expect_eq(counters_read_worst(&file).symbol, 0);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		file.totals.worst = words[i];
		cr_expect(i == 1 || counters_read_worst(&file).symbol == -1, "%zu", i);
	}
}
