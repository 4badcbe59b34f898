/* plugin_threads.c - a plug-in that waits for a thread with a BLAS call whenever it is run */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
int plugin_version(void);
int plugin_count(void);
void plugin_call(double *c);

static void *plugin_run(void *c)
{
	const int n = 2;
	const double one = 1, zero = 0, a[4] = {1, 0, 0, 1};
	dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
	return NULL;
}

void plugin_call(double *c)
{
	pthread_t thread;
	pthread_create(&thread, NULL, plugin_run, c);
	pthread_join(thread, NULL);
}

int plugin_version(void)
{
	return 1;
}

int plugin_count(void)
{
	return 0;
}

static void plugin_say(const char *when)
{
	char line[80];
	double c[4] = {0};
	plugin_call(c);
	const int length = snprintf(line, sizeof line, "%s: %.0f\n", when, c[0]);
	if (write(1, line, (size_t)length) != length)
		_exit(9);
}

/* The thread of dlopen or dlclose has the loader's lock meanwhile. */
__attribute__((constructor)) static void plugin_begin(void)
{
	plugin_say("constructor");
}

__attribute__((destructor)) static void plugin_end(void)
{
	plugin_say("destructor");
}
