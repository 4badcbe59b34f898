/* peers_case.h - the cases of bench/peers: routine, sizes, and the bound of their time */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_PEERS_PEERS_CASE_H
#define GPUSHIM_BENCH_PEERS_PEERS_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/machine/machine.h"

enum peers_routine { PEERS_GEMM, PEERS_SYRK, PEERS_TRSM, PEERS_FFT };

/* The operands of a case are A, B, C. A transform has its input as A and its output as C. */
enum { PEERS_OPERANDS = 3, PEERS_RANK = 3 };

/*
 * gemm: C := A B + beta C, m x n x k, nothing transposed. syrk: C := A A^T + beta C, the lower
 * triangle, n x n x k. trsm: B := A^-1 B, A lower of order m, B is m x n and stands as C. fft:
 * batch forward transforms of length[0] x ..., double complex or single, in place or not. Matrices
 * have no gaps.
 */
struct peers_case {
	const char *group, *name;
	enum peers_routine routine;
	enum element element;
	int64_t m, n, k;
	double beta;
	int rank;
	int length[PEERS_RANK];
	int batch;
	bool in_place;
};

/*
 * The cases in the order of their importance, the quick ones or the real ones; *count of them.
 * Their groups are goals, products, others and break-even.
 */
const struct peers_case *peers_case_list(bool quick, size_t *count);

bool peers_case_is_single(const struct peers_case *run);
size_t peers_case_element_bytes(const struct peers_case *run);

/*
 * Elements of operand 0 to 2; 0 for one that the case does not have. The output in place is the
 * input.
 */
int64_t peers_case_elements(const struct peers_case *run, int operand);

/*
 * Bytes that must cross the link up and down. C need not go up where beta scales it: the host can
 * add it.
 */
double peers_case_up_bytes(const struct peers_case *run);
double peers_case_down_bytes(const struct peers_case *run);
double peers_case_flops(const struct peers_case *run);

/* Bytes of all operands. */
double peers_case_bytes(const struct peers_case *run);

/*
 * The least time in ns on this machine, with operands in the program's memory: the longest of the
 * copies up, the copies down and the arithmetic. For a single transform the sum of both copies,
 * since each output depends on each input.
 */
double peers_case_bound_ns(const struct peers_case *run, const struct machine *machine);

#endif
