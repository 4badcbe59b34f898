/* foreign.c - operands that change by other hands than the caller's: foreign WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../resident/chance.h"
#include "../resident/writers.h"
#include "exact.h"
#include "kept.h"

enum { ROUNDS = 6, PAGE = 4096, LARGE = 2 << 20, REFUSED = 77, STACK = 1 << 16 };

static double *operand, *second;
static unsigned round_now;

/* A number in the middle of a page of the operand's own, another one in each round. */
static double *target(void)
{
	return operand + (size_t)(3 + round_now) * PAGE / sizeof(double) + 17;
}

static double fresh(void)
{
	return 100 + (double)round_now;
}

/* -- signals and threads -- */

static void store(int number)
{
	(void)number;
	*target() = fresh();
}

static void write_in_handler(void)
{
	signal(SIGUSR1, store);
	raise(SIGUSR1);
}

static void *write_in_thread(void *unused)
{
	store(0);
	return unused;
}

static void write_by_thread(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, write_in_thread, NULL) != 0)
		abort();
	pthread_join(thread, NULL);
}

/* -- children -- */

static void run_child(int (*act)(void))
{
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0)
		_exit(act());
	int status = 0;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		printf("the system does not let a child do that\n");
		exit(REFUSED);
	}
}

static int child_stores(void)
{
	store(0);
	return 0;
}

static int child_writes_memory_file(void)
{
	char name[64];
	const double value = fresh();
	snprintf(name, sizeof name, "/proc/%d/mem", (int)getppid());
	const int file = open(name, O_RDWR | O_CLOEXEC);
	return file < 0 || pwrite(file, &value, sizeof value, (off_t)(uintptr_t)target()) < 0;
}

static int child_writes_process(void)
{
	double value = fresh();
	const struct iovec from = {&value, sizeof value}, to = {target(), sizeof value};
	return process_vm_writev(getppid(), &from, 1, &to, 1, 0) != (ssize_t)sizeof value;
}

static int child_pokes(void)
{
	const double value = fresh();
	const pid_t parent = getppid();
	long word;
	memcpy(&word, &value, sizeof word);
	if (ptrace(PTRACE_ATTACH, parent, NULL, NULL) != 0)
		return 1;
	while (waitpid(parent, NULL, __WALL) < 0 && errno == EINTR)
		continue;
	const int bad = ptrace(PTRACE_POKEDATA, parent, target(), word) != 0;
	ptrace(PTRACE_DETACH, parent, NULL, NULL);
	return bad;
}

static void write_by_sharing_child(void)
{
	run_child(child_stores);
}

static void write_by_memory_file_of_parent(void)
{
	run_child(child_writes_memory_file);
}

static void write_by_process(void)
{
	run_child(child_writes_process);
}

static void write_by_debugger(void)
{
	run_child(child_pokes);
}

static void write_by_vfork(void)
{
	const pid_t child = vfork();
	if (child == 0) {
		*target() = fresh();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static int clone_stores(void *unused)
{
	(void)unused;
	store(0);
	return 0;
}

static void write_by_clone(void)
{
	static char stack[STACK] __attribute__((aligned(16)));
	const pid_t child = clone(clone_stores, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
	waitpid(child, NULL, 0);
}

/* -- system calls and mappings -- */

static void write_by_second_mapping(void)
{
	second[target() - operand] = fresh();
}

static void write_by_own_memory_file(void)
{
	const double value = fresh();
	writers_store((char *)target(), &value, sizeof value);
}

static void write_by_registered_buffer(void)
{
	writers_read_pinned((char *)operand + (round_now + 1) * (size_t)PAGE, PAGE);
}

/* Registered for the time of the read only: nothing is pinned at the calls. */
static void write_by_brief_registration(void)
{
	if (!writers_pin((char *)operand, KEPT_BYTES))
		exit(REFUSED);
	write_by_registered_buffer();
	writers_unpin();
}

static void write_by_moved_pages(void)
{
	char *page = kept_map(PAGE), *place = (char *)operand + (round_now + 1) * (size_t)PAGE;
	kept_fill((double *)(void *)page, PAGE / sizeof(double), 30 + round_now);
	if (mremap(page, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, place) == MAP_FAILED)
		abort();
}

static void write_by_new_mapping(void)
{
	char *place = (char *)operand + (round_now + 1) * (size_t)PAGE;
	if (mmap(place, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
	         -1, 0) == MAP_FAILED)
		abort();
}

/* As jemalloc and Julia give memory back: it reads as zeros, and no one has written it. */
static void purge(int advice)
{
	char *place = (char *)operand + round_now * (KEPT_BYTES / ROUNDS / PAGE * PAGE);
	madvise(place, KEPT_BYTES / ROUNDS / PAGE * PAGE, advice);
}

static void purge_at_once(void)
{
	purge(MADV_DONTNEED);
}

static void purge_later(void)
{
	purge(MADV_FREE);
	purge(MADV_PAGEOUT);
}

/* The operand lies in a large page, whose last page table entry goes as well. */
static void purge_large(void)
{
	if (round_now % 2 == 0)
		madvise(operand, LARGE, MADV_DONTNEED);
	else
		kept_fill(operand, KEPT_COUNT, round_now);
}

static void free_and_clear(void)
{
	free(operand);
	operand = calloc(KEPT_COUNT, sizeof *operand);
	if (operand == NULL)
		abort();
	if (round_now % 2 == 1)
		kept_fill(operand, KEPT_COUNT, round_now);
}

/* -- what a mapping goes through, each at its own page -- */

static char *page_of_round(void)
{
	return (char *)operand + (round_now + 1) * (size_t)PAGE;
}

/* The pages go elsewhere, their place stays and reads as zeros. */
static void leave_mapping_behind(void)
{
#ifdef MREMAP_DONTUNMAP
	if (mremap(page_of_round(), PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL) ==
	    MAP_FAILED)
		purge_at_once();
#else
	purge_at_once();
#endif
}

/* Out by vmsplice, from pipe to pipe by tee and splice, and read to another page. */
static void write_by_pipes(void)
{
	int first[2], other[2];
	struct iovec from = {page_of_round(), PAGE};
	if (pipe2(first, O_CLOEXEC) != 0 || pipe2(other, O_CLOEXEC) != 0 ||
	    vmsplice(first[1], &from, 1, 0) != PAGE || tee(first[0], other[1], PAGE, 0) != PAGE)
		abort();
	struct iovec to = {page_of_round() + PAGE, PAGE};
	*target() = fresh();
	if (vmsplice(other[0], &to, 1, 0) != PAGE)
		abort();
	for (int i = 0; i < 2; i++)
		close(first[i]), close(other[i]);
}

static void populate_anew(void)
{
	madvise(page_of_round(), PAGE, MADV_DONTNEED);
#ifdef MADV_POPULATE_WRITE
	madvise(page_of_round(), PAGE, MADV_POPULATE_WRITE);
#endif
}

/* Pages that the kernel may merge, and that a child would not have, in a key of their own. */
static void store_with_advice(void)
{
	const int key = pkey_alloc(0, 0);
	madvise(page_of_round(), PAGE, MADV_MERGEABLE);
	madvise(page_of_round() + PAGE, PAGE, MADV_DONTFORK);
	madvise(page_of_round() + 2 * PAGE, PAGE, MADV_WIPEONFORK);
	if (key >= 0)
		pkey_mprotect(page_of_round(), PAGE, PROT_READ | PROT_WRITE, key);
	*target() = fresh();
}

/* The program clears the kernel's own marks of written pages. */
static void store_with_marks_cleared(void)
{
	const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
	*target() = fresh();
	if (file >= 0 && write(file, "4", 1) == 1)
		target()[1] = fresh();
	if (file >= 0)
		close(file);
}

static void store_locked(void)
{
	if (mlock(page_of_round(), PAGE) == 0)
		munlock(page_of_round(), PAGE);
	*target() = fresh();
}

static void go_through_all(void)
{
	static void (*const change[ROUNDS])(void) = {
		leave_mapping_behind, write_by_pipes,           populate_anew,
		store_with_advice,    store_with_marks_cleared, store_locked};
	change[round_now]();
}

/* -- the operand's memory -- */

static void *share_memory(void)
{
	void *memory =
		mmap(NULL, KEPT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		abort();
	return memory;
}

static void *map_twice(void)
{
	const int file = memfd_create("operand", MFD_CLOEXEC);
	if (file < 0 || ftruncate(file, (off_t)KEPT_BYTES) != 0)
		abort();
	void *memory = mmap(NULL, KEPT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	second = mmap(NULL, KEPT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (memory == MAP_FAILED || second == MAP_FAILED)
		abort();
	return memory;
}

static void *map_large(void)
{
	char *memory = kept_map(2 * (size_t)LARGE);
	memory += (LARGE - (uintptr_t)memory % LARGE) % LARGE;
	madvise(memory, LARGE, MADV_HUGEPAGE);
	return memory;
}

static void *take_heap(void)
{
	return malloc(KEPT_BYTES);
}

/* A buffer of io_uring from the begin to the end of the program. */
static void *register_memory(void)
{
	char *memory = kept_map(KEPT_BYTES);
	if (!writers_pin(memory, KEPT_BYTES))
		exit(REFUSED);
	return memory;
}

static const struct {
	const char *name;
	void *(*take)(void);
	void (*change)(void);
} ways[] = {
	{"handler", NULL, write_in_handler},
	{"thread", NULL, write_by_thread},
	{"shared-child", share_memory, write_by_sharing_child},
	{"memory-file-child", NULL, write_by_memory_file_of_parent},
	{"process-child", NULL, write_by_process},
	{"debugger", NULL, write_by_debugger},
	{"vfork", NULL, write_by_vfork},
	{"clone", NULL, write_by_clone},
	{"second-mapping", map_twice, write_by_second_mapping},
	{"own-memory-file", NULL, write_by_own_memory_file},
	{"registered", register_memory, write_by_registered_buffer},
	{"registered-briefly", NULL, write_by_brief_registration},
	{"moved", NULL, write_by_moved_pages},
	{"mapped-anew", NULL, write_by_new_mapping},
	{"purged", NULL, purge_at_once},
	{"purged-later", NULL, purge_later},
	{"purged-large", map_large, purge_large},
	{"freed", take_heap, free_and_clear},
	{"mappings", NULL, go_through_all},
};

static int run(size_t way)
{
	struct kept kept;
	if (!writers_open())
		return REFUSED;
	kept_begin(&kept, ways[way].name, ways[way].take != NULL ? ways[way].take() : NULL);
	operand = kept.a;
	for (round_now = 0; round_now < ROUNDS; round_now++) {
		kept_settle(&kept);
		ways[way].change();
		kept.a = operand;
		kept_call(&kept);
	}
	return kept_end(&kept, ROUNDS - 1);
}

int main(int count, char **word)
{
	/* Yama lets a child attach only so. */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
	chance_grain = sizeof(double);
	chance_filler = exact_fill_doubles;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (count > 1 && strcmp(word[1], ways[i].name) == 0)
			return run(i);
	return 2;
}
