/* cpu_site.c - keeps the routine of each call site */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/cpu/cpu_site.h"

struct cpu_site cpu_sites[CPU_SITES];

/* Of those who write sites. Never waited for: a signal's handler may call BLAS too. */
static atomic_flag cpu_site_lock = ATOMIC_FLAG_INIT;

static void cpu_site_write(struct cpu_site *site, uintptr_t key, void *code, bool wide,
                           uint64_t lifetime)
{
	atomic_store_explicit(&site->lifetime, LIFETIME_OVER, memory_order_release);
	atomic_store_explicit(&site->code, code, memory_order_release);
	atomic_store_explicit(&site->wide, wide, memory_order_release);
	atomic_store_explicit(&site->key, key, memory_order_release);
	atomic_store_explicit(&site->lifetime, lifetime, memory_order_release);
}

static bool cpu_site_is_free(const struct cpu_site *site)
{
	return atomic_load_explicit(&site->key, memory_order_relaxed) == 0 ||
	       !lifetime_lasts(atomic_load_explicit(&site->lifetime, memory_order_relaxed));
}

/*
 * The place for key: its own, else the first free one; NULL if there is none. A key is looked for
 * up to the first place that was never used.
 */
static struct cpu_site *cpu_site_choose(uintptr_t key)
{
	const size_t start = cpu_site_start(key);
	struct cpu_site *chosen = NULL;
	for (size_t probe = 0; probe < CPU_SITE_PROBES; probe++) {
		struct cpu_site *site = &cpu_sites[(start + probe) % CPU_SITES];
		const uintptr_t found = atomic_load_explicit(&site->key, memory_order_relaxed);
		if (found == key)
			return site;
		if (chosen == NULL && cpu_site_is_free(site))
			chosen = site;
		if (found == 0)
			break;
	}
	return chosen;
}

void cpu_site_keep(uintptr_t key, void *code, bool wide, uint64_t lifetime)
{
	if (lifetime == LIFETIME_OVER ||
	    atomic_flag_test_and_set_explicit(&cpu_site_lock, memory_order_acquire))
		return;
	struct cpu_site *site = cpu_site_choose(key);
	if (site != NULL && cpu_site_is_free(site))
		cpu_site_write(site, key, code, wide, lifetime);
	atomic_flag_clear_explicit(&cpu_site_lock, memory_order_release);
}

void cpu_site_keep_in(struct cpu_site *site, uintptr_t key, void *code, bool wide,
                      uint64_t lifetime)
{
	if (lifetime == LIFETIME_OVER || !cpu_site_is_free(site) ||
	    atomic_flag_test_and_set_explicit(&cpu_site_lock, memory_order_acquire))
		return;
	if (cpu_site_is_free(site))
		cpu_site_write(site, key, code, wide, lifetime);
	atomic_flag_clear_explicit(&cpu_site_lock, memory_order_release);
}

void cpu_site_after_fork_child(void)
{
	atomic_flag_clear_explicit(&cpu_site_lock, memory_order_release);
}
