/* gpu_nodes_test.c - the rings lie on the GPU's NUMA node, and the caller's policy is kept */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <ftw.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gpu_check.h"
#include "gpu_scenarios.h"
#include "shim/execute/gpu/cuda/cuda.h"

/* Of linux/mempolicy.h; the program's own policy is to interleave node 0 with itself. */
enum { PREFERRED = 1, INTERLEAVE = 3, BITS = 1025 };

static char root[] = "/tmp/gpu_nodes_XXXXXX";

static void plant(const char *path, const char *text)
{
	char whole[512];
	snprintf(whole, sizeof whole, "%s%s", root, path);
	for (char *slash = strchr(whole + sizeof root, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(whole, 0700);
		*slash = '/';
	}
	FILE *file = fopen(whole, "w");
	EXPECT(file != NULL, "%s", whole);
	if (file == NULL)
		return;
	fputs(text, file);
	fclose(file);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status, (void)type, (void)walk;
	return remove(path);
}

static int read_policy(unsigned long *nodes)
{
	unsigned long all[16] = {0};
	int mode = -1;
	const long error = syscall(SYS_get_mempolicy, &mode, all, BITS, NULL, 0);
	*nodes = all[0];
	return error == 0 ? mode : -1;
}

/* The policy at the time when the rings were allocated. */
static int read_rings_policy(unsigned long long *nodes)
{
	int (*ask)(unsigned long long *) =
		(int (*)(unsigned long long *))gpu_check_function("simcuda_host_policy");
	EXPECT(ask != NULL, "no simulation");
	return ask == NULL ? -1 : ask(nodes);
}

static void run_gemm(int device)
{
	const struct gpu_check_gemm gemm = {
		.element = ELEMENT_D, .m = 40, .n = 50, .k = 60, .alpha = 1, .beta = 1};
	EXPECT(gpu_check_run_gemm(&gemm, device) == REASON_NONE, "a call");
}

/*
 * Starts CUDA in this thread, whose policy and processors must be the same afterwards. expected:
 * the mode for the rings.
 */
static int start(const char *nodes, const char *first, const char *second, int expected)
{
	unsigned long own[16] = {1}, kept = 0;
	unsigned long long rings = 0;
	cpu_set_t before, after;
	EXPECT(mkdtemp(root) != NULL, "no folder");
	if (nodes != NULL)
		plant("/sys/devices/system/node/has_memory", nodes);
	if (first != NULL)
		plant("/sys/bus/pci/devices/0000:01:00.0/numa_node", first);
	if (second != NULL)
		plant("/sys/bus/pci/devices/0000:02:00.0/numa_node", second);
	cuda_devices_set_root(root);
	EXPECT(syscall(SYS_set_mempolicy, INTERLEAVE, own, BITS) == 0, "errno %d", errno);
	sched_getaffinity(0, sizeof before, &before);
	const int device = gpu_check_start(0);
	EXPECT(gpu_check_count("cudaHostAlloc") > 0, "the start allocates the rings");
	int mode = read_rings_policy(&rings);
	EXPECT(mode == expected && rings == 1, "mode %d, nodes %llx", mode, rings);
	run_gemm(device);
	mode = read_policy(&kept);
	EXPECT(mode == INTERLEAVE && kept == 1, "mode %d, nodes %lx", mode, kept);
	sched_getaffinity(0, sizeof after, &after);
	EXPECT(CPU_EQUAL(&before, &after), "the caller runs where it ran");
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return gpu_check_end("gpu_nodes");
}

static int scenario_on_node(void)
{
	return start("0-1\n", "0\n", "1\n", PREFERRED);
}

/* This process may not use the node: the program's policy holds. */
static int scenario_forbidden(void)
{
	return start("0,900\n", "900\n", "0\n", INTERLEAVE);
}

static int scenario_unknown(void)
{
	return start("0-1\n", "-1\n", "0\n", INTERLEAVE);
}

static int scenario_one_node(void)
{
	return start("0\n", "0\n", NULL, INTERLEAVE);
}

static int scenario_no_files(void)
{
	return start(NULL, NULL, NULL, INTERLEAVE);
}

/* The allocation fails at the start, and again in the first call; the second one has rings. */
static int scenario_failing(void)
{
	unsigned long own[16] = {1}, kept = 0;
	unsigned long long rings = 0;
	EXPECT(mkdtemp(root) != NULL, "no folder");
	plant("/sys/devices/system/node/has_memory", "0-1\n");
	plant("/sys/bus/pci/devices/0000:01:00.0/numa_node", "0\n");
	cuda_devices_set_root(root);
	EXPECT(syscall(SYS_set_mempolicy, INTERLEAVE, own, BITS) == 0, "errno %d", errno);
	const int device = gpu_check_start(0);
	const struct gpu_check_gemm gemm = {
		.element = ELEMENT_D, .m = 4, .n = 5, .k = 6, .alpha = 1, .beta = 1};
	EXPECT(gpu_check_run_gemm(&gemm, device) == REASON_HOST_MEMORY, "no rings yet");
	EXPECT(read_policy(&kept) == INTERLEAVE && kept == 1, "kept after failures");
	run_gemm(device);
	EXPECT(read_rings_policy(&rings) == PREFERRED && rings == 1, "nodes %llx", rings);
	EXPECT(read_policy(&kept) == INTERLEAVE && kept == 1, "kept");
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return gpu_check_end("gpu_nodes");
}

static const struct gpu_scenario scenarios[] = {
	{"on_node", scenario_on_node, {"SIMCUDA_DEVICES=4"}, NULL},
	{"forbidden", scenario_forbidden, {"SIMCUDA_DEVICES=4"}, NULL},
	{"unknown", scenario_unknown, {"SIMCUDA_DEVICES=2"}, NULL},
	{"one_node", scenario_one_node, {NULL}, NULL},
	{"no_files", scenario_no_files, {NULL}, NULL},
	{"failing", scenario_failing, {"SIMCUDA_FAIL=cudaHostAlloc:1,cudaHostAlloc:2"}, NULL},
};

int main(int argc, char **argv)
{
	const unsigned long first[16] = {1};
	if (argc == 1 && syscall(SYS_set_mempolicy, INTERLEAVE, first, BITS) != 0) {
		printf("skipped: this kernel refuses memory policies: %s\n", strerror(errno));
		return GPU_CHECK_SKIPPED;
	}
	return gpu_scenarios_run("gpu_nodes", scenarios, sizeof scenarios / sizeof scenarios[0],
	                         argc == 2 ? argv[1] : NULL);
}
