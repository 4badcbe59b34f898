/* timeline.c - writes what observers are told as lines of the trace and ranges of a profiler */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/timeline/timeline.h"

#include <errno.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/base/loader.h"
#include "shim/record/timeline/timeline_line.h"
#include "shim/record/timeline/timeline_nvtx.h"
#include "shim/record/timeline/timeline_out.h"
#include "shim/table/symbol.h"

enum { TIMELINE_THREAD_BYTES = 16, TIMELINE_RANGE_BYTES = 256, TIMELINE_ROUTINE_BYTES = 32 };

/* Tracks of devices are numbered above all threads, whose numbers in the kernel end at 2^22. */
enum { TIMELINE_TRACK_BASE = 1 << 24, TIMELINE_LANES = 8, TIMELINE_DEVICES = 64 };

static _Atomic uint64_t timeline_calls; /* numbered from 1 */
/* A bit for each lane and track that has its name in the trace. */
static _Atomic uint32_t timeline_named[TIMELINE_DEVICES];
static _Thread_local uint64_t timeline_call; /* that the thread is in, 0: none */
static _Thread_local pid_t timeline_tid;     /* 0: not in the trace yet */

/* -- names of threads and tracks -------------------------------------------------------------- */

static void timeline_end_line(struct timeline_line *line)
{
	timeline_out_write(line->text, timeline_line_end(line));
}

static void timeline_name_timeline(const struct timeline_place *place, const char *name,
                                   uint64_t rank)
{
	struct timeline_line line;
	timeline_line_begin_metadata(&line, "thread_name", place);
	timeline_line_add_text(&line, "name", name);
	timeline_end_line(&line);
	timeline_line_begin_metadata(&line, "thread_sort_index", place);
	timeline_line_add_count(&line, "sort_index", rank);
	timeline_end_line(&line);
}

/* The calling thread's; its name as it is now is written before its first event. */
static struct timeline_place timeline_find_thread(void)
{
	struct timeline_place place = {getpid(), timeline_tid};
	char name[TIMELINE_THREAD_BYTES] = "";
	if (timeline_tid != 0)
		return place;
	place.tid = timeline_tid = gettid();
	prctl(PR_GET_NAME, name);
	timeline_name_timeline(&place, name, (uint64_t)place.tid);
	return place;
}

static char *timeline_put(char *end, const char *text)
{
	while (*text != '\0')
		*end++ = *text++;
	return end;
}

static void timeline_name_track(const struct timeline_place *place,
                                const struct observe_operation *operation)
{
	static const char *const track[OBSERVE_TRACKS] = {": link up", ": kernels", ": link down",
	                                                  ": commits"};
	char name[64], *end = timeline_put(name, "GPU ");
	end = format_write_integer(end, operation->device);
	end = format_write_integer(timeline_put(end, " lane "), operation->lane);
	end = timeline_put(end, track[operation->track]);
	*end = '\0';
	timeline_name_timeline(place, name, (uint64_t)place->tid);
}

static struct timeline_place timeline_find_track(const struct observe_operation *operation)
{
	const int lane = operation->lane % TIMELINE_LANES,
		  device = operation->device % TIMELINE_DEVICES;
	const int number = lane * OBSERVE_TRACKS + (int)operation->track;
	const uint32_t bit = UINT32_C(1) << number;
	const struct timeline_place place = {
		getpid(), TIMELINE_TRACK_BASE + device * TIMELINE_LANES * OBSERVE_TRACKS + number};
	if ((atomic_load_explicit(&timeline_named[device], memory_order_relaxed) & bit) == 0 &&
	    (atomic_fetch_or(&timeline_named[device], bit) & bit) == 0)
		timeline_name_track(&place, operation);
	return place;
}

/* -- the observer ----------------------------------------------------------------------------- */

static uint64_t timeline_find_call(void)
{
	return timeline_call;
}

static void timeline_write_span(const char *name, int64_t begin_ns, int64_t end_ns,
                                uint64_t size_bytes, uint64_t call)
{
	const struct timeline_place place = timeline_find_thread();
	struct timeline_line line;
	timeline_line_begin_span(&line, name, "host", &place, begin_ns, end_ns);
	if (call != 0)
		timeline_line_add_count(&line, "call", call);
	if (size_bytes != 0)
		timeline_line_add_count(&line, "bytes", size_bytes);
	timeline_end_line(&line);
}

static void timeline_span(const char *name, int64_t begin_ns, int64_t end_ns)
{
	const int saved_errno = errno;
	if (timeline_out_works())
		timeline_write_span(name, begin_ns, end_ns, 0, timeline_call);
	errno = saved_errno;
}

static int64_t timeline_begin(const char *name)
{
	const int saved_errno = errno;
	timeline_nvtx_push(name);
	errno = saved_errno;
	return clock_monotonic_ns();
}

static void timeline_end(const char *name, int64_t begin_ns, uint64_t size_bytes, uint64_t call)
{
	const int saved_errno = errno;
	if (timeline_out_works())
		timeline_write_span(name, begin_ns, clock_monotonic_ns(), size_bytes, call);
	timeline_nvtx_pop();
	errno = saved_errno;
}

static void timeline_operate(const struct observe_operation *operation)
{
	static const char *const name[OBSERVE_TRACKS] = {"load", "kernels", "store", "commit"};
	const int saved_errno = errno;
	struct timeline_line line;
	if (!timeline_out_works())
		return;
	const struct timeline_place place = timeline_find_track(operation);
	timeline_line_begin_span(&line, name[operation->track], "gpu", &place, operation->begin_ns,
	                         operation->end_ns);
	timeline_line_add_count(&line, "call", operation->call);
	if (operation->size_bytes != 0)
		timeline_line_add_count(&line, "bytes", operation->size_bytes);
	timeline_line_add_time(&line, "queued", operation->queued_ns);
	timeline_end_line(&line);
	errno = saved_errno;
}

static const struct observer timeline_observer = {timeline_begin, timeline_end, timeline_span,
                                                  timeline_operate, timeline_find_call};

/* -- calls ------------------------------------------------------------------------------------ */

static char *timeline_put_size(char *end, const char *before, int64_t size)
{
	return format_write_integer(timeline_put(end, before), size);
}

/* "dgemm 2000 x 2000 x 2000": m, n, k, or a transform's dimensions and number. */
static void timeline_push_call(const struct call *call)
{
	static const char *const before[] = {" ", " x "};
	char name[TIMELINE_RANGE_BYTES], routine[TIMELINE_ROUTINE_BYTES];
	symbol_name_routine(call->family, call->element, routine, sizeof routine);
	char *end = timeline_put(name, routine);
	if (family_is_blas(call->family)) {
		end = timeline_put_size(end, " ", call->blas.m);
		end = timeline_put_size(end, " x ", call->blas.n);
		end = timeline_put_size(end, " x ", call->blas.k);
	} else if (family_is_lapack(call->family)) {
		end = timeline_put_size(end, " ", call->lapack.m);
		end = timeline_put_size(end, " x ", call->lapack.n);
	} else if (call->fft.problem != NULL) {
		for (int i = 0; i < call->fft.problem->rank; i++)
			end = timeline_put_size(end, before[i > 0], call->fft.problem->dims[i].n);
		end = timeline_put_size(end, " * ", call->fft.problem->howmany);
	}
	*end = '\0';
	timeline_nvtx_push(name);
}

/* A call that an exception left is still open: its range ends here. */
void timeline_open_call(const struct call *call)
{
	const int saved_errno = errno;
	if (timeline_call != 0)
		timeline_nvtx_pop();
	timeline_call = atomic_fetch_add(&timeline_calls, 1) + 1;
	if (timeline_nvtx_works())
		timeline_push_call(call);
	errno = saved_errno;
}

void timeline_close_call(const struct record *record, int64_t begin_ns)
{
	const int saved_errno = errno;
	char routine[TIMELINE_ROUTINE_BYTES];
	struct timeline_line line;
	if (timeline_call != 0)
		timeline_nvtx_pop();
	if (timeline_out_works()) {
		const struct timeline_place place = timeline_find_thread();
		const struct format_author author = {
			.pid = place.pid,
			.tid = place.tid,
			.object = record->caller != NULL ? loader_path_of(record->caller) : NULL};
		symbol_name_routine(record->call->family, record->call->element, routine,
		                    sizeof routine);
		timeline_line_begin_span(&line, routine, "call", &place, begin_ns,
		                         clock_monotonic_ns());
		timeline_line_add_count(&line, "call", timeline_call);
		timeline_line_add_record(&line, record, &author);
		timeline_end_line(&line);
	}
	timeline_call = 0;
	errno = saved_errno;
}

/* -- beginning, fork, end --------------------------------------------------------------------- */

const struct observer *timeline_open(const struct options *options)
{
	const int saved_errno = errno;
	const bool ranges = timeline_nvtx_open();
	const bool lines = options->trace[0] != '\0' && timeline_out_open(options->trace);
	errno = saved_errno;
	return ranges || lines ? &timeline_observer : NULL;
}

void timeline_close(void)
{
	const int saved_errno = errno;
	timeline_out_close();
	errno = saved_errno;
}

void timeline_before_fork(void)
{
	timeline_out_before_fork();
}

void timeline_after_fork_parent(void)
{
	timeline_out_after_fork_parent();
}

void timeline_renew(void)
{
	timeline_out_renew();
}

void timeline_after_fork_child(void)
{
	timeline_call = 0;
	timeline_tid = 0;
	for (int i = 0; i < TIMELINE_DEVICES; i++)
		atomic_store(&timeline_named[i], 0);
	timeline_out_after_fork_child();
}
