/* digest_variant.h - the hash compiled for all processors, and for those with AVX2 */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_PAGES_DIGEST_VARIANT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_PAGES_DIGEST_VARIANT_H

#include "shim/execute/gpu/pages/pages.h"

/*
 * XXH3-128 with a secret of the process. Two pages with different bytes have the same digest with a
 * probability of 2^-128. With the secret that xxhash.h has for all, pages can be made that have the
 * same one: by two numbers that change places, say. A program that reads the secret still can.
 */
struct digest {
	uint64_t low, high;
};

/* Random bytes; of XXH3 136 are the least. */
enum { DIGEST_SECRET_BYTES = 192 };

/* For digest.c. Of data in the cache the second hashes 2.5 times as many bytes a second. */
bool digest_base_is_built(void);
void digest_base_take(struct pages_span span, const unsigned char secret[], struct digest *digest);
bool digest_wide_is_built(void);
void digest_wide_take(struct pages_span span, const unsigned char secret[], struct digest *digest);

#endif
