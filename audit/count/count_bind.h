/* count_bind.h - a caller's binding to a provider's routine: its cell in the file and its stub */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_BIND_H
#define GPUSHIM_AUDIT_COUNT_COUNT_BIND_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#include "audit/core/image.h"
#include "audit/count/count_file.h"
#include "audit/count/count_names.h"

/*
 * A loaded object. map: NULL once it was closed. number: its row of the file, -1 where no row was
 * left. is_apart: in another namespace than the program. defines: it has routines of the tables.
 * is_hooked: it has functions of count_hook.h. is_libc: libc or libm. range: where it lies.
 * is_silent: the loader binds its functions without calling la_symbind64. is_pending: addresses
 * that the loader writes are still to be replaced by stubs; the last one that was not written yet
 * is at waits_for, and waits_while is what stood there.
 */
struct count_party {
	const struct link_map *map;
	int number;
	bool is_apart, defines, is_hooked, is_libc, is_silent, is_pending;
	uint32_t maker;
	const uintptr_t *waits_for;
	uintptr_t waits_while;
	struct image image;
	struct image_range range;
};

struct count_binding {
	uintptr_t real;
	struct count_name name;
	bool reads_sizes;
	int caller, provider;
	enum count_group group;
	int query;            /* as count_names_find_query */
	_Atomic uint64_t key; /* 0 while the other fields are being written */
};

extern struct count_binding count_bindings[];

/* The object at an address; NULL where none is known. Any thread and signal handler may call it. */
const struct count_party *count_audit_find_party(uintptr_t address);

/*
 * What the caller is to call in place of the provider's function at real: a stub, or real itself
 * where symbol is no routine of the tables or no stub is left. Any thread may call it.
 */
uintptr_t count_bind_symbol(const char *symbol, uintptr_t real, const struct count_party *caller,
                            const struct count_party *provider, bool is_dlsym);

/*
 * Replaces the addresses that the loader has written into the object's data by now, which it does
 * without calling la_symbind64. Costs little while nothing has changed. One call at a time.
 * parties: the objects that may define the routines.
 */
void count_patch_object(struct count_party *object, const struct count_party *parties, int count);

#endif
