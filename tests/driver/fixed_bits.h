/* fixed_bits.h - numbers that are the same in each run, and a checksum of the bits of a result */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_DRIVER_FIXED_BITS_H
#define GPUSHIM_TESTS_DRIVER_FIXED_BITS_H

#include <stddef.h>
#include <stdint.h>

/* The hash FNV-1a. */
static inline uint64_t fixed_bits_hash(const void *bytes, size_t count)
{
	uint64_t hash = 14695981039346656037u;
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
	return hash;
}

/* A number between -0.5 and 0.5, determined by the index. */
static inline double fixed_bits_number(uint64_t index)
{
	uint64_t x = index * 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (double)(x >> 11) * 0x1p-53 - 0.5;
}

#endif
