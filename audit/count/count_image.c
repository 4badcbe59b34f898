/* count_image.c - walks dynamic sections, hash tables and relocations in memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_image.h"

#include <string.h>

static void count_image_read_flags(struct count_image *image, const ElfW(Dyn) * entry)
{
	image->is_symbolic |= entry->d_tag == DT_SYMBOLIC;
	image->is_symbolic |= entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_SYMBOLIC) != 0;
	image->binds_now |= entry->d_tag == DT_BIND_NOW;
	image->binds_now |= entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_BIND_NOW) != 0;
	image->binds_now |= entry->d_tag == DT_FLAGS_1 && (entry->d_un.d_val & DF_1_NOW) != 0;
}

static void count_image_read_entry(struct count_image *image, const struct link_map *map,
                                   const ElfW(Dyn) * entry)
{
	const void *table = bind_image_locate(map, entry->d_un.d_ptr);
	switch (entry->d_tag) {
	case DT_RELA: image->relocations[COUNT_REFERENCE_DATA] = table; break;
	case DT_RELASZ:
		image->relocation_counts[COUNT_REFERENCE_DATA] =
			entry->d_un.d_val / sizeof(ElfW(Rela));
		break;
	case DT_JMPREL: image->relocations[COUNT_REFERENCE_PLT] = table; break;
	case DT_PLTRELSZ:
		image->relocation_counts[COUNT_REFERENCE_PLT] =
			entry->d_un.d_val / sizeof(ElfW(Rela));
		break;
	default: count_image_read_flags(image, entry);
	}
}

bool count_image_read(struct count_image *image, const struct link_map *map)
{
	*image = (struct count_image){.dynamic = map->l_ld};
	if (map->l_ld == NULL)
		return false;
	bind_image_read(&image->table, map);
	for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
		count_image_read_entry(image, map, entry);
	return image->table.symbols != NULL && image->table.names != NULL &&
	       (image->table.gnu_hash != NULL || image->table.sysv_hash != NULL);
}

/*
 * One more than the last symbol. A GNU hash table does not say how many there are: the last one
 * ends the chain of the last bucket, and has its lowest bit set.
 */
static size_t count_image_count_symbols(const struct count_image *image)
{
	const uint32_t *head = image->table.gnu_hash;
	if (head == NULL)
		return image->table.sysv_hash[1];
	const uint32_t bucket_count = head[0], first = head[1];
	const uint32_t *buckets = head + 4 + head[2] * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
	const uint32_t *chain = buckets + bucket_count;
	uint32_t last = 0;
	for (uint32_t i = 0; i < bucket_count; i++)
		last = buckets[i] > last ? buckets[i] : last;
	if (last < first)
		return first;
	while ((chain[last - first] & 1) == 0)
		last++;
	return (size_t)last + 1;
}

static bool count_image_is_function(const ElfW(Sym) * symbol)
{
	const unsigned type = ELF64_ST_TYPE(symbol->st_info);
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
}

uintptr_t count_image_find(const struct count_image *image, const char *symbol)
{
	const ElfW(Sym) *found = bind_image_find_symbol(&image->table, symbol);
	if (found == NULL || ELF64_ST_TYPE(found->st_info) != STT_FUNC)
		return 0;
	return image->table.base + found->st_value;
}

void count_image_visit_defined(const struct count_image *image,
                               bool (*visit)(void *context, const char *symbol), void *context)
{
	const size_t count = count_image_count_symbols(image);
	for (size_t i = 1; i < count; i++) {
		const ElfW(Sym) *symbol = &image->table.symbols[i];
		if (symbol->st_shndx == SHN_UNDEF || !count_image_is_function(symbol))
			continue;
		if (!visit(context, image->table.names + symbol->st_name))
			return;
	}
}

/* An address, whole and unchanged: anything else is no function to be called. */
static bool count_image_is_address(const ElfW(Rela) * relocation)
{
	const unsigned type = ELF64_R_TYPE(relocation->r_info);
	return relocation->r_addend == 0 &&
	       (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || type == R_X86_64_64);
}

void count_image_visit_wanted(const struct count_image *image,
                              void (*visit)(void *context, const struct count_wanted *wanted),
                              void *context)
{
	for (int reference = COUNT_REFERENCE_DATA; reference <= COUNT_REFERENCE_PLT; reference++) {
		const ElfW(Rela) *relocation = image->relocations[reference];
		for (size_t i = 0; relocation != NULL && i < image->relocation_counts[reference];
		     i++) {
			const size_t index = ELF64_R_SYM(relocation[i].r_info);
			const ElfW(Sym) *symbol = &image->table.symbols[index];
			const bool is_own =
				symbol->st_shndx != SHN_UNDEF && reference == COUNT_REFERENCE_DATA;
			if (index == 0 || is_own || !count_image_is_function(symbol) ||
			    !count_image_is_address(&relocation[i]))
				continue;
			const struct count_wanted wanted = {
				image->table.names + symbol->st_name,
				(enum count_reference)reference,
				(uintptr_t *)(image->table.base + relocation[i].r_offset),
				ELF64_ST_BIND(symbol->st_info) == STB_WEAK};
			visit(context, &wanted);
		}
	}
}

bool count_image_needs(const struct count_image *image, const char *prefix)
{
	for (const ElfW(Dyn) *entry = image->dynamic; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_NEEDED &&
		    strncmp(image->table.names + entry->d_un.d_val, prefix, strlen(prefix)) == 0)
			return true;
	return false;
}
