/* count_read.h - a call's sizes, from the places that the tables name */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_READ_H
#define GPUSHIM_AUDIT_COUNT_COUNT_READ_H

#include "audit/count/count_bind.h"
#include "audit/count/count_stub.h"

/*
 * What a call comes to. is_known: its flops are what the form says, or there are none. is_r2r: an
 * FFTW plan for a transform of another kind than the complex and half-complex ones.
 */
struct count_reading {
	struct count_sizes sizes;
	uint64_t flops, size_bytes;
	bool is_known, is_r2r;
};

/* Reads only what the real routine reads as well. */
void count_read_call(const struct count_binding *binding, const struct count_frame *frame,
                     struct count_reading *reading);

#endif
