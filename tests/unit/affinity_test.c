/* affinity_test.c - the processors of a process whose threads are bound, as OpenMP binds them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include "shim/execute/gpu/node/affinity.h"
#include "shim/execute/gpu/node/processors.h"

enum { STACK_BYTES = 1 << 20 };

/* Two processors that this process may use; false: it has but one. */
static bool find_two(cpu_set_t two[2])
{
	cpu_set_t own;
	int found = 0;
	cr_assert_eq(sched_getaffinity(0, sizeof own, &own), 0);
	for (int number = 0; number < CPU_SETSIZE && found < 2; number++)
		if (CPU_ISSET(number, &own)) {
			CPU_ZERO(&two[found]);
			CPU_SET(number, &two[found++]);
		}
	return found == 2;
}

static sem_t bound, over;

/* A thread of a team. */
static void *run_bound(void *argument)
{
	const cpu_set_t *own = argument;
	sched_setaffinity(0, sizeof *own, own);
	sem_post(&bound);
	sem_wait(&over);
	return NULL;
}

static void *run_and_tell(void *argument)
{
	cpu_set_t *own = argument;
	sched_getaffinity(0, sizeof *own, own);
	sem_post(&bound);
	return NULL;
}

/* The processors that a thread made by this one has, which run_and_tell writes. */
static cpu_set_t make_and_ask(const cpu_set_t *set)
{
	static cpu_set_t told;
	CPU_ZERO(&told);
	cr_assert(affinity_make_thread(STACK_BYTES, set, run_and_tell, &told));
	sem_wait(&bound);
	return told;
}

static void begin(void)
{
	sem_init(&bound, 0, 0);
	sem_init(&over, 0, 0);
}

TestSuite(affinity, .init = begin);

Test(affinity, threads_are_bound_and_the_process_has_the_processors_of_all)
{
	cpu_set_t two[2], all, process;
	pthread_t other;
	if (!find_two(two))
		cr_skip_test("one processor");
	CPU_OR(&all, &two[0], &two[1]);
	pthread_create(&other, NULL, run_bound, &two[1]);
	sem_wait(&bound);
	sched_setaffinity(0, sizeof two[0], &two[0]);
	cr_assert(affinity_of_process(&process));
	cr_expect(CPU_EQUAL(&process, &all));
	cr_assert(affinity_of_first(&process));
	cr_expect(CPU_EQUAL(&process, &two[0]));
	const int quota = processors_quota("");
	cr_expect_eq(processors_count(""), quota < 2 ? quota : 2);
	process = make_and_ask(NULL);
	cr_expect(CPU_EQUAL(&process, &all), "a new thread is bound as its maker is");
	process = make_and_ask(&two[1]);
	cr_expect(CPU_EQUAL(&process, &two[1]));
	sem_post(&over);
	pthread_join(other, NULL);
}

Test(affinity, processors_that_are_not_there_are_not_asked_for_twice)
{
	cpu_set_t own, none, told;
	CPU_ZERO(&none);
	cr_assert_eq(sched_getaffinity(0, sizeof own, &own), 0);
	for (int number = 0; number < CPU_SETSIZE; number++)
		if (!CPU_ISSET(number, &own) && number >= CPU_SETSIZE / 2)
			CPU_SET(number, &none);
	told = make_and_ask(&none);
	cr_expect(CPU_EQUAL(&told, &own));
}
