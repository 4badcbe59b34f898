/* sim_measure.c - what the tests of cuSOLVER share */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct measure_solver measure_open(void)
{
	struct measure_solver made = {0};
	CHECK_IS(cuda.cusolverDnCreate(&made.handle), 0);
	CHECK_IS(cuda.cusolverDnCreateParams(&made.params), 0);
	made.info = rules_device_memory(sizeof *made.info);
	return made;
}

int measure_info(const struct measure_solver *solver)
{
	int info = -1;
	rules_read_back(&info, solver->info, sizeof info);
	return info;
}

void measure_take(struct measure_room *room)
{
	room->device = rules_device_memory(room->device_bytes);
	room->host = malloc(room->host_bytes);
}

void measure_give(struct measure_room *room)
{
	cuda.cudaFree(room->device);
	free(room->host);
}

int measure_type(char element)
{
	return element == 'S'   ? SIM_TYPE_S
	       : element == 'D' ? SIM_TYPE_D
	       : element == 'C' ? SIM_TYPE_C
	                        : SIM_TYPE_Z;
}

char measure_real(char element)
{
	return element == 'C' ? 'S' : element == 'Z' ? 'D' : element;
}

struct sim_matrix measure_zeros(int rows, int columns)
{
	struct sim_matrix made = {rows, columns, rows > 0 ? rows : 1, NULL};
	made.values =
		calloc((size_t)made.ld * (size_t)(columns > 0 ? columns : 1), sizeof *made.values);
	return made;
}

struct sim_matrix measure_product(const struct sim_matrix *a, int trans_a,
                                  const struct sim_matrix *b, int trans_b)
{
	const int rows = trans_a == SIM_TRANS_N ? a->rows : a->columns;
	const int inner = trans_a == SIM_TRANS_N ? a->columns : a->rows;
	const int columns = trans_b == SIM_TRANS_N ? b->columns : b->rows;
	struct sim_matrix made = measure_zeros(rows, columns);
	for (int j = 0; j < columns; j++)
		for (int l = 0; l < inner; l++) {
			const double complex factor = sim_matrix_get(b, trans_b, l, j);
			for (int i = 0; i < rows; i++)
				*sim_matrix_at(&made, i, j) +=
					sim_matrix_get(a, trans_a, i, l) * factor;
		}
	return made;
}

double measure_norm(const struct sim_matrix *a)
{
	double norm = 0;
	for (int j = 0; j < a->columns; j++) {
		double sum = 0;
		for (int i = 0; i < a->rows; i++)
			sum += cabs(*sim_matrix_at(a, i, j));
		/* A NaN stays. */
		if (!(sum <= norm))
			norm = sum;
	}
	return norm;
}

double measure_ratio(const struct sim_matrix *a, const struct sim_matrix *b, double scale, int size,
                     char element)
{
	struct sim_matrix difference = measure_zeros(a->rows, a->columns);
	for (int j = 0; j < a->columns; j++)
		for (int i = 0; i < a->rows; i++)
			*sim_matrix_at(&difference, i, j) =
				*sim_matrix_at(a, i, j) - *sim_matrix_at(b, i, j);
	double norm = measure_norm(&difference);
	sim_matrix_free(&difference);
	return norm == 0 ? 0 : norm / (scale * size * sim_matrix_epsilon(element));
}

bool measure_keeps_gaps(const struct sim_matrix *before, const struct sim_matrix *after)
{
	for (int j = 0; j < before->columns; j++)
		for (int i = before->rows; i < before->ld; i++)
			if (!sim_matrix_is_same(*sim_matrix_at(before, i, j),
			                        *sim_matrix_at(after, i, j)))
				return false;
	return true;
}

void measure_round(struct sim_matrix *a, char element)
{
	if (element == 'D' || element == 'Z')
		return;
	for (int j = 0; j < a->columns; j++)
		for (int i = 0; i < a->rows; i++) {
			double complex *at = sim_matrix_at(a, i, j);
			*at = sim_matrix_value((float)creal(*at), (float)cimag(*at));
		}
}

bool measure_check(double ratio, const char *file, int line, const char *text)
{
	if (!(ratio < 30))
		printf("    the ratio is %g\n", ratio);
	return rules_check(ratio < 30, file, line, text);
}
