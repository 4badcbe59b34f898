/* digest.h - a hash of 128 bits for each page of memory, by which a change is seen */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_PAGES_DIGEST_H
#define GPUSHIM_SHIM_EXECUTE_GPU_PAGES_DIGEST_H

#include "shim/execute/gpu/pages/digest_variant.h"

static inline bool digest_equals(struct digest a, struct digest b)
{
	return a.low == b.low && a.high == b.high;
}

/* Whether xxhash.h was there when the library was built; nothing below may be called otherwise. */
bool digest_is_built(void);

/* Chooses the secret of this process, once; before digests are taken. */
void digest_begin(void);

/* Reads the pages, and stores a digest for each. Any thread may. */
void digest_take(struct pages_span span, struct digest *digest);

#endif
