/* sim_solver_cases.c - what the matrices of simcuda_solver_test share */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_solver_cases.h"

#include <stdlib.h>

size_t case_bytes(char element)
{
	return element == 'S' ? 4 : element == 'Z' ? 16 : 8;
}

struct sim_matrix case_matrix(int rows, int columns, char element)
{
	const bool is_complex = sim_matrix_is_complex(element);
	struct sim_matrix made = sim_matrix_new(rows, columns, is_complex);
	for (int j = 0; j < columns; j++)
		for (int i = rows; i < made.ld; i++)
			*sim_matrix_at(&made, i, j) = sim_matrix_nan(is_complex);
	return made;
}

struct sim_matrix case_identity(int n)
{
	struct sim_matrix made = measure_zeros(n, n);
	for (int i = 0; i < n; i++)
		*sim_matrix_at(&made, i, i) = 1;
	return made;
}

bool case_in_triangle(int uplo, int row, int column)
{
	return uplo == SIM_UPLO_UPPER ? row <= column : row >= column;
}

struct sim_matrix case_hermitian(const struct sim_matrix *a, int uplo)
{
	struct sim_matrix made = measure_zeros(a->rows, a->columns);
	for (int j = 0; j < a->columns; j++)
		for (int i = 0; i < a->rows; i++)
			*sim_matrix_at(&made, i, j) = case_in_triangle(uplo, i, j)
			                                      ? *sim_matrix_at(a, i, j)
			                                      : conj(*sim_matrix_at(a, j, i));
	return made;
}

struct sim_matrix case_positive(int n, char element)
{
	struct sim_matrix half = sim_matrix_new(n, n, sim_matrix_is_complex(element));
	struct sim_matrix made = measure_product(&half, SIM_TRANS_N, &half, SIM_TRANS_C);
	for (int i = 0; i < n; i++)
		*sim_matrix_at(&made, i, i) = creal(*sim_matrix_at(&made, i, i)) + 1;
	measure_round(&made, element);
	sim_matrix_free(&half);
	return made;
}

struct sim_matrix case_half(const struct sim_matrix *a, int uplo, char element)
{
	struct sim_matrix made = case_matrix(a->rows, a->columns, element);
	for (int j = 0; j < a->columns; j++)
		for (int i = 0; i < a->rows; i++)
			*sim_matrix_at(&made, i, j) =
				case_in_triangle(uplo, i, j)
					? *sim_matrix_at(a, i, j)
					: sim_matrix_nan(sim_matrix_is_complex(element));
	return made;
}

double case_orthogonality(const struct sim_matrix *q, char element)
{
	struct sim_matrix product = measure_product(q, SIM_TRANS_C, q, SIM_TRANS_N),
			  one = case_identity(q->columns);
	const double ratio = measure_ratio(&product, &one, 1, q->rows, element);
	sim_matrix_free(&product);
	sim_matrix_free(&one);
	return ratio;
}

void case_read_reals(double *to, const void *from, int count, char element)
{
	const bool single = measure_real(element) == 'S';
	const size_t bytes = (size_t)count * (single ? sizeof(float) : sizeof(double));
	void *host = malloc(bytes + 1);
	rules_read_back(host, from, bytes);
	for (int i = 0; i < count; i++)
		to[i] = single ? (double)((float *)host)[i] : ((double *)host)[i];
	free(host);
}
