/* trim.c - a program that needs the shim's device memory before, after and between its own calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cblas.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 64 };

static uint64_t (*trim)(void);

static void find_trim(void)
{
	void *symbol = dlsym(RTLD_DEFAULT, "gpushim_trim");
	memcpy(&trim, &symbol, sizeof symbol);
}

static void say(const char *when)
{
	printf("%s: %s\n", when,
	       trim == NULL ? "no shim"
	       : trim() > 0 ? "freed"
	                    : "nothing to free");
}

static void multiply(void)
{
	static double a[N * N], c[N * N];
	for (int i = 0; i < N * N; i++)
		a[i] = i % 7;
	cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, a, N, 0, c, N);
	double sum = 0;
	for (int i = 0; i < N; i++)
		sum += a[i * N] * a[i];
	printf("%s\n", c[0] == sum ? "right" : "wrong");
}

int main(void)
{
	find_trim();
	say("before");
	multiply();
	say("after");
	say("again");
	multiply();
	fflush(stdout);
	const pid_t process = fork();
	if (process == 0) {
		say("in a child");
		return 0;
	}
	waitpid(process, NULL, 0);
	say("at the end");
	return 0;
}
