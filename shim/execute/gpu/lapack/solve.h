/* solve.h - one LAPACK call on a device: its arrays there, and the steps of recipes */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_SOLVE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_SOLVE_H

#include "policy/call/lapack_operand.h"
#include "shim/execute/gpu/cuda/cuda_solver.h"
#include "shim/execute/gpu/device/lanes.h"

/* Most steps of a recipe that report an info. */
enum { SOLVE_INFOS = 4 };
/* Of the names of a recipe's steps, one after the other. */
enum { SOLVE_STEPS_BYTES = 64 };

/* Workspace, on the device and on the host; spare: memory of the recipe's own on the device. */
struct solve_room {
	uint64_t device_bytes, host_bytes, spare_bytes;
};

/* An operand on the device, column-major. Pivots are int64_t there. memory NULL: there is none. */
struct solve_array {
	char *memory;
	int64_t rows, columns, ld;
};

/*
 * A call for its recipe. measures: steps compute nothing, and enlarge room to what they need; else
 * room is what they have, from work and host_work on. tells: a measurement without a device, which
 * notes the steps that the call would take; api and the lane's have no functions, so that room is
 * what the recipe needs beside their workspace. The first step that fails sets reason, and the
 * steps after it do nothing. info: of each step, on the device; infos: written so far. The
 * addresses in call are the program's, and not followed here.
 */
struct solve {
	const struct cuda_solver *api;
	struct lane *lane;
	void *handle, *params;
	struct call call;
	struct solve_array array[LAPACK_NAMES];
	bool measures, tells, frugal; /* frugal: with little workspace, if more slowly */
	struct solve_room room;
	char *work, *spare;
	void *host_work;
	int64_t found;    /* eigenvalues; written by the step */
	double bounds[2]; /* of an interval of eigenvalues; not used */
	double moved;     /* by gesvdp: how far singular values are from those of A */
	int count;        /* as found, of functions of one element */
	int *info, infos;
	void *tail; /* on the host; the device's begins with info */
	uint64_t tail_bytes;
	enum reason reason;
	char steps[SOLVE_STEPS_BYTES]; /* that were begun, to be told */
};

/* CUDA's number of an element type. */
int solve_find_type(enum element element);

/* Of a status of cuSOLVER. */
enum reason solve_judge_status(int status);

/* -- steps: cuSOLVER's functions -- */

/* A := its factors L and U, with pivots in IPIV. */
void solve_getrf(struct solve *solve);
/* B := X of op(A) X = B, with A and IPIV from getrf. */
void solve_getrs(struct solve *solve, enum transpose trans);
/* The triangle of A that the call names := its Cholesky factor. */
void solve_potrf(struct solve *solve);
/* B := X of A X = B, with A from potrf. */
void solve_potrs(struct solve *solve);

/* A := the inverse of the triangle that the call names. */
void solve_trtri(struct solve *solve);
/* A := the same triangle of the inverse of the matrix that it is the Cholesky factor of. */
void solve_potri(struct solve *solve);
/* W := eigenvalues; A := eigenvectors, if the call asks for them. */
void solve_syevd(struct solve *solve);
/* The same for those from number il to iu; their vectors are the first columns of A. */
void solve_syevdx(struct solve *solve);
/* The same for the pencil of A and B, whose triangle becomes B's Cholesky factor. */
void solve_sygvd(struct solve *solve);
void solve_sygvdx(struct solve *solve);
/*
 * W := eigenvalues of a matrix of any kind; VT := right eigenvectors, if the call asks for them. Of
 * real elements the eigenvalues go to the spare memory, and from there their real parts to W, and
 * the imaginary ones to WI.
 */
void solve_geev(struct solve *solve);
void solve_part_values(struct solve *solve);

/* A := R and the reflectors of Q, with TAU. */
void solve_geqrf(struct solve *solve);
/* A := the first columns of Q. */
void solve_orgqr(struct solve *solve);
/* B := op(Q) B or B op(Q). */
void solve_ormqr(struct solve *solve, enum side side, enum transpose trans);
/* REASON_NOT_SOLVED: a zero is on the diagonal of R, which trsm does not look for. */
void solve_judge_diagonal(struct solve *solve);
/* The first rows of B := X of op(R) X = those rows, R the upper triangle of A's first rows. */
void solve_trsm(struct solve *solve, enum transpose trans);
/* The other rows of B := 0. */
void solve_clear_rest(struct solve *solve);
/*
 * W := singular values; U and VT as LAPACK's letters jobu and jobvt say. gesvdp is the faster one:
 * false where there is none, or no memory for it, or where its values are those of another matrix;
 * A is as before then.
 */
bool solve_gesvdp(struct solve *solve, char jobu, char jobvt);
void solve_gesvd(struct solve *solve, char jobu, char jobvt);

/* -- steps: arrays ----------------------------------------------------------------------------- */

/* TAU := room for A's reflectors, in the spare memory. */
void solve_make_tau(struct solve *solve);
/* B := the unit matrix of A's order, in the spare memory. */
void solve_make_unit(struct solve *solve);
/* Copies the columns that both have. */
void solve_copy(struct solve *solve, enum lapack_name from, enum lapack_name to);
/* to := the conjugate transpose of from; nothing where either is not there. */
void solve_turn(struct solve *solve, const struct solve_array *from, const struct solve_array *to);

/* -- for solve_*.c ----------------------------------------------------------------------------- */

/*
 * Whether the step that asks is done. has: this cuSOLVER has its functions. name: the step's
 * function; the part behind solve_ goes to steps, unless the step measures and does not tell. NULL:
 * no word. has is evaluated again behind the call, for static analysers that do not see into it.
 */
#define solve_begin_as(solve, name, has) (solve_begin_step(solve, name, has) && (has))
#define solve_begin(solve, has) solve_begin_as(solve, __func__, has)
bool solve_begin_step(struct solve *solve, const char *name, bool has);
/* Adds a word to steps, if it has room there. */
void solve_tell(struct solve *solve, const char *word);
/* The first reason is kept. */
void solve_fail(struct solve *solve, enum reason reason);
/* Of a status of cuSOLVER or cuBLAS, or an error of CUDA; then of a measurement. */
void solve_end(struct solve *solve, int status);
void solve_end_blas(struct solve *solve, int status);
void solve_end_copy(struct solve *solve, int error);
void solve_need(struct solve *solve, int status, size_t device_bytes, size_t host_bytes);
/* Where the next step writes its info. */
int *solve_next_info(struct solve *solve);
/* The function of the call's element, whose sizes and workspace (in elements) are of type int. */
#define SOLVE_CHOOSE(solve, s, d, c, z)                                                            \
	((solve)->call.element == ELEMENT_S   ? (s)                                                \
	 : (solve)->call.element == ELEMENT_D ? (d)                                                \
	 : (solve)->call.element == ELEMENT_C ? (c)                                                \
	                                      : (z))
#define SOLVE_CALL(solve, field, ...)                                                              \
	SOLVE_CHOOSE(solve, (solve)->api->field##_s(__VA_ARGS__),                                  \
	             (solve)->api->field##_d(__VA_ARGS__), (solve)->api->field##_c(__VA_ARGS__),   \
	             (solve)->api->field##_z(__VA_ARGS__))
#define SOLVE_HAS(solve, field)                                                                    \
	SOLVE_CHOOSE(solve, (solve)->api->field##_s != NULL, (solve)->api->field##_d != NULL,      \
	             (solve)->api->field##_c != NULL, (solve)->api->field##_z != NULL)
bool solve_is_narrow(const struct solve *solve);
int solve_count_work(const struct solve *solve);
void solve_need_elements(struct solve *solve, int status, int count);
/* Arguments of the vendor's. */
int solve_type(const struct solve *solve);
int solve_real_type(const struct solve *solve);
int solve_triangle(const struct solve *solve);
int solve_operation(const struct solve *solve, enum transpose trans);
int solve_job(const struct solve *solve);

#endif
