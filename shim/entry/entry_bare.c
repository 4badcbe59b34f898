/* entry_bare.c - names without underscore, whose arguments may be by value or Fortran's */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/entry/entry_bare.h"

#include <stdatomic.h>
#include <stddef.h>

#include "shim/base/diag.h"
#include "shim/base/fp_environment.h"
#include "shim/entry/entry.h"
#include "shim/execute/cpu/cpu.h"
#include "shim/gate/gate_open.h"
#include "shim/route/state.h"

/* Replaces a routine that no library has: its arguments are unknown, so none is touched. */
static void entry_bare_nothing(void)
{
}

/* The Fortran thunk of a bare name that is Fortran for all callers: its trampoline jumps. */
__attribute__((visibility("hidden"))) void *_Atomic entry_bare_known[SYMBOL_COUNT];

static void *entry_bare_missing(int symbol)
{
	static atomic_bool said;
	if (!atomic_exchange(&said, true))
		diag_warn("no library provides %s, whose arguments are unknown; the call does "
		          "nothing",
		          symbol_table[symbol].name);
	return __extension__(void *) entry_bare_nothing;
}

static void *entry_bare_find_target(int symbol, const void *caller)
{
	state_get();
	struct gate_binding *binding = gate_thread.binding;
	const struct cpu_routine routine = binding != NULL
	                                           ? (struct cpu_routine){.code = binding->code}
	                                           : cpu_find(symbol, caller);
	void *code = routine.code;
	if (code == NULL)
		return entry_bare_missing(symbol);
	if (cpu_is_fortran(symbol, code)) {
		if (binding != NULL)
			binding->thunk = entry_bare_find_fortran(symbol);
		else if (routine.shared)
			atomic_store_explicit(&entry_bare_known[symbol],
			                      entry_bare_find_fortran(symbol),
			                      memory_order_release);
		return entry_bare_find_fortran(symbol);
	}
	gate_take_binding();
	if (!state_get()->forwards_only)
		gate_open_count(symbol);
	return code;
}

__attribute__((used)) void *entry_bare_target(int symbol, const void *caller)
{
	struct fp_environment program;
	fp_environment_enter(&program);
	void *target = entry_bare_find_target(symbol, caller);
	fp_environment_leave(&program);
	return target;
}

#if defined(__x86_64__)

/*
 * Saves every register that may carry an argument, calls entry_bare_target, restores them, and
 * jumps to its result. r11 holds the symbol. Unwind information is given; 8 + 7 * 8 + 8 * 16 bytes
 * keep the stack aligned at the call.
 */
__asm__(".text\n"
        ".hidden entry_bare_common\n"
        ".globl entry_bare_common\n"
        ".type entry_bare_common, @function\n"
        "entry_bare_common:\n"
        "	.cfi_startproc\n"
        "	subq $200, %rsp\n"
        "	.cfi_adjust_cfa_offset 200\n"
        "	movq %rdi, 128(%rsp)\n"
        "	movq %rsi, 136(%rsp)\n"
        "	movq %rdx, 144(%rsp)\n"
        "	movq %rcx, 152(%rsp)\n"
        "	movq %r8, 160(%rsp)\n"
        "	movq %r9, 168(%rsp)\n"
        "	movq %rax, 176(%rsp)\n"
        "	movq %r10, 184(%rsp)\n"
        "	movups %xmm0, (%rsp)\n"
        "	movups %xmm1, 16(%rsp)\n"
        "	movups %xmm2, 32(%rsp)\n"
        "	movups %xmm3, 48(%rsp)\n"
        "	movups %xmm4, 64(%rsp)\n"
        "	movups %xmm5, 80(%rsp)\n"
        "	movups %xmm6, 96(%rsp)\n"
        "	movups %xmm7, 112(%rsp)\n"
        "	movl %r11d, %edi\n"
        "	movq 200(%rsp), %rsi\n"
        "	call entry_bare_target\n"
        "	movq %rax, %r11\n"
        "	movups (%rsp), %xmm0\n"
        "	movups 16(%rsp), %xmm1\n"
        "	movups 32(%rsp), %xmm2\n"
        "	movups 48(%rsp), %xmm3\n"
        "	movups 64(%rsp), %xmm4\n"
        "	movups 80(%rsp), %xmm5\n"
        "	movups 96(%rsp), %xmm6\n"
        "	movups 112(%rsp), %xmm7\n"
        "	movq 128(%rsp), %rdi\n"
        "	movq 136(%rsp), %rsi\n"
        "	movq 144(%rsp), %rdx\n"
        "	movq 152(%rsp), %rcx\n"
        "	movq 160(%rsp), %r8\n"
        "	movq 168(%rsp), %r9\n"
        "	movq 176(%rsp), %rax\n"
        "	movq 184(%rsp), %r10\n"
        "	addq $200, %rsp\n"
        "	.cfi_adjust_cfa_offset -200\n"
        "	jmp *%r11\n"
        "	.cfi_endproc\n"
        ".size entry_bare_common, . - entry_bare_common\n");

/*
 * The thunk of a binding of a bare name: its library may have another convention than the known
 * one.
 */
__attribute__((visibility("hidden"))) ENTRY_NAKED void entry_bare_bound(void)
{
	__asm__("movq gate_thread@gottpoff(%%rip), %%r11\n\t"
	        "movq %%fs:%c0(%%r11), %%r11\n\t"
	        "movl %c1(%%r11), %%r11d\n\t"
	        "jmp entry_bare_common"
	        :
	        : "i"(offsetof(struct gate_thread, binding)),
	          "i"(offsetof(struct gate_binding, symbol)));
}

#define ENTRY_bare(symbol)                                                                         \
	void symbol(void);                                                                         \
	ENTRY_EXPORT ENTRY_NAKED void symbol(void)                                                 \
	{                                                                                          \
		__asm__("movq entry_bare_known+%c1(%%rip), %%r11\n\t"                              \
		        "testq %%r11, %%r11\n\tje 1f\n\tjmp *%%r11\n"                              \
		        "1:\n\tmovl %0, %%r11d\n\tjmp entry_bare_common"                           \
		        :                                                                          \
		        : "i"(SYMBOL_##symbol),                                                    \
		          "i"(SYMBOL_##symbol * sizeof entry_bare_known[0]));                      \
	}
#else
/* No trampolines for this processor: the bare names are not exported, and their calls not seen. */
#define ENTRY_bare(symbol)
#endif

#define ENTRY_f77(symbol)
#define ENTRY_cblas(symbol)
#define BLAS(symbol, family, element, shape, abi, width) ENTRY_##abi(symbol)
#include "shim/table/blas_symbols.def"
