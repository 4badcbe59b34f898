/* children.c - counts them in a page that parent and children share */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/summary/children.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "policy/text/human.h"

struct children_page {
	_Atomic uint64_t processes, calls;
};

static _Atomic(struct children_page *) children_page;
static pid_t children_parent; /* of those who share the page; the forks of a process take turns */
static atomic_bool children_noted; /* in this process */

static const char children_advice[] =
	" forked after CUDA had started ran on the CPU (forked); workers use the GPU if they are "
	"forked before the first call that starts CUDA, or spawned (Python: spawn, forkserver; R: "
	"PSOCK)";

struct children_sum {
	uint64_t processes, calls;
};

void children_prepare(void)
{
	const int saved_errno = errno;
	if (atomic_load(&children_page) == NULL) {
		void *page = mmap(NULL, sizeof(struct children_page), PROT_READ | PROT_WRITE,
		                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		children_parent = getpid();
		atomic_store(&children_page, page != MAP_FAILED ? page : NULL);
	}
	errno = saved_errno;
}

void children_after_fork_child(void)
{
	atomic_store(&children_noted, false);
}

void children_note(enum reason reason)
{
	struct children_page *page = atomic_load_explicit(&children_page, memory_order_acquire);
	if (reason != REASON_FORKED || page == NULL)
		return;
	if (!atomic_exchange(&children_noted, true))
		atomic_fetch_add(&page->processes, 1);
	atomic_fetch_add(&page->calls, 1);
}

static uint64_t children_count_calls(const struct counters_file *file)
{
	uint64_t calls = 0;
	for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++)
		calls += atomic_load_explicit(
			&counters_find_cell(file, symbol, REASON_FORKED)->calls,
			memory_order_relaxed);
	return calls;
}

static struct children_sum children_add_up(const struct counters_file *const files[], size_t count)
{
	struct children_sum sum = {0, 0};
	const struct children_page *page = atomic_load(&children_page);
	for (size_t i = 0; i < count; i++) {
		const uint64_t calls = children_count_calls(files[i]);
		sum.processes += calls > 0;
		sum.calls += calls;
	}
	if (page != NULL && count == 1 && files[0]->pid == getpid() &&
	    children_parent == getpid()) {
		sum.processes += atomic_load(&page->processes);
		sum.calls += atomic_load(&page->calls);
	}
	return sum;
}

bool children_describe(const struct counters_file *const files[], size_t count,
                       struct text_columns_line *line)
{
	const struct children_sum sum = children_add_up(files, count);
	char calls[HUMAN_BYTES], processes[HUMAN_BYTES];
	if (sum.calls == 0)
		return false;
	human_format_count(sum.calls, calls);
	human_format_count(sum.processes, processes);
	text_columns_put(line, calls, sum.calls == 1 ? " call of " : " calls of ", processes,
	                 sum.processes == 1 ? " process that was" : " processes that were",
	                 children_advice);
	return true;
}
