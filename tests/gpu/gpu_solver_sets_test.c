/* gpu_solver_sets_test.c - which cuSOLVER belongs to a set; calls of LAPACK without one */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu_check_lapack.h"
#include "gpu_child.h"
#include "shim/execute/gpu/session/session.h"

/* The exit status of a scenario: the reason of its calls of LAPACK. */
enum { ENDED = 100, TEXT_BYTES = 700 };

static char root[512], folder[64];

/* Two calls end alike, and the GPU stays in use for others. */
static int scenario(void)
{
	const int device = gpu_check_start(0);
	const struct gpu_check_lapack wanted = {
		.family = FAMILY_GESV, .element = ELEMENT_D, .n = 12, .nrhs = 2};
	const struct gpu_check_gemm gemm = {
		.element = ELEMENT_D, .m = 5, .n = 6, .k = 7, .alpha = 1, .beta = 1};
	const enum reason reason = gpu_check_run_lapack(&wanted, device);
	EXPECT(gpu_check_run_lapack(&wanted, device) == reason, "the second call");
	for (int i = 0; i < 4; i++)
		session_note_outcome(reason);
	EXPECT(gpu_check_run_gemm(&gemm, device) == REASON_NONE, "a product");
	EXPECT(gpu_check_situation().gpu == GPU_READY, "the GPU was given up");
	return gpu_check_end("gpu_solver_sets scenario") == 0 ? ENDED + (int)reason : 1;
}

/* Without gesvdp singular values are those of gesvd. */
static int scenario_singular(void)
{
	const int device = gpu_check_start(0);
	struct gpu_check_lapack wanted = {
		.family = FAMILY_GESDD, .element = ELEMENT_Z, .job = 'A', .m = 9, .n = 13};
	const enum reason reason = gpu_check_run_lapack(&wanted, device);
	wanted.m = 15;
	EXPECT(gpu_check_run_lapack(&wanted, device) == reason, "of more rows than columns");
	EXPECT(gpu_check_count("cusolverDnXgesvdp") == 0, "there is none");
	return gpu_check_end("gpu_solver_sets singular") == 0 ? ENDED + (int)reason : 1;
}

/*
 * path is below the simulated CUDA's folder unless it begins with a slash; other: a folder there
 * that the loader searches.
 */
static void expect_of(const char *scenario_name, const char *path, const char *other,
                      enum reason reason, const char *words)
{
	char setting[TEXT_BYTES], libraries[TEXT_BYTES];
	snprintf(setting, sizeof setting, "EPOCHLY_GPU_CUDA_PATH=%s%s%s",
	         path[0] == '/' ? "" : root, path[0] == '/' ? "" : "/", path);
	snprintf(libraries, sizeof libraries, "LD_LIBRARY_PATH=%s/%s", root, other);
	struct gpu_child child = {.scenario = scenario_name,
	                          .setting = {setting, other[0] != '\0' ? libraries : NULL}};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, ENDED + (int)reason), "%s: status %d: %s", path,
	       child.status >> 8, child.errors);
	EXPECT(gpu_child_messages(&child) == (words != NULL), "%s: %s", path, child.errors);
	EXPECT(words == NULL || strstr(child.errors, words) != NULL, "'%s' in: %s", words,
	       child.errors);
}

static void expect_beside(const char *path, const char *other, enum reason reason,
                          const char *words)
{
	expect_of("calls", path, other, reason, words);
}

static void expect(const char *path, enum reason reason, const char *words)
{
	expect_beside(path, "", reason, words);
}

/* A command of the shell, in the folder. */
__attribute__((format(printf, 1, 2))) static void run(const char *format, ...)
{
	char command[4 * TEXT_BYTES];
	va_list arguments;
	const int length = snprintf(command, sizeof command, "cd '%s' && ", folder);
	va_start(arguments, format);
	vsnprintf(command + length, sizeof command - (size_t)length, format, arguments);
	va_end(arguments);
	EXPECT(system(command) == 0, "%s", command);
}

/* The file of one CUDA has the name of the other's, and finds the libraries that it needs. */
static void test_releases(void)
{
	char set[TEXT_BYTES];
	snprintf(set, sizeof set, "%s/set", folder);
	run("cp -r '%s/11' set", root);
	expect(set, REASON_NONE, NULL);
	run("cp '%s'/12/libcusolver.so.11 set", root);
	expect_beside(set, "12", REASON_FUNCTION_MISSING, "no part of CUDA 11");
	run("rm -rf set && cp -r '%s/12' set", root);
	run("cp '%s'/11/libcusolver.so.11 set", root);
	expect_beside(set, "11", REASON_FUNCTION_MISSING, "no part of CUDA 12");
}

/* As installed by pip: beside cuBLAS's folder. */
static void test_pip(void)
{
	char set[TEXT_BYTES];
	snprintf(set, sizeof set, "%s/nvidia/cuda_runtime/lib", folder);
	run("mkdir -p nvidia/cuda_runtime/lib nvidia/cublas/lib nvidia/cufft/lib "
	    "nvidia/cusolver/lib");
	run("cp '%s'/12/libcuda* nvidia/cuda_runtime/lib", root);
	run("cp '%s'/12/libcublas* nvidia/cublas/lib", root);
	run("cp '%s'/12/libcufft* nvidia/cufft/lib", root);
	expect(set, REASON_FUNCTION_MISSING, "there is no libcusolver.so.11 to go with");
	run("cp '%s'/12/libcusolver* nvidia/cusolver/lib", root);
	expect(set, REASON_NONE, NULL);
}

int main(int argc, char **argv)
{
	const char *path = getenv("EPOCHLY_GPU_CUDA_PATH");
	if (argc == 2)
		return strcmp(argv[1], "singular") == 0 ? scenario_singular() : scenario();
	if (path == NULL) {
		printf("skipped: sets need a simulated CUDA in EPOCHLY_GPU_CUDA_PATH\n");
		return GPU_CHECK_SKIPPED;
	}
	snprintf(root, sizeof root, "%s", path);
	snprintf(folder, sizeof folder, "/tmp/gpu_solver_sets.XXXXXX");
	EXPECT(mkdtemp(folder) != NULL, "a folder");
	expect("13", REASON_NONE, NULL);
	expect("no-solver", REASON_FUNCTION_MISSING, "there is no libcusolver.so.12 to go with");
	expect("broken-solver", REASON_FUNCTION_MISSING, NULL); /* without a function */
	expect_of("singular", "broken-solver", "", REASON_NONE, NULL);
	test_releases();
	test_pip();
	run("rm -rf '%s'", folder);
	return gpu_check_end("gpu_solver_sets");
}
