/* count_stub.c - stubs for x86-64, which leave argument registers and stack as they were */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_stub.h"

enum { STUB_BYTES = 16 };

extern const char count_stub_pool[] __attribute__((visibility("hidden")));
extern const char count_stub_return[] __attribute__((visibility("hidden")));

/* Restores the registers that may hold arguments. */
#define COUNT_STUB_LOAD                                                                            \
	"movups -192(%rbp), %xmm0; movups -176(%rbp), %xmm1\n\t"                                   \
	"movups -160(%rbp), %xmm2; movups -144(%rbp), %xmm3\n\t"                                   \
	"movups -128(%rbp), %xmm4; movups -112(%rbp), %xmm5\n\t"                                   \
	"movups -96(%rbp), %xmm6; movups -80(%rbp), %xmm7\n\t"                                     \
	"movq -64(%rbp), %rdi; movq -56(%rbp), %rsi\n\t"                                           \
	"movq -48(%rbp), %rdx; movq -40(%rbp), %rcx\n\t"                                           \
	"movq -32(%rbp), %r8; movq -24(%rbp), %r9\n\t"                                             \
	"movq -16(%rbp), %r10; movq -8(%rbp), %rax\n\t"

/*
 * A stub has 16 bytes: it loads its own address into r11, which carries no argument, and jumps to
 * the common part, which computes the stub's number from it. Vector arguments are scalars in the
 * lower halves of the vector registers; the upper halves are not touched. A call whose time is
 * measured gets a copy of its stack arguments, so that the return address stays in its place:
 * debuggers and exceptions find their way through the stub.
 */
__asm__(".pushsection .text\n\t"
        ".p2align 4\n\t"
        ".globl count_stub_pool\n\t"
        ".hidden count_stub_pool\n\t"
        ".type count_stub_pool, @function\n"
        "count_stub_pool:\n\t"
        ".rept 8192\n\t"
        ".p2align 4\n\t"
        "endbr64\n\t"
        "leaq 0(%rip), %r11\n\t"
        "jmp count_stub_common\n\t"
        ".endr\n\t"
        ".size count_stub_pool, . - count_stub_pool\n\t"
        ".p2align 4\n\t"
        ".type count_stub_common, @function\n"
        "count_stub_common:\n\t"
        ".cfi_startproc\n\t"
        "pushq %rbp\n\t"
        ".cfi_def_cfa_offset 16\n\t"
        ".cfi_offset %rbp, -16\n\t"
        "movq %rsp, %rbp\n\t"
        ".cfi_def_cfa_register %rbp\n\t"
        "pushq %rax\n\t"
        "pushq %r10\n\t"
        "pushq %r9\n\t"
        "pushq %r8\n\t"
        "pushq %rcx\n\t"
        "pushq %rdx\n\t"
        "pushq %rsi\n\t"
        "pushq %rdi\n\t"
        "subq $128, %rsp\n\t"
        "movups %xmm0, 0(%rsp)\n\t"
        "movups %xmm1, 16(%rsp)\n\t"
        "movups %xmm2, 32(%rsp)\n\t"
        "movups %xmm3, 48(%rsp)\n\t"
        "movups %xmm4, 64(%rsp)\n\t"
        "movups %xmm5, 80(%rsp)\n\t"
        "movups %xmm6, 96(%rsp)\n\t"
        "movups %xmm7, 112(%rsp)\n\t"
        "leaq count_stub_pool(%rip), %rdi\n\t"
        "subq %rdi, %r11\n\t"
        "shrq $4, %r11\n\t"
        "movl %r11d, %edi\n\t"
        "leaq -64(%rbp), %rsi\n\t"
        "call count_calls_call\n\t"
        "movq %rax, %r11\n\t"
        "movq %rdx, %rcx\n\t"
        "testq %rcx, %rcx\n\t"
        "js 1f\n\t"
        "leaq 0(,%rcx,8), %rax\n\t"
        "subq %rax, %rsp\n\t"
        "leaq 16(%rbp), %rsi\n\t"
        "movq %rsp, %rdi\n\t"
        "rep movsq\n\t" COUNT_STUB_LOAD "call *%r11\n\t"
        "movq %rax, -8(%rbp)\n\t"
        "movq %rdx, -48(%rbp)\n\t"
        "movups %xmm0, -192(%rbp)\n\t"
        "movups %xmm1, -176(%rbp)\n\t"
        "leaq -64(%rbp), %rdi\n\t"
        "call count_calls_return\n\t"
        "movups -192(%rbp), %xmm0\n\t"
        "movups -176(%rbp), %xmm1\n\t"
        "movq -8(%rbp), %rax\n\t"
        "movq -48(%rbp), %rdx\n\t"
        ".cfi_remember_state\n\t"
        "leave\n\t"
        ".cfi_def_cfa %rsp, 8\n\t"
        "ret\n\t"
        ".cfi_restore_state\n\t"
        "1:\n\t" COUNT_STUB_LOAD "leave\n\t"
        ".cfi_def_cfa %rsp, 8\n\t"
        "jmp *%r11\n\t"
        ".cfi_endproc\n\t"
        ".size count_stub_common, . - count_stub_common\n\t"
        ".globl count_stub_return\n\t"
        ".hidden count_stub_return\n\t"
        ".type count_stub_return, @function\n"
        "count_stub_return:\n\t"
        "endbr64\n\t"
        "ret\n\t"
        ".size count_stub_return, . - count_stub_return\n\t"
        ".popsection");

_Static_assert(COUNT_CELLS == 8192, "the pool above has one stub for each cell");

uintptr_t count_stub_find(int cell)
{
	return (uintptr_t)count_stub_pool + (uintptr_t)cell * STUB_BYTES;
}

bool count_stub_contains(uintptr_t address)
{
	return address - (uintptr_t)count_stub_pool < (uintptr_t)COUNT_CELLS * STUB_BYTES;
}

uintptr_t count_stub_find_return(void)
{
	return (uintptr_t)count_stub_return;
}
