/* sim_matrix.h - matrices of the arithmetic tests: random values, upload, download, comparison */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_MATRIX_H
#define SIMCUDA_SIM_MATRIX_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/* By columns. Elements are pairs of doubles, whatever the type on the device. */
struct sim_matrix {
	int rows, columns, ld;
	double complex *values;
};

/* Random values that are exact in single precision, also in the gaps below the columns. */
struct sim_matrix sim_matrix_new(int rows, int columns, bool is_complex);
void sim_matrix_free(struct sim_matrix *matrix);
double complex *sim_matrix_at(const struct sim_matrix *matrix, int row, int column);
/* An element of op(matrix). */
double complex sim_matrix_get(const struct sim_matrix *matrix, int transposition, int row,
                              int column);

/* re + im i for any values: complex arithmetic would spread a NaN to both parts. */
double complex sim_matrix_value(double re, double im);
/* NaN in both parts of a real or complex element. */
double complex sim_matrix_nan(bool is_complex);

/* Copies the whole storage to the device, and back. */
void *sim_matrix_upload(const struct sim_matrix *matrix, char element);
struct sim_matrix sim_matrix_download(const struct sim_matrix *like, const void *device,
                                      char element);

/* Converts one element to the device's type, up to 16 bytes. Returns its size in bytes. */
size_t sim_matrix_pack(char element, double complex value, void *to);
bool sim_matrix_is_complex(char element);
double sim_matrix_epsilon(char element);
/* Equal bit for bit, except for the payloads of NaN. */
bool sim_matrix_is_same(double complex x, double complex y);

#endif
