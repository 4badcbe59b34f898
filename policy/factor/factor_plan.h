/* factor_plan.h - a plan of a factorization: steps, and the problem that it is for; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_FACTOR_FACTOR_PLAN_H
#define GPUSHIM_POLICY_FACTOR_FACTOR_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/element.h"

/*
 * A plan is a list of steps of three kinds. Each kind is carried out in the order of the list, and
 * the kinds run concurrently: loads on the link up, kernels on the device, stores on the link down.
 * The whole of A, and of B, lies on the device, or blocks of A that take turns there.
 */
enum factor_kind { FACTOR_LOAD, FACTOR_WORK, FACTOR_STORE, FACTOR_KINDS };

/*
 * What is computed from A, in place:
 *
 *   LU     A = P L U, m x n, rows exchanged with partial pivoting (getrf)
 *   LOWER  A = L L^H of the lower triangle (potrf), m = n
 *   UPPER  A = U^H U of the upper triangle (potrf), m = n
 *
 * and, where B has right > 0 columns and m = n, the X of A X = B in the place of B (gesv, posv).
 */
enum factor_form { FACTOR_LU, FACTOR_LOWER, FACTOR_UPPER };

/*
 * room: elements of the device's memory for blocks of A, which is larger then; B lies beside them.
 * 0: all operands lie there.
 */
struct factor_problem {
	enum factor_form form;
	enum element element;
	int64_t m, n, right;
	uint64_t room;
};

/*
 * Rates per second, costs in nanoseconds. duplex: share of its rate that each link keeps while both
 * are busy. operation_ns: one copy or kernel; copy_ns: a copy behind another of its link. panel_ns:
 * what a panel costs the host, which waits for its pivots; column_ns: what it costs for each of its
 * columns, whatever its height; row_ns: what each row of the second factor costs that B is solved
 * for by. memory: the device's own.
 */
struct factor_rates {
	double up_bytes_s, down_bytes_s, duplex, work_flops_s, memory_bytes_s;
	double operation_ns, copy_ns, panel_ns, column_ns, row_ns;
};

struct factor_span {
	int64_t begin, count;
};

/*
 * A rectangle of A, or of B. On the device its first element lies at place, counted from the begin
 * of A or of B, and its columns ld elements apart.
 */
struct factor_block {
	bool of_b;
	struct factor_span row, column;
	uint64_t place;
	int64_t ld;
};

/*
 * One kernel. L and U are the factors inside the square block x, L of LU with a unit diagonal; H is
 * the conjugate transpose, of real elements the transpose. op is H where x_turned, y_turned say so.
 *
 *   PANEL        LU: z = P L U, and the pivots of z's columns; else z = L L^H or U^H U
 *   SWAP         rows of z's columns exchanged as the pivots of `pivots` say
 *   SOLVE        LU, LOWER: z := L^-1 z; UPPER: z := U^-H z
 *   SOLVE_RIGHT  LOWER: z := z L^-H
 *   SOLVE_BACK   LU, UPPER: z := U^-1 z; LOWER: z := L^-H z
 *   UPDATE       z := z - op(x) op(y)
 *   TRIANGLE     z := z - op(x) op(x)^H, the form's triangle of the square z
 */
enum factor_operation {
	FACTOR_PANEL,
	FACTOR_SWAP,
	FACTOR_SOLVE,
	FACTOR_SOLVE_RIGHT,
	FACTOR_SOLVE_BACK,
	FACTOR_UPDATE,
	FACTOR_TRIANGLE
};

struct factor_work {
	enum factor_operation operation;
	bool x_turned, y_turned;
	struct factor_span pivots;
	struct factor_block x, y, z;
};

/*
 * kept, of a load: the place of the block in the copy of A and B that the host keeps, in elements;
 * FACTOR_NOT_KEPT: it is a result.
 *
 * after: for each other kind the number of its steps that must be complete before this one begins.
 * Blocks of Cholesky's A that are loaded or stored contain the diagonal's blocks whole; of these
 * only the form's triangle is the program's to read and write. A store comes after all loads of
 * what it overwrites.
 */
#define FACTOR_NOT_KEPT UINT64_MAX

struct factor_step {
	enum factor_kind kind;
	uint32_t after[FACTOR_KINDS];
	union {
		struct {
			struct factor_block block;
			uint64_t kept;
		} copy; /* a load or a store */
		struct factor_work work;
	};
};

struct factor_plan {
	int64_t width;  /* columns of a panel */
	double time_ns; /* from the first step to the end of the last, by the rates */
	uint64_t load_bytes, store_bytes;
	uint32_t count, kind_count[FACTOR_KINDS];
	struct factor_step *steps;
};

/* Frees the steps and empties the plan. */
void factor_plan_free(struct factor_plan *plan);

#endif
