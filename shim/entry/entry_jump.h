/* entry_jump.h - the gate of a Fortran name without moving its arguments; where absent, gate_pass does the same in C */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ENTRY_ENTRY_JUMP_H
#define GPUSHIM_SHIM_ENTRY_ENTRY_JUMP_H

#include <stddef.h>

#include "shim/gate.h"

#if defined(__x86_64__) && !defined(ENTRY_NO_JUMP)

/* clang-format off */
/* Loads an integer of the width from where register points. Arguments travel in all registers but rax, r10, r11. */
#define JUMP_HALF_rax "eax"
#define JUMP_HALF_r10 "r10d"
#define JUMP_LOAD_PROBE(from, to) "movl (%%" #from "), %%" JUMP_HALF_##to "\n\t"
#define JUMP_LOAD_ILP64(from, to) "movq (%%" #from "), %%" #to "\n\t"
#define JUMP_IS_ONE_PROBE(from) "cmpl $1, (%%" #from ")\n\t"
#define JUMP_IS_ONE_ILP64(from) "cmpq $1, (%%" #from ")\n\t"

/*
 * rax := the elements of all operands, as the functions gate_elements_ of gate.h count them. Negative sizes count as
 * huge; should products wrap, the call is forwarded as it is, and the library reports them.
 */
#define JUMP_ELEMENTS_GEMM(width)                                                                                \
	JUMP_LOAD_##width(rdx, rax)                                                                                    \
	JUMP_LOAD_##width(rcx, r10)                                                                                    \
	"leaq (%%rax,%%r10), %%r11\n\t"                                                                                \
	"imulq %%r10, %%rax\n\t"                                                                                       \
	JUMP_LOAD_##width(r8, r10)                                                                                     \
	"imulq %%r11, %%r10\n\t"                                                                                       \
	"addq %%r10, %%rax\n\t"
#define JUMP_ELEMENTS_GEMMT(width)                                                                               \
	JUMP_LOAD_##width(rcx, rax)                                                                                    \
	JUMP_LOAD_##width(r8, r10)                                                                                     \
	"leaq (%%rax,%%r10,2), %%r10\n\t"                                                                              \
	"imulq %%r10, %%rax\n\t"
#define JUMP_ELEMENTS_SYRK(width)                                                                                \
	JUMP_LOAD_##width(rdx, rax)                                                                                    \
	JUMP_LOAD_##width(rcx, r10)                                                                                    \
	"addq %%rax, %%r10\n\t"                                                                                        \
	"imulq %%r10, %%rax\n\t"
#define JUMP_ELEMENTS_SYR2K(width)                                                                               \
	JUMP_LOAD_##width(rdx, rax)                                                                                    \
	JUMP_LOAD_##width(rcx, r10)                                                                                    \
	"leaq (%%rax,%%r10,2), %%r10\n\t"                                                                              \
	"imulq %%r10, %%rax\n\t"
#define JUMP_ELEMENTS_HERK(width) JUMP_ELEMENTS_SYRK(width)
#define JUMP_ELEMENTS_HER2K(width) JUMP_ELEMENTS_SYR2K(width)
/* With m in rax and n in r10: r11 := the square of A's order, by the letter at rdi, and rax := m n. */
#define JUMP_SQUARE                                                                                                    \
	"movzbl (%%rdi), %%r11d\n\t"                                                                                   \
	"orl $0x20, %%r11d\n\t"                                                                                        \
	"cmpl $'l', %%r11d\n\t"                                                                                        \
	"movq %%r10, %%r11\n\t"                                                                                        \
	"cmoveq %%rax, %%r11\n\t"                                                                                      \
	"imulq %%r11, %%r11\n\t"                                                                                       \
	"imulq %%r10, %%rax\n\t"
#define JUMP_ELEMENTS_SYMM(width)                                                                                \
	JUMP_LOAD_##width(rdx, rax)                                                                                    \
	JUMP_LOAD_##width(rcx, r10)                                                                                    \
	JUMP_SQUARE                                                                                                    \
	"leaq (%%r11,%%rax,2), %%rax\n\t"
#define JUMP_ELEMENTS_TRMM(width)                                                                                \
	JUMP_LOAD_##width(r8, rax)                                                                                     \
	JUMP_LOAD_##width(r9, r10)                                                                                     \
	JUMP_SQUARE                                                                                                    \
	"addq %%r11, %%rax\n\t"
/* The number of problems is the seventeenth argument. */
#define JUMP_ELEMENTS_STRIDED(width)                                                                             \
	JUMP_ELEMENTS_GEMM(width)                                                                                \
	"movq 88(%%rsp), %%r10\n\t"                                                                                    \
	JUMP_LOAD_##width(r10, r10)                                                                                    \
	"imulq %%r10, %%rax\n\t"
/* The number of groups is the fourteenth argument, their sizes follow; of several groups the route adds up. */
#define JUMP_ELEMENTS_BATCH(width)                                                                               \
	"movq 64(%%rsp), %%r10\n\t"                                                                                    \
	JUMP_IS_ONE_##width(r10)                                                                                       \
	"jne 2f\n\t"                                                                                                   \
	JUMP_ELEMENTS_GEMM(width)                                                                                \
	"movq 72(%%rsp), %%r10\n\t"                                                                                    \
	JUMP_LOAD_##width(r10, r10)                                                                                    \
	"imulq %%r10, %%rax\n\t"

/* Counts the call, unless the thread has no row yet or the call is a nested one. r11 is the thread's block then. */
#define JUMP_COUNT                                                                                                     \
	"movq gate_thread@gottpoff(%%rip), %%r11\n\t"                                                                  \
	"movq %%fs:%c3(%%r11), %%rax\n\t"                                                                              \
	"testq %%rax, %%rax\n\t"                                                                                       \
	"je 2f\n\t"                                                                                                    \
	"cmpl %4, %%fs:%c5(%%r11)\n\t"                                                                                 \
	"je 2f\n\t"                                                                                                    \
	"incq %c2(%%rax)\n\t"

/*
 * gate_pass in the three registers that carry no argument. Where the gate is closed, <family>_long takes over with the
 * arguments and the return address in place and the entry's number in gate_thread; <family>_ticked where calls are
 * timed (then it is counted already).
 */
#define ENTRY_JUMP(elements, family, symbol, operation)                                                                \
	__asm__(elements                                                                                               \
	        "cmpq gate_slots+%c1(%%rip), %%rax\n\t"                                                                \
	        "jae 1f\n\t"                                                                                           \
	        JUMP_COUNT                                                                                             \
	        "jmp *gate_slots+%c0(%%rip)\n"                                                                         \
	        "1:\n\t"                                                                                               \
	        "cmpq gate_slots+%c6(%%rip), %%rax\n\t"                                                                \
	        "jae 2f\n\t"                                                                                           \
	        JUMP_COUNT                                                                                             \
	        "movl %7, %%fs:%c8(%%r11)\n\t"                                                                         \
	        "jmp " family "_ticked\n"                                                                              \
	        "2:\n\t"                                                                                               \
	        "movq gate_thread@gottpoff(%%rip), %%r11\n\t"                                                          \
	        "movl %7, %%fs:%c8(%%r11)\n\t"                                                                         \
	        "jmp " family "_long"                                                                                  \
	        :                                                                                                      \
	        : "i"((symbol) * sizeof(struct gate_slot) + offsetof(struct gate_slot, code)),                         \
	          "i"((symbol) * sizeof(struct gate_slot) + offsetof(struct gate_slot, limit)),                        \
	          "i"((symbol) * sizeof(uint64_t)), "i"(offsetof(struct gate_thread, counts)), "i"(operation),         \
	          "i"(offsetof(struct gate_thread, nested_operation)),                                                 \
	          "i"((symbol) * sizeof(struct gate_slot) + offsetof(struct gate_slot, timed_limit)),                  \
	          "i"(GATE_ENTRY(symbol, operation)), "i"(offsetof(struct gate_thread, entry)))
/* clang-format on */

#endif

#endif
