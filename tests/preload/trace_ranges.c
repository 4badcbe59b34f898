/* trace_ranges.c - stands in for a profiler: accepts NVTX ranges both ways and prints them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Identifiers of NVTX: an export table, a module, functions. */
enum { CALLBACKS = 1, CORE = 1, RANGE_PUSH = 9, RANGE_POP = 11 };

struct callbacks {
	size_t size_bytes;
	int (*find_functions)(int module, void ****table, unsigned *count);
};

static _Atomic int pushed, popped, calls, stages;
static _Thread_local int depth;

int nvtxRangePushA(const char *name);
int nvtxRangePop(void);
int InitializeInjectionNvtx2(const void *(*find_table)(uint32_t));

int nvtxRangePushA(const char *name)
{
	pushed++;
	calls += strcmp(name, "dgemm 200 x 200 x 200") == 0;
	stages += strcmp(name, "plan") == 0;
	return depth++;
}

int nvtxRangePop(void)
{
	popped++;
	if (--depth < 0)
		puts("a range too many ends");
	return depth;
}

int InitializeInjectionNvtx2(const void *(*find_table)(uint32_t))
{
	const struct callbacks *callbacks = find_table(CALLBACKS);
	void ***table = NULL;
	unsigned count = 0;
	if (callbacks == NULL || callbacks->find_functions(CORE, &table, &count) != 1 ||
	    count <= RANGE_POP)
		return 0;
	*table[RANGE_PUSH] = (void *)nvtxRangePushA;
	*table[RANGE_POP] = (void *)nvtxRangePop;
	return 1;
}

__attribute__((destructor)) static void report(void)
{
	printf("%d calls, %d planned, %s\n", calls, stages,
	       pushed == popped ? "balanced" : "not balanced");
}
