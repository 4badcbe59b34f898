/* count_stub.c - stubs for x86-64, which leave argument registers and stack as they were */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_stub.h"

enum { STUB_BYTES = 16 };

extern const char count_stub_pool[] __attribute__((visibility("hidden")));
extern const char count_stub_return[] __attribute__((visibility("hidden")));

/*
 * A stub has 16 bytes: it loads its own address into r11, which carries no argument, and jumps to
 * the common part, which computes the stub's number from it. Vector arguments are scalars in the
 * lower halves of the vector registers; the upper halves are not touched.
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
        "pushq %rax\n\t"
        "pushq %r10\n\t"
        "pushq %r9\n\t"
        "pushq %r8\n\t"
        "pushq %rcx\n\t"
        "pushq %rdx\n\t"
        "pushq %rsi\n\t"
        "pushq %rdi\n\t"
        "subq $136, %rsp\n\t"
        ".cfi_adjust_cfa_offset 200\n\t"
        "movups %xmm0, (%rsp)\n\t"
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
        "leaq 136(%rsp), %rsi\n\t"
        "call count_calls_call\n\t"
        "movq %rax, %r11\n\t"
        "movups (%rsp), %xmm0\n\t"
        "movups 16(%rsp), %xmm1\n\t"
        "movups 32(%rsp), %xmm2\n\t"
        "movups 48(%rsp), %xmm3\n\t"
        "movups 64(%rsp), %xmm4\n\t"
        "movups 80(%rsp), %xmm5\n\t"
        "movups 96(%rsp), %xmm6\n\t"
        "movups 112(%rsp), %xmm7\n\t"
        "addq $136, %rsp\n\t"
        "popq %rdi\n\t"
        "popq %rsi\n\t"
        "popq %rdx\n\t"
        "popq %rcx\n\t"
        "popq %r8\n\t"
        "popq %r9\n\t"
        "popq %r10\n\t"
        "popq %rax\n\t"
        ".cfi_adjust_cfa_offset -200\n\t"
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
