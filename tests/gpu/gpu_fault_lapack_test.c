/* gpu_fault_lapack_test.c - calls of LAPACK while functions of CUDA fail, or never end */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "gpu_check_lapack.h"
#include "gpu_child.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/lapack/gpu_factor.h"
#include "shim/execute/gpu/session/session.h"

static const char *const functions[] = {
#define CUDA(library, field, name, need, result, parameters) #name,
#include "shim/execute/gpu/cuda/cuda_api.def"
#define SOLVER(field, name, parameters) #name,
#include "shim/execute/gpu/cuda/cuda_solver.def"
	"kernel", "copy"};

/*
 * The exit status of a scenario: calls that came back. SILENT: the one that hung came back as such.
 */
enum { ENDED = 40, SILENT = 90, RING_BYTES = 64 << 10, LIMIT = 64, PATIENCE_MS = 300 };

/*
 * More than a call makes, with rings of this size. WIDTH: of the panels of a planned call. ROOM: of
 * one that is streamed, some parts of its matrix, in elements; it makes some EVERY times the copies.
 */
enum { COPIES = 20, WIDTH = 24, ROOM = 3000, EVERY = 4 };

/* Before the name of a scenario: factorizations are planned, so that copies overlap the work. */
static const char planned[] = "planned-";

/* The same, with less memory than their matrix takes. */
static const char streamed[] = "streamed-";

static int came_back;

static void note(enum reason reason)
{
	came_back += reason != REASON_NONE;
	EXPECT(reason == REASON_NONE || reason_outcome(reason) == OUTCOME_BACK ||
	               reason == REASON_UNSUPPORTED_LAYOUT,
	       "%s", reason_name(reason));
	session_note_outcome(reason);
}

/* Of gesvd on both sides alike, of geev those that the GPU has. */
static bool has_vectors(const struct gpu_check_lapack *wanted)
{
	if (wanted->family == FAMILY_GEEV)
		return wanted->other_job == 'V';
	return wanted->job != 'N' &&
	       (wanted->family != FAMILY_GESVD || wanted->other_job == wanted->job);
}

/* One element for each family: of those that have all, the real or the complex one. */
static bool is_chosen(const struct gpu_check_lapack *wanted, bool odd)
{
	const bool real = family_prefix(wanted->family, ELEMENT_D) != NULL,
		   two = family_prefix(wanted->family, ELEMENT_Z) != NULL;
	return wanted->element == (real && (odd || !two) ? ELEMENT_D : ELEMENT_Z) &&
	       wanted->trans == TRANSPOSE_N && wanted->side == SIDE_LEFT &&
	       wanted->diag == DIAG_NON_UNIT && has_vectors(wanted) &&
	       (wanted->uplo == (odd ? UPLO_LOWER : UPLO_UPPER) ||
	        strchr(family_letters(wanted->family), 'u') == NULL);
}

static void run_once(struct gpu_check_lapack *wanted, int device)
{
	const bool odd = wanted->family % 2 != 0;
	if (!is_chosen(wanted, odd))
		return;
	if (gpu_check_situation().gpu != GPU_READY)
		return;
	wanted->m = wanted->n = 36;
	wanted->nrhs = 3;
	wanted->k = 30;
	wanted->il = 5;
	wanted->iu = 27;
	wanted->gap = odd;
	note(gpu_check_run_lapack(wanted, device));
	if (wanted->family != FAMILY_GESDD && wanted->family != FAMILY_GESVD)
		return;
	/* A wide one without full rank. */
	if (gpu_check_situation().gpu != GPU_READY)
		return;
	wanted->m = 14;
	wanted->n = 18;
	wanted->kind = CHECK_FLAWED;
	note(gpu_check_run_lapack(wanted, device));
}

static int scenario_calls(void)
{
	gpu_check_configure(LIMIT);
	session_wake();
	if (gpu_check_situation().gpu == GPU_READY)
		gpu_check_each_lapack(run_once, gpu_check_situation().device);
	if (gpu_check_end("gpu_fault_lapack calls") != 0)
		return 1;
	return ENDED + came_back;
}

/* Calls whose results are committed in pieces. */
static int scenario_pieces(enum family family)
{
	const int device = gpu_check_start(LIMIT);
	const struct gpu_check_lapack wanted = {
		.family = family, .element = ELEMENT_Z, .m = 90, .n = 90, .nrhs = 70, .gap = 1};
	note(gpu_check_run_lapack(&wanted, device));
	if (gpu_check_situation().gpu == GPU_READY)
		note(gpu_check_run_lapack(&wanted, device));
	if (gpu_check_end("gpu_fault_lapack pieces") != 0)
		return 1;
	return ENDED + came_back;
}

/* The device goes silent; the call is the CPU's, whose memory is as before. */
static int scenario_silent(void)
{
	const int device = gpu_check_start(LIMIT);
	const struct gpu_check_lapack wanted = {
		.family = FAMILY_GESV, .element = ELEMENT_D, .n = 40, .nrhs = 2};
	flow_set_patience(INT64_C(1000000) * PATIENCE_MS);
	const enum reason reason = gpu_check_run_lapack(&wanted, device);
	EXPECT(reason == REASON_DEVICE_SILENT, "%s", reason_name(reason));
	session_note_outcome(reason);
	EXPECT(gpu_check_situation().gpu == GPU_OFF, "a silent GPU is not asked again");
	return gpu_check_end("gpu_fault_lapack silent") == 0 ? SILENT : 1;
}

/*
 * B has an infinity in its middle, which the link brings after the factors have come back: A is as
 * before, and so is B, of which the rest was never loaded.
 */
static int scenario_late(void)
{
	static const struct machine slow = {.link_up_bytes = 1e7};
	const struct gpu_check_lapack wanted = {.family = FAMILY_GESV,
	                                        .element = ELEMENT_D,
	                                        .n = 600,
	                                        .nrhs = 800,
	                                        .kind = CHECK_SPOILT};
	const int device = gpu_check_start(LIMIT);
	engine_rates_set_machine(&slow);
	gpu_factor_choose(GPU_FACTOR_ALWAYS, wanted.n / 3, 0);
	const enum reason reason = gpu_check_run_lapack(&wanted, device);
	EXPECT(reason == REASON_NOT_FINITE, "%s", reason_name(reason));
	return gpu_check_end("gpu_fault_lapack late") == 0 ? ENDED : 1;
}

/* fail: of SIMCUDA_FAIL, or another variable with its value. */
static int run_child(const char *scenario, const char *fail)
{
	char setting[128];
	snprintf(setting, sizeof setting, "SIMCUDA_FAIL=%s", fail);
	struct gpu_child child = {.scenario = scenario,
	                          .setting = {strchr(fail, '=') != NULL ? fail : setting}};
	gpu_child_run(&child);
	const int status = (child.status & 0x7f) == 0 ? child.status >> 8 : -1;
	EXPECT(status >= ENDED, "%s: status %x: %s", fail, (unsigned)child.status, child.errors);
	EXPECT(gpu_child_messages(&child) <= 1, "%s: %s", fail, child.errors);
	return status - ENDED;
}

/* Whether the name begins with this, and a capital for an element follows. */
static bool is_of_element(const char *function, const char *library)
{
	const size_t length = strlen(library);
	const char *rest = function + length;
	return strncmp(function, library, length) == 0 && strchr("SDCZ", *rest) != NULL &&
	       strncmp(rest, "Set", 3) != 0 && strncmp(rest, "Create", 6) != 0 &&
	       strncmp(rest, "Destroy", 7) != 0;
}

/* The calls are of double precision; of level 3 recipes use few functions. */
static bool is_used(const char *function)
{
	if (strstr(function, "cufft") != NULL)
		return false;
	if (is_of_element(function, "cusolverDn"))
		return strchr("DZ", function[10]) != NULL;
	if (is_of_element(function, "cublas"))
		return strchr("DZ", function[6]) != NULL &&
		       (strcmp(function + 7, "trsm_v2") == 0 || strcmp(function + 7, "geam") == 0);
	return true;
}

/* A planned gesv of Z has four kinds of functions of cuSOLVER. */
static bool is_called(const char *scenario, const char *function)
{
	static const char *const parts[] = {"Create", "Set", "Xgetrf", "Zlaswp"};
	bool found = strncmp(scenario, planned, sizeof planned - 1) != 0 ||
	             strncmp(function, "cusolver", 8) != 0;
	for (size_t i = 0; !found && i < sizeof parts / sizeof parts[0]; i++)
		found = strstr(function, parts[i]) != NULL;
	return found && is_used(function);
}

/* Each function fails at its first use, its second, or from the fourth on; whole: each of them. */
static void test_every_function(const char *scenario, bool whole)
{
	static const char *const when[] = {"1", "2", "4+"};
	enum { WHEN = sizeof when / sizeof when[0] };
	char fail[96];
	size_t turn = strlen(scenario);
	for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
		if (!is_called(scenario, functions[f]))
			continue;
		turn++;
		for (size_t i = 0; i < WHEN; i++) {
			if (!whole && i != turn % WHEN)
				continue;
			snprintf(fail, sizeof fail, "%s:%s", functions[f], when[i]);
			run_child(scenario, fail);
		}
	}
}

/* Whether the scenario is one of those of which this is the begin. */
static bool is_one_of(const char *scenario, const char *begin)
{
	return strncmp(scenario, begin, strlen(begin)) == 0;
}

/*
 * Each copy fails, also of a commit that has begun: operands are restored. Every other one where
 * not all functions are to fail at each use.
 */
static void test_every_copy(const char *scenario, bool whole)
{
	char fail[96];
	int failed = 0, tried = 0;
	for (int i = 1; i <= COPIES; i += whole ? 1 : 2, tried++) {
		const int copy = is_one_of(scenario, streamed) ? i * EVERY - i % EVERY : i;
		snprintf(fail, sizeof fail, "copy:%d", copy);
		failed += run_child(scenario, fail) > 0;
		snprintf(fail, sizeof fail, "cudaMemcpy2DAsync:%d,cudaMemcpyAsync:%d", copy,
		         copy + 4);
		failed += run_child(scenario, fail) > 0;
	}
	EXPECT(failed > tried, "%d children met a failure", failed);
}

static void test_silent(void)
{
	static const char *const hangs[] = {"kernel:1:hang", "kernel:2:hang", "copy:3:hang"};
	for (size_t i = 0; i < sizeof hangs / sizeof hangs[0]; i++) {
		EXPECT(run_child("silent", hangs[i]) == SILENT - ENDED, "%s", hangs[i]);
		EXPECT(run_child("planned-silent", hangs[i]) == SILENT - ENDED, "planned: %s",
		       hangs[i]);
	}
}

static int run_scenario(const char *scenario)
{
	if (is_one_of(scenario, planned)) {
		gpu_factor_choose(GPU_FACTOR_ALWAYS, WIDTH, 0);
		scenario += sizeof planned - 1;
	} else if (is_one_of(scenario, streamed)) {
		gpu_factor_choose(GPU_FACTOR_ALWAYS, WIDTH, ROOM);
		scenario += sizeof streamed - 1;
	}
	if (strcmp(scenario, "silent") == 0)
		return scenario_silent();
	if (strcmp(scenario, "late") == 0)
		return scenario_late();
	if (strcmp(scenario, "gesv") == 0)
		return scenario_pieces(FAMILY_GESV);
	if (strcmp(scenario, "getrf") == 0)
		return scenario_pieces(FAMILY_GETRF);
	if (strcmp(scenario, "potrf") == 0)
		return scenario_pieces(FAMILY_POTRF);
	return strcmp(scenario, "posv") == 0 ? scenario_pieces(FAMILY_POSV) : scenario_calls();
}

int main(int argc, char **argv)
{
	staging_set_sizes(RING_BYTES, RING_BYTES / 4);
	const bool whole = argc == 2 && strcmp(argv[1], "whole") == 0;
	if (argc == 2 && !whole)
		return run_scenario(argv[1]);
	if (getenv("EPOCHLY_GPU_CUDA_PATH") == NULL) {
		printf("skipped: faults need a simulated CUDA in EPOCHLY_GPU_CUDA_PATH\n");
		return GPU_CHECK_SKIPPED;
	}
	EXPECT(run_child("calls", "cudaMalloc:1000") == 0, "no fault");
	test_every_function("calls", whole);
	test_every_function("planned-gesv", whole);
	test_every_copy("gesv", whole);
	test_every_copy("posv", whole);
	test_every_copy("planned-gesv", whole);
	test_every_copy("planned-posv", whole);
	test_every_copy("streamed-potrf", whole);
	test_every_copy("streamed-getrf", whole);
	test_silent();
	EXPECT(run_child("late", "SIMCUDA_SLOW=cudaMemcpyAsync:4") == 0, "late");
	return gpu_check_end("gpu_fault_lapack");
}
