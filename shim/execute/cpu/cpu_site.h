/* cpu_site.h - the routine of each call site, where callers have routines of their own */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_CPU_SITE_H
#define GPUSHIM_SHIM_EXECUTE_CPU_CPU_SITE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shim/base/lifetime.h"

enum { CPU_SITES = 1024, CPU_SITE_PROBES = 8 };

/*
 * What a call of one symbol from one address reaches, while lifetime lasts. A site is written only
 * while its lifetime does not last: first LIFETIME_OVER, then the rest, then the new lifetime. So
 * what a reader finds, in that order, is right if the lifetime lasts afterwards.
 */
struct cpu_site {
	_Atomic uint64_t lifetime;
	_Atomic uintptr_t key;
	_Atomic(void *) code;
	_Atomic bool wide;
};

extern __attribute__((visibility("hidden"))) struct cpu_site cpu_sites[CPU_SITES];

/* Addresses have 47 bits on this platform; the symbol goes above them. */
static inline uintptr_t cpu_site_key(int symbol, const void *caller)
{
	return (uintptr_t)caller ^ ((uintptr_t)(symbol + 1) << 48);
}

static inline size_t cpu_site_start(uintptr_t key)
{
	return (size_t)((key * (uintptr_t)0x9e3779b97f4a7c15u) >> 40) % CPU_SITES;
}

/* What a site has for key, NULL if it has another key, or what it has is over or counted. */
static inline void *cpu_site_read_announced(const struct cpu_site *site, uintptr_t key)
{
	const uint64_t lifetime = atomic_load_explicit(&site->lifetime, memory_order_acquire);
	if (atomic_load_explicit(&site->key, memory_order_acquire) != key)
		return NULL;
	void *code = atomic_load_explicit(&site->code, memory_order_acquire);
	return lifetime_is_announced(lifetime) ? code : NULL;
}

/* The same, with a counted lifetime too, and the width of the routine's integers. */
static inline void *cpu_site_read(const struct cpu_site *site, uintptr_t key, bool *wide)
{
	const uint64_t lifetime = atomic_load_explicit(&site->lifetime, memory_order_acquire);
	if (atomic_load_explicit(&site->key, memory_order_acquire) != key)
		return NULL;
	void *code = atomic_load_explicit(&site->code, memory_order_acquire);
	*wide = atomic_load_explicit(&site->wide, memory_order_acquire);
	return lifetime_lasts(lifetime) ? code : NULL;
}

/* The same for the site of this key among all; usually one probe. */
static inline void *cpu_site_find(uintptr_t key, bool *wide)
{
	const size_t start = cpu_site_start(key);
	for (size_t probe = 0; probe < CPU_SITE_PROBES; probe++) {
		const struct cpu_site *site = &cpu_sites[(start + probe) % CPU_SITES];
		const uintptr_t found = atomic_load_explicit(&site->key, memory_order_acquire);
		if (found == key)
			return cpu_site_read(site, key, wide);
		if (found == 0)
			return NULL;
	}
	return NULL;
}

/*
 * Keeps the routine of a key while lifetime lasts. Nothing is kept where all places are taken, or
 * another thread keeps something now: then the next call asks again.
 */
void cpu_site_keep(uintptr_t key, void *code, bool wide, uint64_t lifetime);

/*
 * The same for a site outside of the table, if it is free: it has no key, or what it has is over.
 */
void cpu_site_keep_in(struct cpu_site *site, uintptr_t key, void *code, bool wide,
                      uint64_t lifetime);

/* A fork child's only thread keeps nothing. */
void cpu_site_after_fork_child(void);

#endif
