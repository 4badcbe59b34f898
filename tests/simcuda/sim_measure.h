/* sim_measure.h - what the tests of cuSOLVER share: handles, workspaces, products and norms */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_MEASURE_H
#define SIMCUDA_SIM_MEASURE_H

#include "sim_matrix.h"
#include "sim_rules.h"

/* A handle with what each call needs. */
struct measure_solver {
	void *handle, *params;
	int *info; /* on the device */
};
struct measure_solver measure_open(void);
/* Waits, and reads info. */
int measure_info(const struct measure_solver *solver);

/* Workspaces of exactly these sizes; the host's one ends with its block. */
struct measure_room {
	void *device, *host;
	size_t device_bytes, host_bytes;
};
void measure_take(struct measure_room *room);
void measure_give(struct measure_room *room);

int measure_type(char element);
char measure_real(char element);

/* A rows x columns matrix of zeros, without gaps. */
struct sim_matrix measure_zeros(int rows, int columns);
/* The product of op(a) and op(b). */
struct sim_matrix measure_product(const struct sim_matrix *a, int trans_a,
                                  const struct sim_matrix *b, int trans_b);
/* The greatest sum of a column. */
double measure_norm(const struct sim_matrix *a);
/* |a - b| / (|scale| size eps), in which LAPACK's testers measure. */
double measure_ratio(const struct sim_matrix *a, const struct sim_matrix *b, double scale, int size,
                     char element);
/* Whether what lies below the rows is as before. */
bool measure_keeps_gaps(const struct sim_matrix *before, const struct sim_matrix *after);
/* Rounds each value to the element. */
void measure_round(struct sim_matrix *a, char element);

/* LAPACK's testers call a ratio from 30 on a failure. */
#define MEASURE_CHECK(ratio) measure_check((ratio), __FILE__, __LINE__, #ratio)
bool measure_check(double ratio, const char *file, int line, const char *text);

#endif
