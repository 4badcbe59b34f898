/* ledger_test.c - processes that live or not, and rows of them in the ledger */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/execute/gpu/node/ledger.h"
#include "shim/execute/gpu/node/ledger_file.h"
#include "shim/execute/gpu/node/process_life.h"
#include "tests/driver/fewer.h"
#include "tests/unit/scratch.h"

static char folder[256];

static void begin(void)
{
	scratch_make(folder, sizeof folder, "ledger_test");
	unsetenv("XDG_RUNTIME_DIR");
	ledger_set_folder(folder, "");
}

static void end(void)
{
	scratch_remove(folder);
}

TestSuite(ledger, .init = begin, .fini = end);

static const uint64_t keys[] = {11, 22, 33};
static int seen[3];

static uint32_t choose(const struct ledger_found *found, void *self)
{
	memcpy(seen, found->live, sizeof seen);
	return *(const uint32_t *)self;
}

static int join(uint32_t chosen)
{
	return ledger_join(keys, 3, choose, &chosen);
}

/* A child that joins, says so, and waits for its end. */
static pid_t start(uint32_t chosen)
{
	int says[2];
	char byte;
	cr_assert_eq(pipe(says), 0);
	const pid_t child = fork();
	if (child == 0) {
		byte = join(chosen) == 0;
		if (write(says[1], &byte, 1) == 1)
			pause();
		_exit(0);
	}
	cr_assert(read(says[0], &byte, 1) == 1 && byte == 1);
	close(says[0]);
	close(says[1]);
	return child;
}

static void stop(pid_t child)
{
	kill(child, SIGKILL);
	cr_expect_eq(waitpid(child, NULL, 0), child);
}

static void expect_seen(int first, int second, int third)
{
	cr_expect(seen[0] == first && seen[1] == second && seen[2] == third, "%d %d %d", seen[0],
	          seen[1], seen[2]);
}

Test(ledger, others_are_counted)
{
	const pid_t first = start(1), second = start(5);
	cr_expect_eq(join(2), 0);
	expect_seen(2, 0, 1);
	cr_expect_eq(ledger_count_others(11), 2);
	cr_expect_eq(ledger_count_others(44), 0, "an unknown GPU");
	stop(second);
	stop(first);
	ledger_leave();
	cr_expect_eq(rmdir(folder), 0, "nothing is left");
	cr_expect_eq(mkdir(folder, 0700), 0);
}

/* Dead, and not yet waited for. */
Test(ledger, zombies_do_not_count)
{
	siginfo_t info;
	const pid_t child = start(1);
	kill(child, SIGKILL);
	cr_assert_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	cr_expect_eq(join(1), 0);
	expect_seen(0, 0, 0);
	stop(child);
}

/* The number of a dead process, which a living one has got. */
Test(ledger, numbers_are_given_again)
{
	const pid_t child = start(1);
	struct process_life life = process_life_own("");
	const uint64_t space = life.space;
	const int file = ledger_file_make();
	life.pid = child;
	cr_expect(process_life_goes_on("", &(struct process_life){child, 0, space}));
	for (uint64_t start_ticks = 1; start_ticks <= 3; start_ticks++) {
		life.start = start_ticks;
		cr_expect_not(process_life_goes_on("", &life));
		cr_expect_eq(ledger_file_write(file, (off_t)(64 * (10 + start_ticks)),
		                               (struct ledger_row){.pid = child,
		                                                   .start = start_ticks,
		                                                   .space = space,
		                                                   .card = 11}),
		             0);
	}
	close(file);
	cr_expect_eq(join(2), 0);
	expect_seen(1, 0, 0);
	stop(child);
}

/* A process of another container cannot be looked at: it counts for a while. */
Test(ledger, strangers_count_for_a_while)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	const int64_t now_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	const int file = ledger_file_make();
	struct ledger_row row = {.pid = 1, .space = 99, .card = 22, .stamp_ns = now_ns};
	cr_expect_eq(ledger_file_write(file, 0, row), 0);
	row.stamp_ns = now_ns - INT64_C(600000000000);
	cr_expect_eq(ledger_file_write(file, 64, row), 0);
	row.stamp_ns = now_ns + INT64_C(600000000000); /* the clock has been set back since */
	cr_expect_eq(ledger_file_write(file, 128, row), 0);
	close(file);
	cr_expect_eq(join(1), 0);
	expect_seen(0, 1, 0);
}

Test(ledger, a_move_is_seen)
{
	const pid_t child = start(1);
	cr_expect_eq(join(1), 0);
	ledger_move(33);
	pid_t other = fork();
	if (other == 0) {
		join(2);
		_exit(seen[0] == 1 && seen[2] == 1 ? 0 : 1);
	}
	int status = 1;
	cr_expect_eq(waitpid(other, &status, 0), other);
	cr_expect_eq(status, 0);
	stop(child);
}

/* More processes than rows: the last ones are not counted, and nothing else happens. */
Test(ledger, is_bounded)
{
	const struct process_life life = process_life_own("");
	const int file = ledger_file_make();
	for (int i = 0; i < LEDGER_FILE_ROWS; i++)
		cr_assert_eq(ledger_file_write(file, 64 * (off_t)i,
		                               (struct ledger_row){.pid = getppid(),
		                                                   .space = life.space,
		                                                   .card = 11}),
		             0);
	cr_expect_neq(ledger_file_write(file, 64 * (off_t)LEDGER_FILE_ROWS,
	                                (struct ledger_row){.pid = 1}),
	              0);
	close(file);
	cr_expect_neq(join(1), 0);
	expect_seen(LEDGER_FILE_ROWS, 0, 0);
	cr_expect_eq(ledger_count_others(11), 0, "this process has not joined");
}

/* Names with blanks and brackets, the first thread's end, and files that are none. */
Test(ledger, states_of_processes)
{
	static const struct {
		const char *text;
		bool lives;
	} state[] = {
		{"7 (a) b) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 500 9", true},
		{"7 (Z) Z 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 500 9", false},
		{"7 (Z) Z 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 3 0 500 9", true},
		{"7 (x) X 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 500 9", false},
		{"7 (x) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 501 9", false},
	};
	char path[300];
	snprintf(path, sizeof path, "%s/proc", folder);
	cr_assert_eq(mkdir(path, 0700), 0);
	strcat(path, "/7");
	cr_assert_eq(mkdir(path, 0700), 0);
	strcat(path, "/stat");
	for (size_t i = 0; i < sizeof state / sizeof state[0]; i++) {
		scratch_write_file(path, state[i].text);
		cr_expect_eq(process_life_goes_on(folder, &(struct process_life){7, 500, 0}),
		             state[i].lives, "%s", state[i].text);
	}
	cr_expect_not(process_life_goes_on("", &(struct process_life){0, 0, 0}));
	cr_expect_not(process_life_goes_on("", &(struct process_life){-1, 0, 0}));
}

/* A process of five seconds, one that the kernel does not tell of, and this one. */
Test(ledger, age_of_processes)
{
	const int64_t second_ns = 1000000000, now_ns = clock_read_ns(CLOCK_BOOTTIME);
	const double ticks = (double)(now_ns - 5 * second_ns) / 1e9 * (double)sysconf(_SC_CLK_TCK);
	char path[300], text[300];
	cr_expect_eq(process_life_age_ns(folder), 0, "no file");
	snprintf(path, sizeof path, "%s/proc", folder);
	cr_assert_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/proc/%d", folder, (int)getpid());
	cr_assert_eq(mkdir(path, 0700), 0);
	strcat(path, "/stat");
	snprintf(text, sizeof text, "7 (a) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %.0f 9", ticks);
	scratch_write_file(path, text);
	const int64_t age_ns = process_life_age_ns(folder),
		      later_ns = clock_read_ns(CLOCK_BOOTTIME) - now_ns;
	cr_expect(age_ns > 5 * second_ns - second_ns / 10);
	cr_expect(age_ns < 5 * second_ns + second_ns / 10 + later_ns);
	snprintf(text, sizeof text, "7 (a) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %.0f 9",
	         ticks * 2 + 1e6);
	scratch_write_file(path, text);
	cr_expect_eq(process_life_age_ns(folder), 0, "it begins later");
	cr_expect_geq(process_life_age_ns(""), 0);
	cr_expect_lt(process_life_age_ns(""), now_ns);
}

/* A GPU is lent once, and not where a process works; a guest is no process there. */
Test(ledger, lends_idle_ones)
{
	int status = 1;
	const pid_t child = start(1);
	cr_expect_eq(join(2), 0);
	cr_expect_not(ledger_borrow(11), "a process works there");
	cr_expect_not(ledger_borrow(44), "an unknown GPU");
	cr_expect(ledger_borrow(33));
	const pid_t other = fork();
	if (other == 0) {
		join(4);
		_exit((seen[0] == 1) + 2 * (seen[1] == 1) + 4 * (seen[2] == 0) +
		      8 * !ledger_borrow(33) - 15);
	}
	cr_expect_eq(waitpid(other, &status, 0), other);
	cr_expect_eq(status, 0, "%x", (unsigned)status);
	stop(child);
	ledger_leave();
	cr_expect_eq(rmdir(folder), 0, "nothing is left");
	cr_expect_eq(mkdir(folder, 0700), 0);
}

/* exec keeps number and start of a process: its new program takes the old one's rows. */
Test(ledger, a_new_program_has_no_old_rows)
{
	cr_expect_eq(join(7), 0);
	cr_expect_eq(join(2), 0);
	const pid_t other = fork();
	int status = 1;
	if (other == 0) {
		join(1);
		_exit(seen[0] == 0 && seen[1] == 1 && seen[2] == 0 ? 0 : 1);
	}
	cr_expect_eq(waitpid(other, &status, 0), other);
	cr_expect_eq(status, 0);
}

/* Those that live count where a GPU is chosen; those that use it, where times are predicted. */
Test(ledger, users_are_those_of_late)
{
	const pid_t idle = start(1), busy = start(1);
	struct process_life life = process_life_own("");
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	const int file = ledger_file_make();
	struct ledger_row row = {.pid = idle,
	                         .space = life.space,
	                         .card = 11,
	                         .stamp_ns = ((int64_t)now.tv_sec - 11) * 1000000000};
	cr_expect_eq(ledger_file_write(file, 0, row), 0);
	close(file);
	cr_expect_eq(join(1), 0);
	expect_seen(2, 0, 0);
	cr_expect_eq(ledger_count_others(11), 2);
	cr_expect_eq(ledger_count_users(11), 1);
	stop(busy);
	stop(idle);
}

static int count_rows(void)
{
	char path[300];
	struct ledger_row row;
	int rows = 0;
	snprintf(path, sizeof path, "%s/gpushim-%u", folder, geteuid());
	FILE *file = fopen(path, "r");
	while (file != NULL && fread(&row, sizeof row, 1, file) == 1)
		rows += row.mark != 0;
	if (file != NULL)
		fclose(file);
	return rows;
}

/* ledger_note_use looks once a second. */
static void look(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 910000000}, NULL);
	ledger_note_use();
}

/* Another process has taken this one's place: this one finds another, and both count. */
Test(ledger, a_place_that_is_taken)
{
	const struct process_life life = process_life_own("");
	struct ledger_row row = {.pid = getppid(), .space = life.space, .card = 22};
	cr_expect_eq(join(1), 0);
	const int file = ledger_file_open();
	cr_expect_eq(ledger_file_write(file, 0, row), 0);
	look();
	cr_expect_eq(ledger_count_others(22), 1);
	cr_expect_eq(count_rows(), 2);
	cr_expect_eq(pread(file, &row, sizeof row, 0), (ssize_t)sizeof row);
	cr_expect_eq(row.pid, getppid(), "its row stands");
	cr_expect_eq(ledger_file_clear(file, 0), 0);
	close(file);
	ledger_leave();
	cr_expect_eq(rmdir(folder), 0, "nothing is left");
	cr_expect_eq(mkdir(folder, 0700), 0);
}

/* Somebody has removed the file: who uses a GPU is in the new one within a second. */
Test(ledger, comes_back)
{
	char path[300];
	cr_expect_eq(join(1), 0);
	snprintf(path, sizeof path, "%s/gpushim-%u", folder, geteuid());
	const int held = ledger_file_open(); /* so that the new file has another number */
	cr_expect_eq(unlink(path), 0);
	const pid_t other = start(2);
	look();
	cr_expect_eq(count_rows(), 2);
	cr_expect_eq(ledger_count_others(22), 1);
	close(held);
	stop(other);
	ledger_leave();
	cr_expect_eq(rmdir(folder), 0, "nothing is left");
	cr_expect_eq(mkdir(folder, 0700), 0);
}

/* A process that is stopped while it holds the lock holds up nobody. */
Test(ledger, goes_on_without_the_lock)
{
	const int held = ledger_file_make();
	cr_expect(ledger_file_lock(held, 0));
	const pid_t first = start(1);
	cr_expect_eq(join(2), 0);
	expect_seen(1, 0, 0);
	cr_expect_eq(count_rows(), 2);
	stop(first);
	close(held);
	ledger_leave();
	cr_expect_eq(rmdir(folder), 0, "nothing is left");
	cr_expect_eq(mkdir(folder, 0700), 0);
}

/* Processes that see the same GPUs, and others; a process counts once. */
Test(ledger, views)
{
	static const uint64_t turned[] = {33, 11, 22}, others[] = {11, 22};
	uint32_t chosen = 7;
	cr_expect_eq(join(7), 0);
	pid_t child[2];
	for (int i = 0; i < 2; i++) {
		child[i] = fork();
		if (child[i] == 0) {
			ledger_join(i == 0 ? turned : others, i == 0 ? 3 : 2, choose, &chosen);
			_exit(ledger_count_same_view() * 2 + ledger_count_other_views() -
			      (i == 0 ? 2 : 1));
		}
		int status = 1;
		cr_expect_eq(waitpid(child[i], &status, 0), child[i]);
		cr_expect_eq(status, 0, "%d: %x", i, (unsigned)status);
	}
}

/* A row that is read by halves is no free one. */
Test(ledger, rows_that_are_being_written)
{
	cr_expect_eq(join(1), 0);
	const int file = ledger_file_open();
	const pid_t reader = fork();
	if (reader == 0) {
		int missing = 0;
		for (int i = 0; i < fewer_of(20000); i++) {
			join(2);
			missing += seen[0] != 1;
		}
		_exit(missing > 0);
	}
	int status = 0;
	struct ledger_row row;
	cr_expect_eq(pread(file, &row, sizeof row, 0), (ssize_t)sizeof row);
	while (waitpid(reader, &status, WNOHANG) == 0) {
		row.stamp_ns++;
		cr_assert_eq(ledger_file_write(file, 0, row), 0);
	}
	cr_expect_eq(status, 0);
	close(file);
}

/* A process may be stopped for long when it has written a half of its stamp. */
Test(ledger, stamps_written_by_halves)
{
	cr_expect_eq(join(1), 0);
	const int file = ledger_file_open();
	const unsigned char half[4] = {1, 2, 3, 4};
	cr_expect_eq(pwrite(file, half, sizeof half, offsetof(struct ledger_row, stamp_ns)),
	             (ssize_t)sizeof half);
	const pid_t other = fork();
	if (other == 0) {
		join(2);
		_exit(seen[0] != 1);
	}
	int status = 1;
	cr_expect_eq(waitpid(other, &status, 0), other);
	cr_expect_eq(status, 0);
	close(file);
}

/* What the tool does at the end of a run. */
Test(ledger, is_swept)
{
	const pid_t child = start(1);
	ledger_sweep();
	cr_expect_eq(count_rows(), 1, "a process lives");
	stop(child);
	ledger_sweep();
	cr_expect_eq(rmdir(folder), 0, "nothing is left");
	ledger_sweep();
	cr_expect_eq(mkdir(folder, 0700), 0);
}
