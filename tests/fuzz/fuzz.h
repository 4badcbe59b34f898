/* fuzz.h - what the fuzz targets share: numbers out of the input, and checks that abort */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_FUZZ_FUZZ_H
#define GPUSHIM_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A target: reads size bytes, aborts where a property does not hold, and returns 0. It is linked
 * with fuzz_run.c, or with libFuzzer (GPUSHIM_FUZZ), whose name this is.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts with the property's text, so that a fuzzer keeps the input. */
#define FUZZ_CHECK(property)                                                                       \
	do {                                                                                       \
		if (!(property)) {                                                                 \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #property);     \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* The rest of an input. After its end all bytes are 0. */
struct fuzz_input {
	const uint8_t *at;
	size_t left;
};

static inline unsigned fuzz_take_byte(struct fuzz_input *input)
{
	if (input->left == 0)
		return 0;
	input->left--;
	return *input->at++;
}

static inline uint64_t fuzz_take_word(struct fuzz_input *input, int bytes)
{
	uint64_t word = 0;
	for (int i = 0; i < bytes; i++)
		word |= (uint64_t)fuzz_take_byte(input) << 8 * i;
	return word;
}

/* A number as sizes and strides occur: mostly small, sometimes at the ends of its type. */
static inline int64_t fuzz_take_number(struct fuzz_input *input)
{
	static const int64_t odd[] = {0,
	                              -1,
	                              INT32_MAX,
	                              INT32_MIN,
	                              INT64_C(1) << 31,
	                              INT64_MAX,
	                              INT64_MIN,
	                              INT64_C(3037000500), /* its square exceeds 63 bits */
	                              INT64_C(1) << 46};
	const unsigned kind = fuzz_take_byte(input);
	if (kind < 160)
		return (int64_t)(kind & 31) + 1;
	if (kind < 208)
		return (int64_t)fuzz_take_word(input, 2);
	if (kind < 216)
		return -(int64_t)fuzz_take_word(input, 1);
	if (kind < 224)
		return (int64_t)fuzz_take_word(input, 8);
	return odd[kind % (sizeof odd / sizeof odd[0])];
}

/* A copy that ends with a NUL, in a block of just that size: a sanitizer sees a read beyond it. */
static inline char *fuzz_copy_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	if (text == NULL)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* A message is one printable sentence, and not empty. */
static inline void fuzz_check_message(const char *message)
{
	FUZZ_CHECK(message[0] != '\0');
	for (; *message != '\0'; message++)
		FUZZ_CHECK((unsigned char)*message >= ' ' && *message != 0x7f);
}

#endif
