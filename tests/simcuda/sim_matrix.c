/* sim_matrix.c - matrices of the arithmetic tests */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_matrix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_rules.h"

static uint64_t random_state = 88172645463325252u;

static double random_value(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	/* 22 random bits in [-2, 2) */
	return (double)(random_state >> 42) / (1 << 20) - 2;
}

static size_t element_count(const struct sim_matrix *matrix)
{
	return (size_t)matrix->ld * (size_t)(matrix->columns ? matrix->columns : 1);
}

double complex sim_matrix_value(double re, double im)
{
	double parts[2] = {re, im};
	double complex value;
	memcpy(&value, parts, sizeof value);
	return value;
}

double complex sim_matrix_nan(bool is_complex)
{
	return sim_matrix_value(NAN, is_complex ? NAN : 0);
}

struct sim_matrix sim_matrix_new(int rows, int columns, bool is_complex)
{
	struct sim_matrix made = {rows, columns, rows + 3, NULL};
	size_t count = element_count(&made);
	made.values = malloc(count * sizeof *made.values);
	for (size_t i = 0; i < count; i++)
		made.values[i] = sim_matrix_value(random_value(), is_complex ? random_value() : 0);
	return made;
}

void sim_matrix_free(struct sim_matrix *matrix)
{
	free(matrix->values);
	matrix->values = NULL;
}

double complex *sim_matrix_at(const struct sim_matrix *matrix, int row, int column)
{
	return matrix->values + row + (size_t)column * (size_t)matrix->ld;
}

double complex sim_matrix_get(const struct sim_matrix *matrix, int transposition, int row,
                              int column)
{
	if (transposition == SIM_TRANS_N)
		return *sim_matrix_at(matrix, row, column);
	double complex value = *sim_matrix_at(matrix, column, row);
	return transposition == SIM_TRANS_C ? conj(value) : value;
}

size_t sim_matrix_pack(char element, double complex value, void *to)
{
	float single[2] = {(float)creal(value), (float)cimag(value)};
	double wide[2] = {creal(value), cimag(value)};
	size_t size = element == 'S' ? 4 : element == 'Z' ? 16 : 8;
	memcpy(to, element == 'S' || element == 'C' ? (void *)single : (void *)wide, size);
	return size;
}

static double complex unpack(char element, const char *from)
{
	float single[2] = {0, 0};
	double wide[2] = {0, 0};
	if (element == 'S' || element == 'C') {
		memcpy(single, from, element == 'S' ? 4 : 8);
		return sim_matrix_value(single[0], single[1]);
	}
	memcpy(wide, from, element == 'D' ? 8 : 16);
	return sim_matrix_value(wide[0], wide[1]);
}

void *sim_matrix_upload(const struct sim_matrix *matrix, char element)
{
	size_t used = 0;
	char *bytes = malloc(element_count(matrix) * 16);
	for (size_t i = 0; i < element_count(matrix); i++)
		used += sim_matrix_pack(element, matrix->values[i], bytes + used);
	void *device = rules_device_copy(bytes, used);
	free(bytes);
	return device;
}

struct sim_matrix sim_matrix_download(const struct sim_matrix *like, const void *device,
                                      char element)
{
	struct sim_matrix made = *like;
	size_t count = element_count(like), size = element == 'S' ? 4 : element == 'Z' ? 16 : 8;
	char *bytes = malloc(count * size);
	made.values = malloc(count * sizeof *made.values);
	rules_read_back(bytes, device, count * size);
	for (size_t i = 0; i < count; i++)
		made.values[i] = unpack(element, bytes + i * size);
	free(bytes);
	return made;
}

bool sim_matrix_is_complex(char element)
{
	return element == 'C' || element == 'Z';
}

double sim_matrix_epsilon(char element)
{
	return element == 'S' || element == 'C' ? FLT_EPSILON : DBL_EPSILON;
}

static bool part_is_same(double x, double y)
{
	return (isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y));
}

bool sim_matrix_is_same(double complex x, double complex y)
{
	return part_is_same(creal(x), creal(y)) && part_is_same(cimag(x), cimag(y));
}
