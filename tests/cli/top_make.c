/* top_make.c - makes files of counters as programs would, for the tests of `gpushim top` */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/top/top_file.h"

enum { MAKE_PAGE = 4096 };

static struct counters_file file;

static void top_make_die(const char *what)
{
	perror(what);
	exit(1);
}

/* Pages of zeros remain holes, so that a thousand files take little disk space. */
static void top_make_write(const char *path)
{
	static const char none[MAKE_PAGE];
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, sizeof file) != 0)
		top_make_die(path);
	for (size_t at = 0; at < sizeof file; at += MAKE_PAGE) {
		const size_t length = sizeof file - at < MAKE_PAGE ? sizeof file - at : MAKE_PAGE;
		const char *page = (const char *)&file + at;
		if (memcmp(page, none, length) != 0 &&
		    pwrite(fd, page, length, (off_t)at) != (ssize_t)length)
			top_make_die(path);
	}
	close(fd);
}

/* Stored in one step: a reader sees all of a change or nothing. */
static void top_make_store(const char *folder)
{
	char path[4096], fresh[4096];
	snprintf(path, sizeof path, "%s/gpushim-%lld-%lld.counters", folder, (long long)file.pid,
	         (long long)file.start_realtime_ns);
	snprintf(fresh, sizeof fresh, "%s/fresh-%lld", folder, (long long)file.pid);
	top_make_write(fresh);
	if (rename(fresh, path) != 0)
		top_make_die(path);
}

/* Adds to the existing counts. */
static void top_make_load(const char *folder, long long pid, long long start_ns,
                          const char *program)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/gpushim-%lld-%lld.counters", folder, pid, start_ns);
	FILE *before = fopen(path, "r");
	top_file_start(&file, pid, start_ns, program);
	if (before != NULL) {
		if (fread((void *)&file, sizeof file, 1, before) != 1)
			top_make_die(path);
		fclose(before);
	}
}

static void top_make_count(enum reason reason, uint64_t calls, uint64_t size_bytes,
                           uint64_t elapsed_ns)
{
	const uint64_t key = counters_name_row(SYMBOL_dgemm_, reason);
	size_t attempt = 0, place = counters_probe(key, attempt);
	while (file.decided[place].key != 0 && file.decided[place].key != key)
		place = counters_probe(key, ++attempt);
	file.decided[place].key = key;
	file.decided[place].cell.calls += calls;
	file.decided[place].cell.size_bytes += size_bytes;
	file.decided[place].cell.elapsed_ns += elapsed_ns;
}

static unsigned long long top_make_number(const char *word)
{
	return word != NULL ? strtoull(word, NULL, 10) : 0;
}

/*
 * Counts by the words of a command:
 * forwarded N; gpu CALLS BYTES NS; slower CALLS BYTES; traffic SENT KEPT; memory NOW PEAK;
 * version N; end; clear
 */
static void top_make_change(char **words)
{
	for (; words[0] != NULL; words++) {
		if (strcmp(words[0], "forwarded") == 0) {
			file.forwarded[3][SYMBOL_dgemm_] += top_make_number(*++words);
			file.forwarded[3][SYMBOL_fftw_plan_dft_1d] +=
				1000000; /* a plan does not count as a call */
		} else if (strcmp(words[0], "gpu") == 0) {
			top_make_count(REASON_PREDICTED_FASTER, top_make_number(words[1]),
			               top_make_number(words[2]), top_make_number(words[3]));
			words += 3;
		} else if (strcmp(words[0], "slower") == 0) {
			top_make_count(REASON_PREDICTED_SLOWER, top_make_number(words[1]),
			               top_make_number(words[2]), 0);
			words += 2;
		} else if (strcmp(words[0], "traffic") == 0) {
			file.traffic.sent_bytes += top_make_number(words[1]);
			file.traffic.kept_bytes += top_make_number(words[2]);
			words += 2;
		} else if (strcmp(words[0], "memory") == 0) {
			file.device_bytes = (int64_t)top_make_number(words[1]);
			file.device_bytes_peak = (int64_t)top_make_number(words[2]);
			words += 2;
		} else if (strcmp(words[0], "version") == 0) {
			file.version = (uint32_t)top_make_number(*++words);
		} else if (strcmp(words[0], "clear") == 0) {
			top_file_start(&file, file.pid, file.start_realtime_ns, "cleared");
		} else if (strcmp(words[0], "end") == 0) {
			file.end_realtime_ns = file.start_realtime_ns + 1;
		} else {
			top_make_die(words[0]);
		}
	}
}

/* Makes processes that do nothing, each with its file, until the input ends. */
static int top_make_crowd(const char *folder, unsigned long long count)
{
	struct timespec now;
	char letter;
	for (unsigned long long i = 0; i < count; i++) {
		const pid_t child = fork();
		if (child < 0)
			top_make_die("fork");
		if (child == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			pause();
			_exit(0);
		}
		clock_gettime(CLOCK_REALTIME, &now);
		top_file_start(&file, child, (long long)now.tv_sec * 1000000000 + now.tv_nsec,
		               "/opt/bin/crowd");
		top_make_store(folder);
	}
	printf("ready\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &letter, 1) > 0)
		;
	return 0;
}

/* Maps a file of its own until the input ends. */
static int top_make_map(const char *folder, long long start_ns)
{
	char path[4096], letter;
	top_file_start(&file, getpid(), start_ns, "/opt/bin/mapped");
	top_make_store(folder);
	snprintf(path, sizeof path, "%s/gpushim-%d-%lld.counters", folder, (int)getpid(), start_ns);
	const int fd = open(path, O_RDWR);
	if (fd < 0 || mmap(NULL, sizeof file, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
		top_make_die(path);
	printf("ready\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &letter, 1) > 0)
		;
	return 0;
}

/* Executes a program that is killed as it maps shared memory which it has made. */
static int top_make_killed(char **words)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_shmat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
	const struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return 77;
	execv(words[0], words);
	return 99;
}

int main(int count, char **words)
{
	if (count > 2 && strcmp(words[1], "killed") == 0)
		return top_make_killed(words + 2);
	if (count == 4 && strcmp(words[1], "map") == 0)
		return top_make_map(words[2], (long long)top_make_number(words[3]));
	if (count == 4 && strcmp(words[1], "crowd") == 0)
		return top_make_crowd(words[2], top_make_number(words[3]));
	if (count < 5)
		return 99;
	top_make_load(words[1], (long long)top_make_number(words[2]),
	              (long long)top_make_number(words[3]), words[4]);
	top_make_change(words + 5);
	top_make_store(words[1]);
	return 0;
}
