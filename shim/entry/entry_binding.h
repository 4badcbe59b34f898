/* entry_binding.h - names that were bound past the preload are led back to the shim */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ENTRY_ENTRY_BINDING_H
#define GPUSHIM_SHIM_ENTRY_ENTRY_BINDING_H

/* The number of names, each of one library, that can be redirected. */
enum { ENTRY_BINDINGS = 512 };

/*
 * Exported for the audit library. real: the routine that symbol was bound to; thunk: the shim's own
 * definition of symbol. Returns an address whose calls take the shim's route and end in real,
 * always the same for the same two; or real itself where it cannot be redirected. From any thread,
 * also within the loader: takes no lock, looks nothing up, and calls no library.
 */
void *gpushim_bind(const char *symbol, void *real, void *thunk);

#endif
