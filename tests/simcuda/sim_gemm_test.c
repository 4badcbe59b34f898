/* sim_gemm_test.c - the stand-in's gemm against a triple loop in long double */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_matrix.h"
#include "sim_rules.h"

struct shape {
	int m, n, k;
};

/* The last three cross the block boundaries of the implementation in each direction. */
static const struct shape shapes[] = {{1, 1, 1},    {2, 3, 4},     {5, 7, 0},   {8, 4, 16},
                                      {17, 9, 33},  {31, 30, 29},  {97, 5, 11}, {13, 1027, 3},
                                      {20, 6, 517}, {100, 10, 300}};

struct problem {
	char element;
	bool three; /* gemm3m */
	int transa, transb;
	struct shape s;
	double complex alpha, beta;
	struct sim_matrix a, b, c;
};

/* The allowed error grows with the sum of the magnitudes. */
static bool element_is_right(const struct problem *p, int i, int j, double complex got)
{
	long double complex sum = 0;
	long double magnitude = 0;
	for (int l = 0; l < p->s.k; l++) {
		double complex x = sim_matrix_get(&p->a, p->transa, i, l),
			       y = sim_matrix_get(&p->b, p->transb, l, j);
		sum += (long double complex)x * y;
		magnitude += (long double)(cabs(x) * cabs(y));
	}
	double complex old = p->c.values[i + (size_t)j * (size_t)p->c.ld];
	sum = sum * p->alpha + (long double complex)p->beta * old;
	magnitude =
		magnitude * (long double)cabs(p->alpha) + (long double)(cabs(p->beta) * cabs(old));
	/* gemm3m multiplies sums of the operands' parts, so its bound is larger. */
	double factor = (p->three ? 4 : 1) * sim_matrix_epsilon(p->element) * (4 + sqrt(p->s.k));
	return cabsl(sum - got) <= magnitude * (long double)factor;
}

/* Checks all of C's storage: the result, and the old values in the gaps between columns. */
static int wrong_elements(const struct problem *p, const void *device)
{
	struct sim_matrix got = sim_matrix_download(&p->c, device, p->element);
	int wrong = 0;
	for (int j = 0; j < p->c.columns; j++)
		for (int i = 0; i < p->c.ld; i++) {
			double complex value = *sim_matrix_at(&got, i, j);
			wrong += i < p->s.m
			                 ? !element_is_right(p, i, j, value)
			                 : !sim_matrix_is_same(value, *sim_matrix_at(&p->c, i, j));
		}
	sim_matrix_free(&got);
	return wrong;
}

typedef int gemm_function(SIM_PARAMETERS_gemm(int));

static gemm_function *gemm_of(char element, bool three)
{
	if (three)
		return element == 'C' ? cuda.cublasCgemm3m : cuda.cublasZgemm3m;
	return element == 'S'   ? cuda.cublasSgemm_v2
	       : element == 'D' ? cuda.cublasDgemm_v2
	       : element == 'C' ? cuda.cublasCgemm_v2
	                        : cuda.cublasZgemm_v2;
}

static void problem_run(void *handle, struct problem *p)
{
	char alpha[16], beta[16];
	bool is_complex = sim_matrix_is_complex(p->element);
	p->a = sim_matrix_new(p->transa ? p->s.k : p->s.m, p->transa ? p->s.m : p->s.k, is_complex);
	p->b = sim_matrix_new(p->transb ? p->s.n : p->s.k, p->transb ? p->s.k : p->s.n, is_complex);
	p->c = sim_matrix_new(p->s.m, p->s.n, is_complex);
	void *a = sim_matrix_upload(&p->a, p->element), *b = sim_matrix_upload(&p->b, p->element),
	     *c = sim_matrix_upload(&p->c, p->element);
	sim_matrix_pack(p->element, p->alpha, alpha);
	sim_matrix_pack(p->element, p->beta, beta);
	CHECK_IS(gemm_of(p->element, p->three)(handle, p->transa, p->transb, p->s.m, p->s.n, p->s.k,
	                                       alpha, a, p->a.ld, b, p->b.ld, beta, c, p->c.ld),
	         0);
	if (!CHECK_IS(wrong_elements(p, c), 0))
		printf("    %cgemm%s %d %d, %d x %d x %d\n", p->element, p->three ? "3m" : "",
		       p->transa, p->transb, p->s.m, p->s.n, p->s.k);
	cuda.cudaFree(a);
	cuda.cudaFree(b);
	cuda.cudaFree(c);
	sim_matrix_free(&p->a);
	sim_matrix_free(&p->b);
	sim_matrix_free(&p->c);
}

static void element_run(char element, bool three)
{
	const double complex scalars[][2] = {
		{1, 0}, {-0.5, 1}, {1.25, 0.75}, {2 - 0.5 * I, 0.25 + I}};
	void *handle = NULL;
	CHECK_IS(cuda.cublasCreate_v2(&handle), 0);
	int count = sim_matrix_is_complex(element) ? 4 : 3;
	for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
		for (int ops = 0; ops < 9; ops++) {
			const double complex *pair = scalars[(s + (size_t)ops) % (size_t)count];
			struct problem p = {.element = element,
			                    .three = three,
			                    .transa = ops % 3,
			                    .transb = ops / 3,
			                    .s = shapes[s],
			                    .alpha = pair[0],
			                    .beta = pair[1]};
			problem_run(handle, &p);
		}
}

static void sgemm_is_right(void)
{
	element_run('S', false);
}

static void dgemm_is_right(void)
{
	element_run('D', false);
}

static void cgemm_is_right(void)
{
	element_run('C', false);
}

static void zgemm_is_right(void)
{
	element_run('Z', false);
}

static void gemm3m_is_right(void)
{
	element_run('C', true);
	element_run('Z', true);
}

int main(int count, char **arguments)
{
	static const struct rule gemm_rules[] = {
		{"gemm: S", RULE_ANYWHERE, NULL, sgemm_is_right},
		{"gemm: D", RULE_ANYWHERE, NULL, dgemm_is_right},
		{"gemm: C", RULE_ANYWHERE, NULL, cgemm_is_right},
		{"gemm: Z", RULE_ANYWHERE, NULL, zgemm_is_right},
		{"gemm3m: C and Z", RULE_ANYWHERE, NULL, gemm3m_is_right},
		{0},
	};
	static const struct rule *const lists[] = {gemm_rules, NULL};
	const char *folder = count > 1 && strcmp(arguments[1], "-") ? arguments[1] : NULL;
	return rules_run(folder, count > 2 ? atoi(arguments[2]) : 0, lists);
}
