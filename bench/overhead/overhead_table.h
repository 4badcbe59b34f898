/* overhead_table.h - the added cost of every BLAS name and FFTW execution, by argument list */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_OVERHEAD_OVERHEAD_TABLE_H
#define GPUSHIM_BENCH_OVERHEAD_OVERHEAD_TABLE_H

#include <stdbool.h>

/* Runs the loop over every routine, with or without the shim; its output is lines of "ns name". */
typedef const char *overhead_run(bool shim);

/*
 * Prints one line per group: its median, its costliest name and that one's spread; with every, each
 * name. instructions counts what one name's call adds, negative where that cannot be had.
 */
void overhead_table_print(overhead_run *run, double (*instructions)(const char *name), bool every);

#endif
