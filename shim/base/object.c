/* object.c - what the dynamic section of a loaded object tells: definitions, imports, needs */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/object.h"

#include <string.h>

/* Source: the generic ABI; headers before glibc 2.36 lack them. */
enum { OBJECT_DT_RELRSZ = 35, OBJECT_DT_RELR = 36 };

/* On most processors the loader has replaced the offsets by addresses; on others it has not. */
static const void *object_locate(const struct object *object, const ElfW(Dyn) * entry)
{
	const uintptr_t value = (uintptr_t)entry->d_un.d_ptr;
	return (const void *)(value < object->base ? value + object->base : value);
}

static void object_read_entry(struct object *object, const ElfW(Dyn) * entry)
{
	const void *place = object_locate(object, entry);
	switch (entry->d_tag) {
	case DT_SYMTAB: object->symbols = place; break;
	case DT_STRTAB: object->strings = place; break;
	case DT_GNU_HASH: object->hash = place; break;
	case DT_HASH: object->old_hash = place; break;
	case DT_RELA: object->relocations = place; break;
	case DT_RELASZ: object->relocation_count = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
	case OBJECT_DT_RELR: object->packed = place; break;
	case OBJECT_DT_RELRSZ:
		object->packed_count = entry->d_un.d_val / sizeof *object->packed;
		break;
	default: break;
	}
}

bool object_read(struct object *object, uintptr_t base, const ElfW(Dyn) * dynamic)
{
	*object = (struct object){.base = base, .dynamic = dynamic};
	for (const ElfW(Dyn) *entry = dynamic; entry != NULL && entry->d_tag != DT_NULL; entry++)
		object_read_entry(object, entry);
	return object->symbols != NULL && object->strings != NULL &&
	       (object->hash != NULL || object->old_hash != NULL);
}

static const char *object_name(const struct object *object, size_t symbol)
{
	return object->strings + object->symbols[symbol].st_name;
}

/*
 * GNU's table: buckets, first symbol in the table, words of the filter, shift; then the filter, the
 * buckets and the chains. The lowest bit of a hash ends its chain.
 */
static const ElfW(Sym) * object_find_hashed(const struct object *object, const char *name)
{
	const uint32_t *head = object->hash;
	const ElfW(Addr) *filter = (const ElfW(Addr) *)(head + 4);
	const uint32_t *buckets = (const uint32_t *)(filter + head[2]), *chains = buckets + head[0];
	uint32_t hash = 5381;
	for (const char *letter = name; *letter != '\0'; letter++)
		hash = hash * 33 + (unsigned char)*letter;
	uint32_t symbol = head[0] != 0 ? buckets[hash % head[0]] : 0;
	if (symbol < head[1])
		return NULL;
	for (;; symbol++) {
		const uint32_t chain = chains[symbol - head[1]];
		if ((chain | 1) == (hash | 1) && strcmp(object_name(object, symbol), name) == 0)
			return &object->symbols[symbol];
		if ((chain & 1) != 0)
			return NULL;
	}
}

/* The second word of the old table is the number of all symbols. */
static const ElfW(Sym) * object_find_symbol(const struct object *object, const char *name)
{
	if (object->hash != NULL)
		return object_find_hashed(object, name);
	for (uint32_t i = 1; i < object->old_hash[1]; i++)
		if (object->symbols[i].st_shndx != SHN_UNDEF &&
		    strcmp(object_name(object, i), name) == 0)
			return &object->symbols[i];
	return NULL;
}

void *object_find(const struct object *object, const char *name, bool *indirect)
{
	const ElfW(Sym) *symbol = object_find_symbol(object, name);
	*indirect = false;
	if (symbol == NULL || symbol->st_shndx == SHN_UNDEF)
		return NULL;
	*indirect = ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC;
	return (void *)(object->base + symbol->st_value);
}

/*
 * All imports are among so many symbols. GNU's table lists definitions only, the last symbols, and
 * its second word is the first of them. An object that defines nothing has an empty table; its
 * strings follow its symbols.
 */
static size_t object_count_imports(const struct object *object)
{
	if (object->hash == NULL)
		return object->old_hash[1];
	const size_t first = object->hash[1];
	const uintptr_t symbols = (uintptr_t)object->symbols, end = (uintptr_t)object->strings;
	return first > 1 || end < symbols ? first : (end - symbols) / sizeof *object->symbols;
}

bool object_imports(const struct object *object, const char *name, bool is_prefix)
{
	const size_t count = object_count_imports(object);
	const size_t length = strlen(name) + (is_prefix ? 0 : 1);
	for (size_t i = 1; i < count; i++)
		if (object->symbols[i].st_shndx == SHN_UNDEF &&
		    strncmp(object_name(object, i), name, length) == 0)
			return true;
	return false;
}

const char *object_soname(const struct object *object)
{
	for (const ElfW(Dyn) *entry = object->dynamic; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_SONAME)
			return object->strings + entry->d_un.d_val;
	return NULL;
}

bool object_is_called(const struct object *object, const char *path, const char *name)
{
	const size_t whole = strlen(path), length = strlen(name);
	if (whole >= length && strcmp(path + whole - length, name) == 0 &&
	    (whole == length || path[whole - length - 1] == '/'))
		return true;
	const char *soname = object_soname(object);
	return soname != NULL && strcmp(soname, name) == 0;
}

struct self_pointers {
	void **found;
	size_t max, count;
};

static void object_look_at(struct self_pointers *list, uintptr_t place)
{
	const void *at = (const void *)place;
	uintptr_t word = 0;
	if (at != NULL)
		memcpy(&word, at, sizeof word);
	if (at == NULL || word != place)
		return;
	if (list->count < list->max)
		list->found[list->count] = (void *)place;
	list->count++;
}

/* An even word is an address; an odd one is a bit for each of the next 63 words. */
static void object_look_at_packed(const struct object *object, struct self_pointers *list)
{
	uintptr_t next = 0;
	for (size_t i = 0; i < object->packed_count; i++) {
		uint64_t bits = object->packed[i];
		if ((bits & 1) == 0) {
			object_look_at(list, object->base + bits);
			next = object->base + bits + sizeof next;
			continue;
		}
		for (uintptr_t place = next; (bits >>= 1) != 0; place += sizeof next)
			if ((bits & 1) != 0)
				object_look_at(list, place);
		next += 63 * sizeof next;
	}
}

size_t object_find_self_pointers(const struct object *object, void **found, size_t max)
{
	struct self_pointers list = {found, max, 0};
	for (size_t i = 0; object->relocations != NULL && i < object->relocation_count; i++) {
		const ElfW(Rela) *relocation = &object->relocations[i];
		/* Only entries without a symbol, whose addend is the place itself. */
		if (ELF64_R_SYM(relocation->r_info) == 0 &&
		    (uintptr_t)relocation->r_addend == (uintptr_t)relocation->r_offset)
			object_look_at(&list, object->base + relocation->r_offset);
	}
	if (object->packed != NULL)
		object_look_at_packed(object, &list);
	return list.count;
}
