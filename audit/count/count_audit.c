/* count_audit.c - the functions that the loader calls: for each object, and for each binding */
/* SPDX-License-Identifier: Apache-2.0 */
#include <link.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "audit/count/count_bind.h"
#include "audit/count/count_hook.h"
#include "audit/count/count_sample.h"
#include "audit/count/count_store.h"
#include "shim/base/privilege.h"

#define COUNT_EXPORT __attribute__((visibility("default")))

enum { AUDIT_TELLS_ALL_MINOR = 35 };

/* One for each object that has a row. Objects without a row share the last one. */
static struct count_party audit_parties[COUNT_OBJECTS + 1];

/*
 * How many of them have addresses that are still to be replaced, and whether a thread replaces
 * some.
 */
static _Atomic int audit_pending;
static atomic_flag audit_busy = ATOMIC_FLAG_INIT;

COUNT_EXPORT unsigned la_version(unsigned version)
{
	if (privilege_is_raised() || !count_store_prepare())
		return 0;
	count_names_prepare();
	audit_parties[COUNT_OBJECTS].number = -1;
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

/* What an object defines: routines that are counted, or any whose calls are measured. */
struct audit_defined {
	bool provides, has_others;
};

static bool count_audit_note_defined(void *context, const char *symbol)
{
	struct count_name name;
	struct audit_defined *defined = context;
	/* A name without an underscore need not be a BLAS routine. */
	if (!count_names_parse(symbol, &name) || name.convention == COUNT_BARE)
		return true;
	if (name.routine->library == COUNT_OUTSIDE)
		defined->has_others = true;
	else
		defined->provides = true;
	return !defined->provides;
}

/*
 * Before 2.35 the loader calls no la_symbind64 for functions that it binds while it loads an
 * object.
 */
static bool count_audit_is_silent(const struct image *image)
{
	const char *now = getenv("LD_BIND_NOW");
	int major = 0, minor = 0;
	if (sscanf(count_store.libc, "%d.%d", &major, &minor) != 2)
		return false;
	return major == 2 && minor < AUDIT_TELLS_ALL_MINOR &&
	       (image->binds_now || (now != NULL && now[0] != '\0'));
}

static void count_audit_note_wanted(void *context, const struct image_wanted *wanted)
{
	struct count_name name;
	struct count_object *object = context;
	if (!count_names_parse(wanted->symbol, &name) || name.convention == COUNT_BARE)
		return;
	if (wanted->table == IMAGE_PLT) {
		object->unreported++;
		return;
	}
	const size_t used = strlen(object->data_names);
	if (used + strlen(wanted->symbol) + 2 < sizeof object->data_names)
		snprintf(object->data_names + used, sizeof object->data_names - used, "%s%s",
		         used > 0 ? " " : "", wanted->symbol);
	object->data++;
}

static uint32_t count_audit_find_maker(const struct image *image, const char *path)
{
	if (strstr(path, "openblas") != NULL ||
	    image_find_function(image, "openblas_get_config") != 0 ||
	    image_needs(image, "libopenblas"))
		return COUNT_MAKER_OPENBLAS;
	if (strstr(path, "libmkl_") != NULL || image_find_function(image, "mkl_get_version") != 0)
		return COUNT_MAKER_MKL;
	return COUNT_MAKER_UNKNOWN;
}

/* The link map of the program itself has no name. */
static void count_audit_find_path(const struct link_map *map, char path[COUNT_PATH_BYTES])
{
	if (map->l_name != NULL && map->l_name[0] != '\0') {
		snprintf(path, COUNT_PATH_BYTES, "%s", map->l_name);
		return;
	}
	const ssize_t length = readlink("/proc/self/exe", path, COUNT_PATH_BYTES - 1);
	path[length > 0 ? length : 0] = '\0';
}

static bool count_audit_is_known(const struct count_party *party, const char *path, bool is_apart)
{
	const struct count_object *object = &count_store.objects[party->number];
	return party->map == NULL && party->is_apart == is_apart && strcmp(object->path, path) == 0;
}

/* A new row; an object that was closed and is opened again gets its old row. */
static struct count_party *count_audit_add_party(const struct link_map *map, bool is_apart)
{
	char path[COUNT_PATH_BYTES];
	count_audit_find_path(map, path);
	const uint32_t count =
		atomic_load_explicit(&count_store.object_count, memory_order_relaxed);
	for (uint32_t i = 0; i < count && i < COUNT_OBJECTS; i++)
		if (audit_parties[i].number == (int)i &&
		    count_audit_is_known(&audit_parties[i], path, is_apart))
			return &audit_parties[i];
	const int number = count_store_add_object();
	if (number < 0)
		return &audit_parties[COUNT_OBJECTS];
	struct count_object *object = &count_store.objects[number];
	memcpy(object->path, path, sizeof path);
	audit_parties[number] = (struct count_party){.number = number, .is_apart = is_apart};
	return &audit_parties[number];
}

/* libc.so.6, libm.so.6; before glibc 2.34 also by their versions, libm-2.31.so. */
static bool count_audit_is_libc(const char *path)
{
	return strstr(path, "/libc.so.") != NULL || strstr(path, "/libm.so.") != NULL ||
	       strstr(path, "/libc-2.") != NULL || strstr(path, "/libm-2.") != NULL;
}

/*
 * An object's headers lie at its base; those of the program are where the kernel says. The page of
 * an object that lies otherwise need not exist.
 */
static struct image_range count_audit_measure(const struct count_party *party)
{
	const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)party->image.base;
	unsigned char state;
	if (party->map->l_name == NULL || party->map->l_name[0] == '\0')
		return image_measure(&party->image, (const ElfW(Phdr) *)getauxval(AT_PHDR),
		                     getauxval(AT_PHNUM));
	if (party->image.base % COUNT_PAGE_BYTES != 0 || mincore((void *)header, 1, &state) != 0 ||
	    memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
		return (struct image_range){0, 0};
	return image_measure(&party->image,
	                     (const ElfW(Phdr) *)(party->image.base + header->e_phoff),
	                     header->e_phnum);
}

static void count_audit_examine(struct count_party *party)
{
	struct count_object *object = &count_store.objects[party->number];
	if (!image_read(&party->image, party->map))
		return;
	object->data = object->unreported = 0;
	object->data_names[0] = '\0';
	struct audit_defined defined = {false, false};
	party->is_hooked = !party->is_apart && count_hook_is_wanted(&party->image);
	image_visit_defined(&party->image, count_audit_note_defined, &defined);
	party->defines = defined.provides || defined.has_others;
	party->range = count_audit_measure(party);
	party->is_libc = count_audit_is_libc(object->path);
	image_visit_wanted(&party->image, count_audit_note_wanted, object);
	party->is_silent = count_audit_is_silent(&party->image);
	if (!party->is_silent)
		object->unreported = 0;
	party->waits_for = NULL;
	party->is_pending = object->data + object->unreported > 0;
	object->provides = defined.provides;
	object->is_symbolic = party->image.is_symbolic;
	if (defined.provides)
		object->maker = party->maker = count_audit_find_maker(&party->image, object->path);
	atomic_store_explicit(&object->ready, 1, memory_order_release);
}

/*
 * Puts stubs in place of the addresses that the loader has written into data. It is called at each
 * binding: one comes before the object's own code runs, since the loader looks up that code's first
 * function.
 */
static void count_audit_patch(void)
{
	const uint32_t count =
		atomic_load_explicit(&count_store.object_count, memory_order_relaxed);
	const int parties = count < COUNT_OBJECTS ? (int)count : COUNT_OBJECTS;
	if (atomic_load_explicit(&audit_pending, memory_order_relaxed) == 0 ||
	    atomic_flag_test_and_set(&audit_busy))
		return;
	for (int i = 0; i < parties; i++) {
		struct count_party *party = &audit_parties[i];
		if (party->map == NULL || !party->is_pending)
			continue;
		count_patch_object(party, audit_parties, parties);
		if (!party->is_pending)
			atomic_fetch_sub_explicit(&audit_pending, 1, memory_order_relaxed);
	}
	atomic_flag_clear(&audit_busy);
}

const struct count_party *count_audit_find_party(uintptr_t address)
{
	const uint32_t count =
		atomic_load_explicit(&count_store.object_count, memory_order_relaxed);
	for (uint32_t i = 0; i < count && i < COUNT_OBJECTS; i++)
		if (address >= audit_parties[i].range.begin && address < audit_parties[i].range.end)
			return &audit_parties[i];
	return NULL;
}

COUNT_EXPORT unsigned la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie)
{
	struct count_party *party = count_audit_add_party(map, namespace != LM_ID_BASE);
	*cookie = (uintptr_t)party;
	if (party->number < 0)
		return 0;
	party->map = map;
	count_audit_examine(party);
	if (party->defines) {
		count_store_open();
		count_sample_open();
	}
	if (party->is_pending)
		atomic_fetch_add_explicit(&audit_pending, 1, memory_order_relaxed);
	return party->defines || party->is_hooked || party->is_pending
	               ? LA_FLG_BINDFROM | LA_FLG_BINDTO
	               : LA_FLG_BINDFROM;
}

COUNT_EXPORT void la_preinit(uintptr_t *cookie)
{
	(void)cookie;
	count_audit_patch();
}

COUNT_EXPORT unsigned la_objclose(uintptr_t *cookie)
{
	struct count_party *party = (struct count_party *)*cookie;
	/* Another thread may be reading the object. */
	while (atomic_flag_test_and_set(&audit_busy))
		sched_yield();
	if (party->is_pending)
		atomic_fetch_sub_explicit(&audit_pending, 1, memory_order_relaxed);
	party->is_pending = party->defines = party->is_hooked = false;
	party->range = (struct image_range){0, 0};
	party->map = NULL;
	atomic_flag_clear(&audit_busy);
	return 0;
}

COUNT_EXPORT uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *caller,
                                    uintptr_t *provider, unsigned *flags, const char *name)
{
	(void)index;
	count_audit_patch();
	*flags |= LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
	const uintptr_t hook =
		count_hook_find(name, symbol->st_value, (const struct count_party *)*provider);
	if (hook != 0)
		return hook;
	return count_bind_symbol(name, symbol->st_value, (const struct count_party *)*caller,
	                         (const struct count_party *)*provider,
	                         (*flags & LA_SYMB_DLSYM) != 0);
}
