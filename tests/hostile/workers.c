/* workers.c - many processes that count and hold still, beside a program that needs /dev/shm */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile_work.h"

/*
 * usage: workers N: forks N processes, prints their numbers and "ready" once all have computed,
 * and reads stdin to its end; then it writes memory in /dev/shm and ends the processes: by _exit,
 * SIGTERM or SIGKILL, a third each.
 */
enum { WORKERS_MOST = 1000, WORKERS_BYTES = 3 << 20 };

static const char workers_file[] = "/dev/shm/neighbour";

/* Every second one closes all descriptors, and computes once more. */
static void run_worker(int number, int ready, int go)
{
	char letter = 0;
	int wrong = work_dgemm(20);
	if (number % 2 == 0 && write(ready, "r", 1) == 1) {
		for (int fd = 0; fd < 1024; fd++)
			if (fd != go)
				close(fd);
		wrong += work_dgemm(21);
	} else if (write(ready, "r", 1) != 1) {
		_exit(3);
	}
	if (read(go, &letter, 1) == 0)
		_exit(wrong);
	_exit(4);
}

/* A program that sets no memory aside first, as most do. */
static int run_neighbour(void)
{
	const int fd = open(workers_file, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, WORKERS_BYTES) != 0)
		return 5;
	char *memory = mmap(NULL, WORKERS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return 6;
	memset(memory, 1, WORKERS_BYTES);
	unlink(workers_file);
	return 0;
}

static int end_workers(const pid_t *pids, int count, int go)
{
	int bad = 0, status = 0;
	for (int i = 0; i < count; i++)
		if (i % 3 != 0)
			kill(pids[i], i % 3 == 1 ? SIGTERM : SIGKILL);
	close(go);
	for (int i = 0; i < count; i++) {
		waitpid(pids[i], &status, 0);
		bad += i % 3 == 0 ? !WIFEXITED(status) || WEXITSTATUS(status) != 0
		                  : !WIFSIGNALED(status);
	}
	return bad;
}

int main(int argc, char **argv)
{
	static pid_t pids[WORKERS_MOST];
	int ready[2], go[2], bad = 0;
	char letter = 0;
	const int count = argc == 2 ? atoi(argv[1]) : 0;
	if (count < 1 || count > WORKERS_MOST || pipe(ready) != 0 || pipe(go) != 0)
		return 2;
	work_dgemm(20);
	for (int i = 0; i < count; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			close(go[1]);
			run_worker(i, ready[1], go[0]);
		}
	}
	for (int i = 0; i < count; i++) {
		bad += read(ready[0], &letter, 1) != 1;
		printf("%d\n", (int)pids[i]);
	}
	puts("ready");
	fflush(stdout);
	while (read(0, &letter, 1) > 0)
		;
	bad += run_neighbour();
	bad += end_workers(pids, count, go[1]);
	printf("%d bad\n", bad);
	return bad;
}
