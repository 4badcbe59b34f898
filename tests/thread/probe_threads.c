/* probe_threads.c - copies of memory that the program's handler manages, with eight copy threads */
/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/copy/pack_probe.h"

enum { JOBS = 32, PAGES = 4, ROUNDS = 8 };

static int passed, failed;
static size_t page_bytes;
static pid_t caller;
static atomic_int faults, foreign;

static void check(const char *what, bool holds)
{
	*(holds ? &passed : &failed) += 1;
	if (!holds)
		printf("failed: %s\n", what);
}

static void handle(int number, siginfo_t *information, void *context)
{
	(void)number, (void)context;
	char *at = information->si_addr;
	atomic_fetch_add(&faults, 1);
	if ((pid_t)syscall(SYS_gettid) != caller)
		atomic_fetch_add(&foreign, 1);
	mprotect(at - (size_t)at % page_bytes, page_bytes, PROT_READ | PROT_WRITE);
}

static void handle_faults(void)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, &action, NULL);
}

static void await(const struct copy_job *job)
{
	while (!atomic_load_explicit(&job->done, memory_order_acquire))
		copiers_help();
}

/* Every second job's last page is protected: it is refused, and the caller copies it. */
static void run_round(enum copy_kind kind, int protection)
{
	const size_t area_bytes = PAGES * page_bytes;
	static struct copy_job jobs[JOBS];
	struct copy_bell bell = {.probes = true};
	char *memory = mmap(NULL, JOBS * area_bytes, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *staging = malloc(JOBS * area_bytes);
	if (memory == MAP_FAILED || staging == NULL)
		exit(1);
	memset(memory, kind == COPY_GATHER ? 3 : 1, JOBS * area_bytes);
	memset(staging, kind == COPY_GATHER ? 1 : 3, JOBS * area_bytes);
	for (size_t i = 0; i < JOBS; i++) {
		char *area = memory + i * area_bytes;
		if (i % 2 == 1)
			mprotect(area + area_bytes - page_bytes, page_bytes, protection);
		jobs[i] = (struct copy_job){.kind = kind,
		                            .area = {area, area_bytes, 1, area_bytes},
		                            .staging = staging + i * area_bytes,
		                            .bell = &bell};
		copiers_submit(&jobs[i]);
	}
	for (size_t i = 0; i < JOBS; i++)
		await(&jobs[i]);
	check("no fault yet", atomic_load(&faults) == 0);
	for (size_t i = 0; i < JOBS; i++) {
		check("refused where a page is protected", jobs[i].refused == (i % 2 == 1));
		if (jobs[i].refused)
			copiers_copy(&jobs[i]);
	}
	check("one fault for each", atomic_exchange(&faults, 0) == JOBS / 2);
	check("all of them here", atomic_load(&foreign) == 0);
	check("all was copied", memcmp(memory, staging, JOBS * area_bytes) == 0 && memory[0] == 3);
	munmap(memory, JOBS * area_bytes);
	free(staging);
}

/* A thread without the owner's rights by protection keys copies nothing. */
static void check_rights(void)
{
	char from[64] = "of another key", to[64] = "";
	const uint32_t own = processor_read_rights();
	for (uint32_t other = 0; other <= 1; other++) {
		struct copy_bell bell = {.compares = true, .rights = own ^ other};
		struct copy_job job = {.kind = COPY_GATHER,
		                       .area = {from, sizeof from, 1, sizeof from},
		                       .staging = to,
		                       .bell = &bell};
		copiers_submit(&job);
		await(&job);
		check("refused by other rights", job.refused == (other == 1));
		check("noted", atomic_load(&bell.refused) == (other == 1));
		check("copied by equal ones", (memcmp(from, to, sizeof from) == 0) == (other == 0));
		memset(to, 0, sizeof to);
	}
}

int main(void)
{
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	caller = (pid_t)syscall(SYS_gettid);
	signal(SIGSEGV, SIG_DFL);
	signal(SIGBUS, SIG_IGN);
	check("no handler", !pack_probe_is_needed());
	handle_faults();
	check("a handler", pack_probe_is_needed());
	if (!pack_probe_is_able()) {
		puts("probe: skipped, for want of MADV_POPULATE_READ (Linux 5.14)");
		return failed != 0;
	}
	copiers_set_count(8);
	check_rights();
	for (int round = 0; round < ROUNDS; round++) {
		run_round(COPY_GATHER, PROT_NONE);
		run_round(COPY_SCATTER, round % 2 == 0 ? PROT_NONE : PROT_READ);
	}
	printf("probe: %d checks held, %d failed\n", passed, failed);
	return failed != 0;
}
