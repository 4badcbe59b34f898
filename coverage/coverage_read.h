/* coverage_read.h - a call's sizes, from the places that the tables name */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_COVERAGE_COVERAGE_READ_H
#define GPUSHIM_COVERAGE_COVERAGE_READ_H

#include "coverage/coverage_bind.h"
#include "coverage/coverage_stub.h"

/*
 * What a call comes to. is_known: its flops are what the form says, or there are none. is_r2r: an FFTW plan for a
 * transform of another kind than the complex and half-complex ones.
 */
struct coverage_reading {
	struct coverage_sizes sizes;
	uint64_t flops, size_bytes;
	bool is_known, is_r2r;
};

/* Reads only what the real routine reads as well. */
void coverage_read_call(const struct coverage_binding *binding, const struct coverage_frame *frame,
                        struct coverage_reading *reading);

#endif
