/* overhead.c - time that the shim adds to calls that stay on the CPU, and to other programs */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/common/spawn.h"
#include "shim/base/clock.h"

enum { ROUNDS = 9, STARTS = 300, ENVIRONMENT_MAX = 8 };

static char preload[4200], audit[4200], loop_path[4200], log_path[] = "EPOCHLY_GPU_LOG=/dev/null";
static char level_call[] = "EPOCHLY_GPU_LOG_LEVEL=call";

/* A row of the table: a loop, its repetitions, and its bars. */
struct row {
	const char *routine;
	bool logged;
	const char *burst, *bursts, *pause_us;
	double bar_ns, bar_instructions;
};

static const struct row rows[] = {
	{"dgemm_", false, "2000000", "5", "0", 5, 80},
	{"cblas_dgemm", false, "2000000", "5", "0", 5, 80},
	{"dgesv_", false, "2000000", "5", "0", 5, 20},
	{"dpotrf_", false, "2000000", "5", "0", 5, 20},
	{"fftw_execute", false, "2000000", "5", "0", 2, 80},
	{"fftw_execute_dft", false, "2000000", "5", "0", 2, 80},
	{"dfftw_execute_dft_", false, "2000000", "5", "0", 2, 80},
	{"dgemm_", true, "4000", "50", "20000", 25, 0},
	{"cblas_dgemm", true, "4000", "50", "20000", 25, 0},
};

static void overhead_set_environment(char *environment[ENVIRONMENT_MAX], bool shim, bool logged)
{
	size_t count = 0;
	if (shim)
		environment[count++] = preload;
	if (shim && logged) {
		environment[count++] = log_path;
		environment[count++] = level_call;
	}
	environment[count] = NULL;
}

static double overhead_loop_ns(const struct row *row, bool shim)
{
	static struct spawn_result result;
	char *environment[ENVIRONMENT_MAX];
	char *argv[] = {loop_path,           (char *)row->routine,  (char *)row->burst,
	                (char *)row->bursts, (char *)row->pause_us, NULL};
	overhead_set_environment(environment, shim, row->logged);
	spawn_run(argv, environment, true, &result);
	return strtod(result.output, NULL);
}

/* Instructions of one run under callgrind; -1 without valgrind. */
static double overhead_count_instructions(const struct row *row, bool shim, const char *calls)
{
	static struct spawn_result result;
	char *environment[ENVIRONMENT_MAX];
	char *argv[] = {"/usr/bin/valgrind",
	                "--tool=callgrind",
	                "--callgrind-out-file=/dev/null",
	                loop_path,
	                (char *)row->routine,
	                (char *)calls,
	                "1",
	                "0",
	                NULL};
	if (access(argv[0], X_OK) != 0)
		return -1;
	overhead_set_environment(environment, shim, row->logged);
	spawn_run(argv, environment, true, &result);
	const char *found = strstr(result.output, "Collected : ");
	return found != NULL ? strtod(found + strlen("Collected : "), NULL) : -1;
}

/*
 * Instructions that the shim adds per call: from the difference between many calls and few, so that
 * start and end drop out.
 */
static double overhead_added_instructions(const struct row *row)
{
	double per_call[2];
	for (int shim = 0; shim < 2; shim++) {
		const double few = overhead_count_instructions(row, shim != 0, "1000");
		const double many = overhead_count_instructions(row, shim != 0, "101000");
		if (few < 0 || many < 0)
			return -1;
		per_call[shim] = (many - few) / 100000;
	}
	return per_call[1] - per_call[0];
}

static void overhead_print_row(const struct row *row)
{
	double off[ROUNDS], added[ROUNDS];
	for (int round = 0; round < ROUNDS; round++) {
		off[round] = overhead_loop_ns(row, false);
		added[round] = overhead_loop_ns(row, true) - off[round];
	}
	const struct spread direct = spread_of(off, ROUNDS), more = spread_of(added, ROUNDS);
	printf("%-18s %-9s %7.2f  %+7.2f [%+.2f..%+.2f]  (at most %g ns)", row->routine,
	       row->logged ? "log=call" : "no log", direct.median, more.median, more.least,
	       more.most, row->bar_ns);
	const double instructions =
		row->bar_instructions > 0 ? overhead_added_instructions(row) : -1;
	if (instructions >= 0)
		printf("  %+.0f instructions (at most %g)", instructions, row->bar_instructions);
	printf("\n");
	fflush(stdout);
}

/* Only what does not depend on the load of the machine. */
static void overhead_print_instructions(void)
{
	printf("added per call below the threshold: instructions\n");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const double added =
			rows[i].bar_instructions > 0 ? overhead_added_instructions(&rows[i]) : -1;
		if (added >= 0)
			printf("%-18s %+7.1f (at most %g)\n", rows[i].routine, added,
			       rows[i].bar_instructions);
	}
}

/* A start without the shim, with it, and with the audit library too. */
enum start { START_DIRECT, START_SHIM, START_AUDIT, STARTS_OF };

static void overhead_print_start(void)
{
	static double direct[STARTS], added[STARTS], audited[STARTS], memory[STARTS];
	static struct spawn_result result[STARTS_OF];
	char *argv[] = {"/bin/true", NULL};
	char *environment[STARTS_OF][ENVIRONMENT_MAX] = {
		{NULL}, {preload, NULL}, {preload, audit, NULL}};
	for (int i = 0; i < STARTS; i++) {
		for (int start = 0; start < STARTS_OF; start++)
			spawn_run(argv, environment[start], false, &result[start]);
		direct[i] = result[START_DIRECT].wall_ns / 1e3;
		added[i] = (result[START_SHIM].wall_ns - result[START_DIRECT].wall_ns) / 1e3;
		audited[i] = (result[START_AUDIT].wall_ns - result[START_SHIM].wall_ns) / 1e3;
		memory[i] =
			(double)(result[START_SHIM].max_rss_kb - result[START_DIRECT].max_rss_kb) /
			1e3;
	}
	const struct spread first = spread_of(direct, STARTS), more = spread_of(added, STARTS);
	const struct spread most = spread_of(audited, STARTS),
			    megabytes = spread_of(memory, STARTS);
	printf("/bin/true          start     %7.0f us  %+.0f us median (at most 60 us)  %+.2f "
	       "MB median (at most 0.3 MB)\n",
	       first.median, more.median, megabytes.median);
	printf("/bin/true          --audit   %+7.0f us more, median (at most 500 us)\n",
	       most.median);
}

/* The cost of timing a call, which is part of log=call. */
static void overhead_print_clock(void)
{
	enum { READS = 1000000 };
	double pair[ROUNDS];
	volatile uint64_t last = 0;
	for (int round = 0; round < ROUNDS; round++) {
		const int64_t begin = clock_monotonic_ns();
		for (int i = 0; i < READS; i++)
			last = clock_ticks();
		pair[round] = 2.0 * (double)(clock_monotonic_ns() - begin) / READS;
	}
	printf("two reads of the time stamp counter, part of log=call: %.1f ns\n",
	       spread_of(pair, ROUNDS).median);
	(void)last;
}

/* Runs the loop over all routines, with or without the shim. Returns lines of "ns name". */
static const char *overhead_run_all(bool shim)
{
	static struct spawn_result result;
	char *environment[ENVIRONMENT_MAX];
	char *argv[] = {loop_path, "all", "100000", "1", "0", NULL};
	overhead_set_environment(environment, shim, false);
	spawn_run(argv, environment, true, &result);
	return result.output;
}

static double overhead_count_added(const char *name)
{
	const struct row row = {.routine = name, .burst = "0", .bursts = "0", .pause_us = "0"};
	return overhead_added_instructions(&row);
}

static const struct overhead_name {
	const char *name, *shape, *abi, *width;
} names[] = {
#define BLAS(symbol, family, element, shape, abi, width) {#symbol, #shape, #abi, #width},
#include "shim/table/blas_symbols.def"
/* One group for each width: the gates of LAPACK differ by few instructions. */
#define LAPACK(symbol, family, element, shape, width) {#symbol, "LAPACK", "f77", #width},
#include "shim/table/lapack_symbols.def"
#define FFTW_COMPUTE(symbol, shape) {#symbol, #shape, "fftw", "-"},
#include "shim/table/fftw_symbols.def"
};
enum { NAMES = sizeof names / sizeof names[0] };

static double table_added[NAMES][ROUNDS];
static struct spread table_spreads[NAMES];

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

static void overhead_table_measure(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		char *off = strdup(overhead_run_all(false));
		const char *on = overhead_run_all(true);
		for (int i = 0; i < NAMES; i++)
			table_added[i][round] = overhead_table_find(on, names[i].name) -
			                        overhead_table_find(off, names[i].name);
		free(off);
	}
	for (int i = 0; i < NAMES; i++)
		table_spreads[i] = spread_of(table_added[i], ROUNDS);
}

static bool overhead_table_same(const struct overhead_name *one, const struct overhead_name *other)
{
	return strcmp(one->shape, other->shape) == 0 && strcmp(one->abi, other->abi) == 0 &&
	       strcmp(one->width, other->width) == 0;
}

/* Prints the group that begins with row first; nothing where an earlier row began it. */
static void overhead_table_print_group(int first)
{
	double medians[NAMES];
	int count = 0, worst = first;
	for (int i = 0; i < NAMES; i++) {
		if (!overhead_table_same(&names[i], &names[first]))
			continue;
		if (i < first)
			return;
		medians[count++] = table_spreads[i].median;
		if (table_spreads[i].median > table_spreads[worst].median)
			worst = i;
	}
	printf("%-22s %-6s %-6s %3d %+7.2f  %-34s %+7.2f [%+.2f..%+.2f]", names[first].shape,
	       names[first].abi, names[first].width, count,
	       spread_of(medians, (size_t)count).median, names[worst].name,
	       table_spreads[worst].median, table_spreads[worst].least, table_spreads[worst].most);
	const double more = overhead_count_added(names[worst].name);
	if (more >= 0)
		printf(" %+.0f", more);
	printf("\n");
	fflush(stdout);
}

/*
 * Prints a line per group: its median, its costliest name and that name's spread; with every, also
 * each name.
 */
static void overhead_table_print(bool every)
{
	overhead_table_measure();
	printf("every name of BLAS and LAPACK and every execution of FFTW, by argument list, "
	       "convention and width: how many, their "
	       "median, the costliest\n");
	printf("(at most 5 ns, of FFTW 2 ns, and 80 instructions; medians of %d interleaved "
	       "pairs [least..most])\n",
	       ROUNDS);
	for (int i = 0; i < NAMES; i++)
		overhead_table_print_group(i);
	for (int i = 0; every && i < NAMES; i++)
		printf("%-34s %+7.2f [%+.2f..%+.2f]\n", names[i].name, table_spreads[i].median,
		       table_spreads[i].least, table_spreads[i].most);
}

int main(int argc, char **argv)
{
	const bool every = argc == 2 && strcmp(argv[1], "--every") == 0;
	const bool counts = argc == 2 && strcmp(argv[1], "--instructions") == 0;
	if (argc > 1 && !every && !counts) {
		fprintf(stderr,
		        "usage: overhead [--every | --instructions]\n"
		        "--every lists each name, --instructions counts and times nothing\n");
		return 2;
	}
	snprintf(preload, sizeof preload, "LD_PRELOAD=%s", spawn_beside("libgpushim.so", true));
	snprintf(audit, sizeof audit, "LD_AUDIT=%s", spawn_beside("libgpushim-audit.so", true));
	snprintf(loop_path, sizeof loop_path, "%s", spawn_beside("overhead_loop", false));
	if (counts) {
		overhead_print_instructions();
		return 0;
	}
	printf("added per call below the threshold: median of %d interleaved pairs "
	       "[least..most], ns\n",
	       ROUNDS);
	printf("%-18s %-9s %7s  %7s\n", "routine", "", "direct", "added");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		overhead_print_row(&rows[i]);
	overhead_print_clock();
	overhead_print_start();
	overhead_table_print(every);
	return 0;
}
