/* count_audit.c - what the loader asks an audit library: which objects there are, and what each binding shall be */
/* SPDX-License-Identifier: Apache-2.0 */
#include <link.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/count/count_bind.h"
#include "audit/count/count_patch.h"
#include "audit/count/count_store.h"

#define BIND_EXPORT __attribute__((visibility("default")))

enum { BIND_TELLS_ALL_MINOR = 35 };

/* One for each object that has a row. An object without one gets the last, which is nobody's. */
static struct count_party bind_parties[COUNT_OBJECTS + 1];

/* How many of them have addresses that are still to be replaced, and whether a thread is at it. */
static _Atomic int bind_pending;
static atomic_flag bind_busy = ATOMIC_FLAG_INIT;

BIND_EXPORT unsigned la_version(unsigned version)
{
	if (!count_store_prepare())
		return 0;
	count_names_prepare();
	bind_parties[COUNT_OBJECTS].number = -1;
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

static bool count_audit_note_defined(void *context, const char *symbol)
{
	struct count_name name;
	bool *defines = context;
	/* A name without underscore may be anybody's. */
	*defines = count_names_parse(symbol, &name) && name.convention != COUNT_BARE;
	return !*defines;
}

/* Before 2.35 the loader does not tell of functions that it binds when it loads an object. */
static bool count_audit_is_silent(const struct count_image *image)
{
	const char *now = getenv("LD_BIND_NOW");
	int major = 0, minor = 0;
	if (sscanf(count_store.libc, "%d.%d", &major, &minor) != 2)
		return false;
	return major == 2 && minor < BIND_TELLS_ALL_MINOR &&
	       (image->binds_now || (now != NULL && now[0] != '\0'));
}

static void count_audit_note_wanted(void *context, const struct count_wanted *wanted)
{
	struct count_name name;
	struct count_object *object = context;
	if (!count_names_parse(wanted->symbol, &name) || name.convention == COUNT_BARE)
		return;
	if (wanted->reference == COUNT_REFERENCE_PLT) {
		object->unreported++;
		return;
	}
	const size_t used = strlen(object->data_names);
	if (used + strlen(wanted->symbol) + 2 < sizeof object->data_names)
		snprintf(object->data_names + used, sizeof object->data_names - used, "%s%s",
		         used > 0 ? " " : "", wanted->symbol);
	object->data++;
}

static uint32_t count_audit_find_maker(const struct count_image *image, const char *path)
{
	if (strstr(path, "openblas") != NULL ||
	    count_image_find(image, "openblas_get_config") != 0 ||
	    count_image_needs(image, "libopenblas"))
		return COUNT_MAKER_OPENBLAS;
	if (strstr(path, "libmkl_") != NULL || count_image_find(image, "mkl_get_version") != 0)
		return COUNT_MAKER_MKL;
	return COUNT_MAKER_UNKNOWN;
}

/* The loader has no name for the program itself. */
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

/* The row of an object that was closed, where it is opened again, or a new one. */
static struct count_party *count_audit_add_party(const struct link_map *map, bool is_apart)
{
	char path[COUNT_PATH_BYTES];
	count_audit_find_path(map, path);
	const uint32_t count =
		atomic_load_explicit(&count_store.object_count, memory_order_relaxed);
	for (uint32_t i = 0; i < count && i < COUNT_OBJECTS; i++)
		if (bind_parties[i].number == (int)i &&
		    count_audit_is_known(&bind_parties[i], path, is_apart))
			return &bind_parties[i];
	const int number = count_store_add_object();
	if (number < 0)
		return &bind_parties[COUNT_OBJECTS];
	struct count_object *object = &count_store.objects[number];
	memcpy(object->path, path, sizeof path);
	bind_parties[number] = (struct count_party){.number = number, .is_apart = is_apart};
	return &bind_parties[number];
}

static void count_audit_examine(struct count_party *party)
{
	struct count_object *object = &count_store.objects[party->number];
	if (!count_image_read(&party->image, party->map))
		return;
	object->data = object->unreported = 0;
	object->data_names[0] = '\0';
	party->defines = false;
	count_image_visit_defined(&party->image, count_audit_note_defined, &party->defines);
	count_image_visit_wanted(&party->image, count_audit_note_wanted, object);
	party->is_silent = count_audit_is_silent(&party->image);
	if (!party->is_silent)
		object->unreported = 0;
	party->waits_for = NULL;
	party->is_pending = object->data + object->unreported > 0;
	object->provides = party->defines;
	object->is_symbolic = party->image.is_symbolic;
	if (party->defines)
		object->maker = party->maker = count_audit_find_maker(&party->image, object->path);
	atomic_store_explicit(&object->ready, 1, memory_order_release);
}

/*
 * Whoever has addresses as data gets its stubs at the next occasion after the loader has written
 * them: that occasion comes before the object's own code runs, since somebody has to look for its
 * first function.
 */
static void count_audit_patch(void)
{
	const uint32_t count =
		atomic_load_explicit(&count_store.object_count, memory_order_relaxed);
	const int parties = count < COUNT_OBJECTS ? (int)count : COUNT_OBJECTS;
	if (atomic_load_explicit(&bind_pending, memory_order_relaxed) == 0 ||
	    atomic_flag_test_and_set(&bind_busy))
		return;
	for (int i = 0; i < parties; i++) {
		struct count_party *party = &bind_parties[i];
		if (party->map == NULL || !party->is_pending)
			continue;
		count_patch_object(party, bind_parties, parties);
		if (!party->is_pending)
			atomic_fetch_sub_explicit(&bind_pending, 1, memory_order_relaxed);
	}
	atomic_flag_clear(&bind_busy);
}

BIND_EXPORT unsigned la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie)
{
	struct count_party *party = count_audit_add_party(map, namespace != LM_ID_BASE);
	*cookie = (uintptr_t)party;
	if (party->number < 0)
		return 0;
	party->map = map;
	count_audit_examine(party);
	if (party->defines)
		count_store_open();
	if (party->is_pending)
		atomic_fetch_add_explicit(&bind_pending, 1, memory_order_relaxed);
	return party->defines || party->is_pending ? LA_FLG_BINDFROM | LA_FLG_BINDTO
	                                           : LA_FLG_BINDFROM;
}

BIND_EXPORT void la_preinit(uintptr_t *cookie)
{
	(void)cookie;
	count_audit_patch();
}

BIND_EXPORT unsigned la_objclose(uintptr_t *cookie)
{
	struct count_party *party = (struct count_party *)*cookie;
	/* Another thread may be looking into the object. */
	while (atomic_flag_test_and_set(&bind_busy))
		sched_yield();
	if (party->is_pending)
		atomic_fetch_sub_explicit(&bind_pending, 1, memory_order_relaxed);
	party->is_pending = party->defines = false;
	party->map = NULL;
	atomic_flag_clear(&bind_busy);
	return 0;
}

BIND_EXPORT uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned index, uintptr_t *caller,
                                   uintptr_t *provider, unsigned *flags, const char *name)
{
	(void)index;
	count_audit_patch();
	*flags |= LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
	return count_bind_symbol(name, symbol->st_value, (const struct count_party *)*caller,
	                         (const struct count_party *)*provider,
	                         (*flags & LA_SYMB_DLSYM) != 0);
}
