/* cpu.c - finds the real routine behind each symbol */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/cpu/cpu.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "shim/base/diag.h"
#include "shim/base/loader.h"
#include "shim/table/symbol.h"

enum { ROUTINE_WIDE = 1, ROUTINE_KNOWN = 2 };

struct cpu_site cpu_sites[CPU_SITES];
static atomic_flag cpu_sites_lock = ATOMIC_FLAG_INIT;

/* Routines in the global scope, which serve every caller. state is written after code. */
static struct {
	_Atomic(void *) code;
	_Atomic int state;
} cpu_shared[SYMBOL_COUNT];

/*
 * For a symbol found nowhere: the number of objects loaded by then, plus 1. A program that found
 * the shim's routine by dlsym may call it often.
 */
static _Atomic uint64_t cpu_missing[SYMBOL_COUNT];

static const int cpu_gemm[ELEMENT_BLAS_COUNT] = {SYMBOL_sgemm_, SYMBOL_dgemm_, SYMBOL_cgemm_,
                                                 SYMBOL_zgemm_};

static const struct options *cpu_options;

void cpu_configure(const struct options *options)
{
	cpu_options = options;
}

/*
 * Calls the library's isamax_ with a length whose lower half is 3 and whose 64-bit value is
 * negative.
 */
static bool cpu_probe_wide(const void *code)
{
	static const int64_t length = (int64_t)0xffffffff00000003, step = 1;
	static const float values[3] = {1, 2, 1};
	int64_t (*isamax)(const int64_t *, const float *, const int64_t *);
	void *found = loader_find_beside(code, "isamax_");
	if (found == NULL)
		return false;
	memcpy(&isamax, &found, sizeof isamax);
	return (int32_t)isamax(&length, values, &step) != 2;
}

bool cpu_is_wide(int symbol, const void *code)
{
	const struct symbol_row *row = &symbol_table[symbol];
	if (row->library != LIBRARY_BLAS || row->width != WIDTH_PROBE)
		return row->width == WIDTH_ILP64;
	return cpu_probe_wide(code);
}

static bool cpu_accept_wide(void *code)
{
	return cpu_probe_wide(code);
}

/* Any loaded definition, if all of them agree on the width of integers. */
static void *cpu_find_loaded(int symbol, bool *ambiguous)
{
	const struct symbol_row *row = &symbol_table[symbol];
	size_t all, wide = 0;
	void *code = loader_find_any(row->name, NULL, &all);
	if (all > 1 && row->library == LIBRARY_BLAS && row->width == WIDTH_PROBE)
		loader_find_any(row->name, cpu_accept_wide, &wide);
	*ambiguous = wide != 0 && wide != all;
	return *ambiguous ? NULL : code;
}

static const char *cpu_default_library(const struct symbol_row *row)
{
	static const char *const fftw[ELEMENT_COUNT] = {[ELEMENT_C] = "libfftw3f.so.3",
	                                                [ELEMENT_L] = "libfftw3l.so.3",
	                                                [ELEMENT_Q] = "libfftw3q.so.3"};
	if (row->library == LIBRARY_BLAS)
		return cpu_options->cpu_blas[0] != '\0' ? cpu_options->cpu_blas : "libblas.so.3";
	if (row->element != ELEMENT_Z)
		return fftw[row->element];
	return cpu_options->cpu_fftw[0] != '\0' ? cpu_options->cpu_fftw : "libfftw3.so.3";
}

static void *cpu_find_default(int symbol)
{
	static atomic_bool said[LIBRARY_COUNT];
	const struct symbol_row *row = &symbol_table[symbol];
	const char *why = NULL;
	const bool blas = row->library == LIBRARY_BLAS;
	void *code = loader_find_in(cpu_default_library(row), row->name, &why);
	if (code == NULL && !atomic_exchange(&said[row->library], true)) {
		char variable[OPTION_VARIABLE_BYTES];
		options_name_variable(blas ? OPTION_cpu_blas : OPTION_cpu_fftw, variable);
		diag_warn("no CPU library provides %s: %s; %s; name one in %s", row->name,
		          why != NULL ? why : "not found",
		          blas ? "the shim does the work itself" : "planners return NULL",
		          variable);
	}
	return code;
}

/* Where all slots are taken nothing is kept, and the site is searched again at each call. */
static void cpu_add_site(uintptr_t key, const struct cpu_routine *routine)
{
	const size_t start = cpu_site_start(key);
	while (atomic_flag_test_and_set_explicit(&cpu_sites_lock, memory_order_acquire))
		;
	for (size_t probe = 0; probe < CPU_SITE_PROBES; probe++) {
		struct cpu_site *site = &cpu_sites[(start + probe) % CPU_SITES];
		const uintptr_t found = atomic_load_explicit(&site->key, memory_order_relaxed);
		if (found == key)
			break;
		if (found == 0) {
			site->code = routine->code;
			site->wide = routine->wide;
			atomic_store_explicit(&site->key, key, memory_order_release);
			break;
		}
	}
	atomic_flag_clear_explicit(&cpu_sites_lock, memory_order_release);
}

static bool cpu_find_shared(int symbol, struct cpu_routine *routine)
{
	int state = atomic_load_explicit(&cpu_shared[symbol].state, memory_order_acquire);
	if (state == 0) {
		void *code = loader_find_next(symbol_table[symbol].name);
		if (code == NULL)
			return false;
		state = ROUTINE_KNOWN | (cpu_is_wide(symbol, code) ? ROUTINE_WIDE : 0);
		atomic_store_explicit(&cpu_shared[symbol].code, code, memory_order_relaxed);
		atomic_store_explicit(&cpu_shared[symbol].state, state, memory_order_release);
	}
	routine->code = atomic_load_explicit(&cpu_shared[symbol].code, memory_order_relaxed);
	routine->shared = true;
	routine->wide = (state & ROUTINE_WIDE) != 0;
	return true;
}

/*
 * The width for a symbol that no library has, which the GPU or our own routine computes: as the
 * name says (NumPy's and SciPy's do), else as the caller's gemm has it.
 */
static bool cpu_guess_wide(int symbol, const void *caller)
{
	const struct symbol_row *row = &symbol_table[symbol];
	if (row->width == WIDTH_ILP64 || row->library != LIBRARY_BLAS ||
	    strncmp(row->name, "scipy_", 6) == 0)
		return row->width == WIDTH_ILP64;
	return symbol != cpu_gemm[row->element] && cpu_find(cpu_gemm[row->element], caller).wide;
}

static bool cpu_is_missing(int symbol)
{
	const uint64_t missing = atomic_load_explicit(&cpu_missing[symbol], memory_order_relaxed);
	return missing != 0 && missing == loader_count_loads() + 1;
}

/* Beyond the global scope: the caller's scope, any loaded object, the default library. */
static void *cpu_search(int symbol, const void *caller)
{
	const uint64_t loads = loader_count_loads();
	bool ambiguous = false;
	void *code = loader_find_from(caller, symbol_table[symbol].name);
	if (code == NULL)
		code = cpu_find_loaded(symbol, &ambiguous);
	if (code != NULL || ambiguous)
		return code;
	code = cpu_options != NULL ? cpu_find_default(symbol) : NULL;
	if (code == NULL)
		atomic_store_explicit(&cpu_missing[symbol], loads + 1, memory_order_relaxed);
	return code;
}

struct cpu_routine cpu_find(int symbol, const void *caller)
{
	const uintptr_t key = cpu_site_key(symbol, caller);
	const struct cpu_site *site = cpu_find_site(key);
	struct cpu_routine routine = {.code = NULL};

	if (site != NULL)
		return (struct cpu_routine){.code = site->code, .wide = site->wide};
	if (!cpu_is_missing(symbol)) {
		if (cpu_find_shared(symbol, &routine))
			return routine;
		routine.code = cpu_search(symbol, caller);
	}
	if (routine.code == NULL) {
		routine.wide = cpu_guess_wide(symbol, caller);
		return routine;
	}
	routine.wide = cpu_is_wide(symbol, routine.code);
	cpu_add_site(key, &routine);
	return routine;
}

static bool cpu_is_name_of(const struct symbol_row *row, enum family family, enum element element)
{
	return row->abi == ABI_F77 && row->family == family && row->element == element;
}

/* The next Fortran name of a family, from symbol on; SYMBOL_COUNT after the last. */
static int cpu_next_name(int symbol, enum family family, enum element element)
{
	while (symbol < SYMBOL_COUNT && !cpu_is_name_of(&symbol_table[symbol], family, element))
		symbol++;
	return symbol;
}

/* Tries all names, since one library may have a routine in both widths. */
struct cpu_routine cpu_find_family(int symbol, enum family family, enum element element,
                                   const void *caller)
{
	const struct cpu_routine own = cpu_find(symbol, caller);
	const int first = cpu_next_name(0, family, element);
	int name = own.code != NULL ? first : SYMBOL_COUNT;
	while (name < SYMBOL_COUNT) {
		void *code = loader_find_from(own.code, symbol_table[name].name);
		const bool wide = code != NULL && cpu_is_wide(name, code);
		if (code != NULL && (wide || !own.wide))
			return (struct cpu_routine){.code = code, .wide = wide};
		name = cpu_next_name(name + 1, family, element);
	}
	return first < SYMBOL_COUNT ? cpu_find(first, caller) : (struct cpu_routine){.code = NULL};
}

bool cpu_is_fortran(int symbol, const void *code)
{
	const struct symbol_row *row = &symbol_table[symbol];
	char fortran[32];
	const size_t length = strlen(row->name);
	if (length + 2 > sizeof fortran)
		return false;
	memcpy(fortran, row->name, length);
	memcpy(fortran + length, "_", 2);
	if (loader_find_beside(code, "MKL_Get_Version_String") != NULL)
		return true;
	return loader_find_beside(code, fortran) == code;
}
