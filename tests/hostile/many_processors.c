/* many_processors.c - preloaded: the shim sees sixteen processors, as copy threads need several */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/libc/libc_find.h"

/*
 * The shim's calls of libc cannot be interposed. This writes to its table of addresses instead,
 * which the library's own table of symbols names as long as it is not stripped.
 */
enum { MANY = 16 };

static int many_getaffinity(pid_t thread, size_t size, cpu_set_t *set)
{
	(void)thread;
	memset(set, 0, size);
	for (int i = 0; i < MANY; i++)
		CPU_SET_S(i, size, set);
	return 0;
}

static const struct link_map *many_find_shim(void)
{
	for (const struct link_map *map = _r_debug.r_map; map != NULL; map = map->l_next)
		if (strstr(map->l_name, "libgpushim.so") != NULL)
			return map;
	return NULL;
}

/* The value of a symbol in the section headers of a file, 0 without. */
static uintptr_t many_find_symbol(const char *file, const char *name)
{
	const ElfW(Ehdr) *head = (const void *)file;
	const ElfW(Shdr) *section = (const void *)(file + head->e_shoff);
	for (int i = 0; i < head->e_shnum; i++) {
		if (section[i].sh_type != SHT_SYMTAB)
			continue;
		const ElfW(Sym) *symbols = (const void *)(file + section[i].sh_offset);
		const char *names = file + section[section[i].sh_link].sh_offset;
		for (size_t k = 0; k < section[i].sh_size / sizeof *symbols; k++)
			if (strcmp(names + symbols[k].st_name, name) == 0)
				return symbols[k].st_value;
	}
	return 0;
}

__attribute__((constructor)) static void many_replace(void)
{
	const struct link_map *map = many_find_shim();
	struct stat status;
	const int fd = map != NULL ? open(map->l_name, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0) {
		const size_t size = (size_t)status.st_size;
		const char *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
		const uintptr_t slots =
			file != MAP_FAILED ? many_find_symbol(file, "libc_slots") : 0;
		if (slots != 0)
			((uintptr_t *)(map->l_addr + slots))[LIBC_ROW_sched_getaffinity] =
				(uintptr_t)many_getaffinity;
		if (file != MAP_FAILED)
			munmap((void *)file, size);
	}
	close(fd);
}
