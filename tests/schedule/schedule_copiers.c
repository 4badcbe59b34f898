/* schedule_copiers.c - the interface of the engine's copiers.c: copies that take virtual time only */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_copiers.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/copy/copy_queue.h"

/*
 * Taking a job from the queue and ending it costs COPIERS_JOB_NS; pages that are populated already
 * COPIERS_PRESENT_NS a job; asking the device in vain COPIERS_POLL_NS. A thread spins for COPIERS_SPIN_NS before it sleeps. VAIN: so often may
 * the engine look at one moment without any of its polls advancing the time.
 */
enum {
	COPIERS_MOST = 64,
	COPIERS_JOB_NS = 200,
	COPIERS_PRESENT_NS = 1000,
	COPIERS_SPIN_NS = 20000,
	COPIERS_STEP_NS = 1000,
	COPIERS_POLL_NS = 500,
	COPIERS_VAIN = 200
};

/*
 * Time of a byte beside one of a plain copy: a copy with a second target, and C := z + beta C,
 * which reads C too.
 */
static const double both_factor = 2, scale_factor = 1.25;

static struct {
	unsigned long long (*clock_ns)(void);
	int (*alarm)(unsigned long long delay_ns, void (*call)(void *data), void *data);
	void (*work)(unsigned long long work_ns);
	void (*poll)(unsigned long long poll_ns);
} cuda;

static struct copiers_worker {
	struct copy_job *job; /* NULL: idle */
	unsigned long long idle_ns;
} workers[COPIERS_MOST];

static struct schedule_host host;
static int worker_count;

/*
 * Of the workers and the queue: an alarm rings in whichever thread the clock is moved by. Never held
 * where time passes.
 */
static pthread_mutex_t copiers_lock = PTHREAD_MUTEX_INITIALIZER;
static struct copy_queue queue = COPY_QUEUE_EMPTY(queue);
static unsigned long long vain_ns;
static int vain_count;

static void copiers_find(void *handle, const char *name, void *function)
{
	void *symbol = handle == NULL ? NULL : dlsym(handle, name);
	if (symbol == NULL) {
		fprintf(stderr, "schedule: the simulated CUDA has no %s\n", name);
		exit(1);
	}
	memcpy(function, &symbol, sizeof symbol);
}

void schedule_copiers_start(const struct schedule_host *wanted)
{
	void *handle = dlopen("libcudart.so.13", RTLD_NOLOAD | RTLD_NOW);
	copiers_find(handle, "simcuda_clock_ns", &cuda.clock_ns);
	copiers_find(handle, "simcuda_host_alarm", &cuda.alarm);
	copiers_find(handle, "simcuda_host_work", &cuda.work);
	copiers_find(handle, "simcuda_host_poll", &cuda.poll);
	host = *wanted;
	if (host.copy_gbytes_s > 0)
		cuda.poll(COPIERS_POLL_NS);
	copiers_spare(0);
}

/* -- one job -- */

/* Questions to the kernel are asked here, and take the time of this thread's processor. */
static bool is_asking;

static unsigned long long copiers_read_thread_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (unsigned long long)now.tv_sec * 1000000000 + (unsigned long long)now.tv_nsec;
}

static unsigned long long copiers_ask(const struct copy_job *job)
{
	const unsigned long long begin_ns = copiers_read_thread_ns();
	is_asking = true;
	job->ask(job->question);
	is_asking = false;
	return COPIERS_JOB_NS + copiers_read_thread_ns() - begin_ns;
}

bool schedule_copiers_is_asking(void)
{
	return is_asking;
}

static unsigned long long copiers_find_time_ns(const struct copy_job *job)
{
	if (job->kind == COPY_ASK)
		return copiers_ask(job);
	const double bytes = (double)(job->area.run_bytes * job->area.count);
	const struct pack_rule *rule = job->rule;
	double factor = 1;
	if (job->kind == COPY_POPULATE)
		return COPIERS_PRESENT_NS;
	if (job->kind == COPY_BOTH)
		factor = both_factor;
	if (job->kind == COPY_SCATTER && rule != NULL && (rule->beta[0] != 0 || rule->beta[1] != 0))
		factor = scale_factor;
	return COPIERS_JOB_NS + (unsigned long long)(bytes * factor / host.copy_gbytes_s);
}

/*
 * Data move only where the host may need them to go on, as infos and pivots. By a system call: the
 * operands of some benches are addresses without memory.
 */
static void copiers_move(const struct copy_job *job)
{
	enum { SMALL_BYTES = 64 * 1024 };
	const struct iovec area = {(void *)(uintptr_t)job->area.host, job->area.run_bytes},
			   staging = {job->staging, job->area.run_bytes};
	const bool up = job->kind == COPY_GATHER;
	if (job->area.count != 1 || job->area.run_bytes > SMALL_BYTES || job->staging == NULL ||
	    (!up && job->kind != COPY_SCATTER))
		return;
	if (process_vm_readv(getpid(), up ? &staging : &area, 1, up ? &area : &staging, 1, 0) < 0)
		return;
}

static void copiers_end_job(struct copy_job *job)
{
	copiers_move(job);
	atomic_fetch_add(&job->bell->rings, 1);
	atomic_store(&job->done, true);
}

/* -- threads -- */

static void copiers_begin_job(struct copiers_worker *worker, unsigned long long late_ns);

static void copiers_ring(void *data)
{
	struct copiers_worker *worker = data;
	pthread_mutex_lock(&copiers_lock);
	copiers_end_job(worker->job);
	worker->idle_ns = cuda.clock_ns();
	copiers_begin_job(worker, 0);
	pthread_mutex_unlock(&copiers_lock);
}

static void copiers_begin_job(struct copiers_worker *worker, unsigned long long late_ns)
{
	worker->job = copy_queue_take(&queue);
	if (worker->job != NULL &&
	    !cuda.alarm(late_ns + copiers_find_time_ns(worker->job), copiers_ring, worker))
		abort();
}

/* An idle thread takes the job; one that still spins before one that sleeps. */
static void copiers_wake(void)
{
	struct copiers_worker *latest = NULL;
	for (int i = 0; i < worker_count; i++)
		if (workers[i].job == NULL &&
		    (latest == NULL || workers[i].idle_ns > latest->idle_ns))
			latest = &workers[i];
	if (latest == NULL)
		return;
	const bool asleep =
		latest->idle_ns == 0 || cuda.clock_ns() - latest->idle_ns > COPIERS_SPIN_NS;
	copiers_begin_job(latest, asleep ? (unsigned long long)(host.wake_us * 1e3) : 0);
}

/* -- the caller -- */

/* Nothing to do at this moment, as before: time passes to the next event. */
static void copiers_look_in_vain(int most)
{
	const unsigned long long now_ns = cuda.clock_ns();
	vain_count = now_ns == vain_ns ? vain_count + 1 : 1;
	vain_ns = now_ns;
	if (vain_count <= most)
		return;
	vain_count = 0;
	cuda.work(0);
}

int64_t schedule_copiers_now_ns(void)
{
	if (host.copy_gbytes_s > 0)
		copiers_look_in_vain(COPIERS_VAIN);
	return (int64_t)cuda.clock_ns();
}

void schedule_copiers_work(double work_ns)
{
	cuda.work((unsigned long long)work_ns);
}

int64_t schedule_copiers_see_ns(void)
{
	return (int64_t)cuda.clock_ns();
}

void schedule_copiers_ring(double delay_ns, void (*call)(void *data), void *data)
{
	if (!cuda.alarm((unsigned long long)delay_ns, call, data))
		abort();
}

/* -- shim/execute/gpu/copy/copiers.h -- */

static int copiers_count_workers(int cores)
{
	const int count = host.threads < cores ? host.threads - 1 : cores - 1;
	return count < 0 ? 0 : count > COPIERS_MOST ? COPIERS_MOST : count;
}

int copiers_count_beside(int processors)
{
	const int all = copiers_count() - 1, left = host.cores - processors;
	return 1 + (all < left ? all : left > 0 ? left : 0);
}

/* Between calls: no thread has a job. */
void copiers_spare(int processors)
{
	const int cores = host.cores > 0 ? host.cores : COPIERS_MOST;
	worker_count = processors == 0 ? copiers_count_workers(cores)
	                               : copiers_count_beside(processors) - 1;
}

void copiers_configure(int node)
{
	(void)node;
}

int copiers_count(void)
{
	return host.threads > 0 ? host.threads : 1;
}

int copiers_count_others_now(void)
{
	return worker_count;
}

void copiers_set_count(int count)
{
	host.threads = count;
}

void copiers_submit_all(struct copy_job job[], int count)
{
	for (int i = 0; i < count; i++)
		copiers_submit(&job[i]);
}

void copiers_submit(struct copy_job *job)
{
	if (host.copy_gbytes_s <= 0) {
		copiers_end_job(job);
		return;
	}
	pthread_mutex_lock(&copiers_lock);
	copy_queue_put(&queue, job);
	copiers_wake();
	pthread_mutex_unlock(&copiers_lock);
}

void copiers_copy(struct copy_job *job)
{
	cuda.work(copiers_find_time_ns(job));
	atomic_store(&job->done, true);
}

static bool copiers_do_one(bool asks, uint64_t most_bytes)
{
	pthread_mutex_lock(&copiers_lock);
	struct copy_job *job =
		asks ? copy_queue_take(&queue) : copy_queue_take_copy(&queue, most_bytes);
	pthread_mutex_unlock(&copiers_lock);
	if (job == NULL)
		return false;
	cuda.work(copiers_find_time_ns(job));
	copiers_end_job(job);
	return true;
}

bool copiers_help(void)
{
	return copiers_do_one(true, UINT64_MAX);
}

bool copiers_help_to_copy(uint64_t most_bytes)
{
	return copiers_do_one(false, most_bytes);
}

void copiers_wait(struct copy_bell *bell, uint32_t seen, int64_t timeout_ns)
{
	for (int64_t waited_ns = 0; atomic_load(&bell->rings) == seen && waited_ns < timeout_ns;
	     waited_ns += COPIERS_STEP_NS)
		cuda.work(COPIERS_STEP_NS);
}

void copiers_withdraw(struct copy_bell *bell)
{
	pthread_mutex_lock(&copiers_lock);
	struct copy_job *job = copy_queue_take_all(&queue, bell);
	pthread_mutex_unlock(&copiers_lock);
	while (job != NULL) {
		struct copy_job *next = job->next;
		atomic_fetch_add(&job->bell->rings, 1);
		atomic_store(&job->done, true);
		job = next;
	}
}

void copiers_after_fork_child(void)
{
	copy_queue_clear(&queue);
}
