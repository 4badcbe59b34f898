/* pack_copy_template.h - the loops for one instruction set, defined by PACK_TARGET and PACK_NAME */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Four vectors, two lines, at a time. Prefetches into the second-level cache: the first one is too
 * small.
 */
PACK_TARGET static void PACK_NAME(copy)(void *to, const void *from, uint64_t size_bytes,
                                        const void *ahead)
{
	enum { VECTORS = 4, STEP_BYTES = VECTORS * sizeof(pack_vector_d) };
	pack_vector_d *target = to;
	const pack_vector_d *source = from;
	const char *next = ahead;
	uint64_t i = 0;
	for (; i + STEP_BYTES <= size_bytes;
	     i += STEP_BYTES, target += VECTORS, source += VECTORS) {
		__builtin_prefetch(next + i, 0, 2);
		__builtin_prefetch(next + i + PACK_LINE_BYTES, 0, 2);
		const pack_vector_d first = source[0], second = source[1], third = source[2],
				    fourth = source[3];
		target[0] = first;
		target[1] = second;
		target[2] = third;
		target[3] = fourth;
	}
	if (i < size_bytes)
		__builtin_prefetch(next + i, 0, 2);
	memcpy(target, source, size_bytes - i);
}

#define REAL float
#define VECTOR pack_vector_s
#define EXCHANGE PACK_EXCHANGE_S
#define NAME(verb) PACK_NAME(verb##_s)
#include "shim/execute/gpu/copy/pack_scale_template.h"

#define REAL double
#define VECTOR pack_vector_d
#define EXCHANGE PACK_EXCHANGE_D
#define NAME(verb) PACK_NAME(verb##_d)
#include "shim/execute/gpu/copy/pack_scale_template.h"

#undef PACK_TARGET
#undef PACK_NAME
