/* absent.c - stands in for the GPU engine while it is being built: every call stays on the CPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/gpu_blas.h"
#include "shim/execute/gpu/gpu_fft.h"
#include "shim/execute/gpu/session.h"

enum reason gpu_blas_run(const struct call *call, int device)
{
	(void)call, (void)device;
	return REASON_LIBRARY_FAILED;
}

enum reason gpu_fft_run(const struct call *call, int device)
{
	(void)call, (void)device;
	return REASON_LIBRARY_FAILED;
}

void gpu_fft_forget(const void *plan_key)
{
	(void)plan_key;
}

void session_configure(const struct options *options)
{
	(void)options;
}

void session_describe(struct situation *situation)
{
	situation->gpu = GPU_OFF;
	situation->off_reason = REASON_NO_CUDA;
}

void session_wake(void)
{
}

void session_note_outcome(enum reason outcome)
{
	(void)outcome;
}

void session_before_fork(void)
{
}

void session_after_fork_parent(void)
{
}

void session_after_fork_child(void)
{
}

void session_stop(void)
{
}
