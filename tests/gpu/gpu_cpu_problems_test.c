/* gpu_cpu_problems_test.c - batches of which the CPU computes some problems; devices fail */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_batch.h"
#include "gpu_check_handlers.h"
#include "gpu_scenarios.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/session/session.h"

enum { RING_BYTES = 64 << 10, JUMPS = 20, NUMBERS = 36 };

static const double shares[] = {0.01, 0.37, 0.5, 0.99};

enum { SHARES = sizeof shares / sizeof shares[0] };

static struct gpu_check_blas make_blas(enum element element, int number)
{
	static const int64_t size[][3] = {{7, 5, 9}, {3, 8, 2}, {1, 1, 1}, {12, 4, 6}};
	static const double complex scalar[][2] = {
		{1, 0}, {0.5 - 0.25 * I, 2 + 1.5 * I}, {-1 + 3 * I, 1}};
	return (struct gpu_check_blas){.family = FAMILY_GEMM,
	                               .element = element,
	                               .transa = (enum transpose)(number % 3),
	                               .transb = (enum transpose)(number / 3 % 3),
	                               .m = size[number % 4][0],
	                               .n = size[number % 4][1],
	                               .k = size[number % 4][2],
	                               .gap = number % 3,
	                               .alpha = scalar[number % 3][0],
	                               .beta = scalar[number / 2 % 3][1]};
}

/* Groups of other shapes, of 0 to 5 problems, some of which share operands. */
static struct gpu_check_groups make_groups(enum element element, int number)
{
	struct gpu_check_groups wanted = {.groups = 1 + number % CHECK_GROUPS,
	                                  .letters = number % 2 == 0,
	                                  .wide = number % 3 == 0};
	for (int g = 0; g < wanted.groups; g++)
		wanted.group[g] =
			(struct gpu_check_group){.blas = make_blas(element, number + g),
		                                 .count = g == 1 ? 0 : 2 + (number + g) % 3,
		                                 .shares_a = (number + g) % 4 == 1,
		                                 .shares_b = (number + g) % 5 < 2};
	return wanted;
}

static void run_groups(int device)
{
	for (enum element element = ELEMENT_S; element < ELEMENT_BLAS_COUNT; element++)
		for (int number = 0; number < NUMBERS; number++) {
			const struct gpu_check_groups wanted = make_groups(element, number);
			const enum reason reason = gpu_check_run_groups(&wanted, device);
			EXPECT(reason == REASON_NONE, "groups %d: %s", number, reason_name(reason));
			EXPECT(gpu_check_find_done() > 0, "groups %d were not shared", number);
		}
}

static void run_strided(int device)
{
	for (enum element element = ELEMENT_S; element < ELEMENT_BLAS_COUNT; element++)
		for (int number = 0; number < NUMBERS; number++) {
			const struct gpu_check_group wanted = {.blas = make_blas(element, number),
			                                       .count = 2 + number % 5,
			                                       .shares_a = number % 4 == 1,
			                                       .shares_b = number % 5 < 2};
			const enum reason reason =
				gpu_check_run_strided(&wanted, number % 4 != 0, number % 3, device);
			EXPECT(reason == REASON_NONE, "strided %d: %s", number,
			       reason_name(reason));
			EXPECT(gpu_check_find_done() > 0, "strided %d was not shared", number);
		}
}

static int scenario_shares(void)
{
	const int device = gpu_check_start(0);
	for (int i = 0; i < SHARES; i++) {
		gpu_check_set_share(shares[i]);
		run_groups(device);
		run_strided(device);
	}
	return gpu_check_end("gpu_cpu_problems shares");
}

/* A single problem, and operands in the device's memory, are the device's alone. */
static int scenario_alone(void)
{
	const int device = gpu_check_start(0);
	struct gpu_check_group wanted = {.blas = make_blas(ELEMENT_D, 0), .count = 1};
	gpu_check_set_share(0.5);
	gpu_check_run_strided(&wanted, true, 0, device);
	wanted.count = 4;
	wanted.blas.place[OPERAND_B] = PLACE_DEVICE;
	const enum reason reason = gpu_check_run_strided(&wanted, true, 0, device);
	EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
	EXPECT(gpu_check_count_shared() == 0, "a call was shared");
	return gpu_check_end("gpu_cpu_problems alone");
}

static struct gpu_check_groups large_call(void)
{
	struct gpu_check_groups wanted = {.groups = 2};
	for (int g = 0; g < 2; g++) {
		struct gpu_check_blas blas = make_blas(ELEMENT_Z, 2 + 5 * g);
		blas.m = 70 + 10 * g;
		blas.n = blas.k = 60;
		wanted.group[g] = (struct gpu_check_group){.blas = blas, .count = 6};
	}
	return wanted;
}

/* Some function fails: no result may be lost, whatever part of it the CPU had. */
static int scenario_faults(void)
{
	const int device = gpu_check_start(0);
	const struct gpu_check_groups wanted = large_call();
	gpu_check_set_share(0.37);
	const enum reason reason = gpu_check_run_groups(&wanted, device);
	EXPECT(reason != REASON_NONE, "the device did not fail");
	EXPECT(gpu_check_find_done() > 0, "the CPU did not finish the call");
	session_note_outcome(reason);
	return gpu_check_end("gpu_cpu_problems faults");
}

static enum reason run_object(const void *object, int device)
{
	return gpu_check_run_groups(object, device);
}

static int scenario_handlers(void)
{
	const int device = gpu_check_start(0);
	const struct gpu_check_groups wanted = large_call();
	gpu_check_set_share(0.5);
	for (int i = 0; i < JUMPS; i++)
		gpu_check_run_in_ticks(
			&(struct gpu_check_interrupted){run_object, &wanted, device});
	EXPECT(gpu_check_count_ticks() > 0, "no handler ran");
	EXPECT(gpu_check_count_shared() > 0, "no call was shared");
	return gpu_check_end("gpu_cpu_problems handlers");
}

static int scenario_jumps(void)
{
	static struct gpu_check_groups wanted;
	const int device = gpu_check_start(0);
	wanted = large_call();
	gpu_check_set_share(0.5);
	gpu_check_jump_out(&(struct gpu_check_interrupted){run_object, &wanted, device}, JUMPS);
	return gpu_check_end("gpu_cpu_problems jumps");
}

static const struct gpu_scenario scenarios[] = {
	{"shares", scenario_shares, {NULL}, NULL},
	{"alone", scenario_alone, {NULL}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cublasZgemmStridedBatched:2"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaMemcpyAsync:1"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaMemcpyAsync:3"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaEventRecord:2"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaStreamWaitEvent:1"}, NULL},
	{"faults", scenario_faults, {"SIMCUDA_FAIL=cudaEventQuery:20"}, NULL},
	{"handlers", scenario_handlers, {NULL}, NULL},
	/* What a call that is left has allocated stays. */
	{"jumps", scenario_jumps, {"ASAN_OPTIONS=detect_leaks=0"}, NULL},
};

int main(int argc, char **argv)
{
	staging_set_sizes(RING_BYTES, RING_BYTES / 4);
	return gpu_scenarios_run("gpu_cpu_problems", scenarios,
	                         sizeof scenarios / sizeof scenarios[0], argc > 1 ? argv[1] : NULL);
}
