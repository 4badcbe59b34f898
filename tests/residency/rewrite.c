/* rewrite.c - rewrites its operands before each call, and counts page faults: rewrite WAY CALLS */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "kept.h"

/* WARM: calls in which memory is new. */
enum { WARM = 12, PAGE = 4096 };

static struct kept kept;

/* The values of the n-th call; operands are rewritten before all or some calls. */
static const struct {
	const char *name;
	int period;   /* rewritten before each n-th call */
	int is_fresh; /* with other values */
} ways[] = {
	{"fresh", 1, 1},       {"same", 1, 0},        {"every-second", 2, 1},
	{"every-third", 3, 1}, {"every-fifth", 5, 1},
};

static long count_faults(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

static void run(size_t way, int calls)
{
	long faults = 0;
	unsigned long pages = 0;
	kept_begin(&kept, ways[way].name, NULL);
	for (int i = 0; i < calls; i++) {
		const unsigned seed = ways[way].is_fresh ? (unsigned)i : 5;
		if (i == WARM)
			faults = count_faults();
		if (i % ways[way].period == 0) {
			kept_fill(kept.a, KEPT_COUNT, seed);
			kept_fill(kept.b, KEPT_COUNT, seed + 1);
			pages += i >= WARM ? 2 * KEPT_BYTES / PAGE : 0;
		}
		kept_call(&kept);
	}
	faults = count_faults() - faults;
	printf("%s: %d wrong, %lu pages rewritten, %ld faults\n", ways[way].name, kept.wrong, pages,
	       faults);
}

int main(int count, char **word)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (count > 2 && strcmp(word[1], ways[i].name) == 0) {
			run(i, atoi(word[2]));
			return kept.wrong > 0;
		}
	return 2;
}
