/* sim_rules_cufft.c - the rules of cuFFT plans, layouts and work areas */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_rules.h"

enum { N = 12 };

/* count doubles: 1, 2, 3, … */
static double *ramp(int count)
{
	double *host = malloc((size_t)count * sizeof *host);
	for (int i = 0; i < count; i++)
		host[i] = i + 1;
	double *device = rules_device_copy(host, (size_t)count * sizeof *host);
	free(host);
	return device;
}

static double first_of(const double *device)
{
	double value = 0;
	rules_read_back(&value, device, sizeof value);
	return value;
}

static void plans_are_checked(void)
{
	int plan = -7, none[1] = {0}, some[4] = {4, 4, 4, 4}, small[2] = {4, 3};
	CHECK_IS(cuda.cufftPlan1d(&plan, 0, SIM_CUFFT_Z2Z, 1), SIM_CUFFT_INVALID_SIZE);
	CHECK_IS(cuda.cufftPlan1d(&plan, 8, SIM_CUFFT_Z2Z, 0), SIM_CUFFT_INVALID_SIZE);
	CHECK_IS(cuda.cufftPlan1d(NULL, 8, SIM_CUFFT_Z2Z, 1), SIM_CUFFT_INVALID_VALUE);
	CHECK(cuda.cufftPlan1d(&plan, 8, 0x77, 1) != 0);
	CHECK(cuda.cufftPlanMany(&plan, 4, some, NULL, 1, 0, NULL, 1, 0, SIM_CUFFT_Z2Z, 1) != 0);
	CHECK(cuda.cufftPlanMany(&plan, 0, some, NULL, 1, 0, NULL, 1, 0, SIM_CUFFT_Z2Z, 1) != 0);
	CHECK(cuda.cufftPlanMany(&plan, 1, none, NULL, 1, 0, NULL, 1, 0, SIM_CUFFT_Z2Z, 1) != 0);
	CHECK(!cuda.simcuda_version ||
	      cuda.cufftPlanMany(&plan, 2, some, small, 1, 16, some, 1, 16, SIM_CUFFT_Z2Z, 1));
	CHECK_IS(plan, -7);
	CHECK_IS(cuda.cufftPlan1d(&plan, 8, SIM_CUFFT_Z2Z, 1), 0);
	CHECK_IS(cuda.cufftDestroy(plan), 0);
	CHECK_IS(cuda.cufftDestroy(plan), SIM_CUFFT_INVALID_PLAN);
	CHECK_IS(cuda.cufftSetStream(12345, NULL), SIM_CUFFT_INVALID_PLAN);
}

static void plans_are_made_once(void)
{
	int plan = 0;
	size_t size = 0, again = 0;
	long long n[1] = {N};
	CHECK_IS(cuda.cufftCreate(&plan), 0);
	CHECK(cuda.cufftExecZ2Z(plan, &plan, &plan, -1) != 0);
	CHECK_IS(cuda.cufftMakePlanMany64(plan, 1, n, NULL, 1, 0, NULL, 1, 0, SIM_CUFFT_Z2Z, 2,
	                                  &size),
	         0);
	CHECK(cuda.cufftMakePlanMany64(plan, 1, n, NULL, 1, 0, NULL, 1, 0, SIM_CUFFT_Z2Z, 2,
	                               &size) != 0);
	CHECK_IS(cuda.cufftGetSize(plan, &again), 0);
	CHECK(!cuda.simcuda_version || size == again);
	CHECK_IS(cuda.cufftGetVersion(&plan), 0);
	CHECK(plan >= 10000);
}

static void executions_are_checked(void)
{
	int plan = 0;
	double *data = ramp(2 * N);
	CHECK_IS(cuda.cufftPlan1d(&plan, N, SIM_CUFFT_Z2Z, 1), 0);
	CHECK(cuda.cufftExecC2C(plan, data, data, -1) != 0);
	CHECK(cuda.cufftExecD2Z(plan, data, data) != 0);
	CHECK_IS(cuda.cufftExecZ2Z(plan, NULL, data, -1), SIM_CUFFT_INVALID_VALUE);
	CHECK_IS(cuda.cufftExecZ2Z(plan, data, data, 3), SIM_CUFFT_INVALID_VALUE);
	CHECK_IS(cuda.cufftExecZ2Z(plan, data, data, -1), 0);
	CHECK(fabs(first_of(data) - (N * N)) < 1e-10);
}

static void nothing_is_normalised(void)
{
	int plan = 0;
	double *data = ramp(2 * N);
	CHECK_IS(cuda.cufftPlan1d(&plan, N, SIM_CUFFT_Z2Z, 1), 0);
	CHECK_IS(cuda.cufftExecZ2Z(plan, data, data, -1), 0);
	CHECK_IS(cuda.cufftExecZ2Z(plan, data, data, 1), 0);
	CHECK(fabs(first_of(data) - N) < 1e-10);
}

static int manual_plan(size_t *size)
{
	int plan = 0, n[1] = {N};
	CHECK_IS(cuda.cufftCreate(&plan), 0);
	CHECK_IS(cuda.cufftSetAutoAllocation(plan, 0), 0);
	CHECK_IS(cuda.cufftMakePlanMany(plan, 1, n, NULL, 1, 0, NULL, 1, 0, SIM_CUFFT_Z2Z, 1, size),
	         0);
	return plan;
}

static void a_work_area_is_needed(void)
{
	size_t size = 0;
	int plan = manual_plan(&size);
	double *data = ramp(2 * N);
	CHECK(size > 0);
	CHECK_IS(cuda.cufftExecZ2Z(plan, data, data, -1), SIM_CUFFT_NO_WORKSPACE);
	CHECK_IS(cuda.cufftSetWorkArea(plan, rules_device_memory(size)), 0);
	CHECK_IS(cuda.cufftExecZ2Z(plan, data, data, -1), 0);
	CHECK(fabs(first_of(data) - (N * N)) < 1e-10);
}

static void the_work_area_must_be_large_enough(void)
{
	size_t size = 0;
	int plan = manual_plan(&size);
	double *data = ramp(2 * N);
	CHECK_IS(cuda.cufftSetWorkArea(plan, rules_device_memory(size - 1)), 0);
	CHECK_IS(cuda.cufftExecZ2Z(plan, data, data, -1), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
}

/*
 * Two executions on two streams without order, of one plan or of two. Returns how many results are
 * right.
 */
static int right_results(int first_plan, int second_plan, bool ordered)
{
	void *first = rules_stream(SIM_STREAM_NON_BLOCKING),
	     *second = rules_stream(SIM_STREAM_NON_BLOCKING);
	double *a = ramp(2 * N), *b = ramp(2 * N);
	CHECK_IS(cuda.cufftSetStream(first_plan, first), 0);
	CHECK_IS(cuda.cufftExecZ2Z(first_plan, a, a, -1), 0);
	if (ordered)
		CHECK_IS(cuda.cudaStreamSynchronize(first), 0);
	CHECK_IS(cuda.cufftSetStream(second_plan, second), 0);
	CHECK_IS(cuda.cufftExecZ2Z(second_plan, b, b, -1), 0);
	return (fabs(first_of(a) - (N * N)) < 1e-10) + (fabs(first_of(b) - (N * N)) < 1e-10);
}

static void two_plans_work_side_by_side(void)
{
	int first = 0, second = 0;
	CHECK_IS(cuda.cufftPlan1d(&first, N, SIM_CUFFT_Z2Z, 1), 0);
	CHECK_IS(cuda.cufftPlan1d(&second, N, SIM_CUFFT_Z2Z, 1), 0);
	for (int round = 0; round < 10; round++) {
		CHECK_IS(right_results(first, second, false), 2);
		CHECK_IS(right_results(first, first, true), 2);
	}
}

static void one_plan_does_not(void)
{
	int plan = 0;
	size_t size = 0;
	CHECK_IS(cuda.cufftPlan1d(&plan, N, SIM_CUFFT_Z2Z, 1), 0);
	for (int round = 0; round < 10; round++)
		CHECK(right_results(plan, plan, false) < 2);
	/* Nor may two plans share one work area at the same time. */
	int first = manual_plan(&size), second = manual_plan(&size);
	void *area = rules_device_memory(size);
	CHECK_IS(cuda.cufftSetWorkArea(first, area), 0);
	CHECK_IS(cuda.cufftSetWorkArea(second, area), 0);
	CHECK(right_results(first, second, false) < 2);
	CHECK_IS(right_results(first, second, true), 2);
}

/* Stride and distance have an effect only with an embedding. */
static void without_embedding_strides_are_ignored(void)
{
	int with = 0, without = 0, n[1] = {N};
	double *in = ramp(4 * N), *out = rules_device_memory(4 * N * sizeof(double)), sum = 0;
	for (int i = 0; i < N; i++)
		sum += 2 * i + 1;
	CHECK_IS(cuda.cufftPlanMany(&without, 1, n, NULL, 2, 99, NULL, 3, 99, SIM_CUFFT_Z2Z, 1), 0);
	CHECK_IS(cuda.cufftExecZ2Z(without, in, out, -1), 0);
	CHECK(fabs(first_of(out) - sum) < 1e-10);
	CHECK_IS(cuda.cufftPlanMany(&with, 1, n, n, 2, 99, n, 1, 99, SIM_CUFFT_Z2Z, 1), 0);
	CHECK_IS(cuda.cufftExecZ2Z(with, in, out, -1), 0);
	CHECK(fabs(first_of(out) - (2 * sum - N)) < 1e-10);
}

static void real_output_destroys_its_input(void)
{
	int flat = 0, deep = 0;
	double *in = ramp(2 * N * N), *out = rules_device_memory(N * N * sizeof *out);
	CHECK_IS(cuda.cufftPlan1d(&flat, N, SIM_CUFFT_Z2D, 1), 0);
	CHECK_IS(cuda.cufftPlan2d(&deep, N, N, SIM_CUFFT_Z2D), 0);
	CHECK_IS(cuda.cufftExecZ2D(deep, in, out), 0);
	CHECK(isnan(first_of(in)));
	in = ramp(2 * N * N);
	CHECK_IS(cuda.cufftExecZ2D(flat, in, out), 0);
	CHECK(isnan(first_of(in)));
	CHECK(!isnan(first_of(in + N + 2)));
}

/* The largest change of the result where one imaginary part that symmetry makes 0 is 1. */
static double change_by_imaginary_part(const int n[2], int row, bool middle)
{
	enum { MOST = 64 };
	double input[2 * MOST] = {0}, with[MOST], without[MOST], worst = 0;
	const int half = n[1] / 2 + 1, count = n[0] * n[1];
	int plan = 0;
	CHECK_IS(cuda.cufftPlan2d(&plan, n[0], n[1], SIM_CUFFT_Z2D), 0);
	for (int set = 0; set < 2; set++) {
		double *out = rules_device_memory(sizeof with);
		input[2 * (row * half + (middle ? n[1] / 2 : 0)) + 1] = set;
		CHECK_IS(cuda.cufftExecZ2D(plan, rules_device_copy(input, sizeof input), out), 0);
		rules_read_back(set ? with : without, out, (size_t)count * sizeof *with);
	}
	for (int i = 0; i < count; i++)
		worst = fmax(worst, fabs(with[i] - without[i]));
	return worst;
}

/* In one dimension, and in row 0 of two. */
static void real_output_needs_hermitian_input(void)
{
	static const int sizes[][2] = {{1, 8}, {1, 9}, {4, 6}, {5, 7}};
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		CHECK(change_by_imaginary_part(sizes[i], 0, false) > 0.5);
		if (sizes[i][1] % 2 == 0)
			CHECK(change_by_imaginary_part(sizes[i], 0, true) > 0.5);
	}
}

static void real_input_is_kept(void)
{
	int plan = 0;
	double back[N], *in = ramp(N), *out = rules_device_memory((N + 2) * sizeof *out);
	CHECK_IS(cuda.cufftPlan1d(&plan, N, SIM_CUFFT_D2Z, 1), 0);
	CHECK_IS(cuda.cufftExecD2Z(plan, in, out), 0);
	rules_read_back(back, in, sizeof back);
	for (int i = 0; i < N; i++)
		CHECK(back[i] == i + 1);
}

static void data_outside_memory_faults(void)
{
	int plan = 0;
	double *data = ramp(2 * N - 1);
	CHECK_IS(cuda.cufftPlan1d(&plan, N, SIM_CUFFT_Z2Z, 1), 0);
	CHECK_IS(cuda.cufftExecZ2Z(plan, data, data, -1), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
	CHECK_IS(cuda.cufftExecZ2Z(plan, data, data, -1), SIM_CUFFT_EXEC_FAILED);
}

/* Real data must be aligned as the complex data of its precision. */
static void misaligned_data_faults(void)
{
	int plan = 0;
	double *data = ramp(4 * N);
	CHECK_IS(cuda.cufftPlan1d(&plan, N, SIM_CUFFT_D2Z, 1), 0);
	CHECK_IS(cuda.cufftExecD2Z(plan, data + 1, data + 2 * N), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorMisalignedAddress);
}

static void plans_cost_memory_until_destroyed(void)
{
	int plan = 0;
	size_t before = 0, during = 0, manual = 0, after = 0, total = 0, size = 0;
	CHECK_IS(cuda.cudaMemGetInfo(&before, &total), 0);
	CHECK_IS(cuda.cufftPlan1d(&plan, 1 << 16, SIM_CUFFT_Z2Z, 1), 0);
	CHECK_IS(cuda.cudaMemGetInfo(&during, &total), 0);
	CHECK_IS(cuda.cufftDestroy(plan), 0);
	plan = manual_plan(&size);
	CHECK_IS(cuda.cudaMemGetInfo(&manual, &total), 0);
	CHECK_IS(cuda.cufftDestroy(plan), 0);
	CHECK_IS(cuda.cudaMemGetInfo(&after, &total), 0);
	CHECK(during + (1 << 20) <= before && after == before);
	CHECK(manual < before); /* the tables, without a work area */
}

static void a_plan_belongs_to_a_device(void)
{
	int plan = 0;
	double *data = ramp(2 * N);
	CHECK_IS(cuda.cufftPlan1d(&plan, N, SIM_CUFFT_Z2Z, 1), 0);
	CHECK_IS(cuda.cudaSetDevice(1), 0);
	CHECK_IS(cuda.cufftExecZ2Z(plan, data, data, -1), SIM_CUFFT_INVALID_DEVICE);
	CHECK_IS(cuda.cudaSetDevice(0), 0);
	CHECK_IS(cuda.cufftExecZ2Z(plan, data, data, -1), 0);
}

const struct rule cufft_rules[] = {
	{"cufft: planning is checked", RULE_ANYWHERE, NULL, plans_are_checked},
	{"cufft: a plan is made once", RULE_ANYWHERE, NULL, plans_are_made_once},
	{"cufft: executing is checked", RULE_ANYWHERE, NULL, executions_are_checked},
	{"cufft: nothing is normalised", RULE_ANYWHERE, NULL, nothing_is_normalised},
	{"cufft: a work area is needed", RULE_SIM_ONLY, NULL, a_work_area_is_needed},
	{"cufft: a small work area", RULE_SIM_ONLY, NULL, the_work_area_must_be_large_enough},
	{"cufft: two plans side by side", RULE_ANYWHERE, NULL, two_plans_work_side_by_side},
	{"cufft: one plan on two streams", RULE_SIM_ONLY, NULL, one_plan_does_not},
	{"cufft: no embedding, no stride", RULE_ANYWHERE, NULL,
         without_embedding_strides_are_ignored},
	{"cufft: real output destroys its input", RULE_SIM_ONLY, NULL,
         real_output_destroys_its_input},
	{"cufft: real output needs Hermitian input", RULE_SIM_ONLY, NULL,
         real_output_needs_hermitian_input},
	{"cufft: real input is kept", RULE_ANYWHERE, NULL, real_input_is_kept},
	{"cufft: data outside memory", RULE_SIM_ONLY, NULL, data_outside_memory_faults},
	{"cufft: data misaligned", RULE_SIM_ONLY, NULL, misaligned_data_faults},
	{"cufft: plans cost memory", RULE_SIM_ONLY, NULL, plans_cost_memory_until_destroyed},
	{"cufft: plan belongs to a device", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2",
         a_plan_belongs_to_a_device},
	{0},
};
