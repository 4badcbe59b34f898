/* fft_blocks.c - page-locked blocks of fftw_malloc: made, freed, shared, fork, exit */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <fftw3.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fft_tone.h"

/* Blocks have 2 MB. */
enum { SIZE = 1 << 17, N = 512, RUNS = 3, ROUNDS = 40 };

/* Whether to print the numbers of locks and unlocks. They are known only if CUDA calls succeed. */
static bool counted;

/* The number of calls of a simulated CUDA function; 0 if the simulated CUDA is not loaded. */
static unsigned long count_calls(const char *name)
{
	void *library = dlopen("libcudart.so.13", RTLD_LAZY | RTLD_NOLOAD);
	if (library == NULL)
		return 0;
	unsigned long (*count)(const char *) =
		(unsigned long (*)(const char *))dlsym(library, "simcuda_count");
	dlclose(library);
	return count != NULL ? count(name) : 0;
}

static void tell_locks(const char *what)
{
	static unsigned long locks, unlocks;
	const unsigned long now_locks = count_calls("cudaHostRegister"),
			    now_unlocks = count_calls("cudaHostUnregister");
	if (counted)
		printf("%s: %lu locked, %lu unlocked\n", what, now_locks - locks,
		       now_unlocks - unlocks);
	locks = now_locks;
	unlocks = now_unlocks;
}

static bool transform(fftw_plan plan, fftw_complex *in, fftw_complex *out, int tone)
{
	tone_fill(in, N, tone);
	fftw_execute_dft(plan, in, out);
	return tone_is_peak((const fftw_complex *)out, N, tone, N);
}

/* A block is locked at the first use of any part of it; input and output may share one block. */
static void use_one(fftw_plan plan)
{
	fftw_complex *block = fftw_malloc(SIZE * sizeof *block);
	bool right = true;
	tell_locks("a block");
	for (int i = 0; i < RUNS; i++)
		right = transform(plan, block, block + N, i) &&
		        transform(plan, block + 4 * N, block + 2 * N, 9) && right;
	tone_tell("in and out in one block", right);
	tell_locks("used");
	fftw_free(block);
	tell_locks("freed");
}

static void use_every_allocator(fftw_plan plan)
{
	fftw_complex *blocks[4] = {
		fftw_alloc_complex(SIZE), (fftw_complex *)fftw_alloc_real(2 * SIZE),
		(fftw_complex *)fftwf_alloc_complex(2 * SIZE), fftw_alloc_complex(N)};
	bool right = true;
	for (int i = 0; i < 4; i++)
		right = transform(plan, blocks[i], blocks[(i + 1) % 4], i) && right;
	tone_tell("every allocator", right);
	tell_locks("three large blocks, one small");
	fftw_free(blocks[2]);
	fftwf_free(blocks[0]);
	fftw_free(blocks[1]);
	fftw_free(blocks[3]);
	tell_locks("freed");
}

/*
 * malloc returns the same addresses again. A block that stayed locked, or that the shim took for
 * locked, would give the device wrong memory.
 */
static void churn(fftw_plan plan)
{
	fftw_complex *held[ROUNDS] = {NULL};
	bool right = true;
	for (int i = 0; i < ROUNDS; i++) {
		fftw_complex *block = fftw_malloc((size_t)(SIZE + i % 3 * 5000) * sizeof *block);
		right = transform(plan, block, block + N, i % N) && right;
		if (i % 4 == 0)
			held[i] = block;
		else
			fftw_free(block);
		if (i >= 8) {
			fftw_free(held[i - 8]);
			held[i - 8] = NULL;
		}
	}
	for (int i = 0; i < ROUNDS; i++)
		fftw_free(held[i]);
	tone_tell("blocks come and go", right);
	tell_locks("come and gone");
}

/* fftw_free must accept memory that fftw_malloc did not allocate: FFTW frees it with free. */
static void free_strangers(void)
{
	/* One alignment is a whole page, as in blocks that the shim allocates. */
	for (size_t alignment = 64; alignment <= 4096; alignment *= 64) {
		void *memory = NULL;
		if (posix_memalign(&memory, alignment, SIZE * 16) != 0)
			return;
		memset(memory, 1, SIZE * 16);
		fftw_free(memory);
	}
	fftw_free(malloc(100));
	fftw_free(NULL);
	tone_tell("blocks never seen", true);
}

static void fork_with(fftw_plan plan, fftw_complex *block)
{
	int status = -1;
	bool right = transform(plan, block, block + N, 3);
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		fftw_complex *own = fftw_malloc(SIZE * sizeof *own);
		right = transform(plan, own, own + N, 4) && right;
		fftw_free(own);
		fftw_free(block);
		exit(right ? 0 : 1);
	}
	waitpid(child, &status, 0);
	tone_tell("a child frees", status == 0);
	tone_tell("its parent goes on", transform(plan, block, block + N, 5) && right);
}

/*
 * usage: fft_blocks [counted]
 *
 * The program ends while a block is still locked. malloc takes all blocks from its heap, where
 * neighbours share pages: CUDA would lock such a page for only one of them.
 */
int main(int count, char **arguments)
{
	counted = count == 2 && strcmp(arguments[1], "counted") == 0;
	mallopt(M_MMAP_MAX, 0);
	fftw_complex *in = fftw_alloc_complex(N), *out = fftw_alloc_complex(N);
	fftw_plan plan = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	use_one(plan);
	use_every_allocator(plan);
	churn(plan);
	free_strangers();
	fftw_complex *left = fftw_malloc(SIZE * sizeof *left);
	fork_with(plan, left);
	tone_tell("at the end", transform(plan, left, left + N, 6));
	fftw_destroy_plan(plan);
	return tone_failures != 0;
}
