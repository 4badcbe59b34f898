/* tune_program.c - products of many shapes; prints their total time on the virtual clocks */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/tune/tune_library.h"

enum { PROGRAM_ORDER_MOST = 2048, PROGRAM_ROUNDS = 3 };

static const struct {
	int m, n, k, times;
} program_calls[] = {
	{64, 64, 64, 40},      {100, 100, 100, 30},  {160, 160, 160, 25},   {256, 256, 256, 20},
	{2048, 16, 300, 12},   {320, 320, 320, 16},  {400, 400, 400, 12},   {512, 512, 512, 8},
	{1500, 1500, 8, 6},    {640, 640, 640, 6},   {800, 800, 800, 4},    {96, 96, 2048, 10},
	{1024, 1024, 1024, 2}, {1200, 300, 1200, 3}, {1536, 1536, 1536, 1}, {2048, 2048, 2048, 1}};
enum { PROGRAM_CALLS = sizeof program_calls / sizeof program_calls[0] };

static uint64_t program_multiply(int m, int n, int k, int single, void *memory[3])
{
	const double one = 1, zero = 0;
	const float single_one = 1, single_zero = 0;
	const uint64_t begin_ns = tune_library_now();
	if (single)
		sgemm_("N", "N", &m, &n, &k, &single_one, memory[0], &m, memory[1], &k,
		       &single_zero, memory[2], &m);
	else
		dgemm_("N", "N", &m, &n, &k, &one, memory[0], &m, memory[1], &k, &zero, memory[2],
		       &m);
	return tune_library_now() - begin_ns;
}

/* The clock of the simulated CUDA, from the library that the shim loads too. */
static int program_find_clock(const char *path)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (handle == NULL) {
		fprintf(stderr, "tune_program: %s\n", dlerror());
		return 0;
	}
	unsigned long long (*clock)(void);
	*(void **)&clock = dlsym(handle, "simcuda_clock_ns");
	tune_library_set_clock(clock);
	return clock != NULL;
}

int main(int argc, char **argv)
{
	void *memory[3];
	uint64_t whole_ns = 0;
	if (argc != 2 || !program_find_clock(argv[1]))
		return 2;
	for (int i = 0; i < 3; i++)
		if ((memory[i] = calloc((size_t)PROGRAM_ORDER_MOST * PROGRAM_ORDER_MOST,
		                        sizeof(double))) == NULL)
			return 2;
	for (int round = 0; round < PROGRAM_ROUNDS; round++)
		for (int i = 0; i < PROGRAM_CALLS; i++)
			for (int turn = 0; turn < program_calls[i].times; turn++)
				whole_ns +=
					program_multiply(program_calls[i].m, program_calls[i].n,
				                         program_calls[i].k, round == 1, memory);
	printf("%llu\n", (unsigned long long)whole_ns);
	for (int i = 0; i < 3; i++)
		free(memory[i]);
	return 0;
}
