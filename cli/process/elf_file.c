/* elf_file.c - reads ELF files; no offset or size in them is trusted */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/elf_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { ELF_MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { ELF_MACHINE = EM_AARCH64 };
#else
enum { ELF_MACHINE = EM_NONE };
#endif

/* The size bytes at offset, or NULL if they are not all in the file. */
static const void *elf_file_take(const struct elf_file *elf, uint64_t offset, uint64_t size)
{
	if (offset > elf->size || size > elf->size - offset)
		return NULL;
	return elf->bytes + offset;
}

/*
 * Copies the index-th record of a table; false if it is not in the file. A copy, because the record
 * may be misaligned.
 */
static bool elf_file_read_record(const struct elf_file *elf, uint64_t table, uint64_t index,
                                 void *record, size_t size)
{
	uint64_t offset = 0;
	if (__builtin_mul_overflow(index, (uint64_t)size, &offset) ||
	    __builtin_add_overflow(offset, table, &offset))
		return false;
	const void *bytes = elf_file_take(elf, offset, size);
	if (bytes != NULL)
		memcpy(record, bytes, size);
	return bytes != NULL;
}

static void elf_file_read_interpreter(struct elf_file *elf, const ElfW(Phdr) * segment)
{
	const char *name = elf_file_take(elf, segment->p_offset, segment->p_filesz);
	if (name == NULL || segment->p_filesz == 0 || segment->p_filesz > sizeof elf->interpreter)
		return;
	memcpy(elf->interpreter, name, segment->p_filesz);
	elf->interpreter[segment->p_filesz - 1] = '\0';
}

static void elf_file_read_dynamic(struct elf_file *elf, const ElfW(Phdr) * segment)
{
	ElfW(Dyn) entry;
	elf->is_dynamic = true;
	for (uint64_t i = 0; i < segment->p_filesz / sizeof entry; i++) {
		if (!elf_file_read_record(elf, segment->p_offset, i, &entry, sizeof entry) ||
		    entry.d_tag == DT_NULL)
			return;
		if (entry.d_tag == DT_SYMBOLIC ||
		    (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_SYMBOLIC) != 0))
			elf->is_symbolic = true;
	}
}

static void elf_file_read_segments(struct elf_file *elf, const ElfW(Ehdr) * header)
{
	ElfW(Phdr) segment;
	if (header->e_phentsize != sizeof segment)
		return;
	for (uint64_t i = 0; i < header->e_phnum; i++) {
		if (!elf_file_read_record(elf, header->e_phoff, i, &segment, sizeof segment))
			return;
		if (segment.p_type == PT_INTERP)
			elf_file_read_interpreter(elf, &segment);
		if (segment.p_type == PT_DYNAMIC)
			elf_file_read_dynamic(elf, &segment);
	}
}

static void elf_file_read(struct elf_file *elf)
{
	ElfW(Ehdr) header;
	elf->is_elf = elf->size >= EI_NIDENT && memcmp(elf->bytes, ELFMAG, SELFMAG) == 0;
	elf->is_32bit = elf->is_elf && elf->bytes[EI_CLASS] == ELFCLASS32;
	if (!elf->is_elf || elf->bytes[EI_CLASS] != ELFCLASS64 ||
	    elf->bytes[EI_DATA] != ELFDATA2LSB ||
	    !elf_file_read_record(elf, 0, 0, &header, sizeof header))
		return;
	elf->is_native = header.e_machine == ELF_MACHINE;
	if (elf->is_native)
		elf_file_read_segments(elf, &header);
}

int elf_file_open(struct elf_file *elf, const char *path)
{
	struct stat status;
	*elf = (struct elf_file){0};
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return errno;
	int error = fstat(fd, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : EACCES;
	if (error == 0 && status.st_size > 0) {
		void *map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		error = map == MAP_FAILED ? errno : 0;
		elf->bytes = error == 0 ? map : NULL;
		elf->size = error == 0 ? (size_t)status.st_size : 0;
	}
	close(fd);
	if (elf->size > 0)
		elf_file_read(elf);
	return error;
}

void elf_file_close(struct elf_file *elf)
{
	if (elf->size > 0)
		munmap((void *)elf->bytes, elf->size);
	*elf = (struct elf_file){0};
}

struct elf_visit {
	const struct elf_file *elf;
	void (*visit)(void *context, const char *name, bool defined);
	void *context;
};

/*
 * The symbols of one table; their names are in the section strings. Undefined symbols of the full
 * table are left out: the dynamic table has them too.
 */
static void elf_file_visit_table(const struct elf_visit *visit, const ElfW(Shdr) * table,
                                 const ElfW(Shdr) * strings)
{
	const bool dynamic = table->sh_type == SHT_DYNSYM;
	ElfW(Sym) symbol;
	const char *names = elf_file_take(visit->elf, strings->sh_offset, strings->sh_size);
	if (names == NULL || strings->sh_size == 0 || names[strings->sh_size - 1] != '\0')
		return;
	for (uint64_t i = 1; i < table->sh_size / sizeof symbol; i++) {
		if (!elf_file_read_record(visit->elf, table->sh_offset, i, &symbol, sizeof symbol))
			return;
		if (symbol.st_name < strings->sh_size && (dynamic || symbol.st_shndx != SHN_UNDEF))
			visit->visit(visit->context, names + symbol.st_name,
			             symbol.st_shndx != SHN_UNDEF);
	}
}

void elf_file_visit_symbols(const struct elf_file *elf, bool all,
                            void (*visit)(void *context, const char *name, bool defined),
                            void *context)
{
	const struct elf_visit tour = {elf, visit, context};
	ElfW(Ehdr) header;
	ElfW(Shdr) section, strings;
	if (!elf->is_native || !elf_file_read_record(elf, 0, 0, &header, sizeof header) ||
	    header.e_shentsize != sizeof section)
		return;
	for (uint64_t i = 0; i < header.e_shnum; i++) {
		if (!elf_file_read_record(elf, header.e_shoff, i, &section, sizeof section))
			return;
		if (section.sh_type != SHT_DYNSYM && !(all && section.sh_type == SHT_SYMTAB))
			continue;
		if (elf_file_read_record(elf, header.e_shoff, section.sh_link, &strings,
		                         sizeof strings))
			elf_file_visit_table(&tour, &section, &strings);
	}
}
