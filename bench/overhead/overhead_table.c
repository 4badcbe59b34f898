/* overhead_table.c - the added cost of every BLAS name and every execution of FFTW */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/overhead/overhead_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/spawn.h"

enum { TABLE_ROUNDS = 9 };

static const struct table_row {
	const char *name, *shape, *abi, *width;
} rows[] = {
#define BLAS(symbol, family, element, shape, abi, width) {#symbol, #shape, #abi, #width},
#include "shim/table/blas_symbols.def"
#define FFTW_COMPUTE(symbol, shape) {#symbol, #shape, "fftw", "-"},
#include "shim/table/fftw_symbols.def"
};
enum { TABLE_ROWS = sizeof rows / sizeof rows[0] };

static double added[TABLE_ROWS][TABLE_ROUNDS];
static struct spread spreads[TABLE_ROWS];

static double overhead_table_find(const char *output, const char *name)
{
	char line[64];
	snprintf(line, sizeof line, " %s\n", name);
	const char *found = strstr(output, line);
	if (found == NULL) {
		fprintf(stderr, "overhead: the loop says nothing of %s\n", name);
		exit(1);
	}
	while (found > output && found[-1] != '\n')
		found--;
	return strtod(found, NULL);
}

static void overhead_table_measure(overhead_run *run)
{
	for (int round = 0; round < TABLE_ROUNDS; round++) {
		char *off = strdup(run(false));
		const char *on = run(true);
		for (int i = 0; i < TABLE_ROWS; i++)
			added[i][round] = overhead_table_find(on, rows[i].name) -
			                  overhead_table_find(off, rows[i].name);
		free(off);
	}
	for (int i = 0; i < TABLE_ROWS; i++)
		spreads[i] = spread_of(added[i], TABLE_ROUNDS);
}

static bool overhead_table_same(const struct table_row *one, const struct table_row *other)
{
	return strcmp(one->shape, other->shape) == 0 && strcmp(one->abi, other->abi) == 0 &&
	       strcmp(one->width, other->width) == 0;
}

/* The group that begins with row first: skipped where an earlier row began it. */
static void overhead_table_print_group(int first, double (*instructions)(const char *name))
{
	double medians[TABLE_ROWS];
	int count = 0, worst = first;
	for (int i = 0; i < TABLE_ROWS; i++) {
		if (!overhead_table_same(&rows[i], &rows[first]))
			continue;
		if (i < first)
			return;
		medians[count++] = spreads[i].median;
		if (spreads[i].median > spreads[worst].median)
			worst = i;
	}
	printf("%-22s %-6s %-6s %3d %+7.2f  %-34s %+7.2f [%+.2f..%+.2f]", rows[first].shape,
	       rows[first].abi, rows[first].width, count, spread_of(medians, (size_t)count).median,
	       rows[worst].name, spreads[worst].median, spreads[worst].least, spreads[worst].most);
	const double more = instructions(rows[worst].name);
	if (more >= 0)
		printf(" %+.0f", more);
	printf("\n");
	fflush(stdout);
}

void overhead_table_print(overhead_run *run, double (*instructions)(const char *name), bool every)
{
	overhead_table_measure(run);
	printf("every name of BLAS and every execution of FFTW, by argument list, convention and width: how many, their "
	       "median, the costliest\n");
	printf("(at most 5 ns, of FFTW 2 ns, and 80 instructions; medians of %d interleaved pairs [least..most])\n",
	       TABLE_ROUNDS);
	for (int i = 0; i < TABLE_ROWS; i++)
		overhead_table_print_group(i, instructions);
	for (int i = 0; every && i < TABLE_ROWS; i++)
		printf("%-34s %+7.2f [%+.2f..%+.2f]\n", rows[i].name, spreads[i].median,
		       spreads[i].least, spreads[i].most);
}
