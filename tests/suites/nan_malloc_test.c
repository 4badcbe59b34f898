/* nan_malloc_test.c - with nan_malloc preloaded, fresh memory is NaN, and only fresh memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1000, GROWN_BYTES = 100000 };

static int failures;

static void expect(bool holds, const char *what)
{
	if (!holds) {
		printf("FAIL %s\n", what);
		failures++;
	}
}

/* Whether bytes [from, to) are NaN, read as floats and as doubles. */
static bool is_nan(const void *block, size_t from, size_t to)
{
	for (size_t at = from; at + sizeof(double) <= to; at += sizeof(double)) {
		float single;
		double real;
		memcpy(&single, (const char *)block + at, sizeof(single));
		memcpy(&real, (const char *)block + at, sizeof(real));
		if (!isnan(single) || !isnan(real))
			return false;
	}
	return true;
}

static bool is_byte(const void *block, int byte, size_t size_bytes)
{
	const unsigned char *bytes = block;
	for (size_t i = 0; i < size_bytes; i++)
		if (bytes[i] != byte)
			return false;
	return true;
}

/* A reused block is filled again. */
static void check_malloc(void)
{
	for (int round = 0; round < 3; round++) {
		void *block = malloc(BLOCK_BYTES);
		expect(block != NULL && is_nan(block, 0, BLOCK_BYTES), "malloc");
		memset(block, 0, BLOCK_BYTES);
		free(block);
	}
}

static void check_calloc(void)
{
	void *block = calloc(BLOCK_BYTES, 1);
	expect(block != NULL && is_byte(block, 0, BLOCK_BYTES), "calloc");
	free(block);
}

static void check_realloc(void)
{
	void *block = malloc(BLOCK_BYTES);
	memset(block, 1, BLOCK_BYTES);
	block = realloc(block, GROWN_BYTES);
	expect(block != NULL && is_byte(block, 1, BLOCK_BYTES), "realloc keeps what there was");
	expect(is_nan(block, BLOCK_BYTES, GROWN_BYTES), "realloc fills what came");
	block = realloc(block, BLOCK_BYTES / 2);
	expect(is_byte(block, 1, BLOCK_BYTES / 2), "realloc to less");
	free(block);
	block = realloc(NULL, BLOCK_BYTES);
	expect(block != NULL && is_nan(block, 0, BLOCK_BYTES), "realloc of nothing");
	free(block);
}

static void check_aligned(void)
{
	void *block = memalign(64, BLOCK_BYTES);
	expect(block != NULL && is_nan(block, 0, BLOCK_BYTES), "memalign");
	free(block);
	block = aligned_alloc(64, BLOCK_BYTES);
	expect(block != NULL && is_nan(block, 0, BLOCK_BYTES), "aligned_alloc");
	free(block);
	block = NULL;
	expect(posix_memalign(&block, 4096, GROWN_BYTES) == 0 && is_nan(block, 0, GROWN_BYTES),
	       "posix_memalign");
	free(block);
}

int main(void)
{
	check_malloc();
	check_calloc();
	check_realloc();
	check_aligned();
	printf("nan_malloc: %d failures\n", failures);
	return failures != 0;
}
