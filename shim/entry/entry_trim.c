/* entry_trim.c - lets a program that uses CUDA itself have the device memory that the shim keeps for later calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

#include "shim/entry/entry.h"
#include "shim/execute/gpu/session/session.h"

uint64_t gpushim_trim(void);

/*
 * Frees the device memory that no call uses at the moment, on all devices; returns how many bytes.
 * From any thread at any time; its current device, CUDA's last error and errno stay. Programs find
 * it with dlsym(RTLD_DEFAULT, ...).
 */
ENTRY_EXPORT uint64_t gpushim_trim(void)
{
	return session_trim();
}
