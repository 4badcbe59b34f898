/* sim_cudart_stream.c - exported: streams and events */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_capture.h"
#include "sim_cudart.h"

int cudaStreamCreateWithFlags(void **stream, unsigned int flags)
{
	int error = sim_begin(SIM_CALL_cudaStreamCreateWithFlags, SIMCUDA_NEEDS_CONTEXT);
	if (!error && (!stream || flags > SIM_STREAM_NON_BLOCKING))
		error = SIM_cudaErrorInvalidValue;
	if (error)
		return sim_end(error);
	sim_lock();
	struct sim_stream *made =
		sim_stream_new(sim_device_current(), false, !(flags & SIM_STREAM_NON_BLOCKING));
	if (made)
		*stream = (void *)made->handle;
	sim_unlock();
	return sim_end(made ? 0 : SIM_cudaErrorMemoryAllocation);
}

int cudaStreamDestroy(void *stream)
{
	int error = sim_begin(SIM_CALL_cudaStreamDestroy, SIMCUDA_NEEDS_CONTEXT);
	if (error)
		return sim_end(error);
	sim_lock();
	struct sim_stream *found = sim_stream_find(stream);
	if (!found || found->is_null)
		error = SIM_cudaErrorInvalidResourceHandle;
	else {
		sim_capture_end_stream(found);
		sim_stream_destroy(found);
	}
	sim_unlock();
	return sim_end(error);
}

/* "Not ready" is not recorded as an error. */
static int end_poll(int error)
{
	return error == SIM_cudaErrorNotReady ? error : sim_end(error);
}

static int stream_reach_or_poll(void *stream, bool wait)
{
	int error;
	sim_lock();
	struct sim_stream *found = sim_stream_find(stream);
	struct sim_device *device = found ? found->device : NULL;
	struct sim_goal end = {.stream = found, .limit = sim_stream_limit()};
	error = found ? sim_capture_admit_wait(found) : SIM_cudaErrorInvalidResourceHandle;
	if (error)
		device = NULL;
	else if (wait)
		sim_schedule_reach(&end);
	else
		error = sim_schedule_poll(&end) ? 0 : SIM_cudaErrorNotReady;
	if (device && device->sticky_error)
		error = device->sticky_error;
	sim_unlock();
	return error;
}

int simcuda_wait(void *stream)
{
	return stream_reach_or_poll(stream, true);
}

static int stream_wait_or_poll(int call, void *stream, bool wait)
{
	int error = sim_begin(call, SIMCUDA_NEEDS_CONTEXT);
	return error ? sim_end(error) : end_poll(stream_reach_or_poll(stream, wait));
}

int cudaStreamSynchronize(void *stream)
{
	return stream_wait_or_poll(SIM_CALL_cudaStreamSynchronize, stream, true);
}

int cudaStreamQuery(void *stream)
{
	return stream_wait_or_poll(SIM_CALL_cudaStreamQuery, stream, false);
}

/* What another stream did is no part of a graph; captures of several streams are not built. */
static int stream_wait(struct sim_event *event, struct sim_stream *waiter)
{
	if (sim_capture_is_active(waiter))
		return sim_capture_refuse(waiter, SIM_cudaErrorStreamCaptureIsolation);
	return event->captured ? SIM_cudaErrorNotSupported : sim_event_wait(event, waiter);
}

int cudaStreamWaitEvent(void *stream, void *event, unsigned int flags)
{
	int error = sim_begin(SIM_CALL_cudaStreamWaitEvent, SIMCUDA_NEEDS_CONTEXT);
	if (!error && flags > 1)
		error = SIM_cudaErrorInvalidValue;
	if (error)
		return sim_end(error);
	sim_lock();
	struct sim_stream *waiter = sim_stream_find(stream);
	struct sim_event *found = sim_event_find(event);
	error = waiter && found ? sim_capture_admit_work(waiter)
	                        : SIM_cudaErrorInvalidResourceHandle;
	if (!error)
		error = stream_wait(found, waiter);
	sim_unlock();
	return sim_end(error);
}

int cudaEventCreateWithFlags(void **event, unsigned int flags)
{
	int error = sim_begin(SIM_CALL_cudaEventCreateWithFlags, SIMCUDA_NEEDS_CONTEXT);
	/* Flag 4, events between processes, is not implemented. */
	if (!error && (!event || flags > 3))
		error = SIM_cudaErrorInvalidValue;
	if (error)
		return sim_end(error);
	sim_lock();
	struct sim_event *made =
		sim_event_new(sim_device_current(), !(flags & SIM_EVENT_DISABLE_TIMING));
	if (made)
		*event = (void *)made->handle;
	sim_unlock();
	return sim_end(made ? 0 : SIM_cudaErrorMemoryAllocation);
}

int cudaEventRecord(void *event, void *stream)
{
	int error = sim_begin(SIM_CALL_cudaEventRecord, SIMCUDA_NEEDS_CONTEXT);
	if (error)
		return sim_end(error);
	sim_lock();
	struct sim_stream *where = sim_stream_find(stream);
	struct sim_event *found = sim_event_find(event);
	error = where && found ? sim_capture_admit_work(where) : SIM_cudaErrorInvalidResourceHandle;
	if (!error) {
		found->captured = sim_capture_is_active(where);
		error = found->captured ? 0 : sim_event_record(found, where);
	}
	sim_unlock();
	return sim_end(error);
}

static int event_wait_or_poll(int call, void *event, bool wait)
{
	int error = sim_begin(call, SIMCUDA_NEEDS_CONTEXT);
	if (error)
		return sim_end(error);
	sim_lock();
	struct sim_event *found = sim_event_find(event);
	struct sim_device *device = found ? found->device : NULL;
	struct sim_goal goal = {.mark = found ? found->mark : NULL};
	if (!found || found->captured)
		error = found ? SIM_cudaErrorCapturedEvent : SIM_cudaErrorInvalidResourceHandle;
	else if (goal.mark && wait)
		sim_schedule_reach(&goal);
	else if (goal.mark)
		error = sim_schedule_poll(&goal) ? 0 : SIM_cudaErrorNotReady;
	if (device && device->sticky_error)
		error = device->sticky_error;
	sim_unlock();
	return end_poll(error);
}

int cudaEventQuery(void *event)
{
	return event_wait_or_poll(SIM_CALL_cudaEventQuery, event, false);
}

int cudaEventSynchronize(void *event)
{
	return event_wait_or_poll(SIM_CALL_cudaEventSynchronize, event, true);
}

static int event_elapsed(float *milliseconds, const struct sim_event *start,
                         const struct sim_event *end)
{
	if (!start || !end || start->device != end->device || !start->timed || !end->timed ||
	    !start->mark || !end->mark)
		return SIM_cudaErrorInvalidResourceHandle;
	if (!start->mark->done || !end->mark->done)
		return SIM_cudaErrorNotReady;
	*milliseconds =
		(float)(((double)end->mark->virtual_ns - (double)start->mark->virtual_ns) / 1e6);
	return 0;
}

int cudaEventElapsedTime(float *milliseconds, void *start, void *end)
{
	int error = sim_begin(SIM_CALL_cudaEventElapsedTime, SIMCUDA_NEEDS_CONTEXT);
	if (!error && !milliseconds)
		error = SIM_cudaErrorInvalidValue;
	if (error)
		return sim_end(error);
	sim_lock();
	error = event_elapsed(milliseconds, sim_event_find(start), sim_event_find(end));
	sim_unlock();
	return sim_end(error);
}

int cudaEventDestroy(void *event)
{
	int error = sim_begin(SIM_CALL_cudaEventDestroy, SIMCUDA_NEEDS_CONTEXT);
	if (error)
		return sim_end(error);
	sim_lock();
	struct sim_event *found = sim_event_find(event);
	if (found)
		sim_event_destroy(found);
	else
		error = SIM_cudaErrorInvalidResourceHandle;
	sim_unlock();
	return sim_end(error);
}
