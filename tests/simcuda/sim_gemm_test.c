/* sim_gemm_test.c - the stand-in's gemm against a triple loop in long double */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_rules.h"

struct shape {
	int m, n, k;
};

/* The last three cross the blocks of the implementation in each direction. */
static const struct shape shapes[] = {{1, 1, 1},    {2, 3, 4},   {5, 7, 0},     {8, 4, 16},   {17, 9, 33},
                                      {31, 30, 29}, {97, 5, 11}, {13, 1027, 3}, {20, 6, 517}, {100, 10, 300}};

/* One matrix on the host, elements as pairs of doubles whatever its type. */
struct matrix {
	int rows, columns, ld;
	double complex *values;
};

static uint64_t random_state = 88172645463325252u;

static double random_value(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	/* few enough bits to be exact in single precision */
	return (double)(int64_t)(random_state % 4001) / 1000.0 - 2.0;
}

static struct matrix matrix_new(int rows, int columns, bool is_complex)
{
	struct matrix made = {rows, columns, rows + 3, NULL};
	size_t count = (size_t)made.ld * (size_t)(columns ? columns : 1);
	made.values = malloc(count * sizeof *made.values);
	for (size_t i = 0; i < count; i++)
		made.values[i] = (double)(float)random_value() + (is_complex ? (double)(float)random_value() : 0) * I;
	return made;
}

static size_t pack(char element, double complex value, char *to)
{
	float single[2] = {(float)creal(value), (float)cimag(value)};
	double wide[2] = {creal(value), cimag(value)};
	size_t size = element == 'S' ? 4 : element == 'Z' ? 16 : 8;
	memcpy(to, element == 'S' || element == 'C' ? (void *)single : (void *)wide, size);
	return size;
}

static double complex unpack(char element, const char *from)
{
	float single[2] = {0, 0};
	double wide[2] = {0, 0};
	if (element == 'S' || element == 'C') {
		memcpy(single, from, element == 'S' ? 4 : 8);
		return (double)single[0] + (double)single[1] * I;
	}
	memcpy(wide, from, element == 'D' ? 8 : 16);
	return wide[0] + wide[1] * I;
}

static void *upload(const struct matrix *a, char element)
{
	size_t count = (size_t)a->ld * (size_t)(a->columns ? a->columns : 1), used = 0;
	char *bytes = malloc(count * 16);
	for (size_t i = 0; i < count; i++)
		used += pack(element, a->values[i], bytes + used);
	void *device = rules_device_copy(bytes, used);
	free(bytes);
	return device;
}

static double complex operand_at(const struct matrix *a, int transposition, int row, int column)
{
	if (transposition == 0)
		return a->values[row + (size_t)column * (size_t)a->ld];
	double complex value = a->values[column + (size_t)row * (size_t)a->ld];
	return transposition == 2 ? conj(value) : value;
}

struct problem {
	char element;
	int transa, transb;
	struct shape s;
	double complex alpha, beta;
	struct matrix a, b, c;
};

/* The allowed error grows with the sum of the magnitudes. */
static bool element_is_right(const struct problem *p, int i, int j, double complex got)
{
	long double complex sum = 0;
	long double magnitude = 0;
	for (int l = 0; l < p->s.k; l++) {
		double complex x = operand_at(&p->a, p->transa, i, l), y = operand_at(&p->b, p->transb, l, j);
		sum += (long double complex)x * y;
		magnitude += (long double)(cabs(x) * cabs(y));
	}
	double complex old = p->c.values[i + (size_t)j * (size_t)p->c.ld];
	sum = sum * p->alpha + (long double complex)p->beta * old;
	magnitude = magnitude * (long double)cabs(p->alpha) + (long double)(cabs(p->beta) * cabs(old));
	double epsilon = p->element == 'S' || p->element == 'C' ? FLT_EPSILON : DBL_EPSILON;
	return cabsl(sum - got) <= magnitude * (long double)(epsilon * (4 + sqrt(p->s.k)));
}

/* All of C's storage: the result inside, the old values between the columns. */
static int wrong_elements(const struct problem *p, const void *device)
{
	size_t count = (size_t)p->c.ld * (size_t)p->c.columns;
	size_t size = p->element == 'S' ? 4 : p->element == 'Z' ? 16 : 8;
	char *bytes = malloc(count * size);
	int wrong = 0;
	rules_read_back(bytes, device, count * size);
	for (size_t at = 0; at < count; at++) {
		int i = (int)(at % (size_t)p->c.ld), j = (int)(at / (size_t)p->c.ld);
		double complex got = unpack(p->element, bytes + at * size);
		wrong += i < p->s.m ? !element_is_right(p, i, j, got) : got != p->c.values[at];
	}
	free(bytes);
	return wrong;
}

typedef int gemm_function(SIM_GEMM_PARAMETERS(int));

static gemm_function *gemm_of(char element)
{
	return element == 'S'   ? cuda.cublasSgemm_v2
	       : element == 'D' ? cuda.cublasDgemm_v2
	       : element == 'C' ? cuda.cublasCgemm_v2
	                        : cuda.cublasZgemm_v2;
}

static void problem_run(void *handle, struct problem *p)
{
	char alpha[16], beta[16];
	bool is_complex = p->element == 'C' || p->element == 'Z';
	p->a = matrix_new(p->transa ? p->s.k : p->s.m, p->transa ? p->s.m : p->s.k, is_complex);
	p->b = matrix_new(p->transb ? p->s.n : p->s.k, p->transb ? p->s.k : p->s.n, is_complex);
	p->c = matrix_new(p->s.m, p->s.n, is_complex);
	void *a = upload(&p->a, p->element), *b = upload(&p->b, p->element), *c = upload(&p->c, p->element);
	pack(p->element, p->alpha, alpha);
	pack(p->element, p->beta, beta);
	CHECK_IS(gemm_of(p->element)(handle, p->transa, p->transb, p->s.m, p->s.n, p->s.k, alpha, a, p->a.ld, b,
	                             p->b.ld, beta, c, p->c.ld),
	         0);
	if (!CHECK_IS(wrong_elements(p, c), 0))
		printf("    %cgemm %d %d, %d x %d x %d\n", p->element, p->transa, p->transb, p->s.m, p->s.n, p->s.k);
	cuda.cudaFree(a);
	cuda.cudaFree(b);
	cuda.cudaFree(c);
	free(p->a.values);
	free(p->b.values);
	free(p->c.values);
}

static void element_run(char element)
{
	const double complex scalars[][2] = {{1, 0}, {-0.5, 1}, {1.25, 0.75}, {2 - 0.5 * I, 0.25 + I}};
	void *handle = NULL;
	CHECK_IS(cuda.cublasCreate_v2(&handle), 0);
	int count = element == 'C' || element == 'Z' ? 4 : 3;
	for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
		for (int ops = 0; ops < 9; ops++) {
			const double complex *pair = scalars[(s + (size_t)ops) % (size_t)count];
			struct problem p = {.element = element,
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
	element_run('S');
}

static void dgemm_is_right(void)
{
	element_run('D');
}

static void cgemm_is_right(void)
{
	element_run('C');
}

static void zgemm_is_right(void)
{
	element_run('Z');
}

int main(int count, char **arguments)
{
	static const struct rule gemm_rules[] = {
		{"gemm: S", RULE_ANYWHERE, NULL, sgemm_is_right},
		{"gemm: D", RULE_ANYWHERE, NULL, dgemm_is_right},
		{"gemm: C", RULE_ANYWHERE, NULL, cgemm_is_right},
		{"gemm: Z", RULE_ANYWHERE, NULL, zgemm_is_right},
		{0},
	};
	static const struct rule *const lists[] = {gemm_rules, NULL};
	const char *folder = count > 1 && strcmp(arguments[1], "-") ? arguments[1] : NULL;
	return rules_run(folder, count > 2 ? atoi(arguments[2]) : 0, lists);
}
