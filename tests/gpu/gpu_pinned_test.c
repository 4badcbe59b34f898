/* gpu_pinned_test.c - blocks page-locked at first use: once, until freed, never required */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu_check.h"
#include "gpu_child.h"
#include "shim/base/one_off.h"
#include "shim/execute/gpu/device/pinned.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/session/session.h"

enum { N = 1000, PAGE_BYTES = 4096, BLOCK_BYTES = 16 * PAGE_BYTES, THREADS = 6, ROUNDS = 20 };

static int device;

static unsigned long count_locks(void)
{
	return gpu_check_count("cudaHostRegister");
}

static unsigned long count_unlocks(void)
{
	return gpu_check_count("cudaHostUnregister");
}

/*
 * A constant as input gives one peak as output, in each of the rows. Rows are separated by gaps of
 * a row's length.
 */
static void transform_rows(double *in, double value, int rows)
{
	const int64_t n = N / rows, distance = rows == 1 ? n : 2 * n;
	const struct fft_problem problem = {.family = FAMILY_FFT_C2C,
	                                    .element = ELEMENT_Z,
	                                    .rank = 1,
	                                    .loops = 1,
	                                    .dims = {{n, 1, 1}},
	                                    .loop = {{rows, distance, n}},
	                                    .howmany = rows,
	                                    .sign = -1};
	double *out = malloc((size_t)2 * N * sizeof *out);
	const struct call call = {.family = FAMILY_FFT_C2C,
	                          .element = ELEMENT_Z,
	                          .fft = {&problem, in, out, .plan_key = NULL}};
	for (int64_t i = 0; i < 2 * distance * rows; i++)
		in[i] = i % 2 == 0 ? value : 0;
	const enum reason reason = gpu_fft_run(&call, device);
	const double wrong = out[2 * (N - n)] - (double)n * value; /* the last row's sum */
	EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
	EXPECT(wrong > -1e-6 && wrong < 1e-6, "off by %g", wrong);
	EXPECT(in[2 * N - 2] == value, "the input is whole");
	free(out);
}

static void transform(double *in, double value)
{
	transform_rows(in, value, 1);
}

/* Whole pages, as fftw_malloc uses for large blocks. */
static char *take_pages(size_t size_bytes)
{
	char *pages = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (pages != MAP_FAILED)
		return pages;
	perror("gpu_pinned: mmap");
	exit(1);
}

static void give_block(char *block)
{
	pinned_forget(block);
	munmap(block, BLOCK_BYTES);
}

static double *inside(char *block)
{
	return (double *)(void *)(block + 64);
}

static void expect_calls(unsigned long locks, unsigned long unlocks, const char *when)
{
	if (!gpu_check_is_simulated())
		return;
	EXPECT(count_locks() == locks, "%s: locked %lu times", when, count_locks());
	EXPECT(count_unlocks() == unlocks, "%s: unlocked %lu times", when, count_unlocks());
}

static void test_life(void)
{
	char *block = take_pages(BLOCK_BYTES), *other = take_pages(BLOCK_BYTES);
	transform(inside(block), 1);
	expect_calls(0, 0, "before anything is noted");
	pinned_note(block, BLOCK_BYTES);
	uint64_t mark = one_off_mark();
	transform(inside(block), 1);
	EXPECT(one_off_since(mark), "the call that locks is not a typical one");
	mark = one_off_mark();
	for (int i = 0; i < 5; i++)
		transform(inside(block), 2 + i);
	EXPECT(!one_off_since(mark), "later ones are");
	expect_calls(1, 0, "used again and again, with new contents");
	transform(inside(other), 3);
	expect_calls(1, 0, "another block, not noted");
	pinned_forget(block + 8);
	pinned_forget(NULL);
	expect_calls(1, 0, "nobody's block");
	give_block(block);
	expect_calls(1, 1, "forgotten");
	pinned_forget(block);
	expect_calls(1, 1, "forgotten before");
	give_block(other);
}

/* The memory was freed in a way that the shim does not see, and is part of a new block. */
static void test_overlap(void)
{
	char *block = take_pages(BLOCK_BYTES);
	pinned_note(block + PAGE_BYTES, BLOCK_BYTES - PAGE_BYTES);
	transform(inside(block + PAGE_BYTES), 1);
	expect_calls(2, 1, "locked");
	pinned_note(block, BLOCK_BYTES);
	expect_calls(2, 2, "the older one is unlocked");
	transform(inside(block), 5);
	expect_calls(3, 2, "the new one is locked");
	give_block(block);
	expect_calls(3, 3, "and unlocked");
}

/* The array ends after its block, so that only a part of it could be locked. */
static void test_partial(void)
{
	char *block = take_pages(BLOCK_BYTES);
	pinned_note(block, (size_t)16 * N);
	transform(inside(block), 1);
	expect_calls(3, 3, "not locked");
	transform_rows((double *)(void *)block, 1, 10);
	expect_calls(3, 3, "the later rows are outside");
	transform((double *)(void *)block, 1);
	expect_calls(4, 3, "to the last byte");
	give_block(block);
	expect_calls(4, 4, "unlocked");
}

static void test_full_table(void)
{
	char *first = take_pages(BLOCK_BYTES), *locked = take_pages(BLOCK_BYTES),
	     *last = take_pages(BLOCK_BYTES);
	char *reserved = take_pages((size_t)PINNED_BLOCKS_MAX * PAGE_BYTES);
	pinned_note(locked, BLOCK_BYTES);
	transform(inside(locked), 1);
	pinned_note(first, BLOCK_BYTES);
	for (size_t i = 0; i < PINNED_BLOCKS_MAX - 2; i++)
		pinned_note(reserved + i * PAGE_BYTES, 8);
	expect_calls(5, 4, "a full table");
	pinned_note(last, BLOCK_BYTES);
	transform(inside(first), 1);
	expect_calls(5, 4, "the oldest went");
	transform(inside(last), 1);
	expect_calls(6, 4, "for the newest");
	for (size_t i = 0; i < PINNED_BLOCKS_MAX; i++)
		pinned_forget(reserved + i * PAGE_BYTES);
	give_block(first);
	give_block(locked);
	give_block(last);
	expect_calls(6, 6, "what was locked was kept");
	munmap(reserved, (size_t)PINNED_BLOCKS_MAX * PAGE_BYTES);
}

/* No more than half of the machine's memory is locked. */
static void test_limit(void)
{
	const size_t size_bytes =
		(size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 2 + 1;
	char *block = take_pages(size_bytes);
	pinned_note(block, size_bytes);
	transform(inside(block), 1);
	expect_calls(6, 6, "too large");
	pinned_forget(block);
	munmap(block, size_bytes);
}

/* A child that forgets the locks of its parent, and notes a block, makes no library call. */
static void test_fork(void)
{
	char *block = take_pages(BLOCK_BYTES);
	pinned_note(block, BLOCK_BYTES);
	transform(inside(block), 1);
	fflush(NULL);
	const pid_t child = fork();
	if (child == 0) {
		const unsigned long calls = count_locks() + count_unlocks();
		pinned_forget(block);
		pinned_note(block, BLOCK_BYTES);
		_exit(count_locks() + count_unlocks() != calls);
	}
	int status = -1;
	waitpid(child, &status, 0);
	EXPECT(status == 0, "the child ended with %x", (unsigned)status);
	give_block(block);
	expect_calls(7, 7, "the parent's own");
}

static void *live(void *argument)
{
	(void)argument;
	for (int round = 0; round < ROUNDS; round++) {
		char *block = take_pages(BLOCK_BYTES);
		pinned_note(block, BLOCK_BYTES);
		transform(inside(block), round);
		transform(inside(block), round + 1);
		give_block(block);
	}
	return NULL;
}

static char *shared_block;

/* Each thread uses its part of the one block. */
static void *share(void *argument)
{
	const intptr_t thread = (intptr_t)argument;
	for (int round = 0; round < ROUNDS; round++)
		transform((double *)(void *)(shared_block + thread * BLOCK_BYTES), round);
	return NULL;
}

static void run_threads(void *(*body)(void *))
{
	pthread_t thread[THREADS];
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, body, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

static void test_threads(void)
{
	const unsigned long locks = count_locks(), unlocks = count_unlocks();
	run_threads(live);
	EXPECT(count_locks() - locks == count_unlocks() - unlocks,
	       "every block that was locked was unlocked");
	shared_block = take_pages((size_t)THREADS * BLOCK_BYTES);
	pinned_note(shared_block, (size_t)THREADS * BLOCK_BYTES);
	const unsigned long before = count_locks();
	run_threads(share);
	EXPECT(!gpu_check_is_simulated() || count_locks() == before + 1, "locked once for all");
	pinned_forget(shared_block);
	munmap(shared_block, (size_t)THREADS * BLOCK_BYTES);
}

/*
 * Registration fails: one message for all, the result is right, and the block is not tried again.
 */
static int scenario_refused(void)
{
	device = gpu_check_start(0);
	char *block[3] = {take_pages(BLOCK_BYTES), take_pages(BLOCK_BYTES),
	                  take_pages(BLOCK_BYTES)};
	for (int i = 0; i < 3; i++) {
		pinned_note(block[i], BLOCK_BYTES);
		transform(inside(block[i]), i);
		transform(inside(block[i]), i + 1);
	}
	expect_calls(3, 0, "two refusals");
	for (int i = 0; i < 3; i++)
		give_block(block[i]);
	expect_calls(3, 1, "only what was locked is unlocked");
	const int error = ((int (*)(void))gpu_check_function("cudaPeekAtLastError"))();
	EXPECT(error == 0, "error %d is left behind", error);
	return gpu_check_end("gpu_pinned refused");
}

/* At the program's end CUDA may already be unloaded. */
static int scenario_ending(void)
{
	device = gpu_check_start(0);
	char *block = take_pages(BLOCK_BYTES);
	pinned_note(block, BLOCK_BYTES);
	transform(inside(block), 1);
	session_stop();
	give_block(block);
	expect_calls(1, 0, "at the end");
	return gpu_check_end("gpu_pinned ending");
}

static void test_scenarios(void)
{
	struct gpu_child refused = {
		.scenario = "refused",
		.setting = {"SIMCUDA_FAIL=cudaHostRegister:1:2,cudaHostRegister:2:712"}};
	struct gpu_child ending = {.scenario = "ending"};
	gpu_child_run(&refused);
	EXPECT(gpu_child_exited(&refused, 0), "status %x: %s", (unsigned)refused.status,
	       refused.errors);
	const char *note = strstr(refused.errors, "page-lock");
	EXPECT(note != NULL && strstr(note + 1, "page-lock") == NULL, "one message: %s",
	       refused.errors);
	gpu_child_run(&ending);
	EXPECT(gpu_child_exited(&ending, 0), "status %x: %s", (unsigned)ending.status,
	       ending.errors);
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return strcmp(argv[1], "refused") == 0 ? scenario_refused() : scenario_ending();
	device = gpu_check_start(0);
	test_life();
	test_overlap();
	test_partial();
	test_full_table();
	test_limit();
	test_fork();
	test_threads();
	if (gpu_check_is_simulated())
		test_scenarios();
	else
		printf("not tried: refused registrations need a simulated CUDA\n");
	return gpu_check_end("gpu_pinned");
}
