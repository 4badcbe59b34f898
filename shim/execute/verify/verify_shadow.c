/* verify_shadow.c - allocates and frees the memory of a verification */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/verify/verify_shadow.h"

#include <stdlib.h>

#include "shim/base/diag.h"
#include "shim/execute/gpu/node/host_memory.h"

enum { VERIFY_ALIGNMENT_BYTES = 64 };

static void verify_shadow_warn_memory(void)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	if (diag_once(&said))
		diag_warn(
			"a call on the GPU is not verified: no memory for a copy of its operands; "
			"other calls of its size are not verified either");
}

struct verify *verify_shadow_make(const struct verify_request *request)
{
	if (request->code == NULL)
		return NULL;
	struct verify *verify = calloc(1, sizeof *verify);
	if (verify == NULL)
		verify_shadow_warn_memory();
	else
		verify->request = *request;
	return verify;
}

bool verify_shadow_take_memory(struct verify *verify, const uint64_t size_bytes[SHADOW_COUNT])
{
	uint64_t all_bytes = 0;
	for (int shadow = 0; shadow < SHADOW_COUNT; shadow++)
		if (__builtin_add_overflow(all_bytes, size_bytes[shadow], &all_bytes))
			return false;
	bool taken = all_bytes <= host_memory_available("") / 2;
	for (int shadow = 0; shadow < SHADOW_COUNT && taken; shadow++) {
		if (size_bytes[shadow] > 0)
			taken = posix_memalign(&verify->memory[shadow], VERIFY_ALIGNMENT_BYTES,
			                       size_bytes[shadow]) == 0;
		verify->first[shadow] = verify->memory[shadow];
	}
	if (!taken)
		verify_shadow_warn_memory();
	return taken;
}

void verify_shadow_free(struct verify *verify)
{
	if (verify == NULL)
		return;
	for (int shadow = 0; shadow < SHADOW_COUNT; shadow++)
		free(verify->memory[shadow]);
	free(verify);
}
