/* gpu_threads_test.c - many threads at once: multiplications, and one FFT plan */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>

#include "gpu_check.h"
#include "shim/execute/gpu/session/session.h"

enum { THREADS = 8, ROUNDS = 6 };

static int device;
static int shared_key;

static void *run(void *argument)
{
	const int thread = (int)(intptr_t)argument;
	for (int round = 0; round < ROUNDS; round++) {
		const struct gpu_check_gemm gemm = {
			.element = (enum element)((thread + round) % ELEMENT_BLAS_COUNT),
			.m = 20 + thread,
			.n = 30,
			.k = 10 + round,
			.gap = 1,
			.alpha = 2,
			.beta = 1};
		const struct gpu_check_fft fft = {.family = FAMILY_FFT_C2C,
		                                  .element = ELEMENT_Z,
		                                  .rank = 1,
		                                  .n = {96},
		                                  .howmany = 2,
		                                  .sign = -1,
		                                  .key = &shared_key};
		enum reason reason = gpu_check_run_gemm(&gemm, device);
		session_note_outcome(reason);
		EXPECT(reason == REASON_NONE, "gemm in thread %d: %s", thread, reason_name(reason));
		reason = gpu_check_run_fft(&fft, device);
		session_note_outcome(reason);
		EXPECT(reason == REASON_NONE, "fft in thread %d: %s", thread, reason_name(reason));
	}
	return NULL;
}

/* All threads ask for CUDA; with warmup = wait each call returns when CUDA is ready. */
static void *wake(void *argument)
{
	(void)argument;
	session_wake();
	EXPECT(gpu_check_situation().gpu != GPU_WARMING, "woken only when it is over");
	return NULL;
}

static void run_all(void *(*body)(void *))
{
	pthread_t thread[THREADS];
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, body, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

int main(void)
{
	/* Slows the simulated CUDA down, so that the threads meet. */
	setenv("SIMCUDA_SLOW", "cufftExecZ2Z:3", 1);
	gpu_check_configure(0);
	run_all(wake);
	device = gpu_check_start(0);
	run_all(run);
	EXPECT(gpu_check_count("cublasCreate_v2") <= 4, "%lu lanes",
	       gpu_check_count("cublasCreate_v2"));
	EXPECT(gpu_check_situation().gpu == GPU_READY, "and the GPU goes on");
	return gpu_check_end("gpu_threads");
}
