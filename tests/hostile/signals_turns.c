/* signals_turns.c - handlers leave a batch of transforms in the CPU's part; jump|exit|cancel */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <fftw3.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "interrupted.h"

/* The CPU's part begins before LATER, ends with the last transform, and is computed from there. */
enum { N = 8192, COUNT = 128, LATER = 96, FEW = 40, ROUNDS = 10, TICK_US = 200 };

/* Transform j is that of (j + 1) e^(2 pi i k / n) at k = 1, whose result is known. */
struct batch {
	int count;
	fftw_complex *in, *out;
	fftw_plan plan;
};

static fftw_complex turn[N], kept[COUNT * N];
static struct batch batch, other;
static const char *way = "jump";
static bool shared; /* whether the CPU has a part */
static sigjmp_buf back;
static atomic_bool may_leave;
static atomic_int seen, wrong;

static struct batch make(int count)
{
	const int n = N;
	struct batch made = {.count = count};
	made.in = fftw_alloc_complex((size_t)count * N);
	made.out = fftw_alloc_complex((size_t)count * N);
	if (made.in == NULL || made.out == NULL)
		exit(3);
	made.plan = fftw_plan_many_dft(1, &n, count, made.in, NULL, 1, n, made.out, NULL, 1, n,
	                               FFTW_FORWARD, FFTW_ESTIMATE);
	memset(made.in, 0, sizeof(fftw_complex) * (size_t)count * N);
	for (int j = 0; j < count; j++)
		made.in[(size_t)j * N + 1][0] = j + 1;
	return made;
}

static void execute(const struct batch *b)
{
	memset(b->out, 0, sizeof(fftw_complex) * (size_t)b->count * N);
	fftw_execute(b->plan);
	bool right = true;
	for (int j = 0; j < b->count; j++)
		for (int i = 0; i < N; i++) {
			const fftw_complex *x = &b->out[(size_t)j * N + (size_t)i];
			right = right && fabs((*x)[0] - (j + 1) * turn[i][0]) < 1e-9 &&
			        fabs((*x)[1] - (j + 1) * turn[i][1]) < 1e-9;
		}
	if (!right)
		printf("a wrong result\n");
	wrong += !right;
}

/* -- the middle of the CPU's part -- */

static volatile double *first_of(int transform)
{
	return &batch.out[(size_t)transform * N][0];
}

static void execute_for_ever(void)
{
	for (;;) {
		*first_of(COUNT - 1) = *first_of(LATER) = 0;
		fftw_execute(batch.plan);
	}
}

static bool is_middle(void)
{
	return *first_of(COUNT - 1) != 0 && *first_of(LATER) == 0;
}

/* Without a part of the CPU any place will do. */
static void tick(int number)
{
	const bool middle = is_middle();
	seen += middle;
	if ((!middle && shared) || !atomic_exchange(&may_leave, false))
		return;
	switch (way[0]) {
	case 'j': siglongjmp(back, number);
	case 'e': pthread_exit(NULL);
	default: pthread_cancel(pthread_self());
	}
}

static void set_ticks(int us)
{
	const struct itimerval timer = {{0, us}, {0, us}};
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* -- ways to leave it -- */

static void leave_by_jump(void)
{
	if (sigsetjmp(back, 1) == 0) {
		may_leave = true;
		set_ticks(TICK_US);
		execute_for_ever();
	}
	set_ticks(0);
}

static void mask_ticks(int how)
{
	sigset_t ticks;
	sigemptyset(&ticks);
	sigaddset(&ticks, SIGALRM);
	pthread_sigmask(how, &ticks, NULL);
}

static void *run_to_end(void *unused)
{
	(void)unused;
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	may_leave = true;
	mask_ticks(SIG_UNBLOCK);
	execute_for_ever();
	return NULL;
}

static void leave_by_end(void)
{
	pthread_t thread;
	mask_ticks(SIG_BLOCK);
	if (pthread_create(&thread, NULL, run_to_end, NULL) != 0)
		exit(3);
	set_ticks(TICK_US);
	pthread_join(thread, NULL);
	set_ticks(0);
	mask_ticks(SIG_UNBLOCK);
}

/* -- afterwards -- */

static int count_threads(void)
{
	int count = 0;
	DIR *tasks = opendir("/proc/self/task");
	while (tasks != NULL && readdir(tasks) != NULL)
		count++;
	if (tasks != NULL)
		closedir(tasks);
	return count;
}

/* Another call, in the place of the one that was left; nothing writes to the arrays of that one. */
static void check_rest(void)
{
	memcpy(kept, batch.out, sizeof kept);
	execute(&other);
	if (memcmp(kept, batch.out, sizeof kept) != 0) {
		printf("written after the call was left\n");
		wrong++;
	}
}

/* The part of the CPU is met again. */
static void check_shared(void)
{
	const int before = seen;
	set_ticks(TICK_US);
	while (shared && seen == before) {
		*first_of(COUNT - 1) = *first_of(LATER) = 0;
		fftw_execute(batch.plan);
	}
	set_ticks(0);
}

static void begin(void)
{
	const double angle = -2 * acos(-1.0) / N;
	const struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
	for (int i = 0; i < N; i++) {
		turn[i][0] = cos(angle * i);
		turn[i][1] = sin(angle * i);
	}
	shared = getenv("EPOCHLY_GPU_SHARE_CPU") != NULL;
	batch = make(COUNT);
	other = make(FEW);
	sigaction(SIGALRM, &action, NULL);
	execute(&batch);
	execute(&other);
}

int main(int argc, char **argv)
{
	way = argc > 1 ? argv[1] : way;
	watch_for(50);
	watch_part("the first calls");
	begin();
	const int threads = count_threads();
	for (int i = 0; i < ROUNDS; i++) {
		memset(batch.out, 0, sizeof(fftw_complex) * COUNT * N);
		watch_part("a call that is left");
		if (way[0] == 'j')
			leave_by_jump();
		else
			leave_by_end();
		watch_part("the calls after it");
		check_rest();
		execute(&batch);
		check_shared();
	}
	/* A thread that was joined may be in the list for a moment. */
	watch_part("threads that are left");
	while (count_threads() > threads)
		continue;
	printf("%d wrong results\n", (int)wrong);
	return wrong != 0;
}
