/* peers_host.c - a program of BLAS and FFTW that knows no GPU, run alone or with a preload */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/peers/peers_answer.h"

/* Fortran's names: the only ones that all contestants take. */
#define GEMM_PARAMETERS                                                                            \
	(const char *transa, const char *transb, const int *m, const int *n, const int *k,         \
	 const void *alpha, const void *a, const int *lda, const void *b, const int *ldb,          \
	 const void *beta, void *c, const int *ldc)
#define SYRK_PARAMETERS                                                                            \
	(const char *uplo, const char *trans, const int *n, const int *k, const void *alpha,       \
	 const void *a, const int *lda, const void *beta, void *c, const int *ldc)
#define TRSM_PARAMETERS                                                                            \
	(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,    \
	 const int *n, const void *alpha, const void *a, const int *lda, void *b, const int *ldb)
void sgemm_ GEMM_PARAMETERS;
void dgemm_ GEMM_PARAMETERS;
void cgemm_ GEMM_PARAMETERS;
void zgemm_ GEMM_PARAMETERS;
void ssyrk_ SYRK_PARAMETERS;
void dsyrk_ SYRK_PARAMETERS;
void csyrk_ SYRK_PARAMETERS;
void zsyrk_ SYRK_PARAMETERS;
void strsm_ TRSM_PARAMETERS;
void dtrsm_ TRSM_PARAMETERS;
void ctrsm_ TRSM_PARAMETERS;
void ztrsm_ TRSM_PARAMETERS;

static unsigned plan_flags = FFTW_ESTIMATE;
static fftw_plan plan;
static fftwf_plan plan_single;

static const char *peers_host_prepare(const struct peers_operands *operands)
{
	const struct peers_case *run = operands->run;
	void *in = operands->host[0], *out = operands->host[2];
	if (run->routine != PEERS_FFT)
		return NULL;
	int points = 1;
	for (int i = 0; i < run->rank; i++)
		points *= run->length[i];
	if (peers_case_is_single(run))
		plan_single =
			fftwf_plan_many_dft(run->rank, run->length, run->batch, in, NULL, 1, points,
		                            out, NULL, 1, points, FFTW_FORWARD, plan_flags);
	else
		plan = fftw_plan_many_dft(run->rank, run->length, run->batch, in, NULL, 1, points,
		                          out, NULL, 1, points, FFTW_FORWARD, plan_flags);
	return plan == NULL && plan_single == NULL ? "the planner returns NULL" : NULL;
}

static void peers_host_release(const struct peers_operands *operands)
{
	(void)operands;
	if (plan != NULL)
		fftw_destroy_plan(plan);
	if (plan_single != NULL)
		fftwf_destroy_plan(plan_single);
	plan = NULL;
	plan_single = NULL;
}

static const char *peers_host_done(const struct peers_operands *operands)
{
	(void)operands;
	return NULL;
}

static void peers_host_multiply(const struct peers_operands *operands, const void *one,
                                const void *beta)
{
	void(*const gemm[ELEMENT_COUNT]) GEMM_PARAMETERS = {sgemm_, dgemm_, cgemm_, zgemm_};
	const struct peers_case *run = operands->run;
	const int m = (int)run->m, n = (int)run->n, k = (int)run->k;
	gemm[run->element]("N", "N", &m, &n, &k, one, operands->host[0], &m, operands->host[1], &k,
	                   beta, operands->host[2], &m);
}

static void peers_host_update(const struct peers_operands *operands, const void *one,
                              const void *beta)
{
	void(*const syrk[ELEMENT_COUNT]) SYRK_PARAMETERS = {ssyrk_, dsyrk_, csyrk_, zsyrk_};
	const struct peers_case *run = operands->run;
	const int n = (int)run->n, k = (int)run->k;
	syrk[run->element]("L", "N", &n, &k, one, operands->host[0], &n, beta, operands->host[2],
	                   &n);
}

static void peers_host_solve(const struct peers_operands *operands, const void *one)
{
	void(*const trsm[ELEMENT_COUNT]) TRSM_PARAMETERS = {strsm_, dtrsm_, ctrsm_, ztrsm_};
	const struct peers_case *run = operands->run;
	const int m = (int)run->m, n = (int)run->n;
	trsm[run->element]("L", "L", "N", "N", &m, &n, one, operands->host[0], &m,
	                   operands->host[2], &m);
}

static const char *peers_host_run(const struct peers_operands *operands)
{
	static const float one_single[2] = {1, 0};
	static const double one_double[2] = {1, 0};
	const struct peers_case *run = operands->run;
	const float beta_single[2] = {(float)run->beta, 0};
	const double beta_double[2] = {run->beta, 0};
	const bool is_single = peers_case_is_single(run);
	const void *one = is_single ? (const void *)one_single : one_double;
	const void *beta = is_single ? (const void *)beta_single : beta_double;
	switch (run->routine) {
	case PEERS_GEMM: peers_host_multiply(operands, one, beta); break;
	case PEERS_SYRK: peers_host_update(operands, one, beta); break;
	case PEERS_TRSM: peers_host_solve(operands, one); break;
	case PEERS_FFT:
		if (is_single)
			fftwf_execute(plan_single);
		else
			fftw_execute(plan);
		break;
	}
	return NULL;
}

/* --measure: FFTW tries plans for some seconds; a GPU has no use for them. */
int main(int argc, char **argv)
{
	static const struct peers_way way = {NULL,
	                                     NULL,
	                                     peers_host_prepare,
	                                     peers_host_done,
	                                     peers_host_run,
	                                     peers_host_done,
	                                     peers_host_release};
	const int processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
	bool quick = false;
	if (fftw_init_threads() == 0 || fftwf_init_threads() == 0)
		return 1;
	fftw_plan_with_nthreads(processors);
	fftwf_plan_with_nthreads(processors);
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--quick") == 0) {
			quick = true;
		} else if (strcmp(argv[i], "--measure") == 0) {
			plan_flags = FFTW_MEASURE;
			fftw_set_timelimit(6);
			fftwf_set_timelimit(6);
		} else {
			fprintf(stderr,
			        "usage: peers_host [--quick] [--measure]    commands from stdin\n");
			return 2;
		}
	return peers_answer_serve(&way, quick);
}
