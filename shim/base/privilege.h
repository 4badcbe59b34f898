/* privilege.h - whether the caller of this program must not direct it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_PRIVILEGE_H
#define GPUSHIM_SHIM_BASE_PRIVILEGE_H

#include <stdbool.h>

/*
 * Whether the kernel gave this program rights that its caller lacks: set-uid, set-gid, file
 * capabilities, or a security module's decision (AT_SECURE). The environment, the working directory
 * and the descriptors are then the caller's, and anything that they name may be an attack. The
 * answer is that of the exec: it stays true where the program drops the rights later, and in its
 * fork children. In such a program the shim forwards every call to the program's own library, and
 * does nothing else: it reads no variable and no file, and makes no file and no thread.
 */
bool privilege_is_raised(void);

#endif
