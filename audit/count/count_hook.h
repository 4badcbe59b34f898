/* count_hook.h - functions of libc and R that this library replaces by its own */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_HOOK_H
#define GPUSHIM_AUDIT_COUNT_COUNT_HOOK_H

#include "audit/count/count_bind.h"

/* Whether the object defines one of them. */
bool count_hook_is_wanted(const struct image *image);

/*
 * What the program is to call in place of the provider's function at real; 0: the symbol is none of
 * them.
 */
uintptr_t count_hook_find(const char *symbol, uintptr_t real, const struct count_party *provider);

#endif
