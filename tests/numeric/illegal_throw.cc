/* illegal_throw.cc - an xerbla that throws a C++ exception through the library and the shim */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>

extern "C" {
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
            const int *, const double *, const int *, const double *, double *, const int *, std::size_t, std::size_t);
void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
void xerbla_(const char *name, const int *info, std::size_t length);
}

struct refusal {
	std::string name;
	int info;
};

/* Libraries of C and Fortran are compiled without unwind tables only rarely; here they have them. */
void xerbla_(const char *name, const int *info, std::size_t length)
{
	throw refusal{std::string(name, length < 6 ? length : 6), *info};
}

static double a[36], b[36], c[36];

static void call(bool fortran, int m, int ldc)
{
	const int n = 4, k = 5, ld = 6;
	const double one = 1;
	if (fortran)
		dgemm_("N", "T", &m, &n, &k, &one, a, &ld, b, &ld, &one, c, &ldc, 1, 1);
	else
		cblas_dgemm(102, 111, 112, m, n, k, 1, a, ld, b, ld, 1, c, ldc);
}

/* Destroyed on the way out: unwinding runs the program's clean-up. */
struct witness {
	~witness()
	{
		std::printf("  unwound\n");
	}
};

static void refused(bool fortran, int m, int ldc)
{
	try {
		witness here;
		call(fortran, m, ldc);
		std::printf("  came back\n");
	} catch (const refusal &why) {
		std::printf("  caught %s %d\n", why.name.c_str(), why.info);
	}
}

int main()
{
	for (int i = 0; i < 36; i++) {
		a[i] = i % 5;
		b[i] = i % 7;
		c[i] = i % 3;
	}
	for (int round = 0; round < 50; round++) {
		refused(round % 2 == 0, -1, 6);
		refused(round % 2 != 0, 3, 1);
		call(true, 3, 6);
		call(false, 3, 6);
		double sum = 0;
		for (double x : c)
			sum += x;
		std::printf("sum %.17g\n", sum);
	}
	std::printf("call dgemm_ 50\ncall cblas_dgemm 50\n");
	return 0;
}
