/* libc_find.c - reads the loader's list of objects and libc's table of symbols; calls no libc */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/libc/libc_find.h"

#include <features.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#include <sys/ifunc.h>
#endif

#include "shim/libc/libc_dlsym.h"
#include "shim/libc/libc_older.h"

/*
 * A call here, be it of memset, would lead to a stub, which leads to libc_find_row again.
 * CMakeLists.txt compiles this file with options under which the compiler makes none;
 * tests/lint/undefined.sh looks.
 */

uintptr_t libc_slots[LIBC_ROWS];

/* Weak, so that another C library's loader, which lacks it, starts the program all the same. */
#pragma weak _r_debug

bool libc_find_is_glibc(void)
{
	const struct r_debug *volatile list = &_r_debug;
	return list != NULL;
}

static const struct {
#define LIBC(name) char name_##name[sizeof #name];
#include "shim/libc/libc.def"
#undef LIBC
} find_names = {
#define LIBC(name) #name,
#include "shim/libc/libc.def"
#undef LIBC
};

static const uint16_t find_offsets[LIBC_ROWS] = {
#define LIBC(name) offsetof(__typeof__(find_names), name_##name),
#include "shim/libc/libc.def"
#undef LIBC
};

/*
 * Versions as numbers: 21400 for GLIBC_2.14, 20205 for GLIBC_2.2.5. A function may have several:
 * the right one is that which the linker would have chosen, the latest of the libc of the build.
 */
enum {
	FIND_MAJOR = 10000,
	FIND_MINOR = 100,
	FIND_BUILT = __GLIBC__ * FIND_MAJOR + __GLIBC_MINOR__ * FIND_MINOR + FIND_MINOR - 1,
	FIND_INDEX = 0x7fff /* without the bit that hides a version from the linker */
};

/* A mode of dlopen that libc itself uses. */
#define FIND_FROM_LIBC 0x80000000u

/* libc's dynamic section. */
struct find_image {
	ElfW(Addr) base;
	const ElfW(Sym) * symbols;
	const char *names;
	const uint32_t *hash;
	const ElfW(Half) * indices;
	const ElfW(Verdef) * versions;
};

/* glibc's list of namespaces, which headers before 2.35 lack. */
struct find_debug {
	struct r_debug space;
	const struct find_debug *next;
};

/* The loader has added the base to these entries in place, except where they are read-only. */
static const void *libc_find_place(const struct link_map *map, ElfW(Addr) address)
{
	return (const void *)(address < map->l_addr ? address + map->l_addr : address);
}

static bool libc_find_equals(const char *one, const char *other)
{
	while (*one != '\0' && *one == *other) {
		one++;
		other++;
	}
	return *one == *other;
}

static bool libc_find_is_called(const struct link_map *map, const char *wanted)
{
	const char *names = NULL;
	ElfW(Xword) own_name = 0;
	for (const ElfW(Dyn) *entry = map->l_ld; entry != NULL && entry->d_tag != DT_NULL;
	     entry++) {
		if (entry->d_tag == DT_STRTAB)
			names = libc_find_place(map, entry->d_un.d_ptr);
		if (entry->d_tag == DT_SONAME)
			own_name = entry->d_un.d_val;
	}
	return names != NULL && own_name != 0 && libc_find_equals(names + own_name, wanted);
}

static bool libc_find_tables(const struct link_map *map, struct find_image *image)
{
	image->base = map->l_addr;
	image->symbols = NULL;
	image->names = NULL;
	image->hash = NULL;
	image->indices = NULL;
	image->versions = NULL;
	for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
		const void *place = libc_find_place(map, entry->d_un.d_ptr);
		switch (entry->d_tag) {
		case DT_SYMTAB: image->symbols = place; break;
		case DT_STRTAB: image->names = place; break;
		case DT_GNU_HASH: image->hash = place; break;
		case DT_VERSYM: image->indices = place; break;
		case DT_VERDEF: image->versions = place; break;
		default: break;
		}
	}
	return image->symbols != NULL && image->names != NULL && image->hash != NULL;
}

/* Reads decimal digits and the point behind them. */
static int libc_find_digits(const char **text)
{
	int value = 0;
	for (; **text >= '0' && **text <= '9'; (*text)++)
		value = value * 10 + **text - '0';
	if (**text == '.')
		(*text)++;
	return value;
}

/* 0 for a name without a number, as GLIBC_PRIVATE, which is taken if there is no other. */
static int libc_find_number(const char *name)
{
	for (const char *start = "GLIBC_"; *start != '\0'; start++, name++)
		if (*name != *start)
			return 0;
	const int major = libc_find_digits(&name), minor = libc_find_digits(&name);
	return major * FIND_MAJOR + minor * FIND_MINOR + libc_find_digits(&name);
}

static int libc_find_version(const struct find_image *image, uint32_t symbol)
{
	const ElfW(Verdef) *version = image->versions;
	if (image->indices == NULL || version == NULL)
		return FIND_BUILT;
	const unsigned index = image->indices[symbol] & FIND_INDEX;
	while ((version->vd_ndx & FIND_INDEX) != index) {
		if (version->vd_next == 0)
			return 0;
		version = (const void *)((const char *)version + version->vd_next);
	}
	const ElfW(Verdaux) *name = (const void *)((const char *)version + version->vd_aux);
	return libc_find_number(image->names + name->vda_name);
}

static bool libc_find_is_function(const ElfW(Sym) * symbol)
{
	const unsigned type = ELF64_ST_TYPE(symbol->st_info);
	return symbol->st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_GNU_IFUNC);
}

/*
 * The table's head: number of buckets, first hashed symbol, words of the filter, shift. Behind it
 * the filter, the buckets and the chains.
 */
static const ElfW(Sym) * libc_find_symbol(const struct find_image *image, const char *name)
{
	const uint32_t *head = image->hash;
	const uint32_t *buckets = head + 4 + head[2] * (sizeof(ElfW(Addr)) / sizeof *head);
	const uint32_t *chains = buckets + head[0];
	const ElfW(Sym) *best = NULL;
	int best_version = -1;
	uint32_t hash = 5381;
	for (const char *letter = name; *letter != '\0'; letter++)
		hash = hash * 33 + (unsigned char)*letter;
	const uint32_t first = head[0] != 0 ? buckets[hash % head[0]] : 0;
	for (uint32_t i = first; first != 0 && first >= head[1]; i++) {
		const ElfW(Sym) *symbol = &image->symbols[i];
		const uint32_t chain = chains[i - head[1]];
		if ((chain | 1) == (hash | 1) && libc_find_is_function(symbol) &&
		    libc_find_equals(image->names + symbol->st_name, name)) {
			const int version = libc_find_version(image, i);
			if (version > best_version && version <= FIND_BUILT) {
				best = symbol;
				best_version = version;
			}
		}
		if ((chain & 1) != 0)
			break;
	}
	return best;
}

/* Where functions are looked for. */
struct find_places {
	const struct link_map *libc;
	const struct link_map *runtime; /* of a sanitizer, or NULL */
};

/* A function of all sanitizers' runtimes, of GCC and LLVM, in libraries and in programs. */
static bool libc_find_is_runtime(const struct link_map *map)
{
	struct find_image image;
	return libc_find_tables(map, &image) &&
	       libc_find_symbol(&image, "__sanitizer_set_death_callback") != NULL;
}

/*
 * Looks through a list of objects, up to libc; whether the shim comes before it. Those up to libc
 * were there when the program started and stay: no lock is needed to read them.
 */
static bool libc_find_in_space(const struct find_debug *space, struct find_places *places)
{
	bool is_own = false;
	*places = (struct find_places){NULL, NULL};
	for (const struct link_map *map = space->space.r_map; map != NULL; map = map->l_next) {
		is_own |= map->l_ld == _DYNAMIC;
		if (libc_find_is_called(map, "libc.so.6")) {
			places->libc = map;
			return is_own;
		}
		if (places->runtime == NULL && libc_find_is_runtime(map))
			places->runtime = map;
	}
	return false;
}

/*
 * Those of the shim's namespace, which dlmopen may have made; the program's if the shim was opened
 * later than libc.
 */
static void libc_find_places(struct find_places *places)
{
	static struct find_places kept;
	const struct find_debug *first = (const struct find_debug *)(const void *)&_r_debug;
	places->libc = __atomic_load_n(&kept.libc, __ATOMIC_ACQUIRE);
	places->runtime = __atomic_load_n(&kept.runtime, __ATOMIC_RELAXED);
	if (places->libc != NULL)
		return;
	bool is_own = libc_find_in_space(first, places);
	for (const struct find_debug *space = first->space.r_version > 1 ? first->next : NULL;
	     space != NULL && !is_own; space = space->next) {
		struct find_places other;
		is_own = libc_find_in_space(space, &other);
		if (is_own)
			*places = other;
	}
	__atomic_store_n(&kept.runtime, places->runtime, __ATOMIC_RELAXED);
	__atomic_store_n(&kept.libc, places->libc, __ATOMIC_RELEASE);
}

/* The implementation that suits the processor: libc's own function chooses it. */
static uintptr_t libc_find_choice(uintptr_t chooser)
{
#if defined(__aarch64__)
	const __ifunc_arg_t processor = {sizeof processor, getauxval(AT_HWCAP),
	                                 getauxval(AT_HWCAP2)};
	return ((uintptr_t(*)(uint64_t, const __ifunc_arg_t *))chooser)(
		processor._hwcap | _IFUNC_ARG_HWCAP, &processor);
#else
	return ((uintptr_t(*)(void))chooser)();
#endif
}

static const ElfW(Sym) *
	libc_find_in(const struct link_map *map, const char *name, struct find_image *image)
{
	return map != NULL && libc_find_tables(map, image) ? libc_find_symbol(image, name) : NULL;
}

/*
 * In a process of another C library, such as musl: the program's function, if there is one. There
 * the shim only forwards.
 */
static uintptr_t libc_find_elsewhere(const char *name)
{
	return libc_dlsym_call != NULL ? (uintptr_t)libc_dlsym_call(NULL, name) : 0;
}

static uintptr_t libc_find_address(const struct link_map *map, const char *name)
{
	struct find_image image;
	const ElfW(Sym) *symbol = libc_find_in(map, name, &image);
	if (symbol == NULL)
		return 0;
	const uintptr_t address = image.base + symbol->st_value;
	return ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC ? libc_find_choice(address)
	                                                       : address;
}

/*
 * An object of the list that libc is in. Those that came with the program stay; others that leave
 * the list now are not looked at, but only where the loader says so.
 */
static const struct link_map *libc_find_beside(const struct link_map *libc, const char *name)
{
	const struct r_debug *volatile list = &_r_debug;
	for (const struct link_map *map = libc->l_prev; map != NULL; map = map->l_prev)
		if (libc_find_is_called(map, name))
			return map;
	for (const struct link_map *map = libc->l_next; map != NULL; map = map->l_next)
		if (list->r_state == RT_DELETE)
			return NULL;
		else if (libc_find_is_called(map, name))
			return map;
	return NULL;
}

/*
 * Before 2.34 glibc has functions of threads and of the loader in libraries of their own. A program
 * without threads may not have loaded them; libc itself then loads them by a function that later
 * versions lack.
 */
static uintptr_t libc_find_in_part(const struct link_map *libc, const char *part, const char *name)
{
	const struct link_map *map = libc_find_beside(libc, part);
	if (map == NULL) {
		const uintptr_t open = libc_find_address(libc, "__libc_dlopen_mode");
		if (open != 0)
			map = ((const struct link_map *(*)(const char *, int))open)(
				part, (int)(RTLD_NOW | FIND_FROM_LIBC));
	}
	return libc_find_address(map, name);
}

static uintptr_t libc_find_in_glibc(unsigned row, const char *name)
{
	struct find_places places;
	libc_find_places(&places);
	uintptr_t address = libc_find_address(places.runtime, name);
	if (address == 0)
		address = libc_find_address(places.libc, name);
	if (address == 0)
		address = libc_older_find(row);
	if (address == 0)
		address = libc_find_in_part(places.libc, "libpthread.so.0", name);
	if (address == 0)
		address = libc_find_in_part(places.libc, "libdl.so.2", name);
	return address;
}

/*
 * A sanitizer in the program replaces functions of libc, and has to: the thread sanitizer crashes
 * in threads whose start it did not see. So its runtime is asked first. No glibc since 2.17 lacks a
 * row that libc_older.c does not have.
 */
uintptr_t libc_find_row(unsigned row)
{
	const char *name = (const char *)&find_names + find_offsets[row];
	uintptr_t address =
		libc_find_is_glibc() ? libc_find_in_glibc(row, name) : libc_find_elsewhere(name);
	if (address == 0)
		__builtin_trap();
	__atomic_store_n(&libc_slots[row], address, __ATOMIC_RELAXED);
	return address;
}
