/* cpu.h - the real routine behind each symbol: found, remembered, and its integers measured */
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
 * The real routine for one caller. code is NULL where no library provides it; shared when it serves
 * every caller.
 */
struct cpu_routine {
	void *code;
	bool shared;
	bool wide; /* its integers have 64 bits */
};

enum { CPU_SITES = 1024, CPU_SITE_PROBES = 8 };

/*
 * What is known for one call site, where the routine is its caller's own. Written once, key last,
 * and never changed: the finder pins the caller's object, so its addresses mean the same for the
 * rest of the process.
 */
struct cpu_site {
	_Atomic uintptr_t key;
	void *code;
	bool wide;
};

extern struct cpu_site cpu_sites[CPU_SITES];

/* Addresses have 47 bits here: the symbol stands above them. */
static inline uintptr_t cpu_site_key(int symbol, const void *caller)
{
	return (uintptr_t)caller ^ ((uintptr_t)(symbol + 1) << 48);
}

static inline size_t cpu_site_start(uintptr_t key)
{
	return (size_t)((key * (uintptr_t)0x9e3779b97f4a7c15u) >> 40) % CPU_SITES;
}

/* The site of this key, NULL where it is not known. Lock-free; usually one probe. */
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

/* Keeps the options (cpu_blas, cpu_fftw), which must outlive the process. */
void cpu_configure(const struct options *options);

/*
 * The routine that a call of symbol from caller (a return address) would reach without the shim, by
 * the steps of design section 4. From any thread, lock-free once known for the caller. Says once
 * when nothing was found; wide then tells how the arguments are to be read.
 */
struct cpu_routine cpu_find(int symbol, const void *caller);

/*
 * The Fortran routine of a family, for the work that a call of symbol from caller asks for: of the
 * library that has this call's routine, with integers of the same width or wider ones, else the one
 * that caller would reach.
 */
struct cpu_routine cpu_find_family(int symbol, enum family family, enum element element,
                                   const void *caller);

/* Whether the library of code, a routine of symbol, has 64-bit integers. Where only it can tell, it is asked and
 * pinned. */
bool cpu_is_wide(int symbol, const void *code);

/*
 * Whether the library of a bare name (dgemm, DGEMM) is known to follow the Fortran convention for
 * it.
 */
bool cpu_is_fortran(int symbol, const void *code);

/*
 * A legal call of gemmt, gemm3m or a batch that no library has, by the gemm that caller would
 * reach. Returns false, with nothing done, for other families and where there is no gemm (or no
 * memory) either.
 */
bool cpu_compose_run(const struct call *call, const void *caller);

/*
 * A legal BLAS call without any library: plain loops, correct and slow, for programs that have no
 * BLAS at all.
 */
void cpu_plain_run(const struct call *call);

#endif
