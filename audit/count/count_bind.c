/* count_bind.c - finds or makes a binding's cell without a lock: signal handlers may bind too */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_bind.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "audit/count/count_store.h"
#include "audit/count/count_stub.h"

struct count_binding count_bindings[COUNT_CELLS];

/* A hash of symbol, caller, provider and way; two bindings with the same hash share a cell. */
static uint64_t count_bind_make_key(const char *symbol, int caller, int provider, uint32_t way)
{
	uint64_t hash = 14695981039346656037u;
	for (; *symbol != '\0'; symbol++)
		hash = (hash ^ (unsigned char)*symbol) * 1099511628211u;
	hash = (hash ^ (unsigned)caller) * 1099511628211u;
	hash = (hash ^ (unsigned)provider) * 1099511628211u;
	hash = (hash ^ way) * 1099511628211u;
	return hash | 1;
}

/* A library that was closed and opened again may lie at another address: it gets another cell. */
static int count_bind_find(uint64_t key, uintptr_t real)
{
	for (int cell = 0; cell < COUNT_CELLS; cell++) {
		struct count_binding *binding = &count_bindings[cell];
		if (atomic_load_explicit(&binding->key, memory_order_acquire) == key &&
		    binding->real == real)
			return cell;
	}
	return -1;
}

/*
 * The address of the Fortran routine of a name without an underscore; 0 where the provider has
 * none.
 */
static uintptr_t count_bind_find_fortran(const char *symbol, const struct count_party *provider)
{
	char name[COUNT_SYMBOL_BYTES];
	const int length = snprintf(name, sizeof name, "%s_", symbol);
	for (char *letter = name; *letter != '\0'; letter++)
		*letter = (char)tolower((unsigned char)*letter);
	return length < (int)sizeof name ? image_find_function(&provider->image, name) : 0;
}

/*
 * MKL's Fortran functions with a complex result take the address of the result as first argument.
 */
static bool count_bind_has_result_first(const struct count_name *name,
                                        const struct count_party *provider)
{
	return provider->maker == COUNT_MAKER_MKL && name->convention == COUNT_FORTRAN &&
	       (strcmp(name->routine->stem, "dotc") == 0 ||
	        strcmp(name->routine->stem, "dotu") == 0);
}

static void count_bind_fill(int cell, const char *symbol, const struct count_name *name,
                            uint32_t way)
{
	struct count_cell *row = &count_store.cells[cell];
	struct count_binding *binding = &count_bindings[cell];
	binding->name = *name;
	row->caller = (uint16_t)binding->caller;
	row->provider = (uint16_t)binding->provider;
	row->way = way;
	snprintf(row->symbol, sizeof row->symbol, "%s", symbol);
	atomic_store_explicit(&row->ready, 1, memory_order_release);
}

/*
 * Whether a name without an underscore is a BLAS routine at all; if so, whether its arguments are
 * passed as in Fortran.
 */
static bool count_bind_settle_bare(struct count_name *name, const char *symbol, uintptr_t real,
                                   const struct count_party *provider)
{
	if (name->convention != COUNT_BARE)
		return true;
	const uintptr_t fortran = count_bind_find_fortran(symbol, provider);
	if (fortran == real)
		name->convention = COUNT_FORTRAN;
	return fortran != 0;
}

/*
 * LAPACK's calls of LAPACK: thousands of bindings, of which most are never called. The work of such
 * a call is done in BLAS calls, which are counted, or was counted with the outer call. Exception:
 * LAPACK routines of OpenBLAS itself, which the other LAPACK routines call.
 */
static bool count_bind_is_dull(const struct count_name *name, const struct count_party *caller,
                               const struct count_party *provider)
{
	const bool is_own = provider->maker == COUNT_MAKER_OPENBLAS && name->routine->inside;
	return name->routine->library == COUNT_LAPACK && caller->number == provider->number &&
	       !is_own;
}

/* Whether the shim has the LAPACK routine on the GPU, by its own name: getf2 is not getrf. */
static bool count_bind_is_solved(const struct count_routine *routine)
{
	const enum count_form form = (enum count_form)routine->form;
	if (!count_flops_is_lapack(form) || form == COUNT_FORM_TRTRS)
		return false;
	const enum family family = count_flops_find_family(form);
	return family_is_lapack(family) && strcmp(routine->stem, family_name(family)) == 0;
}

/* The group that the routine's time is added to. */
static enum count_group count_bind_find_group(const struct count_routine *routine)
{
	if (routine->library == COUNT_OUTSIDE)
		return COUNT_GROUP_OUTSIDE;
	if (routine->library == COUNT_BLAS
	            ? routine->level == 3
	            : routine->form == COUNT_FORM_EXECUTE || count_bind_is_solved(routine))
		return COUNT_GROUP_GPU;
	return COUNT_GROUP_CPU;
}

uintptr_t count_bind_symbol(const char *symbol, uintptr_t real, const struct count_party *caller,
                            const struct count_party *provider, bool is_dlsym)
{
	struct count_name name;
	const uint32_t way =
		(is_dlsym ? COUNT_WAY_DLSYM : 0u) | (caller->is_apart ? COUNT_WAY_NAMESPACE : 0u);
	if (caller->number < 0 || provider->number < 0 || !count_names_parse(symbol, &name) ||
	    count_bind_is_dull(&name, caller, provider) ||
	    !count_bind_settle_bare(&name, symbol, real, provider))
		return real;
	const uint64_t key = count_bind_make_key(symbol, caller->number, provider->number, way);
	int cell = count_bind_find(key, real);
	if (cell >= 0)
		return count_stub_find(cell);
	cell = count_store_add_cell();
	if (cell < 0)
		return real;
	struct count_binding *binding = &count_bindings[cell];
	binding->real = real;
	binding->group = count_bind_find_group(name.routine);
	binding->caller = caller->number;
	binding->provider = provider->number;
	binding->reads_sizes = name.convention != COUNT_BARE && name.convention != COUNT_NAMED &&
	                       !count_bind_has_result_first(&name, provider);
	binding->query = count_names_find_query(&name);
	count_bind_fill(cell, symbol, &name, way);
	atomic_store_explicit(&binding->key, key, memory_order_release);
	return count_stub_find(cell);
}
