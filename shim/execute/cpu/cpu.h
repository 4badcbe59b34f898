/* cpu.h - the real routine behind each symbol: found, remembered, its integers' width measured */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_CPU_H
#define GPUSHIM_SHIM_EXECUTE_CPU_CPU_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/call/call.h"
#include "policy/options/options.h"

/*
 * The real routine for one caller. code is NULL if no library has it. shared: it serves every
 * caller.
 */
struct cpu_routine {
	void *code;
	bool shared;
	bool wide; /* its integers have 64 bits */
};

enum { CPU_SITES = 1024, CPU_SITE_PROBES = 8 };

/*
 * The routine of one call site, where each caller has its own. Written once, key last, and never
 * changed: cpu_find pins the caller's object, so that its addresses stay valid.
 */
struct cpu_site {
	_Atomic uintptr_t key;
	void *code;
	bool wide;
};

extern struct cpu_site cpu_sites[CPU_SITES];

/* Addresses have 47 bits on this platform; the symbol goes above them. */
static inline uintptr_t cpu_site_key(int symbol, const void *caller)
{
	return (uintptr_t)caller ^ ((uintptr_t)(symbol + 1) << 48);
}

static inline size_t cpu_site_start(uintptr_t key)
{
	return (size_t)((key * (uintptr_t)0x9e3779b97f4a7c15u) >> 40) % CPU_SITES;
}

/* The site of this key, NULL if it is not known. Lock-free; usually one probe. */
static inline const struct cpu_site *cpu_find_site(uintptr_t key)
{
	const size_t start = cpu_site_start(key);
	for (size_t probe = 0; probe < CPU_SITE_PROBES; probe++) {
		const struct cpu_site *site = &cpu_sites[(start + probe) % CPU_SITES];
		const uintptr_t found = atomic_load_explicit(&site->key, memory_order_acquire);
		if (found == key)
			return site;
		if (found == 0)
			return NULL;
	}
	return NULL;
}

/*
 * Keeps the options (cpu_blas, cpu_fftw), which must live as long as the process. Without this call
 * no library is opened.
 */
void cpu_configure(const struct options *options);

/*
 * The routine that a call of symbol from caller (a return address) would reach without the shim.
 * Searched in this order: the global scope after the shim, the caller's scope, any loaded object,
 * the default library. From any thread, lock-free once known for the caller. That nothing was found
 * is said once; wide then tells how to read the arguments.
 */
struct cpu_routine cpu_find(int symbol, const void *caller);

/*
 * The Fortran routine of a family, for a part of the work of a call of symbol from caller: from the
 * library of the call's own routine, with integers of the same width or wider, else the one that
 * caller would reach.
 */
struct cpu_routine cpu_find_family(int symbol, enum family family, enum element element,
                                   const void *caller);

/*
 * Whether the library of code, a routine of symbol, has 64-bit integers. Where the name does not
 * tell, the library is asked and pinned.
 */
bool cpu_is_wide(int symbol, const void *code);

/* Whether the library of a bare name (dgemm, DGEMM) is known to give it Fortran arguments. */
bool cpu_is_fortran(int symbol, const void *code);

/*
 * Computes a legal call of gemmt, gemm3m or a batch that no library has, by the gemm that caller
 * would reach. Returns false, with nothing done, for other families and without gemm or memory.
 */
bool cpu_compose_run(const struct call *call, const void *caller);

/* Computes a legal BLAS call in plain loops, correct and slow, for a process without any BLAS. */
void cpu_plain_run(const struct call *call);

#endif
