/* gpu_device_split_test.c - one call split over unequal devices, one of which may fail */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "gpu_check_blas.h"
#include "gpu_child.h"
#include "policy/call/reason.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/session/session.h"

enum { DEVICES = 3, SPLIT_ROWS = 180, SPLIT_COLUMNS = 260, SPLIT_INNER = 140 };

static const char profile[] = "SIMCUDA_PROFILE=" SPLIT_PROFILE;

static const enum family families[] = {FAMILY_GEMM, FAMILY_GEMMT, FAMILY_SYMM,
                                       FAMILY_SYRK, FAMILY_TRMM,  FAMILY_TRSM};

enum { FAMILIES = sizeof families / sizeof families[0] };

static unsigned long long high(int device)
{
	void (*found)(void) = gpu_check_function("simcuda_memory_high");
	return found == NULL ? 0 : ((unsigned long long (*)(int))found)(device);
}

static void forget_high(void)
{
	void (*found)(void) = gpu_check_function("simcuda_memory_forget_high");
	for (int device = 0; device < DEVICES && found != NULL; device++)
		((void (*)(int))found)(device);
}

static int start(void)
{
	snprintf(gpu_check_configure(0)->devices, OPTION_TEXT_BYTES, "all");
	const int device = gpu_check_start_configured();
	EXPECT(lanes_count() == DEVICES, "%d devices", lanes_count());
	return device;
}

static struct gpu_check_blas split_call(enum family family)
{
	return (struct gpu_check_blas){.family = family,
	                               .element = ELEMENT_D,
	                               .uplo = UPLO_LOWER,
	                               .m = SPLIT_ROWS,
	                               .n = SPLIT_COLUMNS,
	                               .k = SPLIT_INNER,
	                               .gap = 3,
	                               .alpha = 1.25,
	                               .beta = 0.5};
}

static void run_one(enum family family, int device, bool shared)
{
	const struct gpu_check_blas wanted = split_call(family);
	lanes_trim();
	forget_high();
	const unsigned long long before[DEVICES] = {high(0), high(1), high(2)};
	const enum reason reason = gpu_check_run_blas(&wanted, device);
	EXPECT(reason == REASON_NONE, "family %d: %s", (int)family, reason_name(reason));
	for (int at = 0; at < DEVICES; at++)
		EXPECT((high(at) > before[at]) == (shared || at == device),
		       "family %d: device %d: %llu", (int)family, at, high(at) - before[at]);
}

/* A profile of the first device, whose rates are not those of the others. */
static struct machine measured_machine(void)
{
	const struct panel_rates rates = panel_rates_find(NULL, ELEMENT_D, 75, 1);
	return (struct machine){
		.gpu_capability = 75,
		.gpu_multiprocessors = 1,
		.link_up_bytes = rates.up_bytes_s,
		.link_down_bytes = rates.down_bytes_s,
		.gpu_gemm_flops = {[ELEMENT_D] = rates.work_flops_s},
	};
}

/* Every device has memory for its part. */
static int scenario_shares(void)
{
	const int device = start();
	static struct machine machine;
	if (getenv("SPLIT_MEASURED") != NULL) {
		machine = measured_machine();
		engine_rates_set_machine(&machine);
	}
	for (int i = 0; i < FAMILIES; i++)
		run_one(families[i], device, true);
	return gpu_check_end("gpu_device_split shares");
}

/* Both products of a rank-2k update are added to the same C, so one device computes all of it. */
static int scenario_alone(void)
{
	const int device = start();
	run_one(FAMILY_SYR2K, device, false);
	return gpu_check_end("gpu_device_split alone");
}

/*
 * Which device meets the fault depends on the timing. No fault may cost a result or leave an error.
 */
static int scenario_faults(void)
{
	const int device = start();
	int came_back = 0;
	for (int i = 0; i < FAMILIES && gpu_check_situation().gpu == GPU_READY; i += 2) {
		const struct gpu_check_blas wanted = split_call(families[i]);
		const enum reason reason = gpu_check_run_blas(&wanted, device);
		session_note_outcome(reason);
		came_back += reason != REASON_NONE;
		const int error = ((int (*)(void))gpu_check_function("cudaPeekAtLastError"))();
		EXPECT(error == 0 || gpu_check_situation().gpu == GPU_OFF,
		       "family %d leaves error %d", (int)families[i], error);
	}
	EXPECT(came_back > 0, "the fault was not met");
	return gpu_check_end("gpu_device_split faults");
}

static void test_scenario(const char *name, const char *setting, const char *other)
{
	struct gpu_child child = {.scenario = name,
	                          .setting = {"SIMCUDA_DEVICES=3", profile, setting, other}};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, 0), "%s %s: status %x: %s", name,
	       setting == NULL ? "" : setting, (unsigned)child.status, child.errors);
}

/* Adds up the operations of the trace's kernels per device. */
static void add_flops(const char *path, double flops[DEVICES])
{
	char line[1024];
	FILE *file = fopen(path, "r");
	EXPECT(file != NULL, "no trace");
	while (file != NULL && fgets(line, sizeof line, file) != NULL) {
		const char *device = strstr(line, " device="), *work = strstr(line, " flops=");
		if (device == NULL || work == NULL)
			continue;
		const int at = atoi(device + strlen(" device="));
		if (at >= 0 && at < DEVICES)
			flops[at] += strtod(work + strlen(" flops="), NULL);
	}
	if (file != NULL)
		fclose(file);
}

/* A device's share of the work follows its speed, also where a profile knows one of them. */
static void test_shares(const char *measured)
{
	char folder[] = "/tmp/gpu_device_split.XXXXXX", path[64], trace[96];
	EXPECT(mkdtemp(folder) != NULL, "no folder of our own");
	snprintf(path, sizeof path, "%s/trace", folder);
	snprintf(trace, sizeof trace, "SIMCUDA_TRACE=%s", path);
	test_scenario("shares", trace, measured);
	double flops[DEVICES] = {0};
	add_flops(path, flops);
	EXPECT(flops[0] > 0 && flops[1] > 1.4 * flops[0] && flops[2] > 1.2 * flops[1], "%g %g %g",
	       flops[0], flops[1], flops[2]);
	remove(path);
	remove(folder);
}

int main(int argc, char **argv)
{
	static const char *const fail[] = {"SIMCUDA_FAIL=kernel:2:700",
	                                   "SIMCUDA_FAIL=kernel:5",
	                                   "SIMCUDA_FAIL=copy:7:719",
	                                   "SIMCUDA_FAIL=cublasDgemm_v2:2",
	                                   "SIMCUDA_FAIL=cudaMemcpyAsync:9",
	                                   "SIMCUDA_FAIL=cudaEventQuery:30",
	                                   "SIMCUDA_FAIL=cudaEventRecord:8:999",
	                                   "SIMCUDA_FAIL=cuCtxSetCurrent:60+"};
	if (argc == 2 && strcmp(argv[1], "shares") == 0)
		return scenario_shares();
	if (argc == 2)
		return strcmp(argv[1], "alone") == 0 ? scenario_alone() : scenario_faults();
	if (getenv("EPOCHLY_GPU_CUDA_PATH") == NULL) {
		printf("skipped: needs three devices of a simulated CUDA in "
		       "EPOCHLY_GPU_CUDA_PATH\n");
		return GPU_CHECK_SKIPPED;
	}
	test_shares(NULL);
	test_shares("SPLIT_MEASURED=1");
	test_scenario("alone", NULL, NULL);
	for (size_t i = 0; i < sizeof fail / sizeof fail[0]; i++)
		test_scenario("faults", fail[i], NULL);
	return gpu_check_end("gpu_device_split");
}
