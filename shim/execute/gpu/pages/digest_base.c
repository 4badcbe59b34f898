/* digest_base.c - the hash for every processor that the library runs on */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/pages/digest_variant.h"
#include "shim/execute/gpu/pages/digest_xxh.h"

bool digest_base_is_built(void)
{
	return digest_xxh_is_there();
}

void digest_base_take(struct pages_span span, const unsigned char secret[], struct digest *digest)
{
	digest_xxh_take(span, secret, digest);
}
