/* gpu_sets_test.c - which set of CUDA libraries is used, and the messages about refused sets */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu_check.h"
#include "gpu_child.h"
#include "shim/execute/gpu/cuda/cuda.h"
#include "shim/execute/gpu/session/session.h"

/* The exit status of a scenario: a base plus the major in use, or plus the reason. */
enum { ENDED_MAJOR = 150, ENDED_REASON = 100, SEVERAL = 30, TEXT_BYTES = 700 };

static char root[512], folder[64];

static int scenario_major(void)
{
	static const char *const soname[] = {"libcublas.so.11", "libcublas.so.12",
	                                     "libcublas.so.13"};
	int major = 0;
	for (int i = 0; i < 3; i++)
		if (dlopen(soname[i], RTLD_NOLOAD | RTLD_NOW) != NULL)
			major = major == 0 ? 11 + i : SEVERAL;
	return major;
}

/* devices is the argument. TEST_LOADED names a library that the program has loaded itself. */
static int scenario_open(const char *devices)
{
	const char *loaded = getenv("TEST_LOADED");
	if (loaded != NULL && dlopen(loaded, RTLD_NOW | RTLD_LOCAL) == NULL)
		return 1;
	struct options *options = gpu_check_configure(0);
	snprintf(options->devices, sizeof options->devices, "%s", devices);
	session_wake();
	const struct situation situation = gpu_check_situation();
	if (situation.gpu != GPU_READY)
		return ENDED_REASON + (int)situation.off_reason;
	const struct gpu_check_gemm gemm = {
		.element = ELEMENT_D, .m = 5, .n = 6, .k = 7, .alpha = 1, .beta = 1};
	if (gpu_check_run_gemm(&gemm, situation.device) != REASON_NONE ||
	    situation.device != options->devices[0] - '0')
		return 2;
	return ENDED_MAJOR + scenario_major();
}

/*
 * path is relative to the folder of the simulated CUDA unless it begins with a slash. setting may
 * be NULL.
 */
static void expect_with(const char *path, const char *setting, const char *second,
                        const char *devices, int status, int messages, const char *words)
{
	char cuda_path[TEXT_BYTES];
	snprintf(cuda_path, sizeof cuda_path, "EPOCHLY_GPU_CUDA_PATH=%s%s%s",
	         path[0] == '/' ? "" : root, path[0] == '/' ? "" : "/", path);
	struct gpu_child child = {.scenario = devices, .setting = {cuda_path, setting, second}};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, status), "%s %s: status %d, not %d: %s", path,
	       setting == NULL ? "" : setting, child.status >> 8, status, child.errors);
	EXPECT(gpu_child_messages(&child) == messages, "%s %s: not %d messages: %s", path,
	       setting == NULL ? "" : setting, messages, child.errors);
	EXPECT(words == NULL || strstr(child.errors, words) != NULL, "'%s' in: %s", words,
	       child.errors);
}

static void expect(const char *path, const char *setting, const char *devices, int status,
                   int messages, const char *words)
{
	expect_with(path, setting, NULL, devices, status, messages, words);
}

static void test_majors(void)
{
	expect(".", NULL, "0", ENDED_MAJOR + 13, 0, NULL);
	expect("12", NULL, "0", ENDED_MAJOR + 12, 0, NULL);
	expect(".", "SIMCUDA_DRIVER=12040", "0", ENDED_MAJOR + 12, 0, NULL);
	expect(".", "SIMCUDA_DRIVER=11080", "0", ENDED_MAJOR + 11, 0, NULL);
	expect(".", "SIMCUDA_DRIVER=13020", "0", ENDED_MAJOR + 13, 0, NULL);
	expect(".", "SIMCUDA_CAPABILITY=6.0", "0", ENDED_MAJOR + 12, 0, NULL);
	expect(".", "SIMCUDA_CAPABILITY=3.7", "0", ENDED_MAJOR + 11, 0, NULL);
	expect(".", "SIMCUDA_DEVICES=2", "1,0", ENDED_MAJOR + 13, 0, NULL); /* the first named */
	expect(".", "SIMCUDA_DEVICES=2", "1", ENDED_MAJOR + 13, 0, NULL);
}

static void test_nothing_to_offer(void)
{
	expect(".", "SIMCUDA_DRIVER=0", "0", ENDED_REASON + REASON_NO_DRIVER, 0, NULL);
	expect(".", "SIMCUDA_DEVICES=0", "0", ENDED_REASON + REASON_NO_DEVICE, 0, NULL);
	expect(".", "SIMCUDA_FAIL=cudaGetDeviceCount:1:34", "0", ENDED_REASON + REASON_NO_DRIVER, 0,
	       NULL);
}

static void test_broken(void)
{
	expect("13", "SIMCUDA_DRIVER=12040", "0", ENDED_REASON + REASON_DRIVER_TOO_OLD, 1,
	       "driver serves CUDA 12.4");
	expect(".", "SIMCUDA_CAPABILITY=3.0", "0", ENDED_REASON + REASON_DEVICE_UNSUPPORTED, 1,
	       "compute capability 3.0");
	expect("broken-symbol", NULL, "0", ENDED_REASON + REASON_SYMBOL_MISSING, 1,
	       "lacks cublasDgemm_v2");
	expect("mixed", NULL, "0", ENDED_REASON + REASON_NO_CUDA, 1,
	       "no libcublas.so.13 to go with");
	expect(".", "SIMCUDA_DEVICES=2", "5", ENDED_REASON + REASON_NO_DEVICE, 1,
	       "option devices is '5'");
	expect(".", "SIMCUDA_FAIL=cudaGetDeviceCount:*:802", "0",
	       ENDED_REASON + REASON_CUDA_START_FAILED, 1, "");
}

/* The CUDA that the program has loaded comes before all other places, also before cuda_path. */
static void test_loaded(void)
{
	char loaded[TEXT_BYTES];
	snprintf(loaded, sizeof loaded, "TEST_LOADED=%s/12/libcudart.so.12", root);
	expect("13", loaded, "0", ENDED_MAJOR + 12, 0, NULL);
	snprintf(loaded, sizeof loaded, "TEST_LOADED=%s/12/libcublas.so.12", root);
	expect("13", loaded, "0", ENDED_MAJOR + 12, 0, NULL);
}

static void link_below(const char *name, const char *target)
{
	char from[TEXT_BYTES], to[TEXT_BYTES];
	snprintf(from, sizeof from, "%s/%s", folder, name);
	snprintf(to, sizeof to, "%s/%s", root, target);
	EXPECT(symlink(to, from) == 0, "cannot make %s", from);
}

static void make_below(const char *name)
{
	char path[2 * TEXT_BYTES];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	EXPECT(mkdir(path, 0700) == 0, "cannot make %s", path);
}

static void remove_below(const char *name)
{
	char path[TEXT_BYTES];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	if (unlink(path) != 0)
		rmdir(path);
}

/* A refused set does not prevent the use of a good one elsewhere. */
static void test_next_place(void)
{
	char setting[TEXT_BYTES];
	link_below("lib64", "12");
	snprintf(setting, sizeof setting, "CUDA_PATH=%s", folder);
	expect("broken-symbol", setting, "0", ENDED_MAJOR + SEVERAL, 0,
	       NULL); /* cuBLAS 13 stays open, unused */
	expect("mixed", setting, "0", ENDED_MAJOR + 12, 0, NULL);
	expect("/nowhere", setting, "0", ENDED_MAJOR + 12, 0, NULL);
	expect(folder, NULL, "0", ENDED_MAJOR + 12, 0, NULL);
	remove_below("lib64");
}

/* As installed by pip: a folder for each library. */
static void test_pip(void)
{
	static const char *const made[] = {"lib", "lib/python3.11", "lib/python3.11/site-packages",
	                                   "lib/python3.11/site-packages/nvidia"};
	static const char *const library[][2] = {{"cuda_runtime", "libcudart.so.12"},
	                                         {"cublas", "libcublas.so.12"},
	                                         {"cufft", "libcufft.so.11"}};
	char setting[TEXT_BYTES], path[3][3][128], target[64];
	for (size_t i = 0; i < 4; i++)
		make_below(made[i]);
	for (size_t i = 0; i < 3; i++) {
		snprintf(path[i][0], sizeof path[i][0], "%s/%s", made[3], library[i][0]);
		snprintf(path[i][1], sizeof path[i][1], "%s/%s/lib", made[3], library[i][0]);
		snprintf(path[i][2], sizeof path[i][2], "%s/%s/lib/%s", made[3], library[i][0],
		         library[i][1]);
		make_below(path[i][0]);
		make_below(path[i][1]);
		snprintf(target, sizeof target, "12/%s", library[i][1]);
		link_below(path[i][2], target);
	}
	snprintf(setting, sizeof setting, "VIRTUAL_ENV=%s", folder);
	if (access("/usr/local/cuda", F_OK) != 0) /* an installed toolkit comes first */
		expect("/nowhere", setting, "0", ENDED_MAJOR + 12, 0, NULL);
	snprintf(setting, sizeof setting, "%s/%s", folder, path[0][1]);
	expect(setting, NULL, "0", ENDED_MAJOR + 12, 0, NULL);
	for (size_t i = 0; i < 3; i++)
		for (int k = 2; k >= 0; k--)
			remove_below(path[i][k]);
	for (int i = 3; i >= 0; i--)
		remove_below(made[i]);
}

/* Copies a library of the simulated CUDA to a folder of its own. */
static void copy_below(const char *name, const char *library)
{
	char command[4 * TEXT_BYTES];
	snprintf(command, sizeof command, "mkdir -p '%s/%s' && cp '%s/%s' '%s/%s'", folder, name,
	         root, library, folder, name);
	EXPECT(system(command) == 0, "%s", command);
}

/* Settings with paths below the folder: %s is replaced. */
static const char *below(const char *format)
{
	static char text[2][4 * TEXT_BYTES];
	static int next;
	char *made = text[next = 1 - next], *end = made + sizeof text[0];
	for (char *at = made; at < end; format++) {
		if (format[0] == '%' && format[1] == 's') {
			at += snprintf(at, (size_t)(end - at), "%s", folder);
			format++;
			continue;
		}
		*at++ = *format;
		if (*format == '\0')
			break;
	}
	return made;
}

/* As in NVIDIA's HPC SDK, beside another major's libraries. */
static void test_hpc_sdk(void)
{
	copy_below("sdk/cuda/13.0/lib64", "13/libcudart.so.13");
	copy_below("sdk/math_libs/13.0/lib64", "13/libcublas.so.13");
	copy_below("sdk/math_libs/13.0/targets/x86_64-linux/lib", "13/libcufft.so.12");
	copy_below("sdk/math_libs/12.9/lib64", "12/libcublas.so.12");
	char from[TEXT_BYTES];
	snprintf(from, sizeof from, "%s/toolkit", folder);
	EXPECT(symlink("sdk/cuda/13.0", from) == 0, "a link to the toolkit");
	expect("/nowhere", below("CUDA_HOME=%s/sdk/cuda/13.0"), "0", ENDED_MAJOR + 13, 0, NULL);
	expect("/nowhere", below("CUDA_PATH=%s/toolkit"), "0", ENDED_MAJOR + 13, 0, NULL);
	expect("/nowhere", below("NVHPC_CUDA_HOME=%s/toolkit"), "0",
	       access("/usr/local/cuda", F_OK) == 0 ? ENDED_REASON + REASON_NO_DRIVER
	                                            : ENDED_MAJOR + 13,
	       0, NULL);
	expect(below("%s/sdk/cuda/13.0"), NULL, "0", ENDED_MAJOR + 13, 0, NULL);
}

/* Each library in a folder of its own, and the loader knows all folders or all but cudart's. */
static void test_separate_folders(void)
{
	copy_below("a/lib64", "13/libcudart.so.13");
	copy_below("b", "13/libcublas.so.13");
	copy_below("c", "13/libcufft.so.12");
	expect("/nowhere", below("LD_LIBRARY_PATH=%s/a/lib64:%s/b:%s/c"), "0", ENDED_MAJOR + 13, 0,
	       NULL);
	expect_with("/nowhere", below("CUDA_HOME=%s/a"), below("LD_LIBRARY_PATH=%s/b:%s/c"), "0",
	            ENDED_MAJOR + 13, 0, NULL);
	expect_with("/nowhere", below("CUDA_HOME=%s/a"),
	            below("LD_LIBRARY_PATH=%s/a/lib64:%s/b:%s/c"), "0", ENDED_MAJOR + 13, 0, NULL);
	expect_with("/nowhere", below("CUDA_HOME=%s/a"), below("LD_LIBRARY_PATH=%s/b"), "0",
	            ENDED_REASON + REASON_NO_CUDA, 1, "to go with");
	copy_below("d/lib64", "12/libcudart.so.12");
	/* Another major elsewhere does not help a set that lacks libraries. */
	expect_with("/nowhere", below("CUDA_HOME=%s/d"), below("LD_LIBRARY_PATH=%s/b:%s/c"), "0",
	            ENDED_REASON + REASON_NO_CUDA, 1, "no libcublas.so.12 to go with");
}

static void remove_copies(void)
{
	char command[TEXT_BYTES];
	snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
	EXPECT(system(command) == 0, "%s", command);
}

int main(int argc, char **argv)
{
	const char *path = getenv("EPOCHLY_GPU_CUDA_PATH");
	if (argc == 2)
		return scenario_open(argv[1]);
	if (path == NULL || realpath(path, root) == NULL) {
		printf("skipped: needs the simulated CUDA in EPOCHLY_GPU_CUDA_PATH\n");
		return GPU_CHECK_SKIPPED;
	}
	if (access("/dev/nvidiactl", F_OK) == 0) {
		printf("skipped: the libraries of a real GPU replace every broken set\n");
		return GPU_CHECK_SKIPPED;
	}
	snprintf(folder, sizeof folder, "/tmp/gpu_sets_XXXXXX");
	EXPECT(mkdtemp(folder) != NULL, "a folder");
	test_majors();
	test_nothing_to_offer();
	test_broken();
	test_loaded();
	test_next_place();
	test_pip();
	test_hpc_sdk();
	test_separate_folders();
	remove_copies();
	rmdir(folder);
	return gpu_check_end("gpu_sets");
}
