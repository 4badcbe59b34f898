/* lives.c - programs with memory, handlers and ends of their own: lives WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kept.h"

enum { PAGE = 4096, LARGE = 2 << 20, MAPPINGS = 6000, THREADS = 4, JUMPS = 40 };
enum { FIRST_USE = 2 };

static struct kept kept;
static const char *program;

static int begin_and_go_on(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

/* -- memory -- */

static int lock_all(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_settle(&kept);
	mlockall(MCL_CURRENT | MCL_FUTURE); /* where the limit allows it */
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

/* Mappings of one page beside the operand, in the mapping that was registered. */
static int map_many(void)
{
	char *memory = kept_map(KEPT_BYTES + (size_t)MAPPINGS * PAGE);
	kept_begin(&kept, kept.way, memory);
	kept_settle(&kept);
	char *rest = memory + (KEPT_BYTES + PAGE - 1) / PAGE * PAGE;
	for (int i = 0; i + 1 < MAPPINGS; i += 2)
		mprotect(rest + (size_t)i * PAGE, PAGE, PROT_READ);
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

static int grow(void)
{
	kept_begin(&kept, kept.way, malloc(KEPT_BYTES));
	for (size_t i = 1; i <= KEPT_CHANGES; i++) {
		kept_go_on(&kept);
		kept.a = realloc(kept.a, (i + 1) * KEPT_BYTES);
		if (kept.a == NULL)
			return 1;
	}
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

static int on_stack(void)
{
	double memory[KEPT_COUNT];
	kept_begin(&kept, kept.way, memory);
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

static int in_data(void)
{
	static double memory[KEPT_COUNT];
	kept_begin(&kept, kept.way, memory);
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

/* Never written since it was given back: zeros without a page. */
static int untouched(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_settle(&kept);
	madvise(kept.a, KEPT_BYTES, MADV_DONTNEED);
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

/* The child has the pages too, so that a store copies them. */
static int share_with_child(void)
{
	int open_end[2];
	char *memory = kept_map(2 * (size_t)LARGE), byte;
	memory += (LARGE - (uintptr_t)memory % LARGE) % LARGE;
	madvise(memory, LARGE, MADV_HUGEPAGE);
	kept_begin(&kept, kept.way, memory);
	kept_settle(&kept);
	if (pipe(open_end) != 0)
		return 1;
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		close(open_end[1]);
		kept_change(&kept, 7);
		kept_call(&kept);
		_exit(read(open_end[0], &byte, 1) != 0 || kept.wrong > 0);
	}
	kept_go_on(&kept);
	close(open_end[1]);
	int status;
	waitpid(child, &status, 0);
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES) + (status != 0);
}

/* -- handlers -- */

static sigjmp_buf away;
static volatile sig_atomic_t inside;
static struct kept other;

static void on_alarm(int number)
{
	(void)number;
	static unsigned count;
	if (inside == 1)
		other.a[count++ * 257 % KEPT_COUNT] += 1;
	if (inside == 2)
		siglongjmp(away, 1);
}

static void tick(int microseconds)
{
	const struct itimerval every = {{0, microseconds}, {0, microseconds}};
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &every, NULL);
}

/* The handler writes an operand while a call of others is under way. */
static int write_during(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_begin(&other, kept.way, NULL);
	kept_settle(&other);
	tick(300);
	for (int i = 0; i < 12; i++) {
		inside = 1;
		kept_settle(&kept);
		inside = 0;
		kept_call(&other);
		kept_change(&kept, (unsigned)i);
	}
	kept.wrong += other.wrong;
	return kept_end(&kept, 1);
}

/* What the call leaves in C is unknown; A and B are as they were. */
static int leave_calls(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_settle(&kept);
	const int wrong = kept.wrong;
	tick(400);
	for (volatile int i = 0; i < JUMPS; i++) {
		if (sigsetjmp(away, 1) == 0) {
			inside = 2;
			kept_settle(&kept);
		}
		inside = 0;
		kept.wrong = wrong;
		kept_change(&kept, (unsigned)i);
		kept_call(&kept);
		if (kept.wrong > wrong)
			break;
	}
	tick(0);
	kept.calls = 0; /* as many as the timer let */
	return kept_end(&kept, 1);
}

static char *guarded;
static size_t guarded_bytes;

static void on_fault(int number, siginfo_t *information, void *context)
{
	(void)number, (void)context;
	char *page = (char *)((uintptr_t)information->si_addr & ~(uintptr_t)(PAGE - 1));
	if (page < guarded || page >= guarded + guarded_bytes)
		_exit(3);
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

static void guard(void *memory, int protection)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, &action, NULL);
	guarded = memory;
	guarded_bytes = (KEPT_BYTES + PAGE - 1) / PAGE * PAGE;
	mprotect(guarded, guarded_bytes, protection);
}

/* Stores are noted by a handler. */
static int note_stores(void)
{
	kept_begin(&kept, kept.way, NULL);
	for (int i = 0; i < KEPT_CHANGES; i++) {
		kept_settle(&kept);
		guard(kept.a, PROT_READ);
		kept_go_on(&kept);
	}
	return kept_end(&kept, KEPT_CHANGES);
}

/* So are those of the call to its result. */
static int note_results(void)
{
	kept_begin(&kept, kept.way, NULL);
	for (int i = 0; i < KEPT_CHANGES; i++) {
		guard(kept.c, PROT_READ);
		kept_go_on(&kept);
	}
	return kept_end(&kept, KEPT_CHANGES);
}

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

/* Calls too small to be tracked themselves write into A, which is. */
static int write_by_small_calls(void)
{
	enum { SMALL = 16 };
	static double factor[SMALL * SMALL], other[SMALL * SMALL];
	const int n = SMALL, ld = KEPT_ORDER;
	const double one = 1, zero = 0;
	kept_begin(&kept, kept.way, NULL);
	for (unsigned seed = 0; seed < 3 * KEPT_CHANGES; seed++) {
		kept_settle(&kept);
		kept_fill(factor, SMALL * SMALL, seed);
		kept_fill(other, SMALL * SMALL, seed + 1);
		double *block = kept.a + (7 * seed % (KEPT_ORDER - SMALL)) * (KEPT_ORDER + 1);
		dgemm_("N", "N", &n, &n, &n, &one, factor, &n, other, &n, &zero, block, &ld);
		kept_call(&kept);
	}
	return kept_end(&kept, KEPT_CHANGES);
}

/* As where a collector moves what it finds: pages are read by a handler's leave too. */
static int page_in(void)
{
	kept_begin(&kept, kept.way, NULL);
	for (int i = 0; i < KEPT_CHANGES; i++) {
		kept_settle(&kept);
		guard(kept.a, PROT_NONE);
		kept_go_on(&kept);
	}
	return kept_end(&kept, KEPT_CHANGES);
}

/* -- threads -- */

static pthread_barrier_t all;
static atomic_int failures;

static void *work(void *unused)
{
	struct kept own = kept;
	own.c = kept_map(KEPT_BYTES);
	for (unsigned i = 0; i < KEPT_CHANGES; i++) {
		kept_settle(&own);
		if (pthread_barrier_wait(&all) == PTHREAD_BARRIER_SERIAL_THREAD)
			kept_change(&kept, i);
		pthread_barrier_wait(&all);
	}
	kept_settle(&own);
	atomic_fetch_add(&failures, own.wrong);
	return unused;
}

static int work_together(void)
{
	pthread_t thread[THREADS];
	kept_begin(&kept, kept.way, NULL);
	pthread_barrier_init(&all, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work, NULL) != 0)
			abort();
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	kept_settle(&kept);
	kept.wrong += atomic_load(&failures);
	return kept_end(&kept, 0);
}

/* -- ends -- */

static int replace_program(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_go_on(&kept);
	if (kept_end(&kept, KEPT_CHANGES) != 0)
		return 1;
	execl(program, program, "plain", (char *)NULL);
	return 1;
}

static void *end_program(void *unused)
{
	exit(kept_end(&kept, KEPT_CHANGES));
	return unused;
}

static int end_in_thread(void)
{
	pthread_t thread;
	kept_begin(&kept, kept.way, NULL);
	kept_go_on(&kept);
	if (pthread_create(&thread, NULL, end_program, NULL) == 0)
		pthread_join(thread, NULL);
	return 1;
}

static int end_at_once(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_go_on(&kept);
	_exit(kept_end(&kept, KEPT_CHANGES));
}

static const struct {
	const char *name;
	int (*live)(void);
} ways[] = {
	{"plain", begin_and_go_on},
	{"locked", lock_all},
	{"many-mappings", map_many},
	{"grown", grow},
	{"stack", on_stack},
	{"data", in_data},
	{"untouched", untouched},
	{"shared-with-child", share_with_child},
	{"written-during", write_during},
	{"left", leave_calls},
	{"noted-stores", note_stores},
	{"noted-results", note_results},
	{"small-calls", write_by_small_calls},
	{"paged-in", page_in},
	{"threads", work_together},
	{"exec", replace_program},
	{"end-in-thread", end_in_thread},
	{"end-at-once", end_at_once},
};

int main(int count, char **word)
{
	program = word[0];
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (count > 1 && strcmp(word[1], ways[i].name) == 0) {
			kept.way = ways[i].name;
			return ways[i].live();
		}
	return FIRST_USE;
}
