/* namesake_judge.c - functions under libc's names, which end the process if the shim calls one */
/* SPDX-License-Identifier: Apache-2.0 */
#include "namesake_judge.h"

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "shim/libc/libc_find.h"

/*
 * The definitions are made from the shim's own table: a row more is a definition more. Other
 * libraries call them too (the BLAS, FFTW, the simulated CUDA); they get libc's function, which is
 * found as the shim finds it, for dlsym is one of the names. Here nothing may call libc.
 */
enum { JUDGE_STATUS = 9, JUDGE_IMAGES = 4 };

static const char *const judge_names[LIBC_ROWS] = {
#define LIBC(name) #name,
#include "shim/libc/libc.def"
#undef LIBC
};

static struct judge_image {
	uintptr_t start, end;
} judge_images[JUDGE_IMAGES];
static int judge_count = -1;
static long judge_calls;

/* Of the loader, since glibc 2.35; older headers lack it. */
struct judge_space {
	struct r_debug space;
	const struct judge_space *next;
};

static long judge_call(long number, long a, long b, long c)
{
	long result;
	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "a"(number), "D"(a), "S"(b), "d"(c)
	                 : "rcx", "r11", "memory");
	return result;
}

static void judge_write(const char *text)
{
	long length = 0;
	while (text[length] != '\0')
		length++;
	judge_call(SYS_write, 2, (long)text, length);
}

static bool judge_contains(const char *text, const char *part)
{
	for (; *text != '\0'; text++) {
		size_t i = 0;
		while (part[i] != '\0' && text[i] == part[i])
			i++;
		if (part[i] == '\0')
			return true;
	}
	return false;
}

/* libgpushim.so, and its audit libraries in their namespaces. */
static void judge_note(const struct link_map *map)
{
	const ElfW(Ehdr) *head = (const void *)map->l_addr;
	if (map->l_name == NULL || !judge_contains(map->l_name, "libgpushim"))
		return;
	const ElfW(Phdr) *part = (const void *)(map->l_addr + head->e_phoff);
	struct judge_image *image = &judge_images[judge_count++];
	image->start = map->l_addr;
	for (int i = 0; i < head->e_phnum; i++)
		if (part[i].p_type == PT_LOAD)
			image->end = map->l_addr + part[i].p_vaddr + part[i].p_memsz;
}

static void judge_find_images(void)
{
	const struct judge_space *first = (const void *)&_r_debug;
	judge_count = 0;
	for (const struct judge_space *space = first; space != NULL;
	     space = first->space.r_version > 1 ? space->next : NULL)
		for (const struct link_map *map = space->space.r_map; map != NULL;
		     map = map->l_next)
			if (judge_count < JUDGE_IMAGES)
				judge_note(map);
}

/*
 * A return address in the shim is not enough: FFTW's function that the shim called may have jumped
 * to free. The shim's own calls of libc are direct ones of a stub: of the procedure linkage table,
 * or one that loads r11.
 */
static bool judge_is_own(uintptr_t caller)
{
	const unsigned char *code = (const unsigned char *)caller;
	const int32_t *offset = (const void *)(code - 4);
	bool inside = false;
	for (int i = 0; i < judge_count; i++)
		inside |= caller >= judge_images[i].start && caller < judge_images[i].end;
	if (!inside || code[-5] != 0xe8)
		return false;
	const unsigned char *to = code + *offset;
	if (to[0] == 0xf3 && to[1] == 0x0f && to[2] == 0x1e && to[3] == 0xfa) /* endbr64 */
		to += 4;
	return (to[0] == 0xff && to[1] == 0x25) || (to[0] == 0xf2 && to[1] == 0xff) ||
	       (to[0] == 0x4c && to[1] == 0x8b && to[2] == 0x1d);
}

/* Called by the definitions below: what to jump to. */
uintptr_t judge_meet(unsigned row, uintptr_t caller);
uintptr_t judge_meet(unsigned row, uintptr_t caller)
{
	if (judge_count < 0)
		judge_find_images();
	__atomic_fetch_add(&judge_calls, 1, __ATOMIC_RELAXED);
	if (judge_is_own(caller)) {
		judge_write("the shim called the program's ");
		judge_write(judge_names[row]);
		judge_write("\n");
		judge_call(SYS_exit_group, JUDGE_STATUS, 0, 0);
	}
	return libc_slots[row] != 0 ? libc_slots[row] : libc_find_row(row);
}

void namesake_report(void)
{
	if (judge_calls != 0)
		return;
	judge_write("nobody called any function of the program\n");
	judge_call(SYS_exit_group, JUDGE_STATUS, 0, 0);
}

/* clang-format off */
#define JUDGE_NAME(name)                                                                           \
	".globl " name "\n\t.type " name ", @function\n" name ":\n\t"                              \
	"movl $judge_row, %r11d\n\t"                                                               \
	"jmp judge_enter\n\t"                                                                      \
	".size " name ", .-" name "\n\t"                                                           \
	".set judge_row, judge_row + 1\n\t"
#define JUDGE_KEEP(where, vector) "movaps %xmm" #vector ", " #where "(%rsp)\n\t"
#define JUDGE_TAKE(where, vector) "movaps " #where "(%rsp), %xmm" #vector "\n\t"
#define JUDGE_VECTORS(DO)                                                                          \
	DO(0, 0) DO(16, 1) DO(32, 2) DO(48, 3) DO(64, 4) DO(80, 5) DO(96, 6) DO(112, 7)
__asm__(".pushsection .text\n\t"
	".set judge_row, 0\n\t"
#define LIBC(name) JUDGE_NAME(#name)
#include "shim/libc/libc.def"
#undef LIBC
	"judge_enter:\n\t"
	"subq $200, %rsp\n\t"
	"movq %rax, 128(%rsp)\n\tmovq %rdi, 136(%rsp)\n\tmovq %rsi, 144(%rsp)\n\t"
	"movq %rdx, 152(%rsp)\n\tmovq %rcx, 160(%rsp)\n\tmovq %r8, 168(%rsp)\n\t"
	"movq %r9, 176(%rsp)\n\tmovq %r10, 184(%rsp)\n\t"
	JUDGE_VECTORS(JUDGE_KEEP)
	"movl %r11d, %edi\n\tmovq 200(%rsp), %rsi\n\tcall judge_meet\n\tmovq %rax, %r11\n\t"
	JUDGE_VECTORS(JUDGE_TAKE)
	"movq 128(%rsp), %rax\n\tmovq 136(%rsp), %rdi\n\tmovq 144(%rsp), %rsi\n\t"
	"movq 152(%rsp), %rdx\n\tmovq 160(%rsp), %rcx\n\tmovq 168(%rsp), %r8\n\t"
	"movq 176(%rsp), %r9\n\tmovq 184(%rsp), %r10\n\t"
	"addq $200, %rsp\n\t"
	"jmp *%r11\n\t"
	".popsection\n");
/* clang-format on */
