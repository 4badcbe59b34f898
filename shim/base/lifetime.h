/* lifetime.h - tells whether an object that was loaded once still is, and is not another one */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_LIFETIME_H
#define GPUSHIM_SHIM_BASE_LIFETIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A program may unload a library and load another one at the same address, with a link map at the
 * same address. What is remembered of a library's addresses is kept with a lifetime: one word that
 * stands for one load of one object, and is used once. lifetime_now holds the lifetimes that last,
 * each at its place, which is its remainder. What is checked to last after it was read was valid
 * when it was read, because nobody writes over what lasts.
 *
 * LIFETIME_PERMANENT: objects that are never unloaded. LIFETIME_COUNTED: the place of objects whose
 * end is not announced; such a lifetime lasts until any object is loaded or unloaded.
 */
enum {
	LIFETIME_PLACES = 512,
	LIFETIME_PERMANENT = 0,
	LIFETIME_COUNTED = 1,
	LIFETIME_OVER = LIFETIME_PLACES /* lasts never */
};

extern __attribute__((visibility("hidden"))) _Atomic uint64_t lifetime_now[LIFETIME_PLACES];

/* Whether no object was loaded or unloaded since. Some 40 ns. */
bool lifetime_is_current(uint64_t counted);

/* False for a counted lifetime. One load. */
static inline bool lifetime_is_announced(uint64_t lifetime)
{
	return __builtin_expect(atomic_load_explicit(&lifetime_now[lifetime % LIFETIME_PLACES],
	                                             memory_order_acquire) == lifetime,
	                        1);
}

static inline bool lifetime_lasts(uint64_t lifetime)
{
	if (lifetime_is_announced(lifetime))
		return true;
	return lifetime % LIFETIME_PLACES == LIFETIME_COUNTED && lifetime_is_current(lifetime);
}

/*
 * The lifetime of the object that contains address, which must stay loaded meanwhile. The object's
 * end is announced by its own destructor from then on. An address outside of all objects has a
 * counted lifetime. LIFETIME_OVER where another thread is about to find the same.
 */
uint64_t lifetime_find(const void *address);

/* A lifetime that lasts while both do; both were found before the call. */
uint64_t lifetime_join(uint64_t a, uint64_t b);

/* Keeps the object that contains address loaded for ever. */
void lifetime_make_permanent(const void *address);

/* A fork child's only thread looks at no lifetime. */
void lifetime_after_fork_child(void);

#endif
