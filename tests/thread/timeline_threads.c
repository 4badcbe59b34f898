/* timeline_threads.c - threads and a signal handler trace while the process forks */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/record/timeline/timeline.h"
#include "shim/table/symbol.h"
#include "tests/thread/thread_check.h"

/*
 * A child of a process with threads starts the drain thread anew, which the thread sanitizer does
 * not support.
 */
#if defined(__SANITIZE_THREAD__)
enum { CHILD_CALLS = 0 };
#else
enum { CHILD_CALLS = 10 };
#endif

enum { THREADS = 6, CALLS = 1500, FORKS = 5, LINE_BYTES = 4096 };

static const struct observer *listener;
static atomic_int handled;
static void tell_operation(int64_t begin_ns)
{
	const struct observe_operation operation = {.device = 3,
	                                            .lane = 1,
	                                            .track = OBSERVE_KERNELS,
	                                            .begin_ns = begin_ns,
	                                            .end_ns = begin_ns + 7,
	                                            .queued_ns = begin_ns,
	                                            .size_bytes = 9,
	                                            .call = listener->find_call()};
	listener->operate(&operation);
}

/* A call with a stage and an operation. */
static void trace_call(void)
{
	const struct call call = {
		.symbol = SYMBOL_dgemm_, .family = FAMILY_GEMM, .element = ELEMENT_D};
	const struct decision decision = {.target = TARGET_GPU, .reason = REASON_POLICY_ALWAYS};
	const struct record record = {
		.call = &call, .decision = &decision, .start_ns = clock_realtime_ns()};
	const int64_t begin_ns = clock_monotonic_ns();
	timeline_begin_call(&call);
	const int64_t stage_ns = observe_begin("plan");
	tell_operation(begin_ns);
	observe_end("plan", stage_ns);
	timeline_end_call(&record, begin_ns);
}

static void handle(int number)
{
	(void)number;
	listener->span("wait", 1000, 2000);
	atomic_fetch_add(&handled, 1);
}

static void *run_thread(void *unused)
{
	for (int i = 0; i < CALLS; i++) {
		trace_call();
		if (i % 100 == 0)
			pthread_kill(pthread_self(), SIGUSR1);
	}
	return unused;
}

static void fork_once(void)
{
	int status = -1;
	timeline_before_fork();
	const pid_t child = fork();
	if (child == 0) {
		timeline_after_fork_child();
		for (int i = 0; i < CHILD_CALLS; i++)
			trace_call();
		timeline_close();
		_exit(0);
	}
	timeline_after_fork_parent();
	waitpid(child, &status, 0);
	thread_check("status of a child", status, 0);
}

/* The number behind "lost_events" in the last line, -1 where it is not there. */
static long read_lost(const char *path)
{
	char line[LINE_BYTES];
	long lost = -1;
	FILE *file = fopen(path, "r");
	while (file != NULL && fgets(line, sizeof line, file) != NULL) {
		const char *key = strstr(line, "\"lost_events\":");
		if (key != NULL)
			lost = strtol(key + strlen("\"lost_events\":"), NULL, 10);
	}
	if (file != NULL)
		fclose(file);
	return lost;
}

/* Lines of the file that hold text; torn: neither whole nor the brackets. */
static long count_lines(const char *path, const char *text, long *torn)
{
	char line[LINE_BYTES];
	long count = 0;
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return -1;
	while (fgets(line, sizeof line, file) != NULL) {
		const size_t length = strcspn(line, "\n");
		const bool whole = line[0] == '{' && (strcmp(line + length - 3, "}},\n") == 0 ||
		                                      strcmp(line + length - 2, "}}\n") == 0);
		count += strstr(line, text) != NULL;
		*torn += !whole && strcmp(line, "[\n") != 0 && strcmp(line, "]\n") != 0;
	}
	fclose(file);
	return count;
}

/*
 * Two lines name each timeline, three are the file's own. On a busy machine a thread may stop in
 * the middle of a line for long: then some lines are lost, and counted.
 */
static void check_file(const char *path, long calls, long spans)
{
	long torn = 0;
	const long lost = read_lost(path), wanted = 3 * calls + spans + 2L * (THREADS + 1) + 3;
	const long boxes = count_lines(path, "\"cat\":\"call\"", &torn),
		   stages = count_lines(path, "\"name\":\"plan\"", &torn);
	const long operations = count_lines(path, "\"cat\":\"gpu\"", &torn);
	thread_check("what is there and what is lost",
	             count_lines(path, "{\"name\":", &torn) + lost, wanted);
	thread_check("what is lost at most", lost >= 0 && lost <= calls / 10, 1);
	thread_check("boxes of calls", boxes >= calls - lost && boxes <= calls, 1);
	thread_check("stages", stages >= calls - lost && stages <= calls, 1);
	thread_check("operations", operations >= calls - lost && operations <= calls, 1);
	thread_check("torn lines", torn, 0);
}

int main(void)
{
	struct options options = {.enabled = true};
	char folder[] = "/tmp/timeline_threads.XXXXXX";
	pthread_t thread[THREADS];
	char path[64];
	if (mkdtemp(folder) == NULL)
		return 1;
	snprintf(options.trace, sizeof options.trace, "%s/%%p", folder);
	snprintf(path, sizeof path, "%s/%d", folder, (int)getpid());
	listener = timeline_open(&options);
	observe_set(listener);
	signal(SIGUSR1, handle);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run_thread, NULL);
	for (int i = 0; i < FORKS; i++)
		fork_once();
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	timeline_close();
	trace_call();
	timeline_close();
	check_file(path, (long)THREADS * CALLS, atomic_load(&handled));
	char command[128];
	snprintf(command, sizeof command, "test $(ls %s | wc -l) -eq %d && rm -r %s", folder,
	         CHILD_CALLS > 0 ? FORKS + 1 : 1, folder);
	thread_check("files of children", system(command), 0);
	return thread_check_end();
}
