/* panel_plan.h - a plan of a level-3 call: steps, orders, and the problem that it is for; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_PANEL_PLAN_H
#define GPUSHIM_POLICY_PLAN_PANEL_PLAN_H

#include "policy/call/operand.h"

/*
 * A plan is a list of steps of three kinds. Each kind is carried out in the order of the list, and
 * the kinds run concurrently: loads on the link up, kernels on the device, stores on the link down.
 * A step names the steps of other kinds that it has to wait for. The device memory is one arena, in
 * which every block has its place.
 */
enum panel_kind { PANEL_LOAD, PANEL_WORK, PANEL_STORE, PANEL_KINDS };

struct panel_span {
	int64_t begin, count;
};

/*
 * A rectangle of an operand as it is stored in host memory, and its place on the device: element
 * (row.begin, column.begin) is place_bytes into the arena, columns are ld elements apart.
 */
struct panel_block {
	enum operand operand;
	struct panel_span row, column;
	uint64_t place_bytes;
	int64_t ld;
};

/*
 * A scalar of a kernel: 0, 1, -1, alpha of the call or its conjugate. beta of the call is applied
 * on the host, see panels_plan.
 */
enum panel_scalar { PANEL_ZERO, PANEL_ONE, PANEL_MINUS_ONE, PANEL_ALPHA, PANEL_ALPHA_CONJUGATE };

/*
 * One kernel: z := alpha op(x) op(y) + beta z by gemm (or gemm3m), or the routine of another
 * family. x is the triangle, square or symmetric matrix, as A in struct blas_call. symm, hemm: z :=
 * alpha x y + beta z, or y x. syrk, herk: no y. trmm: z := alpha op(x) y, where y may be z. trsm: z
 * := alpha op(x)^-1 z, no y. side = right: from the right. side, uplo and diag are those of the
 * call; transx of a rank update is its trans.
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
		/*
		 * For each kind the number of its steps that must be complete before this one
		 * begins.
		 */
		[PANEL_KINDS];
	union {
		struct panel_block block; /* of a load or a store; only OPERAND_C is stored */
		struct panel_work work;
	};
};

/*
 * The orders of a plan. Columns and rows are those of C.
 *
 *   COLUMNS  the first columns while A comes in slices of k, then panels of columns with all of A;
 *            if the first group is one panel, A is simply resident; if it is all of C, slices of k
 *   ROWS     the same with A and B exchanged: rows of C while B comes in slices of k
 *   RINGS    a growing rectangle of C: each ring adds rows of A and columns of B
 *   BLOCKS   blocks of C one after the other, k innermost: for little memory
 */
#define PANEL_ORDERS(ROW)                                                                          \
	ROW(COLUMNS, "columns") ROW(ROWS, "rows") ROW(RINGS, "rings") ROW(BLOCKS, "blocks")

enum panel_order {
#define PANEL_ORDER(id, name) PANEL_ORDER_##id,
	PANEL_ORDERS(PANEL_ORDER)
#undef PANEL_ORDER
		PANEL_ORDER_COUNT
};

/*
 * The parameters of an order, in elements. COLUMNS, ROWS and RINGS:
 *
 *   group   columns (COLUMNS), rows (ROWS) or size (RINGS) of the first group
 *   width   width of the panels or rings
 *   last    size down to which the last panels or rings shrink; 0: they do not
 *   slice   part of k that is loaded at a time for the first group
 *   tail    part of k that is loaded at a time for the panels or rings behind it, of products where
 *           all operands fit; 0: all of k
 *   finish  the same for the last panel or ring; 0: as tail
 *   across  of RINGS of a product, whose first group is a rectangle: its columns, where group are
 *           its rows; 0: as group
 *
 * RINGS of rank updates and gemmt: the first `group` of k comes in slices for the whole triangle,
 * then rings follow (less than a slice: none). BLOCKS: a block has group rows and width columns.
 */
struct panel_choice {
	enum panel_order order;
	int64_t group, width, last, slice, tail, finish, across;
};

/*
 * The problem of a plan. blas: sizes, flags and scalars; its addresses and leading dimensions are
 * not used. same: B is A, the same elements in memory. held: the operand has a place of its own on
 * the device, outside of the arena. A held A or B is there before the plan begins and is not
 * loaded; a held C is written there by the kernels, and stored from there (of products only).
 * moves: while a plan of a product is carried out the CPU may take over its last panels or rings.
 */
struct panel_problem {
	enum family family;
	enum element element;
	struct blas_call blas;
	bool same, moves, held[OPERAND_COUNT];
};

struct panel_plan {
	struct panel_choice choice;
	uint64_t arena_bytes;
	double time_ns; /* expected: panel_time_find of the plan, an estimate for a long plan */
	uint64_t load_bytes, store_bytes; /* bytes that cross the link */
	uint32_t count, kind_count[PANEL_KINDS];
	struct panel_step *steps;
};

/* The name of an order. */
const char *panel_plan_name_order(enum panel_order order);

/* Frees the steps and empties the plan. */
void panel_plan_free(struct panel_plan *plan);

/*
 * Slices and panels are multiples of this, except at the end of a dimension: 512 bytes of single
 * precision.
 */
enum { PANEL_GRAIN = 128 };

/* The choice, cut to the sizes of the problem and rounded up to whole grains. */
struct panel_choice panel_plan_cut_choice(const struct blas_call *blas,
                                          const struct panel_choice *choice);

/*
 * Bytes that cross the link; 0 of an A or B that is held. a: A, of a square one triangle. b: the
 * factor in panels, B or a C that is overwritten; 0 where each panel of A serves as a panel of B
 * too. c: C on its way back, of a triangle half. panel_b: b as if A and B were different.
 */
struct panel_bytes {
	double a, b, c, panel_b;
};
struct panel_bytes panel_plan_count_bytes(const struct panel_problem *problem);

#endif
