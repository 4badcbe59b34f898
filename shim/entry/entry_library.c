/* entry_library.c - the functions of the library's own: gpushim_version, gpushim_trim */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

#include "shim/base/fp_environment.h"
#include "shim/entry/entry.h"
#include "shim/execute/gpu/session/session.h"

const char *gpushim_version(void);
uint64_t gpushim_trim(void);

/* "1.2.3"; static. A program, or a person with a debugger, can tell whether the shim is loaded. */
ENTRY_EXPORT const char *gpushim_version(void)
{
	return GPUSHIM_VERSION;
}

/*
 * Frees the device memory that no call uses at the moment, on all devices; returns the bytes freed.
 * From any thread at any time; keeps the current device, CUDA's last error, errno and the
 * floating-point environment. Programs find
 * it by dlsym(RTLD_DEFAULT, ...).
 */
ENTRY_EXPORT uint64_t gpushim_trim(void)
{
	struct fp_environment program;
	fp_environment_enter(&program);
	const uint64_t freed_bytes = session_trim();
	fp_environment_leave(&program);
	return freed_bytes;
}
