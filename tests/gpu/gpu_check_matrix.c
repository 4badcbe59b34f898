/* gpu_check_matrix.c - matrices between canaries, in any memory that a program can use */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY = 0x5b, CANARY_BYTES = 64, COPY_BY_ADDRESS = 4, ATTACH_GLOBAL = 1 };

/* A function of the CUDA in use, called as the program would call it. */
#define CUDA_CALL(name, parameters, ...) ((int(*) parameters)gpu_check_function(name))(__VA_ARGS__)

static void check_matrix_expect(int error, const char *what)
{
	EXPECT(error == 0, "%s: CUDA error %d", what, error);
	if (error != 0)
		exit(1);
}

static void check_matrix_set_device(int device)
{
	check_matrix_expect(CUDA_CALL("cudaSetDevice", (int), device), "cudaSetDevice");
}

static char *check_matrix_take(size_t size_bytes, enum check_place place)
{
	void *pointer = NULL;
	if (place == PLACE_MANAGED) {
		check_matrix_expect(CUDA_CALL("cudaMallocManaged", (void **, size_t, unsigned),
		                              &pointer, size_bytes, ATTACH_GLOBAL),
		                    "cudaMallocManaged");
		return pointer;
	}
	if (place == PLACE_OTHER)
		check_matrix_set_device(1);
	check_matrix_expect(CUDA_CALL("cudaMalloc", (void **, size_t), &pointer, size_bytes),
	                    "cudaMalloc");
	if (place == PLACE_OTHER)
		check_matrix_set_device(0);
	return pointer;
}

struct check_matrix check_matrix_make(enum element element, int64_t rows, int64_t columns,
                                      int64_t ld, int offset_bytes, enum check_place place)
{
	struct check_matrix matrix = {
		.rows = rows, .columns = columns, .ld = ld, .element = element, .place = place};
	matrix.memory_bytes = (size_t)(matrix.ld * columns) * element_size_bytes(element) +
	                      (size_t)offset_bytes + (size_t)2 * CANARY_BYTES;
	matrix.memory = malloc(matrix.memory_bytes);
	memset(matrix.memory, CANARY, matrix.memory_bytes);
	matrix.base = matrix.memory + CANARY_BYTES + offset_bytes;
	matrix.program =
		place == PLACE_HOST ? matrix.memory : check_matrix_take(matrix.memory_bytes, place);
	matrix.data = matrix.program + (matrix.base - matrix.memory);
	return matrix;
}

void check_matrix_free(struct check_matrix *matrix)
{
	if (matrix->place != PLACE_HOST && matrix->program != NULL)
		check_matrix_expect(CUDA_CALL("cudaFree", (void *), matrix->program), "cudaFree");
	free(matrix->memory);
	matrix->memory = matrix->program = NULL;
}

struct check_matrix check_matrix_copy(const struct check_matrix *matrix)
{
	struct check_matrix copy = *matrix;
	copy.memory = malloc(matrix->memory_bytes);
	memcpy(copy.memory, matrix->memory, matrix->memory_bytes);
	copy.base = copy.memory + (matrix->base - matrix->memory);
	copy.place = PLACE_HOST;
	copy.program = copy.memory;
	copy.data = copy.base;
	return copy;
}

bool check_matrix_same_bytes(const struct check_matrix *a, const struct check_matrix *b)
{
	return memcmp(a->memory, b->memory, a->memory_bytes) == 0;
}

double complex check_matrix_get(const struct check_matrix *matrix, int64_t row, int64_t column)
{
	return gpu_check_load(matrix->base, row + column * matrix->ld, matrix->element, false);
}

void check_matrix_set(struct check_matrix *matrix, int64_t row, int64_t column,
                      double complex value)
{
	gpu_check_store(matrix->base, row + column * matrix->ld, matrix->element, false, value);
}

void check_matrix_fill(struct check_matrix *matrix, bool nan)
{
	for (int64_t column = 0; column < matrix->columns; column++)
		for (int64_t row = 0; row < matrix->rows; row++)
			check_matrix_set(matrix, row, column,
			                 nan ? CMPLX(NAN, NAN)
			                     : CMPLX(gpu_check_random(), gpu_check_random()));
}

static void check_matrix_move(void *to, const void *from, size_t size_bytes)
{
	check_matrix_expect(CUDA_CALL("cudaMemcpy", (void *, const void *, size_t, int), to, from,
	                              size_bytes, COPY_BY_ADDRESS),
	                    "cudaMemcpy");
}

/* On the device's default stream, without waiting: the shim has to wait for it. */
void check_matrix_send(const struct check_matrix *matrix)
{
	if (matrix->place == PLACE_OTHER)
		check_matrix_set_device(1);
	if (matrix->place != PLACE_HOST)
		check_matrix_move(matrix->program, matrix->memory, matrix->memory_bytes);
	if (matrix->place == PLACE_OTHER)
		check_matrix_set_device(0);
}

/* Waits for the device first, so that work still queued by a call shows in the memory. */
void check_matrix_receive(struct check_matrix *matrix)
{
	if (matrix->place == PLACE_HOST)
		return;
	check_matrix_expect(((int (*)(void))gpu_check_function("cudaDeviceSynchronize"))(),
	                    "cudaDeviceSynchronize");
	check_matrix_move(matrix->memory, matrix->program, matrix->memory_bytes);
}
