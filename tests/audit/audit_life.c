/* audit_life.c - a program that finds its BLAS by dlsym, forks, and starts itself anew */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void gemm_function(const char *, const char *, const int *, const int *, const int *,
                           const double *, const double *, const int *, const double *, const int *,
                           const double *, double *, const int *);

enum { LIFE_SIZE = 100 };

static double life_a[LIFE_SIZE * LIFE_SIZE], life_c[LIFE_SIZE * LIFE_SIZE];

static void say(const char *when, gemm_function *gemm)
{
	const int n = LIFE_SIZE;
	const double one = 1, zero = 0;
	double sum = 0;
	for (int i = 0; i < n * n; i++)
		life_a[i] = i % 7;
	gemm("N", "T", &n, &n, &n, &one, life_a, &n, life_a, &n, &zero, life_c, &n);
	for (int i = 0; i < n * n; i++)
		sum += life_c[i] * (1 + i % 5);
	printf("%s: %.17g\n", when, sum);
	fflush(stdout);
}

/* usage: audit_life LIBRARY [again] */
int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
	if (library == NULL) {
		fprintf(stderr, "%s\n", argc > 1 ? dlerror() : "no library");
		return 3;
	}
	gemm_function *gemm = (gemm_function *)dlsym(library, "dgemm_");
	say(argc > 2 ? argv[2] : "parent", gemm);
	if (argc > 2)
		return 0;
	const pid_t pid = fork();
	if (pid == 0) {
		say("child, bound before", gemm);
		say("child, bound anew", (gemm_function *)dlsym(library, "dgemm_"));
		execl("/proc/self/exe", argv[0], argv[1], "after exec", NULL);
		_exit(126);
	}
	int status = -1;
	waitpid(pid, &status, 0);
	say("parent after the child", gemm);
	printf("status of the child: %d\n", status);
	return 0;
}
