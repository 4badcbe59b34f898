/* cli_elf.c - reads ELF files that may be broken */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_elf.h"

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

/* size bytes at offset, or NULL where they are not all in the file. */
static const void *cli_elf_take(const struct cli_elf *elf, uint64_t offset, uint64_t size)
{
	if (offset > elf->size || size > elf->size - offset)
		return NULL;
	return elf->bytes + offset;
}

/* Copies the index-th record of a table; false where it is outside. The copy needs no alignment of the file's. */
static bool cli_elf_read_record(const struct cli_elf *elf, uint64_t table, uint64_t index, void *record, size_t size)
{
	uint64_t offset = 0;
	if (__builtin_mul_overflow(index, (uint64_t)size, &offset) || __builtin_add_overflow(offset, table, &offset))
		return false;
	const void *bytes = cli_elf_take(elf, offset, size);
	if (bytes != NULL)
		memcpy(record, bytes, size);
	return bytes != NULL;
}

static void cli_elf_read_interpreter(struct cli_elf *elf, const ElfW(Phdr) * segment)
{
	const char *name = cli_elf_take(elf, segment->p_offset, segment->p_filesz);
	if (name == NULL || segment->p_filesz == 0 || segment->p_filesz > sizeof elf->interpreter)
		return;
	memcpy(elf->interpreter, name, segment->p_filesz);
	elf->interpreter[segment->p_filesz - 1] = '\0';
}

static void cli_elf_read_dynamic(struct cli_elf *elf, const ElfW(Phdr) * segment)
{
	ElfW(Dyn) entry;
	elf->is_dynamic = true;
	for (uint64_t i = 0; i < segment->p_filesz / sizeof entry; i++) {
		if (!cli_elf_read_record(elf, segment->p_offset, i, &entry, sizeof entry) || entry.d_tag == DT_NULL)
			return;
		if (entry.d_tag == DT_SYMBOLIC || (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_SYMBOLIC) != 0))
			elf->is_symbolic = true;
	}
}

static void cli_elf_read_segments(struct cli_elf *elf, const ElfW(Ehdr) * header)
{
	ElfW(Phdr) segment;
	if (header->e_phentsize != sizeof segment)
		return;
	for (uint64_t i = 0; i < header->e_phnum; i++) {
		if (!cli_elf_read_record(elf, header->e_phoff, i, &segment, sizeof segment))
			return;
		if (segment.p_type == PT_INTERP)
			cli_elf_read_interpreter(elf, &segment);
		if (segment.p_type == PT_DYNAMIC)
			cli_elf_read_dynamic(elf, &segment);
	}
}

static void cli_elf_read(struct cli_elf *elf)
{
	ElfW(Ehdr) header;
	elf->is_elf = elf->size >= EI_NIDENT && memcmp(elf->bytes, ELFMAG, SELFMAG) == 0;
	elf->is_32bit = elf->is_elf && elf->bytes[EI_CLASS] == ELFCLASS32;
	if (!elf->is_elf || elf->bytes[EI_CLASS] != ELFCLASS64 || elf->bytes[EI_DATA] != ELFDATA2LSB ||
	    !cli_elf_read_record(elf, 0, 0, &header, sizeof header))
		return;
	elf->is_native = header.e_machine == ELF_MACHINE;
	if (elf->is_native)
		cli_elf_read_segments(elf, &header);
}

int cli_elf_open(struct cli_elf *elf, const char *path)
{
	struct stat status;
	*elf = (struct cli_elf){0};
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
		cli_elf_read(elf);
	return error;
}

void cli_elf_close(struct cli_elf *elf)
{
	if (elf->size > 0)
		munmap((void *)elf->bytes, elf->size);
	*elf = (struct cli_elf){0};
}

struct elf_visit {
	const struct cli_elf *elf;
	void (*visit)(void *context, const char *name, bool defined);
	void *context;
};

/* Symbols of one table, names in the section strings. What is wanted stands in the dynamic table anyway. */
static void cli_elf_visit_table(const struct elf_visit *visit, const ElfW(Shdr) * table, const ElfW(Shdr) * strings)
{
	const bool dynamic = table->sh_type == SHT_DYNSYM;
	ElfW(Sym) symbol;
	const char *names = cli_elf_take(visit->elf, strings->sh_offset, strings->sh_size);
	if (names == NULL || strings->sh_size == 0 || names[strings->sh_size - 1] != '\0')
		return;
	for (uint64_t i = 1; i < table->sh_size / sizeof symbol; i++) {
		if (!cli_elf_read_record(visit->elf, table->sh_offset, i, &symbol, sizeof symbol))
			return;
		if (symbol.st_name < strings->sh_size && (dynamic || symbol.st_shndx != SHN_UNDEF))
			visit->visit(visit->context, names + symbol.st_name, symbol.st_shndx != SHN_UNDEF);
	}
}

void cli_elf_visit_symbols(const struct cli_elf *elf, bool all,
                           void (*visit)(void *context, const char *name, bool defined), void *context)
{
	const struct elf_visit tour = {elf, visit, context};
	ElfW(Ehdr) header;
	ElfW(Shdr) section, strings;
	if (!elf->is_native || !cli_elf_read_record(elf, 0, 0, &header, sizeof header) ||
	    header.e_shentsize != sizeof section)
		return;
	for (uint64_t i = 0; i < header.e_shnum; i++) {
		if (!cli_elf_read_record(elf, header.e_shoff, i, &section, sizeof section))
			return;
		if (section.sh_type != SHT_DYNSYM && !(all && section.sh_type == SHT_SYMTAB))
			continue;
		if (cli_elf_read_record(elf, header.e_shoff, section.sh_link, &strings, sizeof strings))
			cli_elf_visit_table(&tour, &section, &strings);
	}
}
