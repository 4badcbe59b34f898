/* entry_bare.h - the Fortran thunks that bare names are sent to once their convention is known */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ENTRY_ENTRY_BARE_H
#define GPUSHIM_SHIM_ENTRY_ENTRY_BARE_H

#include "shim/table/symbol.h"

/* The Fortran thunk of a bare name. */
void *entry_bare_find_fortran(int symbol);

/*
 * Where a call of a bare name from caller goes on; never NULL. Called by the trampolines of
 * entry_bare.c.
 */
void *entry_bare_target(int symbol, const void *caller);

/*
 * The thunk of a binding of a bare name (struct gate_binding): asks entry_bare_target whose
 * convention it has.
 */
void entry_bare_bound(void);

#endif
