/* pack_copy.c - copies with and without streaming stores, and sums, with wide vectors */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/copy/pack_copy.h"

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
#include "shim/execute/gpu/copy/pack_copy_template.h"

#if defined(__x86_64__)
#define PACK_TARGET __attribute__((target("avx2,fma")))
#define PACK_NAME(verb) pack_wide_##verb
#include "shim/execute/gpu/copy/pack_copy_template.h"

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

/* -- numbers that are not finite -- */

#if defined(__x86_64__)

/*
 * Of a word of 32 bits the bits of mask are those of target, if it belongs to a number with the
 * highest exponent. The lower word of a double, and words of unknown type, never match.
 */
struct pack_pattern {
	__m128i mask, target;
};

static inline struct pack_pattern pack_copy_find_pattern(enum pack_watch watch)
{
	if (watch == PACK_WATCH_SINGLE)
		return (struct pack_pattern){_mm_set1_epi32(0x7f800000),
		                             _mm_set1_epi32(0x7f800000)};
	if (watch == PACK_WATCH_DOUBLE)
		return (struct pack_pattern){_mm_set1_epi64x(INT64_C(0x7ff0000000000000)),
		                             _mm_set1_epi64x(INT64_C(0x7ff0000000000001))};
	return (struct pack_pattern){_mm_setzero_si128(), _mm_set1_epi32(1)};
}

/* A line. */
struct pack_line {
	__m128i first, second, third, fourth;
};

static inline struct pack_line pack_copy_load(const char *from)
{
	const __m128i *place = (const __m128i *)(const void *)from;
	return (struct pack_line){_mm_loadu_si128(place), _mm_loadu_si128(place + 1),
	                          _mm_loadu_si128(place + 2), _mm_loadu_si128(place + 3)};
}

static inline __m128i pack_copy_match(__m128i words, struct pack_pattern pattern)
{
	return _mm_cmpeq_epi32(_mm_and_si128(words, pattern.mask), pattern.target);
}

static inline __m128i pack_copy_compare(const struct pack_line *line, struct pack_pattern pattern)
{
	return _mm_or_si128(_mm_or_si128(pack_copy_match(line->first, pattern),
	                                 pack_copy_match(line->second, pattern)),
	                    _mm_or_si128(pack_copy_match(line->third, pattern),
	                                 pack_copy_match(line->fourth, pattern)));
}

bool pack_copy_is_special(const void *numbers, uint64_t size_bytes, enum pack_watch watch)
{
	const struct pack_pattern pattern = pack_copy_find_pattern(watch);
	const char *from = numbers;
	struct pack_line line;
	__m128i found = _mm_setzero_si128();
	uint64_t i = 0;
	if (watch == PACK_WATCH_NONE)
		return false;
	for (; i + PACK_LINE_BYTES <= size_bytes; i += PACK_LINE_BYTES) {
		line = pack_copy_load(from + i);
		found = _mm_or_si128(found, pack_copy_compare(&line, pattern));
	}
	if (i < size_bytes) {
		memset(&line, 0, sizeof line);
		memcpy(&line, from + i, size_bytes - i);
		found = _mm_or_si128(found, pack_copy_compare(&line, pattern));
	}
	return _mm_movemask_epi8(found) != 0;
}

#else

bool pack_copy_is_special(const void *numbers, uint64_t size_bytes, enum pack_watch watch)
{
	const uint32_t exponent = watch == PACK_WATCH_SINGLE ? 0x7f800000 : 0x7ff00000;
	const uint64_t step_bytes = watch == PACK_WATCH_SINGLE ? sizeof(float) : sizeof(double);
	const char *word = (const char *)numbers + (step_bytes - sizeof exponent);
	bool found = false;
	if (watch == PACK_WATCH_NONE)
		return false;
	for (uint64_t i = 0; i + step_bytes <= size_bytes; i += step_bytes) {
		uint32_t bits;
		memcpy(&bits, word + i, sizeof bits);
		found |= (bits & exponent) == exponent;
	}
	return found;
}

#endif

/* -- the greatest number -- */

/* Of numbers of less than a vector, or whose upper bits are 0. */
static uint32_t pack_copy_find_each(const char *numbers, uint64_t size_bytes, uint64_t step_bytes)
{
	uint32_t size = 0;
	for (uint64_t i = 0; i + step_bytes <= size_bytes; i += step_bytes) {
		uint32_t low = 0, high;
		memcpy(&high, numbers + i + step_bytes - sizeof high, sizeof high);
		if (step_bytes > sizeof low)
			memcpy(&low, numbers + i, sizeof low);
		const uint32_t upper = high >> 16 & 0x7fff, rest = (high & 0x7fffffff) | low;
		const uint32_t own = upper > 0 ? upper : rest != 0;
		size = own > size ? own : size;
	}
	return size;
}

uint32_t pack_copy_find_size(const void *numbers, uint64_t size_bytes, enum pack_watch watch)
{
	const uint64_t step_bytes = watch == PACK_WATCH_SINGLE ? sizeof(float) : sizeof(double);
	const char *from = numbers;
	uint64_t done_bytes = 0;
	uint32_t size = 0;
#if defined(__x86_64__)
	/* The upper 16 bits are signed words for _mm_max_epi16, and not negative. */
	const __m128i mask = watch == PACK_WATCH_SINGLE
	                             ? _mm_set1_epi32(0x7fff0000)
	                             : _mm_set1_epi64x(INT64_C(0x7fff000000000000));
	__m128i most = _mm_setzero_si128();
	int16_t word[sizeof most / sizeof(int16_t)];
	for (; done_bytes + sizeof most <= size_bytes; done_bytes += sizeof most) {
		const __m128i *place = (const __m128i *)(const void *)(from + done_bytes);
		most = _mm_max_epi16(most, _mm_and_si128(_mm_loadu_si128(place), mask));
	}
	memcpy(word, &most, sizeof most);
	for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
		size = (uint32_t)word[i] > size ? (uint32_t)word[i] : size;
	if (size == 0)
		done_bytes = 0;
#endif
	const uint32_t rest =
		pack_copy_find_each(from + done_bytes, size_bytes - done_bytes, step_bytes);
	return rest > size ? rest : size;
}

/* -- streaming stores -- */

#if defined(__x86_64__)

/*
 * Copies whole lines. Prefetches the staging, and one line per page of ahead to load its TLB entry.
 * from is at the beginning of a number.
 */
static bool pack_copy_stream_lines(char *to, const char *from, uint64_t size_bytes,
                                   const char *ahead, enum pack_watch watch)
{
	const struct pack_pattern pattern = pack_copy_find_pattern(watch);
	__m128i found = _mm_setzero_si128();
	for (uint64_t i = 0; i < size_bytes; i += PACK_LINE_BYTES) {
		__m128i *place = (__m128i *)(void *)(to + i);
		if (i % PACK_PAGE_BYTES == 0)
			_mm_prefetch(ahead + i, _MM_HINT_T2);
		_mm_prefetch(from + i + PACK_PAGE_BYTES, _MM_HINT_T0);
		const struct pack_line line = pack_copy_load(from + i);
		_mm_stream_si128(place, line.first);
		_mm_stream_si128(place + 1, line.second);
		_mm_stream_si128(place + 2, line.third);
		_mm_stream_si128(place + 3, line.fourth);
		found = _mm_or_si128(found, pack_copy_compare(&line, pattern));
	}
	return _mm_movemask_epi8(found) != 0;
}

bool pack_copy_stream(void *to, const void *from, uint64_t size_bytes, const void *ahead,
                      enum pack_watch watch)
{
	char *target = to;
	const char *source = from;
	const uint64_t offset_bytes = -(uintptr_t)target % PACK_LINE_BYTES;
	const uint64_t head_bytes = offset_bytes < size_bytes ? offset_bytes : size_bytes;
	const uint64_t tail_bytes = (size_bytes - head_bytes) % PACK_LINE_BYTES;
	const uint64_t line_bytes = size_bytes - head_bytes - tail_bytes;
	const char *tail = source + head_bytes + line_bytes;
	const bool even = head_bytes % sizeof(double) == 0 ||
	                  (watch == PACK_WATCH_SINGLE && head_bytes % sizeof(float) == 0);
	memcpy(target, source, head_bytes);
	bool special = pack_copy_stream_lines(target + head_bytes, source + head_bytes, line_bytes,
	                                      ahead, even ? watch : PACK_WATCH_NONE);
	memcpy(target + head_bytes + line_bytes, tail, tail_bytes);
	if (!even)
		return pack_copy_is_special(source, size_bytes, watch);
	special |= pack_copy_is_special(source, head_bytes, watch);
	return pack_copy_is_special(tail, tail_bytes, watch) || special;
}

void pack_copy_fence(void)
{
	_mm_sfence();
}

#else

bool pack_copy_stream(void *to, const void *from, uint64_t size_bytes, const void *ahead,
                      enum pack_watch watch)
{
	(void)ahead;
	memcpy(to, from, size_bytes);
	return pack_copy_is_special(from, size_bytes, watch);
}

void pack_copy_fence(void)
{
}

#endif
