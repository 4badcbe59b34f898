/* sim_rules_handle.c - the rules of cuSOLVER's handles, and what differs by major */
/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/wait.h>
#include <unistd.h>

#include "sim_rules.h"

enum { BAD = SIM_CUSOLVER_STATUS_INVALID_VALUE };

static void handles_are_checked(void)
{
	int stale = 7;
	void *handle = NULL, *stream = &stale;
	CHECK_IS(cuda.cusolverDnCreate(&handle), 0);
	CHECK_IS(cuda.cusolverDnGetStream(handle, &stream), 0);
	CHECK(!stream);
	void *made = rules_stream(SIM_STREAM_NON_BLOCKING);
	CHECK_IS(cuda.cusolverDnSetStream(handle, made), 0);
	CHECK_IS(cuda.cusolverDnGetStream(handle, &stream), 0);
	CHECK(stream == made);
	CHECK_IS(cuda.cusolverDnDestroy(handle), 0);
	CHECK(!cuda.simcuda_version ||
	      cuda.cusolverDnDestroy(handle) == SIM_CUSOLVER_STATUS_NOT_INITIALIZED);
}

static void handles_are_counted(void)
{
	void *handle = NULL, *params = NULL;
	size_t held = cuda.simcuda_memory_held(0);
	CHECK_IS(cuda.cusolverDnCreate(&handle), 0);
	CHECK_IS(cuda.cusolverDnCreateParams(&params), 0);
	CHECK(cuda.simcuda_memory_held(0) > held);
	CHECK_IS(cuda.simcuda_alive("cusolverDnCreate"), 1);
	CHECK_IS(cuda.simcuda_alive("cusolverDnCreateParams"), 1);
	CHECK_IS(cuda.cusolverDnDestroy(handle), 0);
	CHECK_IS(cuda.cusolverDnDestroyParams(params), 0);
	CHECK_IS(cuda.cusolverDnDestroyParams(params), BAD);
	CHECK_IS(cuda.cusolverDnDestroyParams(NULL), 0);
	CHECK_IS(cuda.simcuda_memory_held(0), held);
	CHECK_IS(cuda.simcuda_alive("cusolverDnCreate"), 0);
	CHECK_IS(cuda.simcuda_alive("cusolverDnCreateParams"), 0);
}

static void versions_differ_by_major(void)
{
	static const int majors[] = {[11] = 11, [12] = 11, [13] = 12};
	static const int minors[] = {[11] = 4, [12] = 6, [13] = 0};
	int value = -1;
	CHECK_IS(cuda.cusolverGetProperty(SIM_PROPERTY_MAJOR, &value), 0);
	CHECK_IS(value, majors[cuda.major]);
	CHECK_IS(cuda.cusolverGetProperty(SIM_PROPERTY_MINOR, &value), 0);
	CHECK_IS(value, minors[cuda.major]);
	CHECK_IS(cuda.cusolverGetProperty(SIM_PROPERTY_PATCH, &value), 0);
	CHECK(value > 0);
	CHECK_IS(cuda.cusolverGetProperty(3, &value), BAD);
}

static void functions_differ_by_major(void)
{
	CHECK_IS(cuda.cusolverDnSetDeterministicMode != NULL, cuda.major >= 12);
	CHECK_IS(cuda.cusolverDnSetMathMode != NULL, cuda.major >= 13);
	CHECK(cuda.cusolverDnXgetrf && cuda.cusolverDnXgetrs && cuda.cusolverDnXpotrf &&
	      cuda.cusolverDnXpotrs);
}

static void modes_are_kept(void)
{
	void *handle = NULL;
	int mode = 0;
	CHECK_IS(cuda.cusolverDnCreate(&handle), 0);
	if (cuda.cusolverDnSetDeterministicMode) {
		CHECK_IS(cuda.cusolverDnGetDeterministicMode(handle, &mode), 0);
		CHECK_IS(mode, 1);
		CHECK_IS(cuda.cusolverDnSetDeterministicMode(handle, 2), 0);
		CHECK_IS(cuda.cusolverDnGetDeterministicMode(handle, &mode), 0);
		CHECK_IS(mode, 2);
		CHECK_IS(cuda.cusolverDnSetDeterministicMode(handle, 3), BAD);
	}
	if (cuda.cusolverDnSetMathMode) {
		CHECK_IS(cuda.cusolverDnGetMathMode(handle, &mode), 0);
		CHECK_IS(mode, 1);
		CHECK_IS(cuda.cusolverDnSetMathMode(handle, 2), 0);
		CHECK_IS(cuda.cusolverDnSetMathMode(handle, 0), BAD);
	}
}

static void no_driver_no_handle(void)
{
	void *handle = NULL, *params = NULL;
	int value = 0;
	CHECK_IS(cuda.cusolverDnCreate(&handle), SIM_CUSOLVER_STATUS_NOT_INITIALIZED);
	/* Only the status says that there is no handle. */
	CHECK(handle != NULL);
	CHECK_IS(cuda.cusolverGetProperty(SIM_PROPERTY_MAJOR, &value), 0);
	CHECK_IS(cuda.cusolverDnCreateParams(&params), 0);
	CHECK_IS(cuda.cusolverDnSetAdvOptions(params, SIM_DN_POTRF, SIM_ALG_2), 0);
	CHECK_IS(cuda.cusolverDnSetAdvOptions(params, SIM_DN_FUNCTIONS, SIM_ALG_0), BAD);
	CHECK_IS(cuda.cusolverDnDestroyParams(params), 0);
}

static void null_is_given(int function)
{
	void *stream;
	switch (function) {
	case 0: cuda.cusolverDnCreate(NULL); break;
	case 1: cuda.cusolverDnDestroy(NULL); break;
	case 2: cuda.cusolverDnSetStream(NULL, NULL); break;
	case 3: cuda.cusolverDnGetStream(NULL, &stream); break;
	case 4: cuda.cusolverDnCreateParams(NULL); break;
	case 5: cuda.cusolverDnSetAdvOptions(NULL, SIM_DN_GETRF, SIM_ALG_0); break;
	default: cuda.cusolverGetProperty(SIM_PROPERTY_MAJOR, NULL); break;
	}
}

/* Each in a child; no other call of CUDA was made before. */
static void null_ends_the_program(void)
{
	for (int function = 0; function < 7; function++) {
		int status = 0;
		pid_t child = fork();
		if (!child) {
			null_is_given(function);
			_exit(0);
		}
		CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
	}
}

const struct rule handle_rules[] = {
	{"cusolver: handles are checked", RULE_WITH_SOLVER, NULL, handles_are_checked},
	{"cusolver: handles are counted", RULE_SIM_ONLY, NULL, handles_are_counted},
	{"cusolver: versions by major", RULE_SIM_ONLY, NULL, versions_differ_by_major},
	{"cusolver: functions by major", RULE_SIM_ONLY, NULL, functions_differ_by_major},
	{"cusolver: modes are kept", RULE_WITH_SOLVER, NULL, modes_are_kept},
	{"cusolver: NULL ends the program", RULE_WITH_SOLVER, NULL, null_ends_the_program},
	{"cusolver: no driver", RULE_SIM_ONLY, "SIMCUDA_DRIVER=0", no_driver_no_handle},
	{0},
};
