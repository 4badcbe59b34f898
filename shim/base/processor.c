/* processor.c - asks the processor by cpuid, once */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/processor.h"

#include <stdatomic.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum processor_answer { PROCESSOR_NOT_ASKED, PROCESSOR_HAS, PROCESSOR_HAS_NOT };

#if defined(__x86_64__)

/* Bits of XCR0: the kernel saves the lower (SSE) and upper (AVX) halves of the vector registers. */
static const uint32_t processor_saves_vectors = UINT32_C(0x6);

static uint32_t processor_read_saved(void)
{
	uint32_t low, high;
	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low;
}

static bool processor_ask(void)
{
	unsigned a, b, c, d;
	if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_OSXSAVE) == 0 || (c & bit_AVX) == 0 ||
	    (c & bit_FMA) == 0)
		return false;
	if ((processor_read_saved() & processor_saves_vectors) != processor_saves_vectors)
		return false;
	return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_AVX2) != 0;
}

/* The kernel uses protection keys: else reading the rights is an illegal instruction. */
static bool processor_ask_keys(void)
{
	unsigned a, b, c, d;
	return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (c & bit_OSPKE) != 0;
}

static uint32_t processor_read_keys(void)
{
	uint32_t rights, zero;
	__asm__ volatile("rdpkru" : "=a"(rights), "=d"(zero) : "c"(0));
	return rights;
}

#else

static bool processor_ask(void)
{
	return false;
}

static bool processor_ask_keys(void)
{
	return false;
}

static uint32_t processor_read_keys(void)
{
	return 0;
}

#endif

static bool processor_remember(atomic_int *answer, bool (*ask)(void))
{
	int known = atomic_load_explicit(answer, memory_order_relaxed);
	if (known == PROCESSOR_NOT_ASKED) {
		known = ask() ? PROCESSOR_HAS : PROCESSOR_HAS_NOT;
		atomic_store_explicit(answer, known, memory_order_relaxed);
	}
	return known == PROCESSOR_HAS;
}

bool processor_has_avx2_fma(void)
{
	static atomic_int answer;
	return processor_remember(&answer, processor_ask);
}

uint32_t processor_read_rights(void)
{
	static atomic_int answer;
	return processor_remember(&answer, processor_ask_keys) ? processor_read_keys() : 0;
}
