/* plugin.c - a plug-in of version VERSION that calls BLAS, and tells of its end */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <unistd.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc);
int plugin_version(void);
int plugin_count(void);
void plugin_call(double *c);
void plugin_call_cblas(double *c);
void plugin_jump(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                 const double *alpha, const double *a, const int *lda, const double *b,
                 const int *ldb, const double *beta, double *c, const int *ldc);

static _Atomic int plugin_calls;

int plugin_version(void)
{
	return VERSION;
}

/* The calls so far: 0 in a plug-in that was just loaded. */
int plugin_count(void)
{
	return plugin_calls;
}

void plugin_call(double *c)
{
	const int n = 2;
	const double one = 1, zero = 0, a[4] = {1, 0, 0, 1};
	plugin_calls++;
	dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
}

void plugin_call_cblas(double *c)
{
	const double a[4] = {1, 0, 0, 1};
	plugin_calls++;
	cblas_dgemm(102, 111, 111, 2, 2, 2, 1, a, 2, a, 2, 0, c, 2);
}

/* Compiled to a jump: the return address is that of our caller. */
void plugin_jump(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                 const double *alpha, const double *a, const int *lda, const double *b,
                 const int *ldb, const double *beta, double *c, const int *ldc)
{
	plugin_calls++;
	dgemm_(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

#ifdef HOOKS
/*
 * One of priority 101 runs after all other destructors, those of the compiler's start files too. By
 * write: stdio may have been flushed for the last time.
 */
static void plugin_say(const char *when)
{
	char line[80];
	double c[4] = {0};
	plugin_call(c);
	const int length =
		snprintf(line, sizeof line, "version %d %s: %.0f\n", VERSION, when, c[0]);
	if (write(1, line, (size_t)length) != length)
		_exit(9);
}

__attribute__((constructor)) static void plugin_begin(void)
{
	plugin_say("constructor");
}

__attribute__((destructor)) static void plugin_end(void)
{
	plugin_say("destructor");
}

__attribute__((destructor(101))) static void plugin_end_last(void)
{
	plugin_say("last destructor");
}
#endif
