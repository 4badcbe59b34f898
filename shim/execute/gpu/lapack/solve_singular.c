/* solve_singular.c - steps of recipes: singular values */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/solve.h"

/* As cudaMalloc aligns. */
enum { SINGULAR_ALIGNMENT_BYTES = 256 };

/*
 * cuSOLVER takes a tall matrix, of no fewer rows than columns: A, or (wide) its conjugate
 * transpose, whose left vectors are the right ones of A. left, right: LAPACK's letters for the
 * vectors of the tall one. right_vectors: their conjugate transpose, as gesvd writes them, or
 * (gesvdp) themselves. bytes: of the spare memory, for what is not an operand of the call.
 */
struct singular {
	bool wide;
	char left, right;
	struct solve_array tall, left_vectors, right_vectors;
	uint64_t bytes;
};

/* Where only the sizes count, any memory will do. */
static struct solve_array solve_singular_take(const struct solve *solve, struct singular *s,
                                              int64_t rows, int64_t columns)
{
	char *memory = solve->measures ? solve->array[LAPACK_A].memory : solve->spare + s->bytes;
	const uint64_t bytes =
		(uint64_t)rows * (uint64_t)columns * element_size_bytes(solve->call.element);
	s->bytes += bytes + (SINGULAR_ALIGNMENT_BYTES - bytes % SINGULAR_ALIGNMENT_BYTES) %
	                            SINGULAR_ALIGNMENT_BYTES;
	return (struct solve_array){memory, rows, columns, rows};
}

/* An array that is not there, with a leading dimension that is legal. */
static struct solve_array solve_singular_none(int64_t rows)
{
	return (struct solve_array){NULL, rows, 0, rows};
}

static struct singular solve_singular_begin(const struct solve *solve, char jobu, char jobvt)
{
	const struct solve_array *a = &solve->array[LAPACK_A];
	const bool wide = a->rows < a->columns;
	return (struct singular){.wide = wide,
	                         .left = wide ? jobvt : jobu,
	                         .right = wide ? jobu : jobvt,
	                         .tall = *a};
}

/* The tall matrix as a copy, so that A remains. */
static void solve_singular_copy(struct solve *solve, struct singular *s)
{
	const struct solve_array *a = &solve->array[LAPACK_A];
	s->tall = solve_singular_take(solve, s, s->wide ? a->columns : a->rows,
	                              s->wide ? a->rows : a->columns);
	if (s->wide) {
		solve_turn(solve, a, &s->tall);
		return;
	}
	if (!solve_begin_as(solve, "copy", true) || solve->measures)
		return;
	solve_end_copy(solve, solve->lane->api->memcpy_async(
				      s->tall.memory, a->memory,
				      (uint64_t)a->rows * (uint64_t)a->columns *
					      element_size_bytes(solve->call.element),
				      CUDA_COPY_BY_ADDRESS, solve->lane->stream));
}

static void solve_singular_need(struct solve *solve, const struct singular *s)
{
	if (solve->measures && s->bytes > solve->room.spare_bytes)
		solve->room.spare_bytes = s->bytes;
}

/* -- by the polar decomposition: both sides' vectors, or none ---------------------------------- */

static bool solve_singular_is_bare(const struct singular *s)
{
	return s->left == 'N' && s->right == 'N';
}

/* Right vectors need no turn where they are those of U. */
static void solve_singular_place_polar(struct solve *solve, struct singular *s)
{
	const int64_t m = s->tall.rows, n = s->tall.columns;
	const struct solve_array *u = &solve->array[LAPACK_U];
	const bool left_is_u = !s->wide && u->memory != NULL,
		   right_is_u = s->wide && u->memory != NULL;
	s->left_vectors = solve_singular_none(m);
	s->right_vectors = solve_singular_none(n);
	if (solve_singular_is_bare(s))
		return;
	s->left_vectors = left_is_u ? *u : solve_singular_take(solve, s, m, s->left == 'A' ? m : n);
	s->right_vectors = right_is_u ? *u : solve_singular_take(solve, s, n, n);
}

static void solve_singular_run_polar(struct solve *solve, const struct singular *s)
{
	const struct cuda_solver *api = solve->api;
	const struct solve_array *t = &s->tall, *u = &s->left_vectors, *v = &s->right_vectors,
				 *w = &solve->array[LAPACK_W];
	const int type = solve_type(solve), real = solve_real_type(solve), thin = s->left != 'A',
		  job = solve_singular_is_bare(s) ? CUSOLVER_VECTORS_NONE : CUSOLVER_VECTORS;
	size_t device_bytes = 0, host_bytes = 0;
	if (!solve_begin_as(solve, "gesvdp", api->gesvdp_size != NULL && api->gesvdp != NULL))
		return;
	if (!solve->measures) {
		solve_end(solve, api->gesvdp(solve->handle, solve->params, job, thin, t->rows,
		                             t->columns, type, t->memory, t->ld, real, w->memory,
		                             type, u->memory, u->ld, type, v->memory, v->ld, type,
		                             solve->work, solve->room.device_bytes,
		                             solve->host_work, solve->room.host_bytes,
		                             solve_next_info(solve), &solve->moved));
		return;
	}
	const int status =
		api->gesvdp_size(solve->handle, solve->params, job, thin, t->rows, t->columns, type,
	                         t->memory, t->ld, real, w->memory, type, u->memory, u->ld, type,
	                         v->memory, v->ld, type, &device_bytes, &host_bytes);
	solve_need(solve, status, device_bytes, host_bytes);
}

bool solve_gesvdp(struct solve *solve, char jobu, char jobvt)
{
	const struct solve_array *vt = &solve->array[LAPACK_VT];
	struct singular s = solve_singular_begin(solve, jobu, jobvt);
	const bool has = solve->api->gesvdp_size != NULL && solve->api->gesvdp != NULL;
	if (solve->frugal || !(has || solve->tells))
		return false;
	solve_singular_copy(solve, &s);
	solve_singular_place_polar(solve, &s);
	solve_singular_need(solve, &s);
	solve_singular_run_polar(solve, &s);
	/* What was moved is told when the step is done. */
	if (!solve_begin_as(solve, NULL, true))
		return true;
	if (!solve->measures && !(solve->moved == 0))
		return false;
	solve_turn(solve, s.wide ? &s.left_vectors : &s.right_vectors, vt);
	return true;
}

/* -- by the bidiagonal form: the vectors of either side ---------------------------------------- */

static void solve_singular_place_bidiagonal(struct solve *solve, struct singular *s)
{
	const int64_t m = s->tall.rows, n = s->tall.columns;
	s->left_vectors = solve->array[LAPACK_U];
	s->right_vectors = solve->array[LAPACK_VT];
	if (s->wide && s->left != 'N')
		s->left_vectors = solve_singular_take(solve, s, m, s->left == 'A' ? m : n);
	if (s->wide && s->right != 'N')
		s->right_vectors = solve_singular_take(solve, s, n, n);
	if (s->left == 'N')
		s->left_vectors = solve_singular_none(m);
	if (s->right == 'N')
		s->right_vectors = solve_singular_none(n);
}

static void solve_singular_run_bidiagonal(struct solve *solve, const struct singular *s)
{
	const struct cuda_solver *api = solve->api;
	const struct solve_array *t = &s->tall, *u = &s->left_vectors, *vt = &s->right_vectors,
				 *w = &solve->array[LAPACK_W];
	const int type = solve_type(solve), real = solve_real_type(solve);
	const signed char left = (signed char)s->left, right = (signed char)s->right;
	size_t device_bytes = 0, host_bytes = 0;
	if (!solve_begin_as(solve, "gesvd", api->gesvd_size != NULL && api->gesvd != NULL))
		return;
	if (!solve->measures) {
		solve_end(solve, api->gesvd(solve->handle, solve->params, left, right, t->rows,
		                            t->columns, type, t->memory, t->ld, real, w->memory,
		                            type, u->memory, u->ld, type, vt->memory, vt->ld, type,
		                            solve->work, solve->room.device_bytes, solve->host_work,
		                            solve->room.host_bytes, solve_next_info(solve)));
		return;
	}
	const int status =
		api->gesvd_size(solve->handle, solve->params, left, right, t->rows, t->columns,
	                        type, t->memory, t->ld, real, w->memory, type, u->memory, u->ld,
	                        type, vt->memory, vt->ld, type, &device_bytes, &host_bytes);
	solve_need(solve, status, device_bytes, host_bytes);
}

void solve_gesvd(struct solve *solve, char jobu, char jobvt)
{
	struct singular s = solve_singular_begin(solve, jobu, jobvt);
	if (s.wide)
		solve_singular_copy(solve, &s);
	solve_singular_place_bidiagonal(solve, &s);
	solve_singular_need(solve, &s);
	solve_singular_run_bidiagonal(solve, &s);
	if (!s.wide)
		return;
	solve_turn(solve, &s.left_vectors, &solve->array[LAPACK_VT]);
	solve_turn(solve, &s.right_vectors, &solve->array[LAPACK_U]);
}
