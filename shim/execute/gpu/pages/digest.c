/* digest.c - takes the variant of the hash that this processor runs fastest */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/pages/digest.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/base/processor.h"
#include "shim/execute/gpu/pages/digest_variant.h"

static unsigned char digest_secret[DIGEST_SECRET_BYTES];

/* Where the system gives no random bytes: splitmix64 of the time and an address. */
static void digest_mix_secret(void)
{
	uint64_t state = (uint64_t)clock_monotonic_ns() ^ (uintptr_t)&state;
	for (int i = 0; i < DIGEST_SECRET_BYTES; i++) {
		uint64_t mixed = state += UINT64_C(0x9e3779b97f4a7c15);
		mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
		digest_secret[i] = (unsigned char)(mixed >> 56);
	}
}

void digest_begin(void)
{
	enum { WAITS_NOT = 1 };
	static bool begun;
	const int before = errno;
	if (!begun && syscall(SYS_getrandom, digest_secret, sizeof digest_secret, WAITS_NOT) !=
	                      (long)sizeof digest_secret)
		digest_mix_secret();
	begun = true;
	errno = before;
}

bool digest_is_built(void)
{
	return digest_base_is_built();
}

void digest_take(struct pages_span span, struct digest *digest)
{
	if (digest_wide_is_built() && processor_has_avx2_fma())
		digest_wide_take(span, digest_secret, digest);
	else
		digest_base_take(span, digest_secret, digest);
}
