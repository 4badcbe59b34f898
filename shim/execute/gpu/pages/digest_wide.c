/* digest_wide.c - the hash for processors with AVX2: CMake compiles this file for them alone */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/pages/digest_variant.h"
#include "shim/execute/gpu/pages/digest_xxh.h"

bool digest_wide_is_built(void)
{
#ifdef __AVX2__
	return digest_xxh_is_there();
#else
	return false;
#endif
}

void digest_wide_take(struct pages_span span, const unsigned char secret[], struct digest *digest)
{
	digest_xxh_take(span, secret, digest);
}
