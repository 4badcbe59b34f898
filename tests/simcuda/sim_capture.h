/* sim_capture.h - stream capture: which calls are prohibited meanwhile, and graphs of copies */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_CAPTURE_H
#define SIMCUDA_SIM_CAPTURE_H

#include "sim_engine.h"

/* Swaps the calling thread's interaction mode. */
int sim_capture_exchange(int *mode);
/*
 * A row of sim_calls.def is about to begin. An error: captures prohibit the call, and are invalid
 * now. Takes the lock itself.
 */
int sim_capture_admit(int call);

/* All need the lock. */
/* Whether the stream accepts work, now: the default stream has none while a blocking one captures. */
int sim_capture_admit_work(const struct sim_stream *stream);
/* Whether the host may wait for the stream, or ask it. */
int sim_capture_admit_wait(const struct sim_stream *stream);
/* The same for the whole device: any capture on it forbids this, whatever the thread's mode. */
int sim_capture_admit_wait_all(const struct sim_device *device);
bool sim_capture_is_active(const struct sim_stream *stream);
/* The stream's capture takes over the copy, or refuses it and is invalid. */
int sim_capture_add(const struct sim_stream *stream, struct sim_copy *copy);
/* The stream was asked for something that cannot be captured here; returns the error. */
int sim_capture_refuse(const struct sim_stream *stream, int error);
void sim_capture_end_stream(const struct sim_stream *stream);
void sim_capture_end_device(const struct sim_device *device);

#endif
