/* count_file.h - the file of counts of a process: the library writes it, the tool reads it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_FILE_H
#define GPUSHIM_AUDIT_COUNT_COUNT_FILE_H

#include <stdatomic.h>
#include <stdint.h>

#include "audit/count/count_clock.h"

#define COUNT_FOLDER_VARIABLE "GPUSHIM_COVERAGE_FOLDER"
#define COUNT_LARGE_VARIABLE "GPUSHIM_COVERAGE_LARGE_BYTES"
#define COUNT_MAGIC "gpucvr1"

enum {
	COUNT_VERSION = 4,
	COUNT_PAGE_BYTES = 4096,
	COUNT_CELLS = 8192,
	COUNT_OBJECTS = 1024,
	COUNT_SYMBOL_BYTES = 48,
	COUNT_PATH_BYTES = 216,
	COUNT_LIST_BYTES = 72,
	COUNT_LIBC_BYTES = 16,
	COUNT_SIZES = 4
};

/*
 * Time in calls, in units of 16 ticks of the processor's counter since the start. thread: summed
 * over the threads, of calls that have ended. wall: the low COUNT_ACTIVE_BITS hold how many threads
 * are inside; above them is the time in which at least one was. The first one to enter subtracts
 * its time, the last one to leave adds it: while threads are inside, the reader's time is to be
 * added.
 */
struct count_time {
	_Atomic uint64_t thread, wall;
};
enum { COUNT_TICKS_SHIFT = 4, COUNT_ACTIVE_BITS = 16 };

/* Routines whose time is added up together. */
enum count_group {
	/* BLAS of level 3, LAPACK's routines of lapack_family.def, executions of FFTW */
	COUNT_GROUP_GPU,
	COUNT_GROUP_CPU,     /* all else of BLAS, LAPACK and FFTW */
	COUNT_GROUP_OUTSIDE, /* routines of count_outside.def */
	COUNT_GROUPS
};

/* How the loader found a function; a set of bits. */
enum count_way {
	COUNT_WAY_LINKED = 0,
	COUNT_WAY_DLSYM = 1,    /* by dlsym */
	COUNT_WAY_NAMESPACE = 2 /* by an object in another namespace (dlmopen) */
};

/* Executions of FFTW's plans that have no form on the GPU, though their names are taken. */
enum count_barred {
	COUNT_BARRED_REAL,  /* real-to-real */
	COUNT_BARRED_SPLIT, /* of real and imaginary parts in arrays of their own */
	COUNT_BARRED_RANK,  /* of more than FFT_GPU_RANK dimensions */
	COUNT_BARRED_LOOPS, /* of more than FFT_LOOPS_MAX loops */
	COUNT_BARRED
};

/* Who made a library, as far as it is known. */
enum count_maker { COUNT_MAKER_UNKNOWN, COUNT_MAKER_OPENBLAS, COUNT_MAKER_MKL };

/*
 * A binding: a symbol, the object that refers to it, the object that defines it. The other fields
 * are valid once ready is not 0. unsized: calls whose flops are unknown. barred: as the enum
 * has it. large: other calls whose operands have at least large_bytes. largest: flops
 * of the largest call, or without flops the product of its sizes; sizes: its m, n, k and number of
 * problems. time: without that of other routines that the routine called and that have cells.
 */
struct count_cell {
	_Atomic uint32_t ready;
	uint16_t caller, provider;
	uint32_t way;
	char symbol[COUNT_SYMBOL_BYTES];
	_Atomic uint64_t calls, unsized, flops, large_calls, large_flops,
		barred_calls[COUNT_BARRED], barred_flops[COUNT_BARRED], largest;
	_Atomic int64_t sizes[COUNT_SIZES];
	struct count_time time;
};

/* Why there are no samples. */
enum count_no_samples {
	COUNT_SAMPLED,
	COUNT_SIGNAL_TAKEN, /* the program has its own handler of the signal */
	COUNT_TIMER_REFUSED /* by the system */
};

/*
 * Samples of code that runs in an object: thread_ns is the time that they stand for, summed over
 * the threads; wall_ns that in which at least one thread ran there; last_ns the time of the last
 * sample.
 */
struct count_samples {
	_Atomic uint64_t thread_ns, wall_ns, last_ns;
};

/*
 * provides: it has routines of the tables. is_symbolic: it binds its own calls of them itself.
 * data, unreported: number of functions that it refers to by addresses in data, and by bindings
 * that an old loader does not report; data_names: the former.
 */
struct count_object {
	_Atomic uint32_t ready;
	uint32_t maker, provides, is_symbolic, data, unreported;
	char data_names[COUNT_LIST_BYTES], path[COUNT_PATH_BYTES];
	struct count_samples samples;
};

/*
 * Whole pages, since the file is mapped. Where cell_count or object_count exceeds the number of
 * rows, the rest was dropped. no_samples: enum count_no_samples. unplaced: samples of code that is
 * in no object.
 */
struct count_file {
	_Alignas(COUNT_PAGE_BYTES) char magic[8];
	uint32_t version;
	int32_t pid;
	int64_t start_realtime_ns;
	struct count_moment start;
	uint32_t ticks_are_ns; /* without the processor's counter */
	uint64_t large_bytes;
	char libc[COUNT_LIBC_BYTES];
	_Atomic uint64_t nested;
	struct count_time group_time[COUNT_GROUPS];
	_Atomic uint32_t no_samples;
	struct count_samples unplaced;
	_Atomic uint32_t cell_count, object_count;
	struct count_object objects[COUNT_OBJECTS];
	struct count_cell cells[COUNT_CELLS];
};

#endif
