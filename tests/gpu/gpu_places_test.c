/* gpu_places_test.c - the folders of packages and toolkits that are searched for CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu_check.h"
#include "shim/execute/gpu/cuda/cuda_beside.h"
#include "shim/execute/gpu/cuda/cuda_check.h"

enum { PATH_BYTES = 600, CROWD = 1000 };

static char root[64];

/* Makes a folder below root with all folders above it; returns its path, static. */
static const char *make_folder(const char *name)
{
	static char path[PATH_BYTES];
	const int length = snprintf(path, sizeof path, "%s/%s", root, name);
	for (char *slash = path + strlen(root) + 1; slash <= path + length; slash++) {
		const char kept = *slash;
		if (kept != '/' && kept != '\0')
			continue;
		*slash = '\0';
		mkdir(path, 0700);
		*slash = kept;
	}
	return path;
}

static void remove_all(void)
{
	char command[PATH_BYTES];
	snprintf(command, sizeof command, "chmod -R u+rwx '%s'; rm -rf '%s'", root, root);
	EXPECT(system(command) == 0, "%s", command);
}

/* Sets a variable to a folder below root; NULL: to nothing. */
static void set_folder(const char *variable, const char *name)
{
	char path[PATH_BYTES];
	snprintf(path, sizeof path, "%s/%s", root, name == NULL ? "" : name);
	EXPECT((name == NULL ? unsetenv(variable) : setenv(variable, path, 1)) == 0, "%s",
	       variable);
}

static int find_place(const char *name)
{
	static struct cuda_search search;
	char path[PATH_BYTES];
	snprintf(path, sizeof path, "%s/%s", root, name);
	cuda_places_list("", &search);
	for (int i = 0; i < search.place_count; i++)
		if (strcmp(search.place[i], path) == 0)
			return i;
	return -1;
}

static void expect_place(const char *name, bool wanted)
{
	make_folder(name);
	EXPECT((find_place(name) >= 0) == wanted, "%s is%s searched", name, wanted ? "" : " not");
}

static void test_user(void)
{
	set_folder("HOME", "home");
	expect_place("home/.local/lib/python3.11/site-packages/nvidia/cublas/lib", true);
	expect_place("home/.local/lib/python3.12/site-packages/nvidia/cuda_runtime/lib", true);
	expect_place("home/.local/lib/python3.12/site-packages/nvidia/cu13/lib", true);
	expect_place("home/.local/lib64/python3.13t/site-packages/nvidia/cufft/lib", true);
	expect_place("home/.local/lib/python2.7/site-packages/nvidia/cufft/lib", false);
	EXPECT(find_place("home/.local/lib/python3.12/site-packages/nvidia/cuda_runtime/lib") <
	               find_place("home/.local/lib/python3.11/site-packages/nvidia/cublas/lib"),
	       "the newest Python comes first");
	set_folder("PYTHONUSERBASE", "base");
	expect_place("base/lib/python3.11/site-packages/nvidia/cublas/lib", true);
	expect_place("home/.local/lib/python3.11/site-packages/nvidia/cublas/lib", false);
	set_folder("PYTHONUSERBASE", NULL);
}

/* Debian's names; /usr and /usr/local are prefixes like this one. */
static void test_prefix(void)
{
	set_folder("VIRTUAL_ENV", "prefix");
	expect_place("prefix/lib/python3.12/dist-packages/nvidia/cublas/lib", true);
	expect_place("prefix/lib/python3/dist-packages/nvidia/cu13/lib", true);
	expect_place("prefix/lib/python3.12/site-packages/nvidia/cu13/lib", true);
	set_folder("VIRTUAL_ENV", NULL);
	expect_place("prefix/lib/python3/dist-packages/nvidia/cu13/lib", false);
}

static void test_toolkits(void)
{
	set_folder("NVHPC_ROOT", "sdk");
	expect_place("sdk/cuda/lib64", true);
	set_folder("NVHPC_ROOT", NULL);
	set_folder("NVHPC_CUDA_HOME", "sdk/cuda/12.5");
	expect_place("sdk/cuda/12.5/lib64", true);
	set_folder("NVHPC_CUDA_HOME", NULL);
}

/* Folders that cannot be read, lead to themselves, are none or have no end. */
static void test_hostile(void)
{
	char path[PATH_BYTES], name[128], *far = NULL;
	set_folder("HOME", "odd");
	make_folder("odd/.local/lib/python3.8/site-packages/nvidia");
	snprintf(path, sizeof path, "%s/odd/.local/lib/python3.9", root);
	EXPECT(symlink("python3.9", path) == 0, "a link to itself");
	snprintf(path, sizeof path, "%s/odd/.local/lib/python3.8/site-packages/nvidia/cublas",
	         root);
	EXPECT(symlink("../../../..", path) == 0, "a link to a folder above");
	snprintf(path, sizeof path, "%s/odd/.local/lib/python3.7", root);
	EXPECT(mkfifo(path, 0600) == 0, "a pipe");
	EXPECT(chmod(make_folder("odd/.local/lib/python3.6/site-packages"), 0) == 0, "closed");
	for (int i = 0; i < CROWD; i++) {
		snprintf(name, sizeof name, "%s/odd/.local/lib/libcrowd%d.so", root, i);
		const int file = open(name, O_CREAT | O_WRONLY, 0600);
		EXPECT(file >= 0 && close(file) == 0, "%s", name);
	}
	expect_place("odd/.local/lib/python3.12/site-packages/nvidia/cublas/lib", true);
	far = malloc(3 * PATH_BYTES);
	memset(far, '/', 3 * PATH_BYTES);
	far[3 * PATH_BYTES - 1] = '\0';
	EXPECT(setenv("HOME", far, 1) == 0 && setenv("VIRTUAL_ENV", far, 1) == 0, "long paths");
	EXPECT(find_place("odd") == -1, "long paths");
	EXPECT(chdir(root) == 0 && setenv("HOME", "odd", 1) == 0, "a relative path");
	unsetenv("VIRTUAL_ENV");
	EXPECT(find_place("odd/.local/lib/python3.12/site-packages/nvidia/cublas/lib") == -1,
	       "a relative path is not searched");
	unsetenv("HOME");
	EXPECT(find_place("odd") == -1, "no home");
	EXPECT(chdir("/") == 0, "back");
	free(far);
}

static void expect_beside(const char *runtime, const char *const *wanted, int count)
{
	static struct cuda_beside beside;
	char path[PATH_BYTES];
	snprintf(path, sizeof path, "%s/%s", root, runtime);
	cuda_beside_list(path, CUDA_LIBRARY_CUBLAS, &beside);
	EXPECT(beside.count == count, "%s: %d folders, not %d", runtime, beside.count, count);
	for (int i = 0; i < count && i < beside.count; i++) {
		snprintf(path, sizeof path, "%s/%s", root, wanted[i]);
		EXPECT(strcmp(beside.folder[i], path) == 0, "%s: %s, not %s", runtime,
		       beside.folder[i], path);
	}
}

/* The HPC SDK's math_libs: cudart's version first, then the default one. */
static void test_beside(void)
{
	char path[PATH_BYTES];
	make_folder("hpc/cuda/12.5/lib64");
	make_folder("hpc/cuda/12.5/targets/x86_64-linux/lib");
	make_folder("hpc/math_libs/11.8/lib64");
	make_folder("hpc/math_libs/12.5/lib64");
	make_folder("hpc/math_libs/12.6/targets/x86_64-linux/lib");
	make_folder("hpc/math_libs/lib64");
	static const char *const wanted[] = {
		"hpc/cuda/12.5/lib64", "hpc/math_libs/12.5/lib64", "hpc/math_libs/lib64",
		"hpc/math_libs/12.6/targets/x86_64-linux/lib", "hpc/math_libs/11.8/lib64"};
	expect_beside("hpc/cuda/12.5/lib64/libcudart.so.12", wanted, 5);
	snprintf(path, sizeof path, "%s/linked", root);
	EXPECT(symlink("hpc/cuda/12.5", path) == 0, "a link to the toolkit");
	static const char *const by_link[] = {
		"linked/lib64", "hpc/math_libs/12.5/lib64", "hpc/math_libs/lib64",
		"hpc/math_libs/12.6/targets/x86_64-linux/lib", "hpc/math_libs/11.8/lib64"};
	expect_beside("linked/lib64/libcudart.so.12", by_link, 5);
	snprintf(path, sizeof path, "%s/hpc/math_libs/loop", root);
	EXPECT(symlink("loop", path) == 0, "a link to itself");
	expect_beside("hpc/cuda/12.5/lib64/libcudart.so.12", wanted, 5);
	static struct cuda_beside beside;
	cuda_beside_list("libcudart.so.12", CUDA_LIBRARY_CUFFT, &beside);
	EXPECT(beside.count == 0, "a name without a folder");
	cuda_beside_list("/libcudart.so.12", CUDA_LIBRARY_CUFFT, &beside);
	EXPECT(beside.count == 0, "the root folder");
}

int main(void)
{
	char folder[] = "/tmp/gpu_places_XXXXXX", *resolved;
	static const char *const unset[] = {"VIRTUAL_ENV",   "CONDA_PREFIX", "CUDA_HOME",
	                                    "CUDA_PATH",     "NVHPC_ROOT",   "NVHPC_CUDA_HOME",
	                                    "PYTHONUSERBASE"};
	for (size_t i = 0; i < sizeof unset / sizeof unset[0]; i++)
		unsetenv(unset[i]);
	if (mkdtemp(folder) == NULL || (resolved = realpath(folder, NULL)) == NULL)
		return 1;
	EXPECT(strlen(resolved) < sizeof root, "%s", resolved);
	strncpy(root, resolved, sizeof root - 1);
	free(resolved);
	test_user();
	test_prefix();
	test_toolkits();
	test_beside();
	test_hostile();
	remove_all();
	return gpu_check_end("gpu_places");
}
