/* pack_copy.c - copies with and without streaming stores, and sums, with wide vectors */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/pack_copy.h"

#include <stdatomic.h>
#include <string.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "shim/base/processor.h"

enum { PACK_LINE_BYTES = 64, PACK_PAGE_BYTES = 4096 };

/* Operands have any alignment and type. Processors without 256-bit vectors use two halves. */
typedef float pack_vector_s __attribute__((vector_size(32), aligned(1), may_alias));
typedef double pack_vector_d __attribute__((vector_size(32), aligned(1), may_alias));
#define PACK_EXCHANGE_S(x) __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6)
#define PACK_EXCHANGE_D(x) __builtin_shufflevector(x, x, 1, 0, 3, 2)

static atomic_bool pack_plain;

void pack_copy_set_plain(bool plain)
{
	atomic_store(&pack_plain, plain);
}

/* -- with and without AVX2 -- */

#define PACK_TARGET
#define PACK_NAME(verb) pack_plain_##verb
#include "shim/execute/gpu/engine/pack_copy_template.h"

#if defined(__x86_64__)
#define PACK_TARGET __attribute__((target("avx2,fma")))
#define PACK_NAME(verb) pack_wide_##verb
#include "shim/execute/gpu/engine/pack_copy_template.h"

static bool pack_copy_is_wide(void)
{
	return processor_has_avx2_fma() && !atomic_load_explicit(&pack_plain, memory_order_relaxed);
}
#define PACK_CHOOSE(verb) (pack_copy_is_wide() ? pack_wide_##verb : pack_plain_##verb)
#else
#define PACK_CHOOSE(verb) pack_plain_##verb
#endif

void pack_copy(void *to, const void *from, uint64_t size_bytes, const void *ahead)
{
	PACK_CHOOSE(copy)(to, from, size_bytes, ahead);
}

void pack_copy_scale_s(void *c, const void *z, uint64_t count, double beta)
{
	PACK_CHOOSE(scale_s)(c, z, count, beta);
}

void pack_copy_scale_d(void *c, const void *z, uint64_t count, double beta)
{
	PACK_CHOOSE(scale_d)(c, z, count, beta);
}

void pack_copy_turn_c(void *c, const void *z, uint64_t count, const double beta[2])
{
	PACK_CHOOSE(turn_s)(c, z, count, beta);
}

void pack_copy_turn_z(void *c, const void *z, uint64_t count, const double beta[2])
{
	PACK_CHOOSE(turn_d)(c, z, count, beta);
}

/* -- streaming stores -- */

#if defined(__x86_64__)

/*
 * Copies whole lines. Prefetches the staging, and one line per page of ahead to load its TLB entry.
 */
static void pack_copy_stream_lines(char *to, const char *from, uint64_t size_bytes,
                                   const char *ahead)
{
	for (uint64_t i = 0; i < size_bytes; i += PACK_LINE_BYTES) {
		const __m128i *line = (const __m128i *)(const void *)(from + i);
		__m128i *place = (__m128i *)(void *)(to + i);
		if (i % PACK_PAGE_BYTES == 0)
			_mm_prefetch(ahead + i, _MM_HINT_T2);
		_mm_prefetch(from + i + PACK_PAGE_BYTES, _MM_HINT_T0);
		const __m128i first = _mm_loadu_si128(line), second = _mm_loadu_si128(line + 1);
		const __m128i third = _mm_loadu_si128(line + 2), fourth = _mm_loadu_si128(line + 3);
		_mm_stream_si128(place, first);
		_mm_stream_si128(place + 1, second);
		_mm_stream_si128(place + 2, third);
		_mm_stream_si128(place + 3, fourth);
	}
}

void pack_copy_stream(void *to, const void *from, uint64_t size_bytes, const void *ahead)
{
	char *target = to;
	const char *source = from;
	const uint64_t offset_bytes = -(uintptr_t)target % PACK_LINE_BYTES;
	const uint64_t head_bytes = offset_bytes < size_bytes ? offset_bytes : size_bytes;
	const uint64_t tail_bytes = (size_bytes - head_bytes) % PACK_LINE_BYTES;
	const uint64_t line_bytes = size_bytes - head_bytes - tail_bytes;
	memcpy(target, source, head_bytes);
	pack_copy_stream_lines(target + head_bytes, source + head_bytes, line_bytes, ahead);
	memcpy(target + head_bytes + line_bytes, source + head_bytes + line_bytes, tail_bytes);
}

void pack_copy_fence(void)
{
	_mm_sfence();
}

#else

void pack_copy_stream(void *to, const void *from, uint64_t size_bytes, const void *ahead)
{
	(void)ahead;
	memcpy(to, from, size_bytes);
}

void pack_copy_fence(void)
{
}

#endif
