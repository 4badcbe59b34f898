/* version.c - tells which library this is */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/entry/entry.h"

const char *gpushim_version(void);

/* "1.2.3"; static. Lets a program, or a person with a debugger, tell whether the shim is there. */
ENTRY_EXPORT const char *gpushim_version(void)
{
	return GPUSHIM_VERSION;
}
