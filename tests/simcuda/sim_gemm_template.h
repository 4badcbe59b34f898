/* sim_gemm_template.h - the body of sim_gemm.c for one element: define REAL, PARTS, NAME, ROUND */
/* SPDX-License-Identifier: Apache-2.0 */

#if !defined(REAL) || !defined(PARTS) || !defined(NAME) || !defined(ROUND)
#error "sim_gemm_template.h is a body to be included by sim_gemm.c"
#endif

#define VECTOR NAME(vector)
#define LANES (VECTOR_BYTES / sizeof(REAL))
/*
 * Complex tiles have a real and an imaginary plane, so that they need the same number of registers
 * as real tiles.
 */
#define PLANE_VECTORS (TILE_VECTORS / PARTS)
#define TILE_M (PLANE_VECTORS * LANES)

typedef REAL VECTOR __attribute__((vector_size(VECTOR_BYTES), aligned(VECTOR_BYTES)));

/*
 * Packs `along` x `across` elements of an operand into tiles of `tile` in the along direction. The
 * planes are separate; the last tile is padded with zeros.
 */
static void NAME(pack)(REAL *to, const REAL *from, ptrdiff_t along_step, ptrdiff_t across_step,
                       size_t along, size_t across, size_t tile, REAL imaginary_sign, int digits)
{
	(void)imaginary_sign;
	for (size_t first = 0; first < along; first += tile) {
		size_t used = smaller(tile, along - first);
		for (size_t p = 0; p < across; p++, to += PARTS * tile) {
			const REAL *source = from + PARTS * ((ptrdiff_t)first * along_step +
			                                     (ptrdiff_t)p * across_step);
			memset(to, 0, PARTS * tile * sizeof(REAL));
			for (size_t i = 0; i < used; i++, source += PARTS * along_step) {
				to[i] = ROUND(source[0], digits);
#if PARTS == 2
				to[tile + i] = imaginary_sign * ROUND(source[1], digits);
#endif
			}
		}
	}
}

/* One tile: planes[part][column][row] = sum over k of a packed tile of A times one of B. */
static inline __attribute__((always_inline)) void NAME(tile_body)(size_t k, const REAL *a,
                                                                  const REAL *b, REAL *planes)
{
	VECTOR sum[PARTS][TILE_N][PLANE_VECTORS];
	memset(sum, 0, sizeof sum);
	for (size_t p = 0; p < k; p++, a += PARTS * TILE_M, b += PARTS * TILE_N) {
		const VECTOR *column = (const VECTOR *)(const void *)a;
		for (int j = 0; j < TILE_N; j++)
			for (size_t v = 0; v < PLANE_VECTORS; v++) {
				sum[0][j][v] += column[v] * b[j];
#if PARTS == 2
				sum[0][j][v] -= column[PLANE_VECTORS + v] * b[TILE_N + j];
				sum[1][j][v] += column[v] * b[TILE_N + j];
				sum[1][j][v] += column[PLANE_VECTORS + v] * b[j];
#endif
			}
	}
	memcpy(planes, sum, sizeof sum);
}

static void NAME(tile_narrow)(size_t k, const REAL *a, const REAL *b, REAL *planes)
{
	NAME(tile_body)(k, a, b, planes);
}

WIDE_TARGET static void NAME(tile_wide)(size_t k, const REAL *a, const REAL *b, REAL *planes)
{
	NAME(tile_body)(k, a, b, planes);
}

/* Writes alpha * product + beta * C into one element. fresh: beta is 0 and C must not be read. */
static inline void NAME(store)(REAL *c, const REAL *product, size_t plane, const REAL *alpha,
                               const REAL *beta, bool fresh)
{
#if PARTS == 2
	REAL re = alpha[0] * product[0] - alpha[1] * product[plane];
	REAL im = alpha[0] * product[plane] + alpha[1] * product[0];
	REAL old_re = fresh ? 0 : beta[0] * c[0] - beta[1] * c[1];
	REAL old_im = fresh ? 0 : beta[0] * c[1] + beta[1] * c[0];
	c[0] = fresh ? re : re + old_re;
	c[1] = fresh ? im : im + old_im;
#else
	(void)plane;
	c[0] = fresh ? alpha[0] * product[0] : alpha[0] * product[0] + beta[0] * c[0];
#endif
}

struct NAME(job) {
	void (*tile)(size_t k, const REAL *a, const REAL *b, REAL *planes);
	const REAL *alpha, *beta;
	bool fresh;
	REAL *c;
	size_t ldc;
};

/* rows x columns of C from one packed block of A and one of B. */
static void NAME(block)(const struct NAME(job) * job, size_t rows, size_t columns, size_t k,
                        const REAL *a, const REAL *b)
{
	REAL planes[PARTS * TILE_N * TILE_M] __attribute__((aligned(VECTOR_BYTES)));
	const size_t plane = TILE_N * TILE_M;
	for (size_t j = 0; j < columns; j += TILE_N)
		for (size_t i = 0; i < rows; i += TILE_M) {
			job->tile(k, a + PARTS * i * k, b + PARTS * j * k, planes);
			for (size_t jj = 0; jj < smaller(TILE_N, columns - j); jj++)
				for (size_t ii = 0; ii < smaller(TILE_M, rows - i); ii++)
					NAME(store)
			(job->c + PARTS * (i + ii + (j + jj) * job->ldc), planes + jj * TILE_M + ii,
			 plane, job->alpha, job->beta, job->fresh);
		}
}

/* One slice of k, all of C: the first slice applies beta, the others add. */
static void NAME(slice)(const struct sim_gemm *g, struct NAME(job) job, size_t p, size_t depth,
                        REAL *packed_a, REAL *packed_b)
{
	const REAL *a = g->a.data, *b = g->b.data;
	REAL *c = job.c;
	for (size_t j = 0; j < g->n; j += BLOCK_N) {
		size_t columns = smaller(BLOCK_N, g->n - j);
		NAME(pack)
		(packed_b,
		 b + PARTS * ((ptrdiff_t)p * g->b.row_step + (ptrdiff_t)j * g->b.column_step),
		 g->b.column_step, g->b.row_step, columns, depth, TILE_N, g->b.conjugate ? -1 : 1,
		 g->digits);
		for (size_t i = 0; i < g->m; i += BLOCK_M) {
			size_t rows = smaller(BLOCK_M, g->m - i);
			NAME(pack)
			(packed_a,
			 a + PARTS * ((ptrdiff_t)i * g->a.row_step +
			              (ptrdiff_t)p * g->a.column_step),
			 g->a.row_step, g->a.column_step, rows, depth, TILE_M,
			 g->a.conjugate ? -1 : 1, g->digits);
			job.c = c + PARTS * (i + j * job.ldc);
			NAME(block)(&job, rows, columns, depth, packed_a, packed_b);
		}
	}
}

/* k is 0: C := beta C, or zeros. */
static void NAME(scale)(const struct NAME(job) * job, size_t m, size_t n)
{
	const REAL nothing[2] = {0, 0};
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < m; i++)
			NAME(store)
	(job->c + PARTS * (i + j * job->ldc), nothing, PARTS - 1, nothing, job->beta, job->fresh);
}

static bool NAME(gemm)(const struct sim_gemm *g)
{
	const REAL one[2] = {1, 0}, *beta = g->beta;
	/* Only what this product needs: tests make hundreds of thousands of tiny products. */
	const size_t depth = smaller(BLOCK_K, g->k) * PARTS * sizeof(REAL);
	const size_t a_bytes = round_up(smaller(BLOCK_M, g->m), TILE_M) * depth;
	const size_t b_bytes = round_up(smaller(BLOCK_N, g->n), TILE_N) * depth;
	struct NAME(job)
		job = {wide_is_supported() ? NAME(tile_wide) : NAME(tile_narrow), g->alpha, beta,
	               beta[0] == 0 && (PARTS == 1 || beta[PARTS - 1] == 0),      g->c,     g->ldc};
	if (!g->k) {
		NAME(scale)(&job, g->m, g->n);
		return true;
	}
	REAL *packed_a = aligned_alloc(64, round_up(a_bytes, 64));
	REAL *packed_b = aligned_alloc(64, round_up(b_bytes, 64));
	for (size_t p = 0; packed_a && packed_b && p < g->k; p += BLOCK_K) {
		NAME(slice)(g, job, p, smaller(BLOCK_K, g->k - p), packed_a, packed_b);
		job.beta = one;
		job.fresh = false;
	}
	free(packed_a);
	free(packed_b);
	return packed_a && packed_b;
}

#undef VECTOR
#undef LANES
#undef PLANE_VECTORS
#undef TILE_M
#undef REAL
#undef PARTS
#undef NAME
#undef ROUND
