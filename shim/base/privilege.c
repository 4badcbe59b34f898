/* privilege.c - asks the kernel's auxiliary vector, which no caller can change */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/privilege.h"

#include <sys/auxv.h>

bool privilege_is_raised(void)
{
	return getauxval(AT_SECURE) != 0;
}
