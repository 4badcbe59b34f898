/* other_preload.c - another preloaded library: a profiler that wraps malloc, open and dgemm_ */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>

extern void *__libc_malloc(size_t size);
static atomic_long calls;

void *malloc(size_t size)
{
	calls++;
	return __libc_malloc(size);
}

int open(const char *path, int flags, ...)
{
	static int (*real)(const char *, int, ...);
	va_list rest;
	va_start(rest, flags);
	const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	calls++;
	if (real == NULL)
		real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
	return real(path, flags, mode);
}

typedef void gemm(const char *, const char *, const int *, const int *, const int *, const double *,
                  const double *, const int *, const double *, const int *, const double *,
                  double *, const int *, size_t, size_t);

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t length1, size_t length2)
{
	static gemm *real;
	calls++;
	if (real == NULL)
		real = (gemm *)dlsym(RTLD_NEXT, "dgemm_");
	real(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, length1, length2);
}
