/* sim_sets_test.c - the folders of stand-ins hold what the README says: sim_sets_test FOLDER */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

static const char *folder;
static int failures;

static void expect(bool passed, const char *place, const char *what)
{
	printf("%s %s: %s\n", place, what, passed ? "passed" : "FAILED");
	failures += !passed;
}

static void *open_from(const char *place, const char *soname)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s/%s", folder, place, soname);
	return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void expect_set(const char *place, const char *cudart, const char *cublas, const char *cufft,
                       bool dgemm)
{
	void *runtime = open_from(place, cudart), *blas = open_from(place, cublas),
	     *fft = open_from(place, cufft);
	expect(runtime && dlsym(runtime, "simcuda_version") && dlsym(runtime, "cudaMalloc"), place,
	       cudart);
	expect(blas && dlsym(blas, "cublasZgemm_v2") && !dlsym(blas, "cublasDgemm_v2") == !dgemm,
	       place, cublas);
	expect(fft && dlsym(fft, "cufftExecZ2Z"), place, cufft);
}

/* getrf: whether cuSOLVER has it. */
static void expect_solver(const char *place, const char *cusolver, bool getrf)
{
	void *solver = open_from(place, cusolver);
	expect(solver && dlsym(solver, "cusolverDnXpotrf") &&
	               !dlsym(solver, "cusolverDnXgetrf") == !getrf,
	       place, cusolver);
}

/* A library that the process has already loaded must not stand in for the missing one. */
static void expect_mixed(void)
{
	expect(open_from("mixed", "libcudart.so.13"), "mixed", "libcudart.so.13");
	expect(!open_from("mixed", "libcublas.so.12"), "mixed", "libcublas.so.12 does not load");
	expect(open_from("mixed", "libcufft.so.12"), "mixed", "libcufft.so.12");
}

int main(int count, char **arguments)
{
	folder = count > 1 ? arguments[1] : ".";
	expect_mixed();
	expect_set("13", "libcudart.so.13", "libcublas.so.13", "libcufft.so.12", true);
	expect_set("12", "libcudart.so.12", "libcublas.so.12", "libcufft.so.11", true);
	expect_set("11", "libcudart.so.11.0", "libcublas.so.11", "libcufft.so.10", true);
	expect_set(".", "libcudart.so.12", "libcublas.so.12", "libcufft.so.11", true);
	expect_set("broken-symbol", "libcudart.so.13", "libcublas.so.13", "libcufft.so.12", false);
	expect_solver("13", "libcusolver.so.12", true);
	expect_solver("12", "libcusolver.so.11", true);
	expect_solver("11", "libcusolver.so.11", true);
	expect_solver(".", "libcusolver.so.11", true);
	expect_solver(".", "libcusolver.so.12", true);
	expect_solver("broken-solver", "libcusolver.so.12", false);
	expect_set("no-solver", "libcudart.so.13", "libcublas.so.13", "libcufft.so.12", true);
	void *old = open_from("12", "libcusolver.so.11");
	expect(old && dlsym(old, "cusolverDnXtrtri") && !dlsym(old, "cusolverDnXgeev"), "12",
	       "libcusolver.so.11 without cusolverDnXgeev");
	expect_set("bare-solver", "libcudart.so.13", "libcublas.so.13", "libcufft.so.12", true);
	expect(!open_from("bare-solver", "libcusolver.so.12"), "bare-solver",
	       "libcusolver.so.12 does not load");
	expect(!open_from("no-solver", "libcusolver.so.12"), "no-solver", "has no libcusolver");
	printf("%d failed\n", failures);
	return failures != 0;
}
