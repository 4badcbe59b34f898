/* sim_solver_cases.h - the cases of simcuda_solver_test, and what their matrices share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_SOLVER_CASES_H
#define SIMCUDA_SIM_SOLVER_CASES_H

#include "sim_measure.h"

/* sim_solver_qr.c */
void case_qr(void);
void case_inverses(void);
void case_rows(void);
/* sim_solver_eigen.c */
void case_eigenvalues(void);
void case_ranges(void);
void case_pencils(void);
void case_scales(void);
/* sim_solver_singular.c */
void case_singular_values(void);
void case_polar(void);
void case_rank(void);
void case_graded(void);
void case_deficient(void);
void case_general(void);

/* The function of an element; those of complex ones may have another name. */
#define CASE_OF(element, real, complex)                                                            \
	((element) == 'S'   ? cuda.cusolverDnS##real                                               \
	 : (element) == 'D' ? cuda.cusolverDnD##real                                               \
	 : (element) == 'C' ? cuda.cusolverDnC##complex                                            \
	                    : cuda.cusolverDnZ##complex)

size_t case_bytes(char element);
/* Random values, and NaN in the gaps. */
struct sim_matrix case_matrix(int rows, int columns, char element);
struct sim_matrix case_identity(int n);
bool case_in_triangle(int uplo, int row, int column);
/* The whole matrix of a triangle. */
struct sim_matrix case_hermitian(const struct sim_matrix *a, int uplo);
/* A Hermitian matrix with eigenvalues from 1 on; a copy with NaN in its other triangle and gaps. */
struct sim_matrix case_positive(int n, char element);
struct sim_matrix case_half(const struct sim_matrix *a, int uplo, char element);
/* |I - Q^H Q| / (m eps) */
double case_orthogonality(const struct sim_matrix *q, char element);
/* A vector of real numbers on the device. */
void case_read_reals(double *to, const void *from, int count, char element);

#endif
