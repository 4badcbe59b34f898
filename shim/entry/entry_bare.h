/* entry_bare.h - from bare names to Fortran thunks, once their convention is known */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ENTRY_ENTRY_BARE_H
#define GPUSHIM_SHIM_ENTRY_ENTRY_BARE_H

#include "shim/table/symbol.h"

/* The Fortran thunk of a bare name. */
void *entry_bare_find_fortran(int symbol);

/* Where a call of a bare name from caller goes; never NULL. Called by the trampolines. */
void *entry_bare_target(int symbol, const void *caller);

/* The thunk of a binding of a bare name (struct gate_binding): asks entry_bare_target. */
void entry_bare_bound(void);

#endif
