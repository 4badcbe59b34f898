/* cli_sizes.c - one call of a routine: cli_sizes dgemm|sgemm|zgemm|dsyrk|dtrsm|fftw_c2c N */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef const char *letter;
typedef const int *whole;
void dgemm_(letter, letter, whole, whole, whole, const void *, const void *, whole, const void *,
            whole, const void *, void *, whole, size_t, size_t);
void sgemm_(letter, letter, whole, whole, whole, const void *, const void *, whole, const void *,
            whole, const void *, void *, whole, size_t, size_t);
void zgemm_(letter, letter, whole, whole, whole, const void *, const void *, whole, const void *,
            whole, const void *, void *, whole, size_t, size_t);
void dsyrk_(letter, letter, whole, whole, const void *, const void *, whole, const void *, void *,
            whole, size_t, size_t);
void dtrsm_(letter, letter, letter, letter, whole, whole, const void *, const void *, whole, void *,
            whole, size_t, size_t, size_t, size_t);
void *fftw_plan_dft_1d(int n, void *in, void *out, int sign, unsigned flags);
void fftw_execute(void *plan);

/* Room for operands that nobody touches. */
static const size_t sizes_span_bytes = (size_t)1 << 36;

static char *sizes_reserve(void)
{
	void *place = mmap(NULL, 3 * sizes_span_bytes, PROT_NONE,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (place == MAP_FAILED)
		exit(1);
	return place;
}

static void sizes_call(const char *name, int n)
{
	static const double one[2] = {1, 0}, zero[2] = {0, 0};
	static const float single_one = 1, single_zero = 0;
	char *a = sizes_reserve(), *b = a + sizes_span_bytes, *c = b + sizes_span_bytes;
	if (strcmp(name, "dgemm") == 0)
		dgemm_("N", "N", &n, &n, &n, one, a, &n, b, &n, zero, c, &n, 1, 1);
	else if (strcmp(name, "sgemm") == 0)
		sgemm_("N", "N", &n, &n, &n, &single_one, a, &n, b, &n, &single_zero, c, &n, 1, 1);
	else if (strcmp(name, "zgemm") == 0)
		zgemm_("N", "N", &n, &n, &n, one, a, &n, b, &n, zero, c, &n, 1, 1);
	else if (strcmp(name, "dsyrk") == 0)
		dsyrk_("U", "N", &n, &n, one, a, &n, zero, c, &n, 1, 1);
	else if (strcmp(name, "dtrsm") == 0)
		dtrsm_("L", "U", "N", "N", &n, &n, one, a, &n, c, &n, 1, 1, 1, 1);
	else
		fftw_execute(fftw_plan_dft_1d(n, a, c, -1, 0));
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	/* The first call takes the route whatever its size: the gate opens after it. */
	sizes_call(argv[1], 4);
	sizes_call(argv[1], atoi(argv[2]));
	return 0;
}
