/* cpu.c - finds the real routine behind each symbol */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/cpu/cpu.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "shim/base/aside.h"
#include "shim/base/diag.h"
#include "shim/base/loader.h"
#include "shim/base/loader_lock.h"
#include "shim/base/scope.h"
#include "shim/base/startup.h"
#include "shim/execute/cpu/cpu_threads.h"
#include "shim/libc/libc_find.h"
#include "shim/shield/shield.h"
#include "shim/table/symbol.h"

enum { ROUTINE_WIDE = 1, ROUTINE_KNOWN = 2 };

/*
 * Routines in the global scope whose libraries stay loaded, which serve every caller. state is
 * written after code.
 */
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
 * Calls the library's isamax_, of a LAPACK library also that of the BLAS which it depends on, with
 * a length whose lower half is 3 and whose 64-bit value is negative.
 */
static bool cpu_probe_wide(const void *code, bool lapack)
{
	static const int64_t length = (int64_t)0xffffffff00000003, step = 1;
	static const float values[3] = {1, 2, 1};
	int64_t (*isamax)(const int64_t *, const float *, const int64_t *);
	void *found = loader_find_beside(code, "isamax_");
	if (found == NULL && lapack)
		found = loader_find_from(code, "isamax_");
	if (found == NULL)
		return false;
	memcpy(&isamax, &found, sizeof isamax);
	return (int32_t)isamax(&length, values, &step) != 2;
}

bool cpu_is_wide(int symbol, const void *code)
{
	const struct symbol_row *row = &symbol_table[symbol];
	if (row->library == LIBRARY_FFTW || row->width != WIDTH_PROBE)
		return row->width == WIDTH_ILP64;
	return cpu_probe_wide(code, row->library == LIBRARY_LAPACK);
}

static bool cpu_accept_wide(void *code)
{
	return cpu_probe_wide(code, true);
}

/* Any loaded definition, if all of them agree on the width of integers. */
static void *cpu_find_loaded(int symbol, bool *ambiguous)
{
	const struct symbol_row *row = &symbol_table[symbol];
	size_t all, wide = 0;
	void *code = loader_find_any(row->name, NULL, &all);
	if (all > 1 && row->library != LIBRARY_FFTW && row->width == WIDTH_PROBE)
		loader_find_any(row->name, cpu_accept_wide, &wide);
	*ambiguous = wide != 0 && wide != all;
	return *ambiguous ? NULL : code;
}

/* A BLAS may have LAPACK too, as OpenBLAS has. */
static const char cpu_lapack[][16] = {"liblapack.so.3", "libblas.so.3"};

static const char *cpu_default_library(const struct symbol_row *row)
{
	static const char *const fftw[ELEMENT_COUNT] = {[ELEMENT_C] = "libfftw3f.so.3",
	                                                [ELEMENT_L] = "libfftw3l.so.3",
	                                                [ELEMENT_Q] = "libfftw3q.so.3"};
	if (row->library != LIBRARY_FFTW && cpu_options->cpu_blas[0] != '\0')
		return cpu_options->cpu_blas;
	if (row->library != LIBRARY_FFTW)
		return row->library == LIBRARY_BLAS ? "libblas.so.3" : cpu_lapack[0];
	if (row->element != ELEMENT_Z)
		return fftw[row->element];
	return cpu_options->cpu_fftw[0] != '\0' ? cpu_options->cpu_fftw : "libfftw3.so.3";
}

/* cpu_blas may be BLAS alone. */
static void *cpu_find_lapack(const char *name)
{
	void *code = NULL;
	const char *unused;
	for (size_t i = 0; i < sizeof cpu_lapack / sizeof cpu_lapack[0] && code == NULL; i++)
		code = loader_find_in(cpu_lapack[i], name, &unused);
	return code;
}

static void *cpu_find_default(int symbol)
{
	static const char consequence[LIBRARY_COUNT][32] = {
		[LIBRARY_BLAS] = "the shim does the work itself",
		[LIBRARY_LAPACK] = "calls return info -1000",
		[LIBRARY_FFTW] = "planners return NULL",
	};
	static atomic_bool said[LIBRARY_COUNT];
	const struct symbol_row *row = &symbol_table[symbol];
	const char *why = NULL;
	void *code = loader_find_in(cpu_default_library(row), row->name, &why);
	if (code == NULL && row->library == LIBRARY_LAPACK)
		code = cpu_find_lapack(row->name);
	if (code == NULL && !atomic_exchange(&said[row->library], true)) {
		char variable[OPTION_VARIABLE_BYTES];
		options_name_variable(
			row->library == LIBRARY_FFTW ? OPTION_cpu_fftw : OPTION_cpu_blas, variable);
		diag_warn("no CPU library provides %s: %s; %s; name one in %s", row->name,
		          why != NULL ? why : "not found", consequence[row->library], variable);
	}
	return code;
}

/* False if none is known yet. */
static bool cpu_recall_shared(int symbol, struct cpu_routine *routine)
{
	const int state = atomic_load_explicit(&cpu_shared[symbol].state, memory_order_acquire);
	if (state == 0)
		return false;
	routine->code = atomic_load_explicit(&cpu_shared[symbol].code, memory_order_relaxed);
	routine->shared = true;
	routine->wide = (state & ROUTINE_WIDE) != 0;
	return true;
}

static void cpu_note_shared(int symbol, const struct cpu_routine *routine)
{
	const int state = ROUTINE_KNOWN | (routine->wide ? ROUTINE_WIDE : 0);
	atomic_store_explicit(&cpu_shared[symbol].code, routine->code, memory_order_relaxed);
	atomic_store_explicit(&cpu_shared[symbol].state, state, memory_order_release);
}

/*
 * The width for a symbol that no library has, which the GPU or our own routine computes: as the
 * name says (NumPy's and SciPy's do), else as the caller's gemm has it.
 */
static bool cpu_guess_wide(int symbol, const void *caller)
{
	const struct symbol_row *row = &symbol_table[symbol];
	if (row->width == WIDTH_ILP64 || row->library == LIBRARY_FFTW ||
	    strncmp(row->name, "scipy_", 6) == 0)
		return row->width == WIDTH_ILP64;
	return symbol != cpu_gemm[row->element] && cpu_find(cpu_gemm[row->element], caller).wide;
}

static bool cpu_is_missing(int symbol)
{
	const uint64_t missing = atomic_load_explicit(&cpu_missing[symbol], memory_order_relaxed);
	struct loader_changes changes;
	if (missing == 0)
		return false;
	loader_count_changes(&changes);
	return missing == changes.loads + 1;
}

/*
 * A constructor or destructor may wait for a thread that calls BLAS, and its own thread has the
 * loader's lock meanwhile, which dlsym takes. So the routine is found without it where that is
 * certain: the only definition, and the caller depends on its library.
 */
static bool cpu_search_own(int symbol, const void *caller, struct cpu_routine *routine)
{
	const char *name = symbol_table[symbol].name;
	routine->code = loader_find_from(caller, name);
	if (routine->code == NULL || scope_count(name, &cpu_options, NULL) == 1)
		return routine->code != NULL;
	/* Else the next call asks again. */
	routine->lifetime = LIFETIME_OVER;
	return (loader_lock_find_holders(0) & LOADER_HOLDER_OTHER) != 0;
}

/*
 * A routine in the global scope. Its library may be one that the program opened RTLD_GLOBAL and
 * will close. Where the caller depends on the library, that is the program's affair. Where the
 * caller only imports the name, the loader would have kept the library for it, and so does the
 * shim. A caller that imports no such name stands for one that ends in a jump to the routine.
 */
static bool cpu_search_global(int symbol, const void *caller, struct cpu_routine *routine)
{
	const char *name = symbol_table[symbol].name;
	routine->code = loader_find_next(name);
	if (routine->code == NULL)
		return false;
	const uint64_t library = lifetime_find(routine->code);
	routine->shared = library == LIFETIME_PERMANENT;
	if (routine->shared || loader_find_from(caller, name) == routine->code)
		return true;
	if (loader_imports(caller, name, false)) {
		lifetime_make_permanent(routine->code);
		routine->shared = lifetime_find(routine->code) == LIFETIME_PERMANENT;
	} else
		routine->lifetime = lifetime_join(routine->lifetime, library);
	return true;
}

/* Beyond the global scope: the caller's scope, any loaded object, the default library. */
static void cpu_search_beyond(int symbol, const void *caller, struct cpu_routine *routine)
{
	struct loader_changes before;
	bool ambiguous = false;
	loader_count_changes(&before);
	routine->code = loader_find_from(caller, symbol_table[symbol].name);
	if (routine->code != NULL)
		return;
	routine->code = cpu_find_loaded(symbol, &ambiguous);
	if (routine->code != NULL)
		routine->lifetime = lifetime_join(routine->lifetime, lifetime_find(routine->code));
	if (routine->code != NULL || ambiguous)
		return;
	routine->code = cpu_options != NULL ? cpu_find_default(symbol) : NULL;
	if (routine->code == NULL)
		atomic_store_explicit(&cpu_missing[symbol], before.loads + 1, memory_order_relaxed);
}

/* A symbol that the caller wants, and what was found. */
struct cpu_quest {
	int symbol;
	const void *caller;
	struct cpu_routine routine;
};

static void cpu_search(void *context)
{
	struct cpu_quest *quest = context;
	struct cpu_routine *routine = &quest->routine;
	const int symbol = quest->symbol;
	if (!libc_find_is_glibc()) {
		/* Other loaders tell less of what they loaded: the next definition has to do. */
		routine->code = loader_find_next(symbol_table[symbol].name);
		routine->shared = routine->code != NULL;
	} else if (!cpu_is_missing(symbol)) {
		const uint64_t lifetime = lifetime_find(quest->caller);
		routine->code = startup_find_next(symbol_table[symbol].name);
		routine->shared = routine->code != NULL;
		routine->lifetime = lifetime;
		if (!routine->shared && !cpu_search_own(symbol, quest->caller, routine)) {
			routine->lifetime = lifetime;
			if (!cpu_search_global(symbol, quest->caller, routine))
				cpu_search_beyond(symbol, quest->caller, routine);
		}
	}
	if (routine->code == NULL) {
		routine->wide = cpu_guess_wide(symbol, quest->caller);
		return;
	}
	routine->wide = cpu_is_wide(symbol, routine->code);
	if (routine->shared)
		cpu_note_shared(symbol, routine);
	else
		cpu_site_keep(cpu_site_key(symbol, quest->caller), routine->code, routine->wide,
		              routine->lifetime);
}

struct cpu_routine cpu_find(int symbol, const void *caller)
{
	struct cpu_quest quest = {symbol, caller, {.lifetime = LIFETIME_OVER}};
	struct shield shield;
	quest.routine.code = cpu_site_find(cpu_site_key(symbol, caller), &quest.routine.wide);
	if (quest.routine.code != NULL || cpu_recall_shared(symbol, &quest.routine))
		return quest.routine;
	/* A handler that jumps away would leave the loader's locks and ours held. */
	shield_begin(&shield);
	aside_run_anyway(STACK_FOR_CPU, cpu_search, &quest);
	shield_end(&shield);
	return quest.routine;
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
struct cpu_routine cpu_find_beside(int symbol, enum family family, enum element element,
                                   const void *caller)
{
	const struct cpu_routine own = cpu_find(symbol, caller);
	int name = own.code != NULL ? cpu_next_name(0, family, element) : SYMBOL_COUNT;
	while (name < SYMBOL_COUNT) {
		void *code = loader_find_from(own.code, symbol_table[name].name);
		const bool wide = code != NULL && cpu_is_wide(name, code);
		if (code != NULL && (wide || !own.wide))
			return (struct cpu_routine){.code = code, .wide = wide};
		name = cpu_next_name(name + 1, family, element);
	}
	return (struct cpu_routine){.code = NULL};
}

struct cpu_routine cpu_find_family(int symbol, enum family family, enum element element,
                                   const void *caller)
{
	const struct cpu_routine beside = cpu_find_beside(symbol, family, element, caller);
	const int first = cpu_next_name(0, family, element);
	return beside.code != NULL || first == SYMBOL_COUNT ? beside : cpu_find(first, caller);
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

void cpu_after_fork_child(void)
{
	lifetime_after_fork_child();
	cpu_site_after_fork_child();
	cpu_threads_after_fork_child();
}
