/* gpu_crowd_guest.c - threads that use CUDA themselves, and a fork child that must not use it */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu_crowd.h"
#include "shim/execute/cpu/cpu_finish.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/session/session.h"

enum {
	ERROR_MEMORY = 2,
	ERROR_INVALID_DEVICE = 101,
	NO_DEVICE = 99,
	STREAM_NON_BLOCKING = 1,
	CHILD_SECONDS = 60
};
enum { COPY_TO_DEVICE = 1, COPY_TO_HOST = 2 };

/* A function of the CUDA in use, called as the program would call it. */
#define CUDA_CALL(name, parameters, ...) ((int(*) parameters)gpu_check_function(name))(__VA_ARGS__)

void crowd_begin_guest(struct crowd_guest *guest, int device, size_t size_bytes)
{
	*guest = (struct crowd_guest){.device = device, .size_bytes = size_bytes};
	CUDA_CALL("cudaSetDevice", (int), device);
	EXPECT(CUDA_CALL("cudaStreamCreateWithFlags", (void **, unsigned), &guest->stream,
	                 STREAM_NON_BLOCKING) == 0,
	       "a stream on device %d", device);
}

void crowd_end_guest(struct crowd_guest *guest)
{
	EXPECT(CUDA_CALL("cudaStreamDestroy", (void *), guest->stream) == 0,
	       "the stream of device %d", guest->device);
}

static int guest_peek(void)
{
	return ((int (*)(void))gpu_check_function("cudaPeekAtLastError"))();
}

static int guest_get_error(void)
{
	return ((int (*)(void))gpu_check_function("cudaGetLastError"))();
}

/* As a program that knows the shim: on failure it asks the shim to free memory, and tries again. */
static void *guest_take_memory(struct crowd_guest *guest)
{
	void *memory = NULL;
	int error = CUDA_CALL("cudaMalloc", (void **, size_t), &memory, guest->size_bytes);
	if (error == ERROR_MEMORY) {
		guest->short_of++;
		guest_get_error();
		session_trim();
		error = CUDA_CALL("cudaMalloc", (void **, size_t), &memory, guest->size_bytes);
		guest->helped += error == 0;
	}
	EXPECT(error == 0 || error == ERROR_MEMORY, "cudaMalloc on device %d: %d", guest->device,
	       error);
	if (error != 0)
		guest_get_error();
	return error == 0 ? memory : NULL;
}

static void guest_copy(struct crowd_guest *guest, void *to, const void *from, int kind)
{
	EXPECT(CUDA_CALL("cudaMemcpyAsync", (void *, const void *, size_t, int, void *), to, from,
	                 CROWD_GUEST_BYTES, kind, guest->stream) == 0,
	       "a copy of the program's");
	EXPECT(CUDA_CALL("cudaStreamSynchronize", (void *), guest->stream) == 0, "and it ends");
}

/* Sets a state of CUDA, makes a call, and checks the state. */
static void guest_pass(struct crowd_guest *guest, uint64_t *state, bool pending)
{
	int current = -1;
	const int error = pending ? ERROR_INVALID_DEVICE : 0;
	EXPECT(!pending || CUDA_CALL("cudaSetDevice", (int), NO_DEVICE) == error,
	       "there is no such device");
	crowd_run_call(state, lanes_choose());
	CUDA_CALL("cudaGetDevice", (int *), &current);
	EXPECT(current == guest->device, "the current device was %d and is %d", guest->device,
	       current);
	EXPECT(guest_peek() == error, "the pending error was %d and is %d", error, guest_peek());
	guest_get_error();
}

void crowd_run_guest(struct crowd_guest *guest, uint64_t *state)
{
	char *sent = malloc(CROWD_GUEST_BYTES), *received = calloc(1, CROWD_GUEST_BYTES);
	void *memory = crowd_random(state, 3) == 0 ? guest_take_memory(guest) : NULL;
	memset(sent, (int)crowd_random(state, 256), CROWD_GUEST_BYTES);
	if (memory != NULL)
		guest_copy(guest, memory, sent, COPY_TO_DEVICE);
	guest_pass(guest, state, crowd_random(state, 2) == 0);
	if (memory != NULL) {
		guest_copy(guest, received, memory, COPY_TO_HOST);
		EXPECT(memcmp(sent, received, CROWD_GUEST_BYTES) == 0,
		       "the program's device memory was written");
		EXPECT(CUDA_CALL("cudaFree", (void *), memory) == 0,
		       "and is the program's to free");
	}
	free(sent);
	free(received);
}

/* C := A B of order 2, with sums that are exact. */
struct crowd_product {
	struct call call;
	double a[4], b[4], c[4];
};

static void product_describe(struct crowd_product *product)
{
	struct gpu_check_blas w = {
		.family = FAMILY_GEMM, .element = ELEMENT_D, .m = 2, .n = 2, .k = 2, .alpha = 1};
	*product = (struct crowd_product){
		.call = gpu_check_describe_blas(&w), .a = {1, 2, 3, 4}, .b = {5, 6, 7, 8}};
	product->call.blas.a = product->a;
	product->call.blas.b = product->b;
	product->call.blas.c = product->c;
	product->call.blas.lda = product->call.blas.ldb = product->call.blas.ldc = 2;
}

static bool product_finish_on_cpu(struct crowd_product *product)
{
	const struct panel_span both = {0, 2};
	const double *c = product->c;
	cpu_finish_region(&product->call, __builtin_return_address(0), both, both);
	return c[0] == 23 && c[1] == 34 && c[2] == 31 && c[3] == 46;
}

/*
 * A sanitizer's locks may be held for ever in a fork child: the child allocates nothing and opens
 * no library.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const bool child_computes = false;
#else
static const bool child_computes = true;
#endif

static bool child_is_alone(void)
{
	char text[4096] = "";
	const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	const ssize_t length = read(file, text, sizeof text - 1);
	close(file);
	const char *threads = length <= 0 ? NULL : strstr(text, "\nThreads:");
	return threads != NULL && strtol(threads + strlen("\nThreads:"), NULL, 10) == 1;
}

static int child_judge(struct crowd_product *product)
{
	bool finished;
	if (gpu_check_situation().off_reason != REASON_FORKED)
		return 1;
	if (!child_is_alone())
		return 2;
	if (gpu_check_call_blas(&product->call, 0, &finished) == REASON_NONE || finished)
		return 3;
	return !child_computes || product_finish_on_cpu(product) ? 0 : 4;
}

/* The parent finds the CPU library before the fork. */
void crowd_run_child(uint64_t *state)
{
	struct crowd_product before, after;
	int status = -1;
	product_describe(&before);
	product_describe(&after);
	EXPECT(product_finish_on_cpu(&before), "the CPU multiplies");
	const pid_t process = fork();
	if (process == 0) {
		alarm(CHILD_SECONDS);
		_exit(child_judge(&after));
	}
	const pid_t joined = waitpid(process, &status, 0);
	EXPECT(process > 0 && joined == process && status == 0, "the child ended with %x",
	       (unsigned)status);
	crowd_run_call(state, lanes_choose());
}
