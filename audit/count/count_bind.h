/* count_bind.h - who calls what of whom: one cell of the file, one stub, one real function */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_BIND_H
#define GPUSHIM_AUDIT_COUNT_COUNT_BIND_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#include "audit/count/count_image.h"
#include "audit/count/count_names.h"

/*
 * A loaded object. map: NULL once it was closed. number: its row of the file, -1 where there was
 * none left. is_apart: in a namespace of its own. defines: it has routines of the tables.
 * is_silent: the loader does not tell what it binds for it. is_pending: addresses that the loader
 * wrote are still to be replaced; waits_for: the last that was not there yet.
 */
struct count_party {
	const struct link_map *map;
	int number;
	bool is_apart, defines, is_silent, is_pending;
	uint32_t maker;
	const uintptr_t *waits_for;
	uintptr_t waits_while;
	struct count_image image;
};

struct count_binding {
	uintptr_t real;
	struct count_name name;
	bool reads_sizes;
	int caller, provider;
	_Atomic uint64_t key; /* 0 until all of it is there */
};

extern struct count_binding count_bindings[];

/*
 * What the caller is to call in place of the provider's function at real: a stub, or real itself
 * where symbol is no routine of the tables or no stub is left. Threads may call it.
 */
uintptr_t count_bind_symbol(const char *symbol, uintptr_t real, const struct count_party *caller,
                            const struct count_party *provider, bool is_dlsym);

#endif
