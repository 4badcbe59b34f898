/* exact.h - matrices of small numbers: any order of summation gives the same bits */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_RESIDENCY_EXACT_H
#define GPUSHIM_TESTS_RESIDENCY_EXACT_H

#include <stdbool.h>
#include <stddef.h>

/* Column by column, `ld` elements from one to the next. */
struct matrix {
	char type; /* s, d, z */
	char *memory;
	int rows, columns, ld;
};

/* A copy in double precision, without gaps; im: NULL for real elements. */
struct dense {
	double *re, *im;
	int rows, columns;
};

enum exact_part { EXACT_LOWER, EXACT_UPPER };

size_t exact_element_bytes(char type);
/* From the first byte to the last one. */
size_t exact_span_bytes(const struct matrix *matrix);

/* Fill memory with numbers from -4 to 4. */
void exact_fill_doubles(char *memory, size_t bytes);
void exact_fill_floats(char *memory, size_t bytes);

/*
 * Replaces the elements that are no multiples of 1/8 of at most `most` in magnitude, with stores to
 * these alone.
 */
void exact_tame(const struct matrix *matrix, double most);

struct dense exact_copy(const struct matrix *matrix);
struct dense exact_copy_transposed(const struct matrix *matrix, bool conjugates);
/* The same with the elements of one triangle alone; is_unit: 1 on the diagonal. */
struct dense exact_copy_triangle(const struct matrix *matrix, enum exact_part part, bool is_unit);
/* Both triangles from one of them. */
struct dense exact_copy_symmetric(const struct matrix *matrix, enum exact_part part);
void exact_transpose(struct dense *dense);
void exact_free(struct dense *dense);

/* Elements of `to` outside its triangle become those of `from`. */
void exact_keep_rest(struct dense *to, enum exact_part part, const struct dense *from);

/* Whether the matrix equals the numbers; else says where it does not. */
bool exact_equals(const struct matrix *matrix, const struct dense *expected);

#endif
