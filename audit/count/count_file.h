/* count_file.h - what the counting library writes and the command line tool reads: one file per process image */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_FILE_H
#define GPUSHIM_AUDIT_COUNT_COUNT_FILE_H

#include <stdatomic.h>
#include <stdint.h>

#define COUNT_FOLDER_VARIABLE "GPUSHIM_COVERAGE_FOLDER"
#define COUNT_LARGE_VARIABLE "GPUSHIM_COVERAGE_LARGE_BYTES"
#define COUNT_MAGIC "gpucvr1"

enum {
	COUNT_VERSION = 1,
	COUNT_PAGE_BYTES = 4096,
	COUNT_CELLS = 8192,
	COUNT_OBJECTS = 1024,
	COUNT_SYMBOL_BYTES = 48,
	COUNT_PATH_BYTES = 216,
	COUNT_LIST_BYTES = 72,
	COUNT_LIBC_BYTES = 16,
	COUNT_SIZES = 4
};

/* How a function was found. */
enum count_way {
	COUNT_WAY_LINKED = 0,
	COUNT_WAY_DLSYM = 1,    /* its address was asked for */
	COUNT_WAY_NAMESPACE = 2 /* by an object that dlmopen put into a namespace of its own */
};

/* Of a library: what is known of its make. */
enum count_maker { COUNT_MAKER_UNKNOWN, COUNT_MAKER_OPENBLAS, COUNT_MAKER_MKL };

/*
 * One binding: a symbol, the object that refers to it, the object that has it. All else is valid
 * once ready is not 0.
 * unsized: calls whose flops could not be told. r2r: executions of FFTW's real-to-real plans;
 * large: of the others those whose operands have at least large_bytes. largest: flops, or where
 * there are none the product of the sizes, of the call whose sizes stand here: m, n, k, how many of
 * them.
 */
struct count_cell {
	_Atomic uint32_t ready;
	uint16_t caller, provider;
	uint32_t way;
	char symbol[COUNT_SYMBOL_BYTES];
	_Atomic uint64_t calls, unsized, flops, large_calls, large_flops, r2r_calls, r2r_flops,
		largest;
	_Atomic int64_t sizes[COUNT_SIZES];
};

/*
 * provides: it has routines of the tables; is_symbolic: and binds its own calls of them itself.
 * data, unreported: how many functions it refers to in ways of which a loader does not tell; their
 * names.
 */
struct count_object {
	_Atomic uint32_t ready;
	uint32_t maker, provides, is_symbolic, data, unreported;
	char data_names[COUNT_LIST_BYTES], path[COUNT_PATH_BYTES];
};

/*
 * Whole pages, to be mapped. cell_count and object_count may be more than there are: the rest was
 * dropped.
 */
struct count_file {
	_Alignas(COUNT_PAGE_BYTES) char magic[8];
	uint32_t version;
	int32_t pid;
	int64_t start_realtime_ns;
	uint64_t large_bytes;
	char libc[COUNT_LIBC_BYTES];
	_Atomic uint64_t nested;
	_Atomic uint32_t cell_count, object_count;
	struct count_object objects[COUNT_OBJECTS];
	struct count_cell cells[COUNT_CELLS];
};

#endif
