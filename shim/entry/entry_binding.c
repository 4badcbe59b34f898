/* entry_binding.c - a pool of stubs for names that were bound past the preload */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/entry/entry_binding.h"

#include <stddef.h>
#include <stdint.h>

#include "shim/base/loader.h"
#include "shim/base/privilege.h"
#include "shim/entry/entry.h"
#include "shim/entry/entry_bare.h"
#include "shim/gate/gate.h"
#include "shim/table/symbol.h"

#if defined(__x86_64__)

enum { BINDING_STUB_BYTES = 16 };

/* Claimed in order, by whoever writes the key first, and never released. */
struct gate_binding entry_bindings[ENTRY_BINDINGS];

void entry_binding_enter(void);
void entry_binding_stubs(void);

/*
 * With the binding in r11: parks the thread's counts, stores the binding in gate_thread, and jumps
 * to its thunk. Arguments, stack and return address stay in place. Counts may be parked already:
 * the call before may not have reached its routine (longjmp).
 */
__attribute__((used)) ENTRY_NAKED void entry_binding_enter(void)
{
	__asm__("movq gate_thread@gottpoff(%%rip), %%r10\n\t"
	        "movq %%fs:%c0(%%r10), %%rax\n\t"
	        "testq %%rax, %%rax\n\t"
	        "je 1f\n\t"
	        "movq %%rax, %%fs:%c1(%%r10)\n\t"
	        "movq $0, %%fs:%c0(%%r10)\n"
	        "1:\n\t"
	        "movq %%r11, %%fs:%c2(%%r10)\n\t"
	        "jmp *%c3(%%r11)"
	        :
	        : "i"(offsetof(struct gate_thread, counts)),
	          "i"(offsetof(struct gate_thread, parked_counts)),
	          "i"(offsetof(struct gate_thread, binding)),
	          "i"(offsetof(struct gate_binding, thunk)));
}

/* One stub per binding, each of BINDING_STUB_BYTES. */
__attribute__((aligned(16))) ENTRY_NAKED void entry_binding_stubs(void)
{
	__asm__(".set gpushim_binding, 0\n\t"
	        ".rept %c0\n\t"
	        ".balign %c2\n\t"
	        "leaq entry_bindings+gpushim_binding(%%rip), %%r11\n\t"
	        "jmp entry_binding_enter\n\t"
	        ".set gpushim_binding, gpushim_binding+%c1\n\t"
	        ".endr"
	        :
	        : "i"(ENTRY_BINDINGS), "i"(sizeof(struct gate_binding)), "i"(BINDING_STUB_BYTES));
}

/* NULL if all belong to other keys. */
static struct gate_binding *entry_binding_claim(uintptr_t key)
{
	for (int i = 0; i < ENTRY_BINDINGS; i++) {
		struct gate_binding *binding = &entry_bindings[i];
		uintptr_t found = atomic_load_explicit(&binding->key, memory_order_relaxed);
		if (found == 0 && atomic_compare_exchange_strong(&binding->key, &found, key))
			return binding;
		if (found == key)
			return binding;
	}
	return NULL;
}

ENTRY_EXPORT void *gpushim_bind(const char *symbol, void *real, void *thunk)
{
	const int number = symbol_find(symbol);
	if (number < 0 || loader_is_own(real) || !loader_is_own(thunk) || privilege_is_raised())
		return real;
	struct gate_binding *binding = entry_binding_claim(cpu_site_key(number, real));
	if (binding == NULL)
		return real;
	void *first = symbol_table[number].abi == ABI_BARE ? __extension__(void *) entry_bare_bound
	                                                   : thunk;
	/* A thread that finds it claimed but not yet written writes the same values. */
	if (binding->thunk == NULL) {
		binding->code = real;
		binding->symbol = number;
		binding->lifetime = LIFETIME_OVER;
		binding->thunk = first;
	} else
		gate_renew_binding(binding, first);
	return __extension__(char *) entry_binding_stubs +
	       (binding - entry_bindings) * BINDING_STUB_BYTES;
}

#else

/* No stubs for this processor: names bound past the preload stay so. */
ENTRY_EXPORT void *gpushim_bind(const char *symbol, void *real, void *thunk)
{
	(void)symbol, (void)thunk;
	return real;
}

#endif
