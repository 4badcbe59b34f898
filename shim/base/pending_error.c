/* pending_error.c - finds where glibc keeps a thread's pending error, and swaps it out */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/pending_error.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shim/base/loader_lock.h"
#include "shim/shield/shield.h"

/*
 * Since 2.34 glibc keeps a thread's error behind one pointer in thread-local storage. The pointer
 * has a name for glibc's own libraries, which no other library can be linked with, so it is looked
 * up in libc's table of symbols. dlsym would discard the error.
 */
static const char pending_error_name[] = "__libc_dlerror_result";
static const char pending_error_library[] = "/libc.so.6";

/* Distance of the pointer from the thread pointer, the same in all threads; 0: not looked up. */
enum { PENDING_ERROR_NOWHERE = 1 };
static _Atomic intptr_t pending_error_distance;

struct pending_error_tables {
	const ElfW(Sym) * symbols;
	const char *strings;
	const uint32_t *hash;
};

static char *pending_error_thread(void)
{
#if defined(__x86_64__)
	char *thread;
	__asm__("movq %%fs:0, %0" : "=r"(thread));
	return thread;
#else
	return __builtin_thread_pointer();
#endif
}

/* The loader has replaced offsets by addresses on most processors. */
static const void *pending_error_locate(const struct dl_phdr_info *object, uintptr_t value)
{
	return (const void *)(value < object->dlpi_addr ? value + object->dlpi_addr : value);
}

static void pending_error_read_dynamic(const struct dl_phdr_info *object, const ElfW(Dyn) * entry,
                                       struct pending_error_tables *tables)
{
	for (; entry->d_tag != DT_NULL; entry++) {
		const void *place = pending_error_locate(object, (uintptr_t)entry->d_un.d_ptr);
		if (entry->d_tag == DT_SYMTAB)
			tables->symbols = place;
		else if (entry->d_tag == DT_STRTAB)
			tables->strings = place;
		else if (entry->d_tag == DT_GNU_HASH)
			tables->hash = place;
	}
}

static uint32_t pending_error_hash(const char *name)
{
	uint32_t hash = 5381;
	for (; *name != '\0'; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

/* The hash table: four words, a filter, a chain's first symbol per bucket, the chains. */
static const ElfW(Sym) * pending_error_search(const struct pending_error_tables *tables)
{
	const uint32_t wanted = pending_error_hash(pending_error_name);
	const uint32_t buckets = tables->hash[0], first = tables->hash[1];
	const ElfW(Addr) *filter = (const ElfW(Addr) *)(tables->hash + 4);
	const uint32_t *bucket = (const uint32_t *)(filter + tables->hash[2]);
	const uint32_t *chain = bucket + buckets;
	uint32_t at = bucket[wanted % buckets];
	for (; at >= first; at++) {
		const uint32_t found = chain[at - first];
		if ((found | 1) == (wanted | 1) &&
		    strcmp(tables->strings + tables->symbols[at].st_name, pending_error_name) == 0)
			return &tables->symbols[at];
		if ((found & 1) != 0)
			return NULL;
	}
	return NULL;
}

static bool pending_error_is_libc(const char *path)
{
	if (path == NULL)
		return false;
	const size_t length = strlen(path), end = strlen(pending_error_library);
	return length >= end && strcmp(path + length - end, pending_error_library) == 0;
}

static int pending_error_look(struct dl_phdr_info *object, size_t size, void *context)
{
	struct pending_error_tables tables = {NULL, NULL, NULL};
	const ElfW(Sym) *symbol = NULL;
	if (!pending_error_is_libc(object->dlpi_name))
		return 0;
	for (int i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
			pending_error_read_dynamic(
				object,
				(const ElfW(Dyn) *)(object->dlpi_addr +
			                            object->dlpi_phdr[i].p_vaddr),
				&tables);
	if (tables.symbols != NULL && tables.strings != NULL && tables.hash != NULL)
		symbol = pending_error_search(&tables);
	if (symbol != NULL && (symbol->st_info & 0xf) == STT_TLS &&
	    symbol->st_size == sizeof(void *) &&
	    size >= offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof(void *) &&
	    object->dlpi_tls_data != NULL)
		*(intptr_t *)context =
			(char *)object->dlpi_tls_data + symbol->st_value - pending_error_thread();
	return 1;
}

static void **pending_error_find(void)
{
	intptr_t distance = atomic_load_explicit(&pending_error_distance, memory_order_relaxed);
	if (distance == 0) {
		distance = PENDING_ERROR_NOWHERE;
		loader_lock_renew_orphans();
		dl_iterate_phdr(pending_error_look, &distance);
		atomic_store_explicit(&pending_error_distance, distance, memory_order_relaxed);
	}
	return distance != PENDING_ERROR_NOWHERE ? (void **)(pending_error_thread() + distance)
	                                         : NULL;
}

void *pending_error_begin(void)
{
	void **place = pending_error_find();
	void *program = place != NULL ? *place : NULL;
	if (program != NULL)
		*place = NULL;
	return program;
}

/*
 * The shim's own errors end here: a first dlerror() delivers one, a second releases it. What a
 * later success leaves behind is an empty record, which libc would release at the thread's end.
 * Both use libc's heap: a handler of the program that calls a routine meanwhile would wait for it.
 */
void pending_error_end(void *program)
{
	void **place = pending_error_find();
	struct shield shield;
	if (place == NULL)
		return;
	if (*place == NULL) {
		*place = program;
		return;
	}
	shield_begin(&shield);
	if (dlerror() != NULL)
		dlerror();
	if (program != NULL) {
		free(*place);
		*place = program;
	}
	shield_end(&shield);
}
