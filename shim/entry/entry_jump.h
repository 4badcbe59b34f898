/* entry_jump.h - the gate of a name of BLAS or LAPACK in assembler; arguments stay in place */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ENTRY_ENTRY_JUMP_H
#define GPUSHIM_SHIM_ENTRY_ENTRY_JUMP_H

#include <stddef.h>

#include "shim/gate/gate.h"

#if defined(__x86_64__) && !defined(ENTRY_NO_JUMP)

/* clang-format off */
/* Loads integers of the width into rax, r10 or r11; the other registers carry arguments. */
#define JUMP_HALF_rax "eax"
#define JUMP_HALF_rcx "ecx"
#define JUMP_HALF_r8 "r8d"
#define JUMP_HALF_r9 "r9d"
#define JUMP_HALF_r10 "r10d"
/* From memory at a register's address, from a register, from the stack. */
#define JUMP_LOAD_PROBE(from, to) "movl (%%" #from "), %%" JUMP_HALF_##to "\n\t"
#define JUMP_LOAD_ILP64(from, to) "movq (%%" #from "), %%" #to "\n\t"
#define JUMP_TAKE_PROBE(from, to) "movl %%" JUMP_HALF_##from ", %%" JUMP_HALF_##to "\n\t"
#define JUMP_TAKE_ILP64(from, to) "movq %%" #from ", %%" #to "\n\t"
#define JUMP_STACK_PROBE(from, to) "movl " #from "(%%rsp), %%" JUMP_HALF_##to "\n\t"
#define JUMP_STACK_ILP64(from, to) "movq " #from "(%%rsp), %%" #to "\n\t"
#define JUMP_IS_ONE_PROBE(where) "cmpl $1, " where "\n\t"
#define JUMP_IS_ONE_ILP64(where) "cmpq $1, " where "\n\t"

/*
 * rax := the elements of all operands, as gate_elements_* of gate.h count them. Negative sizes
 * count as huge; if products wrap, the call is forwarded as it is, and the library reports the
 * sizes. GET loads a size.
 */
#define JUMP_PRODUCT(GET, m, n, k)                                                                 \
	GET(m, rax)                                                                                \
	GET(n, r10)                                                                                \
	"leaq (%%rax,%%r10), %%r11\n\t"                                                            \
	"imulq %%r10, %%rax\n\t"                                                                   \
	GET(k, r10)                                                                                \
	"imulq %%r11, %%r10\n\t"                                                                   \
	"addq %%r10, %%rax\n\t"
#define JUMP_UPDATE(GET, n, k)                                                                     \
	GET(n, rax)                                                                                \
	GET(k, r10)                                                                                \
	"addq %%rax, %%r10\n\t"                                                                    \
	"imulq %%r10, %%rax\n\t"
#define JUMP_UPDATE_TWICE(GET, n, k)                                                               \
	GET(n, rax)                                                                                \
	GET(k, r10)                                                                                \
	"leaq (%%rax,%%r10,2), %%r10\n\t"                                                          \
	"imulq %%r10, %%rax\n\t"
/* Sets the zero flag if A is on the left. */
#define JUMP_SIDE_f77                                                                              \
	"movzbl (%%rdi), %%r11d\n\t"                                                               \
	"orl $0x20, %%r11d\n\t"                                                                    \
	"cmpl $'l', %%r11d\n\t"
#define JUMP_SIDE_cblas "cmpl $141, %%esi\n\t"
/* With m in rax, n in r10 and that flag: r11 := the square of A's order, rax := m n. */
#define JUMP_SQUARE                                                                                \
	"movq %%r10, %%r11\n\t"                                                                    \
	"cmoveq %%rax, %%r11\n\t"                                                                  \
	"imulq %%r11, %%r11\n\t"                                                                   \
	"imulq %%r10, %%rax\n\t"

#define JUMP_ELEMENTS_f77_GEMM(width, element) JUMP_PRODUCT(JUMP_LOAD_##width, rdx, rcx, r8)
#define JUMP_ELEMENTS_f77_GEMMT(width, element) JUMP_UPDATE_TWICE(JUMP_LOAD_##width, rcx, r8)
#define JUMP_ELEMENTS_f77_SYRK(width, element) JUMP_UPDATE(JUMP_LOAD_##width, rdx, rcx)
#define JUMP_ELEMENTS_f77_HERK(width, element) JUMP_UPDATE(JUMP_LOAD_##width, rdx, rcx)
#define JUMP_ELEMENTS_f77_SYR2K(width, element) JUMP_UPDATE_TWICE(JUMP_LOAD_##width, rdx, rcx)
#define JUMP_ELEMENTS_f77_HER2K(width, element) JUMP_UPDATE_TWICE(JUMP_LOAD_##width, rdx, rcx)
#define JUMP_ELEMENTS_f77_SYMM(width, element)                                                     \
	JUMP_LOAD_##width(rdx, rax)                                                                \
	JUMP_LOAD_##width(rcx, r10)                                                                \
	JUMP_SIDE_f77                                                                              \
	JUMP_SQUARE                                                                                \
	"leaq (%%r11,%%rax,2), %%rax\n\t"
#define JUMP_ELEMENTS_f77_TRMM(width, element)                                                     \
	JUMP_LOAD_##width(r8, rax)                                                                 \
	JUMP_LOAD_##width(r9, r10)                                                                 \
	JUMP_SIDE_f77                                                                              \
	JUMP_SQUARE                                                                                \
	"addq %%r11, %%rax\n\t"
/* The number of problems is the seventeenth argument. */
#define JUMP_ELEMENTS_f77_STRIDED(width, element)                                                  \
	JUMP_ELEMENTS_f77_GEMM(width, element)                                                     \
	"movq 88(%%rsp), %%r10\n\t"                                                                \
	JUMP_LOAD_##width(r10, r10)                                                                \
	"imulq %%r10, %%rax\n\t"
/*
 * The number of groups is the fourteenth argument, their sizes follow. Several groups take the
 * route, which adds them up.
 */
#define JUMP_ELEMENTS_f77_BATCH(width, element)                                                    \
	"movq 64(%%rsp), %%r10\n\t"                                                                \
	JUMP_IS_ONE_##width("(%%r10)")                                                             \
	"jne 2f\n\t"                                                                               \
	JUMP_ELEMENTS_f77_GEMM(width, element)                                                     \
	"movq 72(%%rsp), %%r10\n\t"                                                                \
	JUMP_LOAD_##width(r10, r10)                                                                \
	"imulq %%r10, %%rax\n\t"

#define JUMP_ELEMENTS_cblas_GEMM(width, element) JUMP_PRODUCT(JUMP_TAKE_##width, rcx, r8, r9)
#define JUMP_ELEMENTS_cblas_GEMMT(width, element) JUMP_UPDATE_TWICE(JUMP_TAKE_##width, r8, r9)
#define JUMP_ELEMENTS_cblas_SYRK(width, element) JUMP_UPDATE(JUMP_TAKE_##width, rcx, r8)
#define JUMP_ELEMENTS_cblas_HERK(width, element) JUMP_UPDATE(JUMP_TAKE_##width, rcx, r8)
#define JUMP_ELEMENTS_cblas_SYR2K(width, element) JUMP_UPDATE_TWICE(JUMP_TAKE_##width, rcx, r8)
#define JUMP_ELEMENTS_cblas_HER2K(width, element) JUMP_UPDATE_TWICE(JUMP_TAKE_##width, rcx, r8)
#define JUMP_ELEMENTS_cblas_SYMM(width, element)                                                   \
	JUMP_TAKE_##width(rcx, rax)                                                                \
	JUMP_TAKE_##width(r8, r10)                                                                 \
	JUMP_SIDE_cblas                                                                            \
	JUMP_SQUARE                                                                                \
	"leaq (%%r11,%%rax,2), %%rax\n\t"
#define JUMP_ELEMENTS_cblas_TRMM(width, element)                                                   \
	JUMP_TAKE_##width(r9, rax)                                                                 \
	JUMP_STACK_##width(8, r10)                                                                 \
	JUMP_SIDE_cblas                                                                            \
	JUMP_SQUARE                                                                                \
	"addq %%r11, %%rax\n\t"
/* The number of problems comes last; real scalars are in vector registers, not on the stack. */
#define JUMP_ELEMENTS_cblas_STRIDED(width, element)                                                \
	JUMP_ELEMENTS_cblas_GEMM(width, element)                                                   \
	JUMP_PROBLEMS_##element(width)                                                             \
	"imulq %%r10, %%rax\n\t"
#define JUMP_PROBLEMS_S(width) JUMP_STACK_##width(80, r10)
#define JUMP_PROBLEMS_D(width) JUMP_STACK_##width(80, r10)
#define JUMP_PROBLEMS_C(width) JUMP_STACK_##width(96, r10)
#define JUMP_PROBLEMS_Z(width) JUMP_STACK_##width(96, r10)
/* Here too the sizes are arrays. */
#define JUMP_ELEMENTS_cblas_BATCH(width, element)                                                  \
	JUMP_IS_ONE_##width("72(%%rsp)")                                                           \
	"jne 2f\n\t"                                                                               \
	JUMP_PRODUCT(JUMP_LOAD_##width, rcx, r8, r9)                                               \
	"movq 80(%%rsp), %%r10\n\t"                                                                \
	JUMP_LOAD_##width(r10, r10)                                                                \
	"imulq %%r10, %%rax\n\t"

/* Those of LAPACK, whose sizes all stand among the first six arguments. */
#define JUMP_MATRIX(GET, m, n)                                                                     \
	GET(m, rax)                                                                                \
	GET(n, r10)                                                                                \
	"imulq %%r10, %%rax\n\t"
#define JUMP_SINGULAR(GET, m, n)                                                                   \
	GET(m, rax)                                                                                \
	GET(n, r10)                                                                                \
	"addq %%r10, %%rax\n\t"                                                                    \
	"imulq %%rax, %%rax\n\t"
#define JUMP_SQUARES_1(GET, n)                                                                     \
	GET(n, rax)                                                                                \
	"imulq %%rax, %%rax\n\t"
#define JUMP_SQUARES_2(GET, n)                                                                     \
	JUMP_SQUARES_1(GET, n)                                                                     \
	"addq %%rax, %%rax\n\t"
#define JUMP_SQUARES_3(GET, n)                                                                     \
	JUMP_SQUARES_1(GET, n)                                                                     \
	"leaq (%%rax,%%rax,2), %%rax\n\t"
#define JUMP_ELEMENTS_f77_GETRF(width, element) JUMP_MATRIX(JUMP_LOAD_##width, rdi, rsi)
#define JUMP_ELEMENTS_f77_GETRS(width, element) JUMP_UPDATE(JUMP_LOAD_##width, rsi, rdx)
#define JUMP_ELEMENTS_f77_GESV(width, element) JUMP_UPDATE(JUMP_LOAD_##width, rdi, rsi)
#define JUMP_ELEMENTS_f77_GETRI(width, element) JUMP_SQUARES_1(JUMP_LOAD_##width, rdi)
#define JUMP_ELEMENTS_f77_POTRF(width, element) JUMP_SQUARES_1(JUMP_LOAD_##width, rsi)
#define JUMP_ELEMENTS_f77_POTRS(width, element) JUMP_UPDATE(JUMP_LOAD_##width, rsi, rdx)
#define JUMP_ELEMENTS_f77_TRTRI(width, element) JUMP_SQUARES_1(JUMP_LOAD_##width, rdx)
#define JUMP_ELEMENTS_f77_GEQRF(width, element) JUMP_MATRIX(JUMP_LOAD_##width, rdi, rsi)
#define JUMP_ELEMENTS_f77_ORGQR(width, element) JUMP_MATRIX(JUMP_LOAD_##width, rdi, rsi)
#define JUMP_ELEMENTS_f77_ORMQR(width, element) JUMP_PRODUCT(JUMP_LOAD_##width, rdx, rcx, r8)
#define JUMP_ELEMENTS_f77_GELS(width, element) JUMP_PRODUCT(JUMP_LOAD_##width, rsi, rdx, rcx)
#define JUMP_ELEMENTS_f77_SYEV(width, element) JUMP_SQUARES_1(JUMP_LOAD_##width, rdx)
#define JUMP_ELEMENTS_f77_HEEV(width, element) JUMP_SQUARES_1(JUMP_LOAD_##width, rdx)
#define JUMP_ELEMENTS_f77_SYEVD(width, element) JUMP_SQUARES_1(JUMP_LOAD_##width, rdx)
#define JUMP_ELEMENTS_f77_HEEVD(width, element) JUMP_SQUARES_1(JUMP_LOAD_##width, rdx)
#define JUMP_ELEMENTS_f77_SYEVR(width, element) JUMP_SQUARES_2(JUMP_LOAD_##width, rcx)
#define JUMP_ELEMENTS_f77_HEEVR(width, element) JUMP_SQUARES_2(JUMP_LOAD_##width, rcx)
#define JUMP_ELEMENTS_f77_SYEVX(width, element) JUMP_SQUARES_2(JUMP_LOAD_##width, rcx)
#define JUMP_ELEMENTS_f77_HEEVX(width, element) JUMP_SQUARES_2(JUMP_LOAD_##width, rcx)
#define JUMP_ELEMENTS_f77_SYGV(width, element) JUMP_SQUARES_2(JUMP_LOAD_##width, rcx)
#define JUMP_ELEMENTS_f77_HEGV(width, element) JUMP_SQUARES_2(JUMP_LOAD_##width, rcx)
#define JUMP_ELEMENTS_f77_SYGVD(width, element) JUMP_SQUARES_2(JUMP_LOAD_##width, rcx)
#define JUMP_ELEMENTS_f77_HEGVD(width, element) JUMP_SQUARES_2(JUMP_LOAD_##width, rcx)
#define JUMP_ELEMENTS_f77_SYGVX(width, element) JUMP_SQUARES_3(JUMP_LOAD_##width, r8)
#define JUMP_ELEMENTS_f77_HEGVX(width, element) JUMP_SQUARES_3(JUMP_LOAD_##width, r8)
#define JUMP_ELEMENTS_f77_GESDD(width, element) JUMP_SINGULAR(JUMP_LOAD_##width, rsi, rdx)
#define JUMP_ELEMENTS_f77_GESDD_C(width, element) JUMP_SINGULAR(JUMP_LOAD_##width, rsi, rdx)
#define JUMP_ELEMENTS_f77_GESVD(width, element) JUMP_SINGULAR(JUMP_LOAD_##width, rdx, rcx)
#define JUMP_ELEMENTS_f77_GESVD_C(width, element) JUMP_SINGULAR(JUMP_LOAD_##width, rdx, rcx)
#define JUMP_ELEMENTS_f77_GEEV(width, element) JUMP_SQUARES_3(JUMP_LOAD_##width, rdx)
#define JUMP_ELEMENTS_f77_GEEV_C(width, element) JUMP_SQUARES_3(JUMP_LOAD_##width, rdx)

/*
 * Counts the call unless the thread has no row yet or the call is nested; leaves the offset of
 * gate_thread in r11.
 */
#define JUMP_COUNT                                                                                 \
	"movq gate_thread@gottpoff(%%rip), %%r11\n\t"                                              \
	"movq %%fs:%c3(%%r11), %%rax\n\t"                                                          \
	"testq %%rax, %%rax\n\t"                                                                   \
	"je 2f\n\t"                                                                                \
	"cmpl %4, %%fs:%c5(%%r11)\n\t"                                                             \
	"je 2f\n\t"                                                                                \
	"incq %c2(%%rax)\n\t"

/* Stores the entry, as gate_put_entry; the offset of gate_thread is in r11. */
#define JUMP_ENTER                                                                                 \
	"movl %%fs:%c8(%%r11), %%eax\n\t"                                                          \
	"movl %%eax, %%fs:%c10(%%r11)\n\t"                                                         \
	"movl %7, %%fs:%c8(%%r11)\n\t"

/*
 * The way through the open gate: a jump to the library. A CBLAS routine that may call another name
 * of its operation takes cblas_<shape>_<element>_marked, with its entry in gate_thread.
 */
#define JUMP_OPEN_f77 "jmp *gate_slots+%c0(%%rip)\n"
#define JUMP_OPEN_cblas(marked)                                                                    \
	"movq gate_slots+%c9(%%rip), %%rax\n\t"                                                    \
	"testq %%rax, %%rax\n\t"                                                                   \
	"je 3f\n\t"                                                                                \
	"jmp *%%rax\n"                                                                             \
	"3:\n\t"                                                                                   \
	JUMP_ENTER                                                                                 \
	"jmp " marked "_marked\n"

/* The offset of a member of the symbol's slot in gate_slots. */
#define JUMP_SLOT(symbol, member) \
	((symbol) * sizeof(struct gate_slot) + offsetof(struct gate_slot, member))

/*
 * gate_pass in the three registers that carry no argument. A closed gate jumps to <behind>_long,
 * with arguments and return address in place and the entry in gate_thread; where calls are timed,
 * to <behind>_ticked, after counting.
 */
#define ENTRY_JUMP(elements, open, behind, symbol, operation)                                      \
	__asm__(elements                                                                           \
	        "cmpq gate_slots+%c1(%%rip), %%rax\n\t"                                            \
	        "jae 1f\n\t"                                                                       \
	        JUMP_COUNT                                                                         \
	        open                                                                               \
	        "1:\n\t"                                                                           \
	        "cmpq gate_slots+%c6(%%rip), %%rax\n\t"                                            \
	        "jae 2f\n\t"                                                                       \
	        JUMP_COUNT                                                                         \
	        JUMP_ENTER                                                                         \
	        "jmp " behind "_ticked\n"                                                          \
	        "2:\n\t"                                                                           \
	        "movq gate_thread@gottpoff(%%rip), %%r11\n\t"                                      \
	        JUMP_ENTER                                                                         \
	        "jmp " behind "_long"                                                              \
	        :                                                                                  \
	        : "i"(JUMP_SLOT(symbol, code)),                                                    \
	          "i"(JUMP_SLOT(symbol, limit)),                                                   \
	          "i"((symbol) * sizeof(uint64_t)), "i"(offsetof(struct gate_thread, counts)),     \
	          "i"(operation),                                                                  \
	          "i"(offsetof(struct gate_thread, nested_operation)),                             \
	          "i"(JUMP_SLOT(symbol, timed_limit)),                                             \
	          "i"(GATE_ENTRY(symbol, operation)), "i"(offsetof(struct gate_thread, entry)),    \
	          "i"(JUMP_SLOT(symbol, direct)),                                                  \
	          "i"(offsetof(struct gate_thread, entry_before)))
/* clang-format on */

#endif

#endif
