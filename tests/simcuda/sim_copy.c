/* sim_copy.c - copies and fills: when host memory is read or written and when the host continues */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim_capture.h"
#include "sim_profile.h"

struct sim_copy {
	struct sim_copy_request request;
	bool fill;
	int value;
	bool pinned;  /* the host's side must still be page-locked when the copy runs */
	char *staged; /* what pageable memory held at the call */
	struct simcuda_area host;
};

static size_t extent(size_t pitch, size_t width, size_t height)
{
	return (height - 1) * pitch + width;
}

static bool kind_reads_device(int kind)
{
	return kind == SIM_COPY_D2H || kind == SIM_COPY_D2D;
}

static bool kind_writes_device(int kind)
{
	return kind == SIM_COPY_H2D || kind == SIM_COPY_D2D;
}

/*
 * Derives the direction from the addresses where the program left it open, and refuses a host side
 * that is device memory. A device side that is not device memory is found when the copy runs. Lock
 * held.
 */
static int copy_resolve(struct sim_copy_request *r)
{
	bool to_device = sim_memory_device(r->to), from_device = sim_memory_device(r->from);
	if (r->kind < 0 || r->kind > SIM_COPY_DEFAULT)
		return SIM_cudaErrorInvalidMemcpyDirection;
	if (r->kind == SIM_COPY_DEFAULT) {
		bool reads = from_device || sim_pinned_is_managed(r->from);
		bool writes = to_device || sim_pinned_is_managed(r->to);
		r->kind = (reads ? SIM_COPY_D2H : SIM_COPY_H2H) |
		          (writes ? SIM_COPY_H2D : SIM_COPY_H2H);
	}
	if (!r->to || !r->from || (to_device && !kind_writes_device(r->kind)) ||
	    (from_device && !kind_reads_device(r->kind)))
		return SIM_cudaErrorInvalidValue;
	return 0;
}

/* The pinning of the host's side, if the copy has exactly one. Lock held. */
static enum sim_pinned copy_pinning(const struct sim_copy_request *r)
{
	if (r->kind == SIM_COPY_H2D)
		return sim_pinned_covers(r->from, extent(r->from_pitch, r->width, r->height));
	if (r->kind == SIM_COPY_D2H)
		return sim_pinned_covers(r->to, extent(r->to_pitch, r->width, r->height));
	return SIM_PINNED_NO;
}

static void copy_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width,
                      size_t height)
{
	for (size_t row = 0; row < height; row++)
		memmove(to + row * to_pitch, from + row * from_pitch, width);
}

/* Whether no data move: with SIMCUDA_DRY, but for what a host reads to go on, as pivots. */
static bool copy_is_dry(const struct sim_copy *copy)
{
	enum { SMALL_BYTES = 512 * 1024 };
	const struct sim_copy_request *r = &copy->request;
	return sim_profile_is_dry() && (r->height > 1 || r->width > SMALL_BYTES);
}

static bool copy_stage(struct sim_copy *copy)
{
	struct sim_copy_request *r = &copy->request;
	if (copy_is_dry(copy))
		return true;
	copy->staged = malloc(r->width * r->height);
	if (!copy->staged)
		return false;
	copy_rows(copy->staged, r->width, r->from, r->from_pitch, r->width, r->height);
	r->from = copy->staged;
	r->from_pitch = r->width;
	return true;
}

/* Pageable memory that an Async copy uses when it runs, as if it were page-locked. */
static bool copy_is_late(const struct sim_copy *copy, bool asynchronous)
{
	return asynchronous && !copy->pinned && sim_config()->pageable_late;
}

/* Whether the host must wait until the copy has run. */
static bool copy_holds_host(const struct sim_copy *copy, bool asynchronous)
{
	switch (copy->request.kind) {
	case SIM_COPY_H2D: return copy->pinned && !asynchronous;
	case SIM_COPY_D2H:
		return !asynchronous || (!copy->pinned && !copy_is_late(copy, asynchronous));
	case SIM_COPY_D2D: return false;
	default: return true;
	}
}

static struct sim_op *copy_op(struct sim_copy *copy)
{
	const struct sim_copy_request *r = &copy->request;
	struct sim_op *op = calloc(1, sizeof *op);
	if (!op)
		return NULL;
	op->kind = SIM_OP_COPY;
	op->copy = copy;
	op->engine = r->kind == SIM_COPY_D2D   ? SIM_ENGINE_COMPUTE
	             : r->kind == SIM_COPY_D2H ? SIM_ENGINE_DOWNLOAD
	                                       : SIM_ENGINE_UPLOAD;
	/* A copy from host to host is executed by the host alone. */
	if (r->kind == SIM_COPY_H2H && sim_clock_is_on())
		op->engine = SIM_ENGINE_NONE;
	op->bytes = (double)r->width * (double)r->height;
	op->cost_ns = 5000 + (uint64_t)(op->bytes / sim_config()->link_gbytes);
	return op;
}

/* A graph keeps page-locked memory and device memory only. */
static int copy_capture(const struct sim_stream *stream, struct sim_copy *copy)
{
	if (!copy->host.height || copy->pinned)
		return sim_capture_add(stream, copy);
	sim_copy_free(copy);
	return sim_capture_refuse(stream, SIM_cudaErrorStreamCaptureUnsupported);
}

/* Consumes the copy. Lock held. */
static int copy_append(struct sim_stream *stream, struct sim_copy *copy, bool hold)
{
	if (stream && sim_capture_is_active(stream))
		return copy_capture(stream, copy);
	struct sim_op *op = stream && !stream->device->sticky_error ? copy_op(copy) : NULL;
	int error = !stream                        ? SIM_cudaErrorInvalidResourceHandle
	            : stream->device->sticky_error ? stream->device->sticky_error
	                                           : SIM_cudaErrorMemoryAllocation;
	if (!op) {
		sim_copy_free(copy);
		return error;
	}
	struct sim_device *device = stream->device;
	struct sim_goal end = {.stream = stream, .limit = sim_stream_append(stream, op) + 1};
	if (hold)
		sim_schedule_reach(&end);
	return hold ? device->sticky_error : 0;
}

/* All errors that are known at the call. Lock held. */
static int copy_check(struct sim_copy *copy, struct sim_stream *stream)
{
	struct sim_copy_request *r = &copy->request;
	if (!stream)
		return SIM_cudaErrorInvalidResourceHandle;
	int error = sim_capture_admit_work(stream);
	if (!error)
		error = copy_resolve(r);
	enum sim_pinned pinning = error ? SIM_PINNED_NO : copy_pinning(r);
	copy->pinned = pinning == SIM_PINNED_WHOLE;
	if (r->kind == SIM_COPY_H2D)
		copy->host = (struct simcuda_area){r->from, r->from_pitch, r->width, r->height};
	else if (r->kind == SIM_COPY_D2H)
		copy->host = (struct simcuda_area){r->to, r->to_pitch, r->width, r->height};
	return pinning == SIM_PINNED_PARTLY ? SIM_cudaErrorInvalidValue : error;
}

int sim_copy_submit(const struct sim_copy_request *request, void *stream, bool asynchronous)
{
	if (request->width > request->to_pitch || request->width > request->from_pitch)
		return SIM_cudaErrorInvalidPitchValue;
	if (!request->width || !request->height)
		return 0;
	struct sim_copy *copy = calloc(1, sizeof *copy);
	if (!copy)
		return SIM_cudaErrorMemoryAllocation;
	copy->request = *request;
	sim_lock();
	struct sim_stream *target = sim_stream_find(stream);
	int error = copy_check(copy, target);
	bool stage = !error && copy->request.kind == SIM_COPY_H2D && !copy->pinned &&
	             !copy_is_late(copy, asynchronous);
	if (stage && !asynchronous) {
		struct sim_goal before = {.stream = target, .limit = sim_stream_limit()};
		sim_schedule_reach(&before);
	}
	/* Reading the program's memory may take long: without the lock other threads continue. */
	sim_unlock();
	if (stage && !copy_stage(copy))
		error = SIM_cudaErrorMemoryAllocation;
	if (error) {
		sim_copy_free(copy);
		return error;
	}
	sim_lock();
	error = copy_append(sim_stream_find(stream), copy, copy_holds_host(copy, asynchronous));
	sim_unlock();
	return error;
}

int sim_copy_fill(const struct simcuda_area *area, int value, void *stream)
{
	bool empty = !area->width || !area->height;
	struct sim_copy *copy = empty ? NULL : calloc(1, sizeof *copy);
	if (!copy)
		return empty ? 0 : SIM_cudaErrorMemoryAllocation;
	copy->fill = true;
	copy->value = value;
	copy->request = (struct sim_copy_request){.to = (void *)(uintptr_t)area->first,
	                                          .to_pitch = area->pitch,
	                                          .width = area->width,
	                                          .height = area->height,
	                                          .kind = SIM_COPY_D2D};
	sim_lock();
	struct sim_stream *target = sim_stream_find(stream);
	int error = target ? sim_capture_admit_work(target) : 0;
	if (error)
		sim_copy_free(copy);
	else
		error = copy_append(target, copy, false);
	sim_unlock();
	return error;
}

struct sim_copy *sim_copy_clone(const struct sim_copy *copy)
{
	struct sim_copy *made = malloc(sizeof *made);
	if (made)
		*made = *copy;
	return made;
}

int sim_copy_launch(const struct sim_copy *copy, void *stream)
{
	struct sim_stream *target = sim_stream_find(stream);
	int error = target ? sim_capture_admit_work(target) : SIM_cudaErrorInvalidResourceHandle;
	struct sim_copy *made = error ? NULL : sim_copy_clone(copy);
	if (!made)
		return error ? error : SIM_cudaErrorMemoryAllocation;
	return copy_append(target, made, false);
}

void sim_copy_free(struct sim_copy *copy)
{
	free(copy->staged);
	free(copy);
}

/*
 * The engine's address of one side. NULL when the memory is not, or no longer, of the required
 * kind.
 */
static char *copy_side(const struct sim_copy *copy, const void *pointer, bool device,
                       size_t size_bytes)
{
	int error;
	sim_lock();
	bool found = device         ? sim_memory_device(pointer) || sim_pinned_is_managed(pointer)
	             : copy->pinned ? sim_pinned_covers(pointer, size_bytes) == SIM_PINNED_WHOLE
	                            : !sim_config()->host_tables || copy->staged ||
	                                      sim_pinned_is_mapped(pointer, size_bytes);
	sim_unlock();
	if (!found)
		return NULL;
	return device ? simcuda_view(pointer, size_bytes, 1, &error) : (char *)(uintptr_t)pointer;
}

/* A copy of ordinary memory, which translation and faults may make slow. In real time only. */
static void copy_wait_for_pages(const struct sim_copy *copy)
{
	const struct sim_copy_request *r = &copy->request;
	double us = copy->host.height && !copy->pinned && !sim_clock_is_on()
	                    ? (double)(r->width * r->height) / 1048576 *
	                              sim_config()->pageable_us_per_mib
	                    : 0;
	struct timespec left = {(time_t)(us / 1e6), (long)((uint64_t)(us * 1e3) % 1000000000)};
	while (us > 0 && nanosleep(&left, &left) && errno == EINTR)
		;
}

int sim_copy_run(struct sim_copy *copy)
{
	const struct sim_copy_request *r = &copy->request;
	char *to = copy_side(copy, r->to, kind_writes_device(r->kind),
	                     extent(r->to_pitch, r->width, r->height));
	const char *from = copy->fill ? to
	                              : copy_side(copy, r->from, kind_reads_device(r->kind),
	                                          extent(r->from_pitch, r->width, r->height));
	if (!to || !from)
		return SIM_cudaErrorIllegalAddress;
	if (copy_is_dry(copy))
		return 0;
	copy_wait_for_pages(copy);
	for (size_t row = 0; copy->fill && row < r->height; row++)
		memset(to + row * r->to_pitch, copy->value, r->width);
	if (!copy->fill)
		copy_rows(to, r->to_pitch, from, r->from_pitch, r->width, r->height);
	return 0;
}

struct sim_copy_view sim_copy_describe(const struct sim_copy *copy)
{
	static const char *const kinds[] = {"h2h", "h2d", "d2h", "d2d"};
	const struct sim_copy_request *r = &copy->request;
	struct sim_copy_view view = {.host = copy->host,
	                             .kind = copy->fill ? "fill" : kinds[r->kind]};
	view.fill = copy->fill;
	view.pageable = copy->host.height && !copy->pinned;
	if (kind_reads_device(r->kind) && !copy->fill)
		view.read = (struct simcuda_area){r->from, r->from_pitch, r->width, r->height};
	if (kind_writes_device(r->kind))
		view.written = (struct simcuda_area){r->to, r->to_pitch, r->width, r->height};
	return view;
}
