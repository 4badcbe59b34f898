/* libc_stub.c - calls of libc functions jump to libc itself, not to the program's functions */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/libc/libc_find.h"

/*
 * ISO C leaves names such as open, read and stat to programs, and the loader would bind the shim's
 * calls to a program's function. So the linker replaces each call of a row's function by one of
 * __wrap_NAME (its option --wrap, see CMakeLists.txt), also those that the compiler adds. A stub
 * jumps to the address in its slot; the first call has libc_find_row find it. A jump keeps the
 * return address, by which dlsym and dlopen know their caller.
 */

/* clang-format off */
#if defined(__x86_64__)
/* r11 is free in front of a call. Kept: all registers of arguments, al, r10 (the static chain). */
#define STUB(name)                                                                                 \
	STUB_HEAD("__wrap_" name)                                                                  \
	"movq libc_slots+8*stub_row(%rip), %r11\n\t"                                               \
	"testq %r11, %r11\n\t"                                                                     \
	"je 1f\n\t"                                                                                \
	"jmp *%r11\n"                                                                              \
	"1:\n\t"                                                                                   \
	"movl $stub_row, %r11d\n\t"                                                                \
	"jmp libc_stub_find\n\t"                                                                   \
	STUB_TAIL("__wrap_" name)
#define STUB_KEEP(where, vector) "movaps %xmm" #vector ", " #where "(%rsp)\n\t"
#define STUB_TAKE(where, vector) "movaps " #where "(%rsp), %xmm" #vector "\n\t"
#define STUB_VECTORS(DO)                                                                           \
	DO(0, 0) DO(16, 1) DO(32, 2) DO(48, 3) DO(64, 4) DO(80, 5) DO(96, 6) DO(112, 7)
#define STUB_SAVE                                                                                  \
	"subq $200, %rsp\n\t"                                                                      \
	".cfi_adjust_cfa_offset 200\n\t"                                                           \
	"movq %rax, 128(%rsp)\n\tmovq %rdi, 136(%rsp)\n\tmovq %rsi, 144(%rsp)\n\t"                 \
	"movq %rdx, 152(%rsp)\n\tmovq %rcx, 160(%rsp)\n\tmovq %r8, 168(%rsp)\n\t"                  \
	"movq %r9, 176(%rsp)\n\tmovq %r10, 184(%rsp)\n\t"                                          \
	STUB_VECTORS(STUB_KEEP)
#define STUB_RESTORE                                                                               \
	STUB_VECTORS(STUB_TAKE)                                                                    \
	"movq 128(%rsp), %rax\n\tmovq 136(%rsp), %rdi\n\tmovq 144(%rsp), %rsi\n\t"                 \
	"movq 152(%rsp), %rdx\n\tmovq 160(%rsp), %rcx\n\tmovq 168(%rsp), %r8\n\t"                  \
	"movq 176(%rsp), %r9\n\tmovq 184(%rsp), %r10\n\t"                                          \
	"addq $200, %rsp\n\t"                                                                      \
	".cfi_adjust_cfa_offset -200\n\t"
#define STUB_FIND                                                                                  \
	STUB_SAVE "movl %r11d, %edi\n\tcall libc_find_row\n\tmovq %rax, %r11\n\t" STUB_RESTORE       \
	"jmp *%r11\n\t"

#elif defined(__aarch64__)
/* x16 and x17 are free in front of a call. Kept: x0 to x8, x30 and the vectors of arguments. */
#define STUB(name)                                                                                 \
	STUB_HEAD("__wrap_" name)                                                                  \
	"hint #34\n\t" /* bti c: the stub's address may be taken */                                \
	"adrp x16, libc_slots+8*stub_row\n\t"                                                      \
	"ldr x16, [x16, :lo12:libc_slots+8*stub_row]\n\t"                                          \
	"cbz x16, 1f\n\t"                                                                          \
	"br x16\n"                                                                                 \
	"1:\n\t"                                                                                   \
	"mov w17, #stub_row\n\t"                                                                   \
	"b libc_stub_find\n\t"                                                                     \
	STUB_TAIL("__wrap_" name)
#define STUB_PAIRS(DO)                                                                             \
	DO "p x0, x1, [sp, #16]\n\t" DO "p x2, x3, [sp, #32]\n\t" DO "p x4, x5, [sp, #48]\n\t"     \
	DO "p x6, x7, [sp, #64]\n\t" DO "r x8, [sp, #80]\n\t"                                      \
	DO "p q0, q1, [sp, #96]\n\t" DO "p q2, q3, [sp, #128]\n\t"                                 \
	DO "p q4, q5, [sp, #160]\n\t" DO "p q6, q7, [sp, #192]\n\t"
#define STUB_SAVE                                                                                  \
	"stp x29, x30, [sp, #-224]!\n\t"                                                           \
	".cfi_adjust_cfa_offset 224\n\t.cfi_rel_offset x29, 0\n\t.cfi_rel_offset x30, 8\n\t"       \
	STUB_PAIRS("st")
#define STUB_RESTORE                                                                               \
	STUB_PAIRS("ld")                                                                           \
	"ldp x29, x30, [sp], #224\n\t"                                                             \
	".cfi_adjust_cfa_offset -224\n\t.cfi_restore x29\n\t.cfi_restore x30\n\t"
#define STUB_FIND                                                                                  \
	STUB_SAVE "mov w0, w17\n\tbl libc_find_row\n\tmov x16, x0\n\t" STUB_RESTORE "br x16\n\t"
#endif

#if defined(STUB)
#define STUB_HEAD(symbol)                                                                          \
	".globl " symbol "\n\t.hidden " symbol "\n\t.type " symbol ", %function\n"                 \
	symbol ":\n\t.cfi_startproc\n\t"
#define STUB_TAIL(symbol)                                                                          \
	".cfi_endproc\n\t.size " symbol ", .-" symbol "\n\t.set stub_row, stub_row + 1\n\t"

/* The row's number is counted by the assembler. */
__asm__(".pushsection .text\n\t"
	".set stub_row, 0\n\t"
#define LIBC(name) STUB(#name)
#include "shim/libc/libc.def"
#undef LIBC
	STUB_HEAD("libc_stub_find") STUB_FIND STUB_TAIL("libc_stub_find")
	".popsection\n");
#endif
/* clang-format on */
