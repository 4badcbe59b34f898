/* panel_plan.h - a plan of a level-3 call: steps, orders, and what a plan is made for; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_PLAN_H
#define GPUSHIM_POLICY_PLAN_PANEL_PLAN_H

#include "policy/call/operand.h"

/*
 * A plan is a list of steps of three kinds, each kind carried out in the order of the list, the
 * kinds beside each
 * other: loads by the link up, kernels by the device, stores by the link down. What a step has to
 * wait for of another kind stands in the step. The device's memory is one arena; every block has
 * its place in it.
 */
enum panel_kind { PANEL_LOAD, PANEL_WORK, PANEL_STORE, PANEL_KINDS };

struct panel_span {
	int64_t begin, count;
};

/*
 * A rectangle of an operand as it is stored in the program's memory, and where the device holds it:
 * element (row.begin, column.begin) is place_bytes into the arena, the next column ld elements on.
 */
struct panel_block {
	enum operand operand;
	struct panel_span row, column;
	uint64_t place_bytes;
	int64_t ld;
};

/*
 * A kernel's scalar: 0, 1, -1, the call's alpha or its conjugate. The call's beta is for the host,
 * see panels_plan.
 */
enum panel_scalar { PANEL_ZERO, PANEL_ONE, PANEL_MINUS_ONE, PANEL_ALPHA, PANEL_ALPHA_CONJUGATE };

/*
 * One kernel: z := alpha op(x) op(y) + beta z by gemm (or gemm3m), or the routine of another
 * family. As in struct blas_call the triangle, square or symmetric matrix is x. symm and hemm: z :=
 * alpha x y + beta z, or y x; syrk and herk have no y; trmm: z := alpha op(x) y, where y may be z;
 * trsm: z := alpha op(x)^-1 z, no y; with side = right from the right. side, uplo and diag are the
 * call's; transx of rank updates is their trans.
 */
struct panel_work {
	enum family family;
	enum transpose transx, transy;
	enum panel_scalar alpha, beta;
	bool has_y;
	struct panel_block x, y, z;
};

struct panel_step {
	enum panel_kind kind;
	uint32_t after
		[PANEL_KINDS]; /* so many steps of each kind have to be complete before this one begins */
	union {
		struct panel_block block; /* of a load or a store; stores are of OPERAND_C */
		struct panel_work work;
	};
};

/* The orders of a plan. Columns and rows are those of C. */
#define PANEL_ORDERS(ROW)                                                                                                \
	/* the first columns while A comes in slices of k, then panels of columns with all of A: A resident where the  \
	 * first group is one panel, k-slices where it is all of C */ \
	ROW(COLUMNS, "columns")                                                                                          \
	/* the same with A and B exchanged: rows of C while B comes in slices of k */                                    \
	ROW(ROWS, "rows")                                                                                                \
	/* a growing square of C: each ring adds rows of A and columns of B */                                           \
	ROW(RINGS, "rings")                                                                                              \
	/* blocks of C one after the other, k innermost: for little memory */                                            \
	ROW(BLOCKS, "blocks")

enum panel_order {
#define PANEL_ORDER(id, name) PANEL_ORDER_##id,
	PANEL_ORDERS(PANEL_ORDER)
#undef PANEL_ORDER
		PANEL_ORDER_COUNT
};

/*
 * The parameters of an order, in elements: group, the size of the first group (COLUMNS: columns,
 * ROWS: rows; BLOCKS: the rows of a block); width of the panels, rings or (BLOCKS) the columns of a
 * block; last, the size down to which the last panels or rings shrink (0: they do not); slice of k.
 * Of rank updates and gemmt, RINGS: group, so much of k comes in slices for the whole triangle
 * before the rings (less than a slice: none).
 */
struct panel_choice {
	enum panel_order order;
	int64_t group, width, last, slice;
};

/*
 * What the plan is for. blas: sizes, flags and scalars; its addresses and leading dimensions are
 * not used. same: B is A, the same elements in memory.
 */
struct panel_problem {
	enum family family;
	enum element element;
	struct blas_call blas;
	bool same;
};

struct panel_plan {
	struct panel_choice choice;
	uint64_t arena_bytes;
	double time_ns; /* expected: panel_time_find of the plan, of a long one about that */
	uint64_t load_bytes, store_bytes; /* that cross the link */
	uint32_t count, kind_count[PANEL_KINDS];
	struct panel_step *steps;
};

/* The word of an order. */
const char *panel_plan_name_order(enum panel_order order);

/* Frees the steps and empties the plan. */
void panel_plan_free(struct panel_plan *plan);

/*
 * Cuts of slices and panels are multiples of it, but for the end of the dimension; 512 bytes of
 * single precision.
 */
enum { PANEL_GRAIN = 128 };

/* The choice within the problem's sizes and in whole grains. */
struct panel_choice panel_plan_cut_choice(const struct blas_call *blas,
                                          const struct panel_choice *choice);

/*
 * Bytes on their ways: A, of a square one triangle; what comes in panels beside it, B or a C that
 * is overwritten, none where each panel of A is one of B too; C on its way back, of a triangle half.
 * panel_b: b, as if A and B were not the same.
 */
struct panel_bytes {
	double a, b, c, panel_b;
};
struct panel_bytes panel_plan_count_bytes(const struct panel_problem *problem);

#endif
