/* digest_xxh.h - digests of pages by xxhash.h, inlined for the flags of the including file */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_PAGES_DIGEST_XXH_H
#define GPUSHIM_SHIM_EXECUTE_GPU_PAGES_DIGEST_XXH_H

#include "shim/execute/gpu/pages/digest_variant.h"

#ifdef GPUSHIM_XXHASH
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif

static inline bool digest_xxh_is_there(void)
{
#ifdef GPUSHIM_XXHASH
	return true;
#else
	return false;
#endif
}

static inline void digest_xxh_take(struct pages_span span, const unsigned char secret[],
                                   struct digest *digest)
{
#ifdef GPUSHIM_XXHASH
	const uintptr_t bytes = pages_size();
	for (uintptr_t page = span.start; page < span.end; page += bytes) {
		const XXH128_hash_t hash = XXH3_128bits_withSecret((const void *)page, bytes,
		                                                   secret, DIGEST_SECRET_BYTES);
		*digest++ = (struct digest){hash.low64, hash.high64};
	}
#else
	(void)span;
	(void)secret;
	(void)digest;
#endif
}

#endif
