/* entry_library.c - the functions of the library's own: gpushim_version, gpushim_trim */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

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
 * From any thread at any time; keeps the current device, CUDA's last error and errno. Programs find
 * it by dlsym(RTLD_DEFAULT, ...).
 */
ENTRY_EXPORT uint64_t gpushim_trim(void)
{
	return session_trim();
}
