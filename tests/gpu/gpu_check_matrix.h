/* gpu_check_matrix.h - matrices between canaries, in any memory that a program can use */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CHECK_MATRIX_H
#define GPUSHIM_TESTS_GPU_GPU_CHECK_MATRIX_H

#include "gpu_check.h"
#include "policy/call/operand.h"

/*
 * Where the program keeps an operand. OTHER: the memory of device 1, where the simulated CUDA has
 * one.
 */
enum check_place { PLACE_HOST, PLACE_DEVICE, PLACE_MANAGED, PLACE_OTHER };

/*
 * rows x columns with leading dimension ld, offset_bytes after an aligned address. Every byte of
 * memory outside the elements is a canary. The program's own copy is at data. The test reads and
 * writes memory, which is copied to the program's place and back.
 */
struct check_matrix {
	char *memory, *base;
	size_t memory_bytes;
	char *program, *data; /* as memory and base, in the program's place */
	enum check_place place;
	int64_t rows, columns, ld;
	enum element element;
};

struct check_matrix check_matrix_make(enum element element, int64_t rows, int64_t columns,
                                      int64_t ld, int offset_bytes, enum check_place place);
void check_matrix_free(struct check_matrix *matrix);

/* The same bytes, in memory that only the test uses. */
struct check_matrix check_matrix_copy(const struct check_matrix *matrix);
bool check_matrix_same_bytes(const struct check_matrix *a, const struct check_matrix *b);

double complex check_matrix_get(const struct check_matrix *matrix, int64_t row, int64_t column);
void check_matrix_set(struct check_matrix *matrix, int64_t row, int64_t column,
                      double complex value);

/* Random elements, or NaN in every part of every element. */
void check_matrix_fill(struct check_matrix *matrix, bool nan);

/* Copies memory to the program's place, and back. Host operands are used in memory itself. */
void check_matrix_send(const struct check_matrix *matrix);
void check_matrix_receive(struct check_matrix *matrix);

#endif
