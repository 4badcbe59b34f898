/* peers_case.h - what bench/peers runs: a routine, its sizes, and the time that no program can be below */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_PEERS_PEERS_CASE_H
#define GPUSHIM_BENCH_PEERS_PEERS_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/machine/machine.h"

enum peers_routine { PEERS_GEMM, PEERS_SYRK, PEERS_TRSM, PEERS_FFT };

/*
 * The largest element, and the operands of a case: A, B, C; of a transform the input as A and the
 * output as C.
 */
enum { PEERS_ELEMENT_BYTES = 16, PEERS_OPERANDS = 3, PEERS_RANK = 3 };

/*
 * gemm: C := A B + beta C, m x n x k, nothing transposed. syrk: C := A A^T + beta C, the lower
 * triangle, n x n x k.
 * trsm: B := A^-1 B, A lower of m x m, B of m x n stands as C. fft: batch forward transforms,
 * double complex or single, of length[0] x ...; in place or not. Matrices are tight.
 */
struct peers_case {
	const char *name;
	enum peers_routine routine;
	enum element element;
	int64_t m, n, k;
	double beta;
	int rank;
	int length[PEERS_RANK];
	int batch;
	bool in_place;
};

/* The cases in the order of their weight, the quick ones or the real ones; *count of them. */
const struct peers_case *peers_case_list(bool quick, size_t *count);

bool peers_case_is_single(const struct peers_case *run);
size_t peers_case_element_bytes(const struct peers_case *run);

/*
 * The elements of operand 0..2; 0 for one that the case does not have (an output in place is its
 * input).
 */
int64_t peers_case_elements(const struct peers_case *run, int operand);

/*
 * Bytes that have to cross the link up and down. C that beta scales need not: the host can add it.
 */
double peers_case_up_bytes(const struct peers_case *run);
double peers_case_down_bytes(const struct peers_case *run);
double peers_case_flops(const struct peers_case *run);

/*
 * The least time in nanoseconds on this machine from operands in the program's memory: the longest
 * of what goes up, what comes down and the arithmetic. One transform: up and then down, because
 * each output needs each input.
 */
double peers_case_bound_ns(const struct peers_case *run, const struct machine *machine);

#endif
