/* cpu_threads_test.c - the number of threads of libraries: told, unknown, and of real libraries */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "shim/execute/cpu/cpu_threads.h"
#include "shim/execute/gpu/node/processors.h"

/* The answers of a library of threads_library.c. */
struct answers {
	int *count, *parallel, *max, *procs, *inside;
};

static void *open_library(const char *kind, struct answers *answers)
{
	char path[512];
	snprintf(path, sizeof path, "%s/libunit_threads_%s.so", UNIT_THREADS, kind);
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	cr_assert_not_null(library, "%s", dlerror());
	*answers = (struct answers){
		dlsym(library, "threads_library_count"), dlsym(library, "threads_library_parallel"),
		dlsym(library, "threads_library_max"), dlsym(library, "threads_library_procs"),
		dlsym(library, "threads_library_inside")};
	return dlsym(library, "dgemm_");
}

/* Limits the expected number to this machine's processors. */
static int bound(int count)
{
	const int processors = processors_count("");
	return count < processors ? count : processors;
}

static void clear_environment(void)
{
	static const char *const name[] = {"OMP_NUM_THREADS", "BLIS_NUM_THREADS", "BLIS_JC_NT",
	                                   "BLIS_IC_NT",      "BLIS_JR_NT",       "BLIS_IR_NT"};
	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
		unsetenv(name[i]);
}

TestSuite(cpu_threads, .init = clear_environment);

Test(cpu_threads, those_that_say_so_are_asked_each_time)
{
	static const char *const kind[] = {"openblas", "openblas64", "scipy", "mkl", "bli"};
	for (size_t i = 0; i < sizeof kind / sizeof kind[0]; i++) {
		struct answers answers;
		const void *code = open_library(kind[i], &answers);
		*answers.parallel = 1;
		for (int count = 1; count < 5; count++) {
			*answers.count = count;
			cr_expect_eq(cpu_threads_find(code), bound(count), "%s", kind[i]);
		}
		*answers.count = 1000;
		cr_expect_eq(cpu_threads_find(code), processors_count(""), "%s", kind[i]);
	}
}

/* BLIS returns -1 if nothing was set, or if only the loops' parts were set. */
Test(cpu_threads, blis_without_a_number)
{
	struct answers answers;
	const void *code = open_library("bli", &answers);
	*answers.count = -1;
	cr_expect_eq(cpu_threads_find(code), 1);
	setenv("BLIS_JC_NT", "2", 1);
	setenv("BLIS_IC_NT", "2", 1);
	cr_expect_eq(cpu_threads_find(code), bound(4));
}

/* OpenBLAS built with OpenMP follows OpenMP's number; its own number counts only if it is 1. */
Test(cpu_threads, openblas_with_openmp_follows_it)
{
	struct answers answers;
	const void *code = open_library("openblas_openmp", &answers);
	*answers.parallel = 2;
	*answers.count = *answers.procs = 8;
	*answers.max = 2;
	cr_expect_eq(cpu_threads_find(code), bound(2));
	*answers.max = 1;
	cr_expect_eq(cpu_threads_find(code), 1);
	*answers.max = 2;
	*answers.inside = 1;
	cr_expect_eq(cpu_threads_find(code), 1, "inside a parallel region");
	*answers.inside = 0;
	*answers.count = 1;
	cr_expect_eq(cpu_threads_find(code), 1);
	*answers.count = *answers.max = 8;
	*answers.procs = 1;
	cr_expect_eq(cpu_threads_find(code), 1, "one processor to use");
}

/* The same library with its own threads: OpenMP may be in the process for other reasons. */
Test(cpu_threads, openblas_without_openmp_does_not)
{
	struct answers answers;
	const void *code = open_library("openblas_openmp", &answers);
	*answers.parallel = 1;
	*answers.count = 2;
	*answers.max = *answers.inside = 1;
	cr_expect_eq(cpu_threads_find(code), bound(2));
}

Test(cpu_threads, mkl_is_asked_for_transforms_too)
{
	struct answers answers;
	const void *code = open_library("mkl", &answers);
	*answers.count = 2;
	cr_expect_eq(cpu_threads_find_fft(code, 1), bound(2));
	*answers.count = 1;
	cr_expect_eq(cpu_threads_find_fft(code, 8), 1);
}

Test(cpu_threads, those_that_do_not_say_so)
{
	struct answers answers;
	const void *code = open_library("plain", &answers);
	cr_expect_eq(cpu_threads_find(code), 1, "it starts no threads");
	cr_expect_eq(cpu_threads_find(code), 1, "known by now");
	code = open_library("starts", &answers);
	cr_expect_eq(cpu_threads_find(code), processors_count(""));
	code = open_library("openmp", &answers);
	*answers.max = *answers.procs = 2;
	cr_expect_eq(cpu_threads_find(code), bound(2));
	*answers.inside = 1;
	cr_expect_eq(cpu_threads_find(code), 1);
}

Test(cpu_threads, environment_bounds_the_unknown)
{
	struct answers answers;
	setenv("OMP_NUM_THREADS", "1,4", 1);
	cr_expect_eq(cpu_threads_find(open_library("starts", &answers)), 1);
}

Test(cpu_threads, environment_tells_of_blis)
{
	struct answers answers;
	const void *code = open_library("blis", &answers);
	cr_expect_eq(cpu_threads_find(code), 1, "one thread unless told otherwise");
}

Test(cpu_threads, environment_tells_of_blis_more)
{
	struct answers answers;
	setenv("OMP_NUM_THREADS", "2", 1);
	const void *code = open_library("blis", &answers);
	cr_expect_eq(cpu_threads_find(code), bound(2));
}

Test(cpu_threads, fftw_as_planned)
{
	struct answers answers;
	const void *code = open_library("plain", &answers);
	cr_expect_eq(cpu_threads_find_fft(code, 0), 1);
	cr_expect_eq(cpu_threads_find_fft(code, 2), bound(2));
	cr_expect_eq(cpu_threads_find_fft(code, 1000), processors_count(""));
}

Test(cpu_threads, nothing_is_one_thread)
{
	cr_expect_eq(cpu_threads_find(NULL), 1);
	cr_expect_eq(cpu_threads_find_fft(NULL, 0), 1);
}

/* A copy of a library is loaded as a library of its own. */
static void *open_copy(const char *folder, int number)
{
	char copy[128], command[1200];
	snprintf(copy, sizeof copy, "%s/%d.so", folder, number);
	snprintf(command, sizeof command, "cp '%s/libunit_threads_openblas.so' '%s'", UNIT_THREADS,
	         copy);
	cr_assert_eq(system(command), 0);
	void *library = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
	cr_assert_not_null(library, "%s", dlerror());
	unlink(copy);
	return library;
}

/* More libraries than the table holds: the last ones are examined again each time. */
Test(cpu_threads, more_libraries_than_are_kept)
{
	char folder[] = "/tmp/cpu_threads_test_XXXXXX";
	cr_assert_not_null(mkdtemp(folder));
	for (int i = 0; i < 20; i++) {
		void *library = open_copy(folder, i);
		*(int *)dlsym(library, "threads_library_parallel") = 1;
		*(int *)dlsym(library, "threads_library_count") = 1 + i % 2;
		for (int again = 0; again < 2; again++)
			cr_expect_eq(cpu_threads_find(dlsym(library, "dgemm_")), bound(1 + i % 2),
			             "library %d", i);
	}
	rmdir(folder);
}

/* Where Debian installs the providers of BLAS. */
static void expect_real(const char *file, const char *variable, const char *number, int wanted)
{
	char pattern[128];
	glob_t found;
	snprintf(pattern, sizeof pattern, "/usr/lib/*-linux-gnu/%s", file);
	if (glob(pattern, 0, NULL, &found) != 0)
		cr_skip_test("skipped: there is no %s", pattern);
	setenv(variable, number, 1);
	void *library = dlopen(found.gl_pathv[0], RTLD_NOW | RTLD_LOCAL);
	cr_assert_not_null(library, "%s", dlerror());
	cr_expect_eq(cpu_threads_find(dlsym(library, "dgemm_")), wanted, "%s", file);
	globfree(&found);
}

#define REAL(name, file, variable, number, wanted)                                                 \
	Test(cpu_threads, name)                                                                    \
	{                                                                                          \
		expect_real(file, variable, number, wanted);                                       \
	}
REAL(real_openblas, "openblas-pthread/libopenblas.so.0", "OPENBLAS_NUM_THREADS", "1", 1)
REAL(real_openblas_blas, "openblas-pthread/libblas.so.3", "OPENBLAS_NUM_THREADS", "2", bound(2))
REAL(real_openblas_openmp, "openblas-openmp/libblas.so.3", "OMP_NUM_THREADS", "2", bound(2))
REAL(real_openblas_openmp_one, "openblas-openmp/libblas.so.3", "OMP_NUM_THREADS", "1", 1)
REAL(real_openblas_serial, "openblas-serial/libblas.so.3", "OMP_NUM_THREADS", "2", 1)
REAL(real_blis, "blis-pthread/libblis.so.*", "BLIS_NUM_THREADS", "2", bound(2))
REAL(real_blis_openmp, "blis-openmp/libblas.so.3", "BLIS_NUM_THREADS", "2", bound(2))
REAL(real_blis_alone, "blis-pthread/libblas.so.3", "OMP_UNUSED", "2", 1)
REAL(real_reference, "blas/libblas.so.3", "OMP_NUM_THREADS", "2", 1)
REAL(real_atlas, "atlas/libblas.so.3", "OMP_NUM_THREADS", "2", 1)
