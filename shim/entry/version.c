/* version.c - gpushim_version tells which library this is */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/entry/entry.h"

const char *gpushim_version(void);

/* "1.2.3"; static. A program, or a person with a debugger, can tell whether the shim is loaded. */
ENTRY_EXPORT const char *gpushim_version(void)
{
	return GPUSHIM_VERSION;
}
