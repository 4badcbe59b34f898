/* sim_rules_geam.c - the rules of cuBLAS geam: every transposition, factors of 0, in place */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <math.h>

#include "sim_matrix.h"
#include "sim_rules.h"

enum {
	M = 5,
	N = 3,
	PLAIN = SIM_TRANS_N,
	TURNED = SIM_TRANS_T,
	BAD = SIM_CUBLAS_STATUS_INVALID_VALUE
};
static const double zero[2] = {0, 0}, one[2] = {1, 0}, two[2] = {2, 0};

static __typeof__(cublasSgeam) *geam_of(char element)
{
	switch (element) {
	case 'S': return cuda.cublasSgeam;
	case 'D': return cuda.cublasDgeam;
	case 'C': return cuda.cublasCgeam;
	default: return cuda.cublasZgeam;
	}
}

/* An operand whose transposition has M x N elements. */
static struct sim_matrix operand(int trans, bool is_complex)
{
	return sim_matrix_new(trans == PLAIN ? M : N, trans == PLAIN ? N : M, is_complex);
}

static void sum_run(void *handle, char element, int transa, int transb)
{
	const bool is_complex = sim_matrix_is_complex(element);
	const double complex factors[2] = {sim_matrix_value(0.5, is_complex ? 2 : 0),
	                                   sim_matrix_value(-1, is_complex ? 0.25 : 0)};
	char alpha[16], beta[16];
	struct sim_matrix a = operand(transa, is_complex), b = operand(transb, is_complex),
			  c = operand(PLAIN, is_complex);
	void *on[3] = {sim_matrix_upload(&a, element), sim_matrix_upload(&b, element),
	               sim_matrix_upload(&c, element)};
	sim_matrix_pack(element, factors[0], alpha);
	sim_matrix_pack(element, factors[1], beta);
	CHECK_IS(geam_of(element)(handle, transa, transb, M, N, alpha, on[0], a.ld, beta, on[1],
	                          b.ld, on[2], c.ld),
	         0);
	struct sim_matrix got = sim_matrix_download(&c, on[2], element);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < c.ld; i++) {
			const double complex at = *sim_matrix_at(&got, i, j);
			if (i >= M) {
				CHECK(sim_matrix_is_same(at, *sim_matrix_at(&c, i, j)));
				continue;
			}
			const double complex wanted =
				factors[0] * sim_matrix_get(&a, transa, i, j) +
				factors[1] * sim_matrix_get(&b, transb, i, j);
			CHECK(cabs(at - wanted) <= 20 * sim_matrix_epsilon(element));
		}
	for (int i = 0; i < 3; i++)
		cuda.cudaFree(on[i]);
	sim_matrix_free(&a);
	sim_matrix_free(&b);
	sim_matrix_free(&c);
	sim_matrix_free(&got);
}

static void geam_adds_and_transposes(void)
{
	void *handle = rules_handle();
	for (const char *element = "SDCZ"; *element; element++)
		for (int trans = 0; trans < 9; trans++)
			sum_run(handle, *element, trans / 3, trans % 3);
	CHECK_IS(cuda.cublasDgeam_64 != NULL, cuda.major >= 12);
}

static double *filled(double value)
{
	double host[M * M];
	for (int i = 0; i < M * M; i++)
		host[i] = value + i % M;
	return rules_device_copy(host, sizeof host);
}

static double element_of(const double *matrix, int index)
{
	double value = 0;
	rules_read_back(&value, matrix + index, sizeof value);
	return value;
}

static void factors_of_zero_read_nothing(void)
{
	void *handle = rules_handle();
	double *a = filled(1), *c = filled(NAN);
	CHECK_IS(cuda.cublasDgeam(handle, TURNED, PLAIN, M, M, two, a, M, zero, NULL, M, c, M), 0);
	CHECK(element_of(c, 0) == 2 && element_of(c, M) == 4 && element_of(c, 1) == 2);
	CHECK_IS(cuda.cublasDgeam(handle, PLAIN, PLAIN, M, M, zero, NULL, M, zero, NULL, M, c, M),
	         0);
	CHECK(element_of(c, M) == 0);
	CHECK_IS(cuda.cublasDgeam(handle, PLAIN, PLAIN, M, M, one, NULL, M, zero, NULL, M, c, M),
	         0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
}

static void geam_works_in_place(void)
{
	void *handle = rules_handle();
	double *a = filled(1), *b = filled(2);
	CHECK_IS(cuda.cublasDgeam(handle, PLAIN, TURNED, M, M, one, a, M, one, b, M, a, M), 0);
	CHECK(element_of(a, 1) == 4 && element_of(a, M) == 4 && element_of(a, M + 1) == 5);
	CHECK_IS(cuda.cublasDgeam(handle, TURNED, PLAIN, M, M, one, a, M, zero, b, M, a, M), BAD);
	CHECK_IS(cuda.cublasDgeam(handle, PLAIN, PLAIN, 2, 2, one, a, M, one, b, M, b, M - 1), BAD);
	CHECK_IS(cuda.cublasDgeam(handle, 3, PLAIN, 2, 2, one, a, M, one, b, M, b, M), BAD);
	CHECK_IS(cuda.cublasDgeam(handle, TURNED, PLAIN, 2, 4, one, a, 3, one, b, M, b, M), BAD);
	CHECK_IS(cuda.cublasDgeam(handle, PLAIN, PLAIN, 2, 2, NULL, a, M, one, b, M, b, M), BAD);
	CHECK_IS(cuda.cublasDgeam(handle, PLAIN, PLAIN, 2, -1, one, a, M, one, b, M, b, M), BAD);
	CHECK_IS(cuda.cublasDgeam(handle, PLAIN, PLAIN, 0, 2, one, NULL, M, one, NULL, M, NULL, M),
	         0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

static void factors_may_be_on_the_device(void)
{
	void *handle = rules_handle();
	double *a = filled(1), *c = filled(NAN);
	const void *alpha = rules_device_copy(two, sizeof *two),
		   *beta = rules_device_copy(zero, sizeof *zero);
	CHECK_IS(cuda.cublasSetPointerMode_v2(handle, 1), 0);
	CHECK_IS(cuda.cublasDgeam(handle, PLAIN, PLAIN, M, M, alpha, a, M, beta, a, M, c, M), 0);
	CHECK(element_of(c, 1) == 4);
}

const struct rule geam_rules[] = {
	{"geam: sums and transposes", RULE_ANYWHERE, NULL, geam_adds_and_transposes},
	{"geam: a factor of 0 reads nothing", RULE_SIM_ONLY, NULL, factors_of_zero_read_nothing},
	{"geam: in place", RULE_SIM_ONLY, NULL, geam_works_in_place},
	{"geam: factors on the device", RULE_ANYWHERE, NULL, factors_may_be_on_the_device},
	{0},
};
