/* record_data.h - what is recorded of a call: a record past the gate, a tick below the threshold */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_RECORD_DATA_H
#define GPUSHIM_SHIM_RECORD_RECORD_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/call.h"
#include "policy/call/decision.h"

/*
 * A finished call. start_ns is CLOCK_REALTIME; elapsed_ns is -1 if the call was not timed. math:
 * the GPU's arithmetic as a word of the option math, NULL for native; not read of calls on the CPU.
 * dry_machine: of a dry run the name of the profile that its expected times are for; else NULL.
 * caller: an address in the object that called, or NULL. verify_ratio: of a verified call the
 * difference of the results as a part of what rounding explains; else NULL. nested: the CPU library
 * made the call inside a recorded one. recipe, workspace_bytes: of LAPACK on the GPU how it was
 * computed, NULL if unknown, and the memory that this took there beside the operands. pci: the
 * device's bus id, in the first record on it; else NULL. sent_bytes: copied to the device, also for
 * a call that came back to the CPU; kept_bytes: of operands, what it had from earlier calls.
 * cpu_part: of the work of a call on the GPU, what the CPU computed meanwhile; 0: none. Then
 * cpu_part_ns and gpu_part_ns are the times that both needed.
 */
struct record {
	const struct call *call;
	const struct decision *decision;
	int64_t start_ns, elapsed_ns;
	const char *math, *dry_machine;
	const void *caller;
	const double *verify_ratio;
	bool nested;
	const char *recipe;
	uint64_t workspace_bytes;
	const char *pci;
	uint64_t sent_bytes, kept_bytes;
	double cpu_part;
	int64_t cpu_part_ns, gpu_part_ns;
};

/*
 * A call below the threshold, timed by the time stamp counter. sizes: m, n, k as in struct
 * blas_call or lapack_call, with nrhs as k; or the dimensions of a transform, -1 if unknown.
 * problems: of a batch; howmany of a transform, -1 if unknown; of LAPACK as
 * record_data_pack_letters has them; not read of other calls.
 */
struct record_tick {
	uint64_t tsc_begin, tsc_end;
	int64_t sizes[3];
	int32_t symbol;
	int32_t problems;
};

/*
 * What a tick of LAPACK tells besides sizes. job, second: jobs of struct lapack_call, or 0; job is
 * the side of ormqr. range: that of eigenvalues, else 'A'. query: lwork is -1.
 */
struct record_letters {
	char job, second, range;
	bool query;
};

static inline int32_t record_data_pack_letters(struct record_letters letters)
{
	return (int32_t)((uint32_t)(unsigned char)letters.job |
	                 (uint32_t)(unsigned char)letters.second << 8 |
	                 (uint32_t)(unsigned char)letters.range << 16 |
	                 (uint32_t)letters.query << 24);
}

static inline struct record_letters record_data_unpack_letters(int32_t packed)
{
	const uint32_t bits = (uint32_t)packed;
	return (struct record_letters){(char)(bits & 0xff), (char)(bits >> 8 & 0xff),
	                               (char)(bits >> 16 & 0xff), bits >> 24 != 0};
}

#endif
