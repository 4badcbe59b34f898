/* entry_binding.h - names that were bound past the preload, and lead back to the shim */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ENTRY_ENTRY_BINDING_H
#define GPUSHIM_SHIM_ENTRY_ENTRY_BINDING_H

/* How many names, each of one library, can be redirected. */
enum { ENTRY_BINDINGS = 512 };

/*
 * Exported for the audit library. real is what symbol was bound to, thunk is the shim's own
 * definition of symbol. Returns what is to be handed out: an address whose calls take the shim's
 * ways and end in real, the same for the same two; or real itself where it cannot be redirected.
 * From any thread, also within the loader: no lock is taken, nothing is looked up, and nothing is
 * asked of the library before the first call.
 */
void *gpushim_bind(const char *symbol, void *real, void *thunk);

#endif
