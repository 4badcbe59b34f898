/* guest_capture.c - threads capture CUDA graphs while others call BLAS and FFTW */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest_cuda.h"

enum { BYTES = 4096, CALLS = 60 };

/* A thread that captures from `begun` to `over`. */
struct capturer {
	pthread_t thread;
	sem_t begun, over;
	int mode;
	unsigned flags;
	void (*inside)(void); /* called by the capturing thread itself; may be NULL */
};

/* The graph fills one half of the memory and copies it to the other. */
static void graph_run(void *graph, void *stream, unsigned char *memory)
{
	unsigned char host[BYTES];
	void *run = NULL;
	GUEST_EXPECT(cuda.cudaGraphInstantiateWithFlags(&run, graph, 0) == 0, "instantiate");
	GUEST_EXPECT(cuda.cudaGraphLaunch(run, stream) == 0, "launch");
	GUEST_EXPECT(cuda.cudaStreamSynchronize(stream) == 0, "wait");
	GUEST_EXPECT(cuda.cudaMemcpyAsync(host, memory, BYTES, COPY_TO_HOST, stream) == 0 &&
	                     cuda.cudaStreamSynchronize(stream) == 0,
	             "copy");
	GUEST_EXPECT(host[0] == 9 && host[BYTES - 1] == 9, "the graph wrote %d and %d", host[0],
	             host[BYTES - 1]);
	GUEST_EXPECT(cuda.cudaGraphExecDestroy(run) == 0, "destroy");
}

/* Returns the former mode. */
static int set_mode(int mode)
{
	GUEST_EXPECT(cuda.cudaThreadExchangeStreamCaptureMode(&mode) == 0, "mode");
	return mode;
}

static void *capturer_run(void *argument)
{
	struct capturer *self = argument;
	unsigned char *memory = NULL;
	void *stream = NULL, *graph = NULL;
	/* Other threads may be capturing. */
	set_mode(CAPTURE_RELAXED);
	GUEST_EXPECT(cuda.cudaMalloc((void **)&memory, BYTES) == 0, "memory");
	GUEST_EXPECT(cuda.cudaStreamCreateWithFlags(&stream, self->flags) == 0, "stream");
	set_mode(CAPTURE_GLOBAL);
	GUEST_EXPECT(cuda.cudaStreamBeginCapture(stream, self->mode) == 0, "begin");
	cuda.cudaMemsetAsync(memory, 9, BYTES / 2, stream);
	sem_post(&self->begun);
	if (self->inside != NULL)
		self->inside();
	sem_wait(&self->over);
	cuda.cudaMemcpyAsync(memory + BYTES / 2, memory, BYTES / 2, COPY_ON_DEVICE, stream);
	const int error = cuda.cudaStreamEndCapture(stream, &graph);
	GUEST_EXPECT(error == 0 && graph != NULL, "the capture ended with error %d", error);
	const int mode = set_mode(CAPTURE_RELAXED);
	GUEST_EXPECT(mode == CAPTURE_GLOBAL, "the thread's mode is %d", mode);
	if (graph != NULL) {
		graph_run(graph, stream, memory);
		cuda.cudaGraphDestroy(graph);
	}
	cuda.cudaFree(memory);
	return NULL;
}

static void capturer_begin(struct capturer *self, int mode, unsigned flags, void (*inside)(void))
{
	self->mode = mode;
	self->flags = flags;
	self->inside = inside;
	sem_init(&self->begun, 0, 0);
	sem_init(&self->over, 0, 0);
	pthread_create(&self->thread, NULL, capturer_run, self);
	sem_wait(&self->begun);
}

static void capturer_end(struct capturer *self)
{
	sem_post(&self->over);
	pthread_join(self->thread, NULL);
}

/* Calls that make handles, plans and page-locked memory, and calls that do not. */
static void call_all(void)
{
	uint64_t (*trim)(void) = NULL;
	void *symbol = dlsym(RTLD_DEFAULT, "gpushim_trim");
	memcpy(&trim, &symbol, sizeof symbol);
	for (int i = 0; i < CALLS; i++)
		guest_multiply(64 + i % 3 * 32);
	guest_transform(1 << 12);
	guest_transform(1 << 13);
	if (trim != NULL)
		trim();
	guest_multiply(160);
}

static void *call_beside(void *unused)
{
	(void)unused;
	call_all();
	return NULL;
}

/* Two captures in two threads, and two threads that call. */
static void test_crowd(void)
{
	struct capturer first, second;
	pthread_t thread;
	capturer_begin(&first, CAPTURE_GLOBAL, STREAM_NON_BLOCKING, NULL);
	capturer_begin(&second, CAPTURE_LOCAL, STREAM_NON_BLOCKING, NULL);
	pthread_create(&thread, NULL, call_beside, NULL);
	call_all();
	pthread_join(thread, NULL);
	capturer_end(&second);
	capturer_end(&first);
}

/* The mode and the stream's kind; "own": the capturing thread calls, while nobody else does. */
static void test_one(int mode, unsigned flags)
{
	struct capturer capturer;
	capturer_begin(&capturer, mode, flags, NULL);
	call_all();
	capturer_end(&capturer);
	capturer_begin(&capturer, mode, flags, call_all);
	capturer_end(&capturer);
}

/* With "warm" CUDA is started before the first capture. */
int main(int argc, char **argv)
{
	static struct capturer last;
	guest_open();
	if (argc > 1 && strcmp(argv[1], "warm") == 0)
		guest_multiply(64);
	test_one(CAPTURE_GLOBAL, STREAM_NON_BLOCKING);
	test_one(CAPTURE_LOCAL, STREAM_NON_BLOCKING);
	test_one(CAPTURE_RELAXED, STREAM_NON_BLOCKING);
	test_one(CAPTURE_GLOBAL, STREAM_BLOCKING);
	test_crowd();
	const int mode = set_mode(CAPTURE_GLOBAL);
	GUEST_EXPECT(mode == CAPTURE_GLOBAL, "the mode of the main thread is %d", mode);
	/* The process ends while a thread captures. */
	capturer_begin(&last, CAPTURE_GLOBAL, STREAM_NON_BLOCKING, NULL);
	guest_multiply(96);
	return guest_end();
}
