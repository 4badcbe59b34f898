/* sim_capture.c - stream capture, exported: begin, end, the thread's mode, graphs of copies */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_capture.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "sim_cudart.h"

enum { MODE_GLOBAL, MODE_THREAD_LOCAL, MODE_RELAXED };
enum { STATUS_NONE, STATUS_ACTIVE, STATUS_INVALIDATED };

struct graph_node {
	struct graph_node *next;
	struct sim_copy *copy;
};

/* A graph, and an executable one, which is the same here. */
struct sim_graph {
	struct graph_node *first, **last;
};

struct sim_capture {
	struct sim_capture *next;
	const struct sim_stream *stream;
	const void *thread; /* that began it */
	int mode;
	bool invalid;
	struct sim_graph *graph;
};

static struct sim_capture *captures;
static atomic_int capture_count;
static _Thread_local int thread_mode;

static const void *capture_thread(void)
{
	return &thread_mode;
}

int sim_capture_exchange(int *mode)
{
	if (!mode || *mode < MODE_GLOBAL || *mode > MODE_RELAXED)
		return SIM_cudaErrorInvalidValue;
	int before = thread_mode;
	thread_mode = *mode;
	*mode = before;
	return 0;
}

/* Calls that capture does not see, or that may wait for the device. */
static bool capture_fears(int call)
{
	switch (call) {
	case SIM_CALL_cudaMalloc:
	case SIM_CALL_cudaMallocManaged:
	case SIM_CALL_cudaFree:
	case SIM_CALL_cudaHostAlloc:
	case SIM_CALL_cudaMallocHost:
	case SIM_CALL_cudaFreeHost:
	case SIM_CALL_cudaHostRegister:
	case SIM_CALL_cudaHostUnregister:
	case SIM_CALL_cudaMemcpy:
	case SIM_CALL_cudaMemcpy2D:
	case SIM_CALL_cudaMemset:
	case SIM_CALL_cudaStreamCreateWithFlags:
	case SIM_CALL_cudaStreamDestroy:
	case SIM_CALL_cudaStreamSynchronize:
	case SIM_CALL_cudaStreamQuery:
	case SIM_CALL_cudaEventQuery:
	case SIM_CALL_cudaEventSynchronize:
	case SIM_CALL_cublasCreate_v2:
	case SIM_CALL_cublasDestroy_v2:
	case SIM_CALL_cusolverDnCreate:
	case SIM_CALL_cusolverDnDestroy:
	case SIM_CALL_cufftCreate:
	case SIM_CALL_cufftDestroy:
	case SIM_CALL_cufftMakePlanMany:
	case SIM_CALL_cufftMakePlanMany64:
	case SIM_CALL_cufftPlanMany:
	case SIM_CALL_cufftPlan1d:
	case SIM_CALL_cufftPlan2d:
	case SIM_CALL_cufftPlan3d: return true;
	default: return false;
	}
}

static bool capture_prohibits(const struct sim_capture *capture)
{
	if (thread_mode == MODE_RELAXED || capture->invalid)
		return false;
	if (capture->thread == capture_thread())
		return capture->mode != MODE_RELAXED;
	return thread_mode == MODE_GLOBAL && capture->mode == MODE_GLOBAL;
}

int sim_capture_admit(int call)
{
	int error = 0;
	if (!atomic_load(&capture_count) || !capture_fears(call))
		return 0;
	sim_lock();
	for (struct sim_capture *c = captures; c; c = c->next)
		if (capture_prohibits(c)) {
			c->invalid = true;
			error = SIM_cudaErrorStreamCaptureUnsupported;
		}
	sim_unlock();
	return error;
}

int simcuda_capture_admit(int call)
{
	return sim_capture_admit(call);
}

static struct sim_capture *capture_find(const struct sim_stream *stream)
{
	for (struct sim_capture *c = captures; c; c = c->next)
		if (c->stream == stream)
			return c;
	return NULL;
}

bool sim_capture_is_active(const struct sim_stream *stream)
{
	return capture_find(stream) != NULL;
}

/* The default stream would wait for the capturing blocking streams of its device. */
static int capture_spoil_legacy(const struct sim_stream *stream, bool spoil)
{
	int error = 0;
	for (struct sim_capture *c = stream->is_null ? captures : NULL; c; c = c->next)
		if (c->stream->device == stream->device && c->stream->blocking) {
			c->invalid = c->invalid || spoil;
			error = SIM_cudaErrorStreamCaptureImplicit;
		}
	return error;
}

int sim_capture_admit_work(const struct sim_stream *stream)
{
	const struct sim_capture *own = capture_find(stream);
	if (own && own->invalid)
		return SIM_cudaErrorStreamCaptureInvalidated;
	return capture_spoil_legacy(stream, true);
}

int sim_capture_admit_wait(const struct sim_stream *stream)
{
	struct sim_capture *own = capture_find(stream);
	if (!own)
		return capture_spoil_legacy(stream, true);
	own->invalid = true;
	return SIM_cudaErrorStreamCaptureUnsupported;
}

int sim_capture_admit_wait_all(const struct sim_device *device)
{
	int error = 0;
	for (struct sim_capture *c = captures; c; c = c->next)
		if (c->stream->device == device) {
			c->invalid = true;
			error = SIM_cudaErrorStreamCaptureUnsupported;
		}
	return error;
}

int sim_capture_refuse(const struct sim_stream *stream, int error)
{
	struct sim_capture *own = capture_find(stream);
	if (own)
		own->invalid = true;
	return error;
}

int sim_capture_add(const struct sim_stream *stream, struct sim_copy *copy)
{
	struct sim_capture *own = capture_find(stream);
	struct graph_node *node = calloc(1, sizeof *node);
	if (!node) {
		sim_copy_free(copy);
		return SIM_cudaErrorMemoryAllocation;
	}
	node->copy = copy;
	*own->graph->last = node;
	own->graph->last = &node->next;
	return 0;
}

static struct sim_graph *graph_new(void)
{
	struct sim_graph *made = calloc(1, sizeof *made);
	if (made)
		made->last = &made->first;
	return made;
}

static void graph_free(struct sim_graph *graph)
{
	for (struct graph_node *node = graph ? graph->first : NULL, *next; node; node = next) {
		next = node->next;
		sim_copy_free(node->copy);
		free(node);
	}
	free(graph);
}

/* Removes the capture; returns its graph, NULL where it was invalid. */
static struct sim_graph *capture_close(struct sim_capture *gone)
{
	struct sim_capture **link = &captures;
	while (*link != gone)
		link = &(*link)->next;
	*link = gone->next;
	struct sim_graph *graph = gone->graph;
	if (gone->invalid) {
		graph_free(graph);
		graph = NULL;
	}
	free(gone);
	atomic_fetch_sub(&capture_count, 1);
	return graph;
}

void sim_capture_end_stream(const struct sim_stream *stream)
{
	struct sim_capture *own = capture_find(stream);
	if (own)
		graph_free(capture_close(own));
}

void sim_capture_end_device(const struct sim_device *device)
{
	for (struct sim_capture *c = captures, *next; c; c = next) {
		next = c->next;
		if (c->stream->device == device)
			graph_free(capture_close(c));
	}
}

/* -- exported -- */

int cudaThreadExchangeStreamCaptureMode(int *mode)
{
	int error = sim_begin(SIM_CALL_cudaThreadExchangeStreamCaptureMode, SIMCUDA_NEEDS_DRIVER);
	return sim_end(error ? error : sim_capture_exchange(mode));
}

static int capture_begin(struct sim_stream *stream, int mode)
{
	if (!stream || mode < MODE_GLOBAL || mode > MODE_RELAXED)
		return SIM_cudaErrorInvalidValue;
	if (stream->is_null)
		return SIM_cudaErrorStreamCaptureUnsupported;
	if (sim_capture_is_active(stream))
		return SIM_cudaErrorInvalidValue;
	struct sim_capture *made = calloc(1, sizeof *made);
	struct sim_graph *graph = graph_new();
	if (!made || !graph) {
		free(made);
		free(graph);
		return SIM_cudaErrorMemoryAllocation;
	}
	*made = (struct sim_capture){captures, stream, capture_thread(), mode, false, graph};
	captures = made;
	atomic_fetch_add(&capture_count, 1);
	return 0;
}

int cudaStreamBeginCapture(void *stream, int mode)
{
	int error = sim_begin(SIM_CALL_cudaStreamBeginCapture, SIMCUDA_NEEDS_CONTEXT);
	if (error)
		return sim_end(error);
	sim_lock();
	error = capture_begin(sim_stream_find(stream), mode);
	sim_unlock();
	return sim_end(error);
}

static int capture_finish(const struct sim_stream *stream, void **graph)
{
	struct sim_capture *own = stream ? capture_find(stream) : NULL;
	if (!own || !graph)
		return SIM_cudaErrorInvalidValue;
	if (own->mode != MODE_RELAXED && own->thread != capture_thread()) {
		own->invalid = true;
		return SIM_cudaErrorStreamCaptureWrongThread;
	}
	*graph = capture_close(own);
	return *graph ? 0 : SIM_cudaErrorStreamCaptureInvalidated;
}

int cudaStreamEndCapture(void *stream, void **graph)
{
	int error = sim_begin(SIM_CALL_cudaStreamEndCapture, SIMCUDA_NEEDS_CONTEXT);
	if (error)
		return sim_end(error);
	sim_lock();
	error = capture_finish(sim_stream_find(stream), graph);
	sim_unlock();
	return sim_end(error);
}

int cudaStreamIsCapturing(void *stream, int *status)
{
	int error = sim_begin(SIM_CALL_cudaStreamIsCapturing, SIMCUDA_NEEDS_CONTEXT);
	if (!error && !status)
		error = SIM_cudaErrorInvalidValue;
	if (error)
		return sim_end(error);
	sim_lock();
	const struct sim_stream *found = sim_stream_find(stream);
	const struct sim_capture *own = found ? capture_find(found) : NULL;
	error = found ? capture_spoil_legacy(found, false) : SIM_cudaErrorInvalidResourceHandle;
	if (!error)
		*status = own ? own->invalid ? STATUS_INVALIDATED : STATUS_ACTIVE : STATUS_NONE;
	sim_unlock();
	return sim_end(error);
}

/* A copy of the graph's list. NULL: no memory. */
static struct sim_graph *graph_clone(const struct sim_graph *graph)
{
	struct sim_graph *made = graph_new();
	for (const struct graph_node *node = graph->first; node && made; node = node->next) {
		struct graph_node *copy = calloc(1, sizeof *copy);
		if (copy)
			copy->copy = sim_copy_clone(node->copy);
		if (!copy || !copy->copy) {
			free(copy);
			graph_free(made);
			return NULL;
		}
		*made->last = copy;
		made->last = &copy->next;
	}
	return made;
}

int cudaGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags)
{
	int error = sim_begin(SIM_CALL_cudaGraphInstantiateWithFlags, SIMCUDA_NEEDS_CONTEXT);
	if (!error && (!executable || !graph || flags))
		error = SIM_cudaErrorInvalidValue;
	if (error)
		return sim_end(error);
	*executable = graph_clone(graph);
	return sim_end(*executable ? 0 : SIM_cudaErrorMemoryAllocation);
}

int cudaGraphLaunch(void *executable, void *stream)
{
	int error = sim_begin(SIM_CALL_cudaGraphLaunch, SIMCUDA_NEEDS_CONTEXT);
	if (!error && !executable)
		error = SIM_cudaErrorInvalidValue;
	if (error)
		return sim_end(error);
	sim_lock();
	for (struct graph_node *node = ((struct sim_graph *)executable)->first; node && !error;
	     node = node->next)
		error = sim_copy_launch(node->copy, stream);
	sim_unlock();
	return sim_end(error);
}

int cudaGraphDestroy(void *graph)
{
	int error = sim_begin(SIM_CALL_cudaGraphDestroy, SIMCUDA_NEEDS_DRIVER);
	if (!error)
		graph_free(graph);
	return sim_end(error);
}

int cudaGraphExecDestroy(void *executable)
{
	int error = sim_begin(SIM_CALL_cudaGraphExecDestroy, SIMCUDA_NEEDS_DRIVER);
	if (!error)
		graph_free(executable);
	return sim_end(error);
}
