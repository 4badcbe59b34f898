/* digest.c - takes the variant of the hash that this processor runs fastest */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/pages/digest.h"

#include "shim/base/processor.h"
#include "shim/execute/gpu/pages/digest_variant.h"

bool digest_is_built(void)
{
	return digest_base_is_built();
}

void digest_take(struct pages_span span, struct digest *digest)
{
	if (digest_wide_is_built() && processor_has_avx2_fma())
		digest_wide_take(span, digest);
	else
		digest_base_take(span, digest);
}
