/* entry_jump.h - the gate of a Fortran name without moving its arguments; where absent, gate_pass does the same in C */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ENTRY_ENTRY_JUMP_H
#define GPUSHIM_SHIM_ENTRY_ENTRY_JUMP_H

#include <stddef.h>

#include "shim/gate.h"

#if defined(__x86_64__)

/* clang-format off */
/* Counts the call, unless the thread has no row yet or the call is a nested one. */
#define ENTRY_JUMP_COUNT(name)                                                                                         \
	"movq gate_thread@gottpoff(%%rip), %%r11\n\t"                                                                  \
	"movq %%fs:%c3(%%r11), %%rax\n\t"                                                                              \
	"testq %%rax, %%rax\n\t"                                                                                       \
	"je " name "_long\n\t"                                                                                         \
	"cmpl %4, %%fs:%c5(%%r11)\n\t"                                                                                 \
	"je " name "_long\n\t"                                                                                         \
	"incq %c2(%%rax)\n\t"

/*
 * gate_pass in the three registers that carry no argument. m, n, k come in rdx, rcx, r8 by reference; the workload is
 * m n + k (m + n) elements. Negative sizes count as huge; should their products wrap, the call is forwarded as it is,
 * and the library reports them. <symbol>_long and <symbol>_ticked take over with the arguments and the return address
 * in place.
 */
#define ENTRY_JUMP_GEMM(name, symbol, operation)                                                                       \
	__asm__("movl (%%rdx), %%eax\n\t"                                                                              \
	        "movl (%%rcx), %%r10d\n\t"                                                                             \
	        "leaq (%%rax,%%r10), %%r11\n\t"                                                                        \
	        "imulq %%r10, %%rax\n\t"                                                                               \
	        "movl (%%r8), %%r10d\n\t"                                                                              \
	        "imulq %%r11, %%r10\n\t"                                                                               \
	        "addq %%r10, %%rax\n\t"                                                                                \
	        "cmpq gate_slots+%c1(%%rip), %%rax\n\t"                                                                \
	        "jae 1f\n\t"                                                                                           \
	        ENTRY_JUMP_COUNT(name)                                                                                 \
	        "jmp *gate_slots+%c0(%%rip)\n"                                                                         \
	        "1:\n\t"                                                                                               \
	        "cmpq gate_slots+%c6(%%rip), %%rax\n\t"                                                                \
	        "jae " name "_long\n\t"                                                                                \
	        ENTRY_JUMP_COUNT(name)                                                                                 \
	        "jmp " name "_ticked"                                                                                  \
	        :                                                                                                      \
	        : "i"((symbol) * sizeof(struct gate_slot) + offsetof(struct gate_slot, code)),                         \
	          "i"((symbol) * sizeof(struct gate_slot) + offsetof(struct gate_slot, limit)),                        \
	          "i"((symbol) * sizeof(uint64_t)), "i"(offsetof(struct gate_thread, counts)), "i"(operation),         \
	          "i"(offsetof(struct gate_thread, nested_operation)),                                                 \
	          "i"((symbol) * sizeof(struct gate_slot) + offsetof(struct gate_slot, timed_limit)))
/* clang-format on */

#endif

#endif
