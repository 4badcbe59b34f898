/* lapack_tally.c - a library to preload: counts calls of LAPACK, those of the program's own object apart */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * The tests of balance compare these counts with what the shim tells, so nothing here is the
 * shim's. Each name is a stub that counts and jumps: arguments, stack and return address stay as
 * they are. At the end of the process a line `symbol own other` for each name that was called goes
 * to the file that LAPACK_TALLY names: own counts calls that return to the program's executable,
 * other the rest, such as those of LAPACK itself.
 */
struct tally_row {
	uint64_t own, other;
	void *real;
	const char *symbol;
};

/* The linker defines the bounds of a section whose name is an identifier. */
extern struct tally_row tally_first[] __asm__("__start_tally_rows")
	__attribute__((visibility("hidden")));
extern struct tally_row tally_last[] __asm__("__stop_tally_rows")
	__attribute__((visibility("hidden")));

/* The addresses of the executable. */
uint64_t tally_begin __attribute__((visibility("hidden"), used));
uint64_t tally_bytes __attribute__((visibility("hidden"), used));

#define NAME(symbol)                                                                               \
	__asm__(".text\n.globl " #symbol "\n.type " #symbol ", @function\n" #symbol ":\n"          \
	        "\tleaq tally_row_" #symbol "(%rip), %r10\n"                                       \
	        "\tmovq (%rsp), %r11\n\tsubq tally_begin(%rip), %r11\n"                            \
	        "\tcmpq tally_bytes(%rip), %r11\n\tjb 1f\n"                                        \
	        "\tlock incq 8(%r10)\n\tjmp *16(%r10)\n1:\tlock incq (%r10)\n\tjmp *16(%r10)\n"    \
	        ".size " #symbol ", . - " #symbol "\n"                                             \
	        ".pushsection .rodata\ntally_name_" #symbol ": .asciz \"" #symbol                  \
	        "\"\n.popsection\n"                                                                \
	        ".pushsection tally_rows, \"aw\", @progbits\n.balign 8\n"                          \
	        "tally_row_" #symbol ": .quad 0, 0, 0, tally_name_" #symbol "\n.popsection\n");
#include "lapack_names.def"

/* The executable is the first object. */
static int tally_measure(struct dl_phdr_info *object, size_t size, void *unused)
{
	uint64_t end = 0;
	(void)size, (void)unused;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &object->dlpi_phdr[i];
		if (part->p_type == PT_LOAD && part->p_vaddr + part->p_memsz > end)
			end = part->p_vaddr + part->p_memsz;
	}
	tally_begin = object->dlpi_addr;
	tally_bytes = end;
	return 1;
}

__attribute__((constructor)) static void tally_open(void)
{
	dl_iterate_phdr(tally_measure, NULL);
	for (struct tally_row *row = tally_first; row < tally_last; row++)
		row->real = dlsym(RTLD_NEXT, row->symbol);
}

__attribute__((destructor)) static void tally_close(void)
{
	const char *path = getenv("LAPACK_TALLY");
	FILE *file = path == NULL ? NULL : fopen(path, "a");
	if (file == NULL)
		return;
	for (const struct tally_row *row = tally_first; row < tally_last; row++)
		if (row->own + row->other > 0)
			fprintf(file, "%s %lu %lu\n", row->symbol, (unsigned long)row->own,
			        (unsigned long)row->other);
	fclose(file);
}
