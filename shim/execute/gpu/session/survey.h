/* survey.h - the GPU's state for one decision: peers, queued work, operands, cuFFT plans */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SURVEY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SURVEY_H

#include "policy/decide/decide.h"

/* Fills gpu_peers of a situation that session_describe has filled. Some loads, from any thread. */
void survey_peers(struct situation *situation);

/*
 * Completes a situation that session_describe has filled, for a described call: once the GPU is
 * ready setting.queue_ns, setting.place and device_only; and setting.setup_ns, which is plan_ns
 * (the cost of making a cuFFT plan) unless the plan exists already. About a microsecond, from any
 * thread, whose CUDA state is kept; starts nothing.
 */
void survey_call(const struct call *call, double plan_ns, struct situation *situation);

/*
 * Of a LAPACK call, after survey_call: setting.setup_ns is start_ns, the cost of cuSOLVER's start,
 * unless the device has it already; once the GPU is ready, setting.memory_bytes too. From any
 * thread.
 */
void survey_solver(double start_ns, struct situation *situation);

#endif
