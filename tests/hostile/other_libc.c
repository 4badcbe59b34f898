/* other_libc.c - preloaded: the shim calls other functions than libc's, which OTHER_LIBC names */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "shim/libc/libc_find.h"

/*
 * The shim's calls of libc cannot be interposed. This writes to its table of addresses instead,
 * which the library's own table of symbols names as long as it is not stripped. OTHER_LIBC is
 * `processors` (the shim sees sixteen, since copy threads need several), `refused` (clocks and
 * sleeps fail, as under a filter of system calls) or `clock` (the clock that the program defines).
 */
enum { OTHER_PROCESSORS = 16 };

static int other_getaffinity(pid_t thread, size_t size, cpu_set_t *set)
{
	(void)thread;
	memset(set, 0, size);
	for (int i = 0; i < OTHER_PROCESSORS; i++)
		CPU_SET_S(i, size, set);
	return 0;
}

static long other_sysconf(int what)
{
	return what == _SC_NPROCESSORS_ONLN ? OTHER_PROCESSORS : sysconf(what);
}

static int other_clock_gettime(clockid_t id, struct timespec *now)
{
	(void)id;
	(void)now;
	errno = EPERM;
	return -1;
}

static int other_nanosleep(const struct timespec *wanted, struct timespec *left)
{
	(void)wanted;
	(void)left;
	errno = EPERM;
	return -1;
}

static void other_choose(uintptr_t *slots)
{
	const char *which = getenv("OTHER_LIBC");
	if (which != NULL && strcmp(which, "processors") == 0) {
		slots[LIBC_ROW_sched_getaffinity] = (uintptr_t)other_getaffinity;
		slots[LIBC_ROW_sysconf] = (uintptr_t)other_sysconf;
	}
	if (which != NULL && strcmp(which, "clock") == 0)
		slots[LIBC_ROW_clock_gettime] = (uintptr_t)clock_gettime;
	if (which != NULL && strcmp(which, "refused") == 0) {
		slots[LIBC_ROW_clock_gettime] = (uintptr_t)other_clock_gettime;
		slots[LIBC_ROW_nanosleep] = (uintptr_t)other_nanosleep;
	}
}

static const struct link_map *other_find_shim(void)
{
	for (const struct link_map *map = _r_debug.r_map; map != NULL; map = map->l_next)
		if (strstr(map->l_name, "libgpushim.so") != NULL)
			return map;
	return NULL;
}

/* The value of a symbol in the section headers of a file, 0 without. */
static uintptr_t other_find_symbol(const char *file, const char *name)
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

__attribute__((constructor)) static void other_replace(void)
{
	const struct link_map *map = other_find_shim();
	struct stat status;
	const int fd = map != NULL ? open(map->l_name, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0) {
		const size_t size = (size_t)status.st_size;
		const char *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
		const uintptr_t slots =
			file != MAP_FAILED ? other_find_symbol(file, "libc_slots") : 0;
		if (slots != 0)
			other_choose((uintptr_t *)(map->l_addr + slots));
		if (file != MAP_FAILED)
			munmap((void *)file, size);
	}
	close(fd);
}
