/* entry_trim.c - gpushim_trim gives unused device memory back to a program that uses CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

#include "shim/entry/entry.h"
#include "shim/execute/gpu/session/session.h"

uint64_t gpushim_trim(void);

/*
 * Frees the device memory that no call uses at the moment, on all devices; returns the bytes freed.
 * From any thread at any time; keeps the current device, CUDA's last error and errno. Programs find
 * it by dlsym(RTLD_DEFAULT, ...).
 */
ENTRY_EXPORT uint64_t gpushim_trim(void)
{
	return session_trim();
}
