/* fft_room.h - plans, device memory and copies on the host, all taken before a transform begins */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_ROOM_H
#define GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_ROOM_H

#include "shim/execute/gpu/fft/fft_job.h"

/*
 * Cuts the job and takes its plans and device memory before anything is queued, so that a lack of
 * them costs nothing. Where nothing fits, memory that is kept for other calls is counted in too.
 */
enum reason fft_room_take_device(struct lane *lane, struct fft_job *job);

/* Host memory for the job's copies; those that it needs none of stay NULL. */
enum reason fft_room_take_copies(struct lane *lane, struct fft_job *job);

/* Should the thread leave the call, its plans are given back. */
void fft_room_lend_plans(struct lane *lane, struct fft_job *job);
void fft_room_give_plans(struct fft_job *job, bool usable);

/* As gpu_fft_set_group. */
void fft_room_set_group(int64_t group);

#endif
