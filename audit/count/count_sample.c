/* count_sample.c - a timer for each thread, on its processor time; the handler notes the object */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_sample.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "audit/count/count_bind.h"
#include "audit/count/count_store.h"

/*
 * A signal that is ignored by default: one that arrives where the handler is gone does no harm. The
 * timers run on the processor time of their threads, and Linux since 5.10 has them expire on the
 * way back to the program: a system call that waits is not interrupted.
 */
enum {
	SAMPLE_SIGNAL = SIGURG,
	SAMPLE_INTERVAL_NS = 2000000, /* or the kernel's tick, which is longer on most systems */
	SAMPLE_THREADS = 256,
	SAMPLE_LIST_BYTES = 4096,
	SAMPLE_STACK_WORDS = 64,
	SAMPLE_TEXT_BYTES = 64,
	SAMPLE_CLOCK_THREAD = 6 /* the kernel's number for a thread's processor time */
};

/*
 * Of a thread at its last sample: the clock, and how often it has waited of its own accord; used_ns
 * is what it has run or been ready to run, as the kernel last said; counted_ns: what samples have
 * counted since.
 */
struct sample_state {
	uint64_t clock_ns, used_ns, counted_ns;
	long waits;
};

/* is_alive: seen in the last list. */
struct sample_thread {
	int thread, timer;
	struct sample_state last;
	bool is_alive;
};

static struct sample_thread sample_threads[SAMPLE_THREADS];
static bool sample_is_open;
static atomic_flag sample_busy = ATOMIC_FLAG_INIT;

/*
 * The time that a thread has run or been ready to run; 0 where the kernel does not say. No function
 * of libc that a signal handler may not call.
 */
static uint64_t count_sample_read_used(int thread)
{
	char path[SAMPLE_TEXT_BYTES] = "/proc/self/task/", text[SAMPLE_TEXT_BYTES], digits[12];
	uint64_t number[2] = {0, 0};
	size_t end = strlen(path), length = 0;
	for (; thread > 0; thread /= 10)
		digits[length++] = (char)('0' + thread % 10);
	while (length > 0)
		path[end++] = digits[--length];
	memcpy(path + end, "/schedstat", sizeof "/schedstat");
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
	if (fd >= 0)
		close(fd);
	int which = 0;
	for (ssize_t i = 0; i < got && which < 2; i++) {
		if (text[i] >= '0' && text[i] <= '9')
			number[which] = number[which] * 10 + (uint64_t)(text[i] - '0');
		else
			which++;
	}
	return which == 2 ? number[0] + number[1] : 0;
}

/*
 * The time that a sample stands for: in which the thread has run or, on a busy machine, been ready
 * to. While the thread has not waited, that is all time since its last sample.
 */
static uint64_t count_sample_weigh(struct sample_thread *thread, uint64_t now_ns)
{
	struct sample_state *last = &thread->last;
	struct rusage usage = {0};
	getrusage(RUSAGE_THREAD, &usage);
	uint64_t spent_ns = now_ns - last->clock_ns;
	last->clock_ns = now_ns;
	if (usage.ru_nvcsw == last->waits) {
		last->counted_ns += spent_ns;
		return spent_ns;
	}
	const uint64_t used_ns = count_sample_read_used(thread->thread);
	const uint64_t counted_ns = last->used_ns + last->counted_ns;
	last->waits = usage.ru_nvcsw;
	last->used_ns = used_ns > counted_ns ? used_ns : counted_ns;
	last->counted_ns = 0;
	if (used_ns == 0)
		return spent_ns < SAMPLE_INTERVAL_NS ? spent_ns : SAMPLE_INTERVAL_NS;
	return last->used_ns - counted_ns;
}

static void count_sample_add(struct count_samples *samples, uint64_t spent_ns, uint64_t now_ns)
{
	const uint64_t last_ns =
		atomic_exchange_explicit(&samples->last_ns, now_ns, memory_order_relaxed);
	const uint64_t gap_ns = now_ns > last_ns ? now_ns - last_ns : 0;
	atomic_fetch_add_explicit(&samples->thread_ns, spent_ns, memory_order_relaxed);
	atomic_fetch_add_explicit(&samples->wall_ns, spent_ns < gap_ns ? spent_ns : gap_ns,
	                          memory_order_relaxed);
}

/*
 * The object whose work a thread does. libc's memcpy and libm's sine are part of what the code that
 * called them does: that one is found by its return address, the next on the stack in another
 * object. The page of the stack's end is there in any case.
 */
static const struct count_party *count_sample_find(const ucontext_t *state)
{
	const greg_t *registers = state->uc_mcontext.gregs;
	const uintptr_t *stack = (const uintptr_t *)registers[REG_RSP];
	const struct count_party *party = count_audit_find_party((uintptr_t)registers[REG_RIP]);
	const size_t left =
		(COUNT_PAGE_BYTES - (uintptr_t)stack % COUNT_PAGE_BYTES) / sizeof *stack;
	if (party == NULL || !party->is_libc || (uintptr_t)stack % sizeof *stack != 0)
		return party;
	for (size_t i = 0; i < left && i < SAMPLE_STACK_WORDS; i++) {
		const struct count_party *caller = count_audit_find_party(stack[i]);
		if (caller != NULL && !caller->is_libc)
			return caller;
	}
	return party;
}

/* Runs in the program's threads, at any point of their code. */
static void count_sample_take(int signal, siginfo_t *info, void *context)
{
	const int number = info->si_value.sival_int, saved_errno = errno;
	(void)signal;
	if (info->si_code != SI_TIMER || number < 0 || number >= SAMPLE_THREADS)
		return;
	const struct count_party *party = count_sample_find(context);
	struct sample_thread *thread = &sample_threads[number];
	const uint64_t now_ns = (uint64_t)clock_monotonic_ns();
	const uint64_t spent_ns = count_sample_weigh(thread, now_ns);
	count_sample_add(party != NULL ? &count_store.objects[party->number].samples
	                               : &count_store.unplaced,
	                 spent_ns, now_ns);
	errno = saved_errno;
}

/* glibc before 2.34 has its timers in another library. */
static bool count_sample_start(struct sample_thread *thread)
{
	struct sigevent event;
	const struct itimerspec interval = {{0, SAMPLE_INTERVAL_NS}, {0, SAMPLE_INTERVAL_NS}};
	const clockid_t clock = (clockid_t)(~(unsigned)thread->thread << 3 | SAMPLE_CLOCK_THREAD);
	memset(&event, 0, sizeof event);
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = SAMPLE_SIGNAL;
	event.sigev_value.sival_int = (int)(thread - sample_threads);
	event._sigev_un._tid = thread->thread;
	if (syscall(SYS_timer_create, clock, &event, &thread->timer) != 0)
		return false;
	/* A new thread has not waited yet; of others the first sample finds that they have. */
	thread->last = (struct sample_state){(uint64_t)clock_monotonic_ns(),
	                                     count_sample_read_used(thread->thread), 0, 0};
	return syscall(SYS_timer_settime, thread->timer, 0, &interval, NULL) == 0;
}

static void count_sample_add_thread(int number)
{
	struct sample_thread *vacant = NULL;
	for (int i = 0; i < SAMPLE_THREADS; i++) {
		struct sample_thread *thread = &sample_threads[i];
		if (thread->thread == number) {
			thread->is_alive = true;
			return;
		}
		if (thread->thread == 0 && vacant == NULL)
			vacant = thread;
	}
	if (vacant == NULL)
		return;
	*vacant = (struct sample_thread){.thread = number, .is_alive = true};
	if (count_sample_start(vacant))
		return;
	/* ESRCH, EINVAL: the thread has ended since. */
	if (errno != ESRCH && errno != EINVAL)
		atomic_store_explicit(&count_store.no_samples, COUNT_TIMER_REFUSED,
		                      memory_order_relaxed);
	vacant->thread = 0;
}

/* Of a thread that has ended; of its timer the kernel knows no more than that. */
static void count_sample_forget_dead(void)
{
	for (int i = 0; i < SAMPLE_THREADS; i++) {
		struct sample_thread *thread = &sample_threads[i];
		if (thread->thread != 0 && !thread->is_alive) {
			syscall(SYS_timer_delete, thread->timer);
			thread->thread = 0;
		}
		thread->is_alive = false;
	}
}

/* A record of getdents64, which libc does not declare. */
struct sample_entry {
	uint64_t inode, offset;
	unsigned short size;
	unsigned char type;
	char name[];
};

static void count_sample_list(int fd)
{
	_Alignas(struct sample_entry) char list[SAMPLE_LIST_BYTES];
	long size;
	while ((size = syscall(SYS_getdents64, fd, list, sizeof list)) > 0)
		for (long at = 0; at < size;) {
			const struct sample_entry *entry = (const struct sample_entry *)(list + at);
			const int number = atoi(entry->name);
			if (number > 0)
				count_sample_add_thread(number);
			at += entry->size;
		}
	if (size == 0)
		count_sample_forget_dead();
}

void count_sample_adopt(void)
{
	const int saved_errno = errno;
	if (!sample_is_open || atomic_flag_test_and_set(&sample_busy))
		return;
	const int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		count_sample_list(fd);
		close(fd);
	}
	atomic_flag_clear(&sample_busy);
	errno = saved_errno;
}

void count_sample_open(void)
{
	const struct sigaction action = {.sa_sigaction = count_sample_take,
	                                 .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
	struct sigaction before;
	if (sample_is_open)
		return;
	if (sigaction(SAMPLE_SIGNAL, NULL, &before) != 0 || before.sa_handler != SIG_DFL ||
	    sigaction(SAMPLE_SIGNAL, &action, NULL) != 0) {
		atomic_store_explicit(&count_store.no_samples, COUNT_SIGNAL_TAKEN,
		                      memory_order_relaxed);
		return;
	}
	sample_is_open = true;
	count_sample_adopt();
}

bool count_sample_yields(int signal, bool is_set)
{
	if (signal != SAMPLE_SIGNAL || !sample_is_open)
		return false;
	if (!is_set)
		return true;
	const struct sigaction usual = {.sa_handler = SIG_DFL};
	sample_is_open = false;
	while (atomic_flag_test_and_set(&sample_busy))
		sched_yield();
	for (int i = 0; i < SAMPLE_THREADS; i++)
		sample_threads[i].is_alive = false;
	count_sample_forget_dead();
	atomic_flag_clear(&sample_busy);
	sigaction(SAMPLE_SIGNAL, &usual, NULL);
	atomic_store_explicit(&count_store.no_samples, COUNT_SIGNAL_TAKEN, memory_order_relaxed);
	return true;
}

void count_sample_reopen(void)
{
	memset(sample_threads, 0, sizeof sample_threads);
	atomic_flag_clear(&sample_busy);
	count_sample_adopt();
}
