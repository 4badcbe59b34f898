/* count_read.h - the sizes and the work of a call, read from the positions that the tables name */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_READ_H
#define GPUSHIM_AUDIT_COUNT_COUNT_READ_H

#include "audit/count/count_bind.h"
#include "audit/count/count_stub.h"

/*
 * What is known of a call. is_known: flops holds the routine's formula, or the routine has no
 * flops. barred: of an FFTW plan an enum count_barred; COUNT_BARRED where the GPU has its form.
 */
struct count_reading {
	struct count_sizes sizes;
	uint64_t flops, size_bytes;
	bool is_known;
	enum count_barred barred;
};

/* The argument at this position: its value, or its address where it comes by reference. */
static inline uint64_t count_read_raw(const struct count_frame *frame, int position)
{
	return position < COUNT_REGISTERS ? frame->registers[position]
	                                  : frame->stack[position - COUNT_REGISTERS];
}

static inline const void *count_read_address(const struct count_frame *frame, int position)
{
	return (const void *)count_read_raw(frame, position);
}

/* Whether the call only asks LAPACK for the size of the workspace. */
bool count_read_is_query(const struct count_binding *binding, const struct count_frame *frame);

/* A call of BLAS or LAPACK. Reads only memory that the real routine reads as well. */
void count_read_matrix(const struct count_name *name, const struct count_frame *frame,
                       struct count_reading *reading);

#endif
