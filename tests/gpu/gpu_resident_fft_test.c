/* gpu_resident_fft_test.c - transforms of what is on the device, and results that stay there */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <sys/mman.h>

#include "gpu_check.h"
#include "gpu_check_resident.h"
#include "gpu_child.h"
#include "policy/decide/cost.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/resident/resident.h"
#include "shim/execute/gpu/session/survey.h"

/* Complex numbers of 16 pages; LINES lines of them. A real side has as many numbers or fewer. */
enum { POINTS = 4096, LINES = 16, LENGTH = POINTS / LINES, ROOM = 4 * POINTS };
enum { BYTES = POINTS * 2 * sizeof(double), PAGE = 4096 };

static int gpu_device;

/* name: of the family; lines: howmany of one dimension each, else one of two dimensions. */
struct kind {
	const char *name;
	enum family family;
	bool lines, turned; /* turned: the lines are interleaved, so that groups are rows */
};

static const struct kind kinds[] = {
	{"c2c", FAMILY_FFT_C2C, false, false},       {"c2c lines", FAMILY_FFT_C2C, true, false},
	{"c2c columns", FAMILY_FFT_C2C, true, true}, {"r2c", FAMILY_FFT_R2C, false, false},
	{"r2c lines", FAMILY_FFT_R2C, true, false},  {"c2r", FAMILY_FFT_C2R, false, false},
	{"c2r lines", FAMILY_FFT_C2R, true, false},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static int64_t count_side(const struct kind *kind, bool output)
{
	if (kind->family == FAMILY_FFT_C2C)
		return LENGTH;
	return output == (kind->family == FAMILY_FFT_R2C) ? LENGTH / 2 + 1 : LENGTH;
}

static uint64_t count_bytes(const struct kind *kind, bool output)
{
	const bool real = kind->family == (output ? FAMILY_FFT_C2R : FAMILY_FFT_R2C);
	return (uint64_t)(LINES * count_side(kind, output)) * (real ? 8 : 16);
}

static struct fft_problem make_problem(const struct kind *kind, bool in_place)
{
	struct fft_problem problem = {
		.family = kind->family, .element = ELEMENT_Z, .sign = -1, .in_place = in_place};
	const int64_t in = count_side(kind, false), out = count_side(kind, true);
	const struct fft_dim line = {LENGTH, kind->turned ? LINES : 1, kind->turned ? LINES : 1},
			     lines = {LINES, kind->turned ? 1 : in, kind->turned ? 1 : out};
	problem.howmany = kind->lines ? LINES : 1;
	problem.rank = kind->lines ? 1 : 2;
	problem.loops = kind->lines ? 1 : 0;
	problem.dims[0] = kind->lines ? line : lines;
	problem.dims[1] = line;
	problem.loop[0] = lines;
	return problem;
}

static enum reason transform(const struct kind *kind, double *in, double *out)
{
	const struct fft_problem problem = make_problem(kind, in == out);
	struct call call = {.family = kind->family, .element = ELEMENT_Z};
	call.fft = (struct fft_call){.problem = &problem, .in = in, .out = out};
	return gpu_fft_run(&call, gpu_device);
}

/* Whether the input counts as held, and costs less then. */
static void expect_held(const struct kind *kind, double *in, double *out, bool held)
{
	const struct fft_problem problem = make_problem(kind, in == out);
	const struct machine machine = {.link_up_bytes = 1e8, .link_down_bytes = 1e8};
	struct situation situation = gpu_check_situation();
	struct cost cost;
	struct call call = {.family = kind->family,
	                    .element = ELEMENT_Z,
	                    .input_bytes = count_bytes(kind, false)};
	call.fft = (struct fft_call){.problem = &problem, .in = in, .out = out};
	survey_call(&call, 0, &situation);
	EXPECT(situation.setting.held[OPERAND_A] == held, "%s: held %d", kind->name, !held);
	cost_predict(&machine, &situation.setting, &call, &cost);
	EXPECT((cost.gpu.in_ns == 0) == held, "%s: %g ns", kind->name, cost.gpu.in_ns);
}

static void fill(double *memory)
{
	for (int i = 0; i < ROOM; i++)
		memory[i] = gpu_check_random();
}

/* At most the pages at both ends, which may have other bytes too. */
static void expect_sent(const struct kind *kind, uint64_t least, uint64_t most, const char *what)
{
	const uint64_t sent = gpu_check_take_sent();
	EXPECT(sent >= least && sent <= most, "%s, %s: %lu bytes were sent", kind->name, what,
	       (unsigned long)sent);
}

static void test_kind(const struct kind *kind)
{
	double *in = gpu_check_make_memory(ROOM), *out = gpu_check_make_memory(ROOM),
	       *wanted = gpu_check_make_memory(ROOM), *next = gpu_check_make_memory(ROOM);
	const uint64_t all = count_bytes(kind, false);
	const struct kind back = {"back", FAMILY_FFT_C2C, false, false};
	fill(in);
	fill(out);
	memcpy(wanted, out, ROOM * sizeof *out);
	resident_close();
	EXPECT(transform(kind, in, wanted) == REASON_NONE, "%s", kind->name);
	gpu_check_open_tracking("gpu_resident_fft");
	gpu_check_take_sent();
	expect_held(kind, in, out, false);
	for (int i = 0; i < 3; i++) {
		EXPECT(transform(kind, in, out) == REASON_NONE, "%s", kind->name);
		EXPECT(memcmp(out, wanted, ROOM * sizeof *out) == 0, "%s: other digits",
		       kind->name);
		expect_sent(kind, i == 0 ? all : 0, i == 0 ? all : 2 * PAGE, "input");
		expect_held(kind, in, out, true);
	}
	/* All of the next input, but for what lies behind the result. */
	if (kind->family == FAMILY_FFT_C2C) {
		EXPECT(transform(&back, out, next) == REASON_NONE, "%s", kind->name);
		expect_sent(kind, 0, 0, "the result is the next input");
		resident_close();
		EXPECT(transform(&back, wanted, in) == REASON_NONE, "%s", kind->name);
		EXPECT(memcmp(next, in, BYTES) == 0, "%s: other digits of the next", kind->name);
		gpu_check_open_tracking("gpu_resident_fft");
		transform(kind, in, out);
	}
	in[LENGTH + 3] += 1;
	memcpy(wanted, out, ROOM * sizeof *out);
	gpu_check_take_sent();
	EXPECT(transform(kind, in, out) == REASON_NONE, "%s", kind->name);
	/* With the end of a last page that is not whole all in between is sent. */
	expect_sent(kind, PAGE, all % PAGE == 0 ? PAGE : all, "one page was written");
	resident_close();
	EXPECT(transform(kind, in, wanted) == REASON_NONE, "%s", kind->name);
	EXPECT(memcmp(out, wanted, ROOM * sizeof *out) == 0, "%s: an old page", kind->name);
	munmap(in, ROOM * sizeof *in);
	munmap(out, ROOM * sizeof *in);
	munmap(wanted, ROOM * sizeof *in);
	munmap(next, ROOM * sizeof *in);
}

/* The other direction in place, on the same numbers. */
static enum reason turn_back(const struct kind *kind, double *both)
{
	struct fft_problem problem = make_problem(kind, true);
	struct call call = {.family = kind->family, .element = ELEMENT_Z};
	problem.sign = 1;
	call.fft = (struct fft_call){.problem = &problem, .in = both, .out = both};
	return gpu_fft_run(&call, gpu_device);
}

/* A step of the program between two transforms in place. */
static void change(double *both, int step)
{
	if (step == 2)
		both[LENGTH + 3] += 1;
	if (step == 4)
		fill(both);
}

/* A result in place is the next input, and what the program wrote in between is sent. */
static void test_pair(const struct kind *kind)
{
	static const uint64_t most[] = {BYTES, 0, PAGE, 0, BYTES, 0};
	double *both = gpu_check_make_memory(ROOM), *wanted = gpu_check_make_memory(ROOM);
	fill(both);
	memcpy(wanted, both, ROOM * sizeof *both);
	gpu_check_open_tracking("gpu_resident_fft");
	for (int i = 0; i < 6; i++) {
		change(both, i);
		gpu_check_take_sent();
		EXPECT((i % 2 == 0 ? transform(kind, both, both) : turn_back(kind, both)) ==
		               REASON_NONE,
		       "%s", kind->name);
		expect_sent(kind, most[i], most[i], "a pair in place");
	}
	memcpy(wanted, both, ROOM * sizeof *both);
	expect_held(kind, both, both, true);
	transform(kind, both, both);
	resident_close();
	transform(kind, wanted, wanted);
	EXPECT(memcmp(both, wanted, ROOM * sizeof *both) == 0, "%s: other digits", kind->name);
	munmap(both, ROOM * sizeof *both);
	munmap(wanted, ROOM * sizeof *both);
}

/* Real and complex numbers in one place: the rows of real ones have gaps, which nobody writes. */
static void test_real_pair(bool there_first)
{
	struct fft_problem problem = make_problem(&kinds[3], true), back;
	double *both = gpu_check_make_memory(ROOM), *wanted = gpu_check_make_memory(ROOM);
	struct call call = {.family = FAMILY_FFT_R2C, .element = ELEMENT_Z};
	problem.dims[0].input_stride = 2 * (LENGTH / 2 + 1);
	back = problem;
	back.family = FAMILY_FFT_C2R;
	back.dims[0].input_stride = LENGTH / 2 + 1;
	back.dims[0].output_stride = 2 * (LENGTH / 2 + 1);
	fill(both);
	memcpy(wanted, both, ROOM * sizeof *both);
	for (int run = 0; run < 2; run++) {
		if (run == 0)
			gpu_check_open_tracking("gpu_resident_fft");
		else
			resident_close();
		double *memory = run == 0 ? both : wanted;
		gpu_check_take_sent();
		for (int i = 0; i < 6; i++) {
			const bool there = (i % 2 == 0) == there_first;
			call.family = there ? FAMILY_FFT_R2C : FAMILY_FFT_C2R;
			call.fft = (struct fft_call){
				.problem = there ? &problem : &back, .in = memory, .out = memory};
			EXPECT(gpu_fft_run(&call, gpu_device) == REASON_NONE, "step %d", i);
			if (run == 0 && i > 0)
				expect_sent(&kinds[3], 0, 2 * PAGE, "real in place");
			gpu_check_take_sent();
		}
	}
	EXPECT(memcmp(both, wanted, ROOM * sizeof *both) == 0, "other digits");
	munmap(both, ROOM * sizeof *both);
	munmap(wanted, ROOM * sizeof *both);
}

/* A transform in place finds the result of one that is not, and the other way round. */
static void test_in_place(const struct kind *kind)
{
	double *both = gpu_check_make_memory(ROOM), *wanted = gpu_check_make_memory(ROOM),
	       *next = gpu_check_make_memory(ROOM);
	fill(both);
	memcpy(wanted, both, ROOM * sizeof *both);
	resident_close();
	for (int i = 0; i < 2; i++)
		EXPECT(transform(kind, wanted, wanted) == REASON_NONE, "%s", kind->name);
	gpu_check_open_tracking("gpu_resident_fft");
	gpu_check_take_sent();
	expect_held(kind, both, both, false);
	for (int i = 0; i < 2; i++) {
		EXPECT(transform(kind, both, both) == REASON_NONE, "%s", kind->name);
		expect_sent(kind, i == 0 ? BYTES : 0, i == 0 ? BYTES : 0, "in place");
	}
	EXPECT(memcmp(both, wanted, ROOM * sizeof *both) == 0, "%s: other digits", kind->name);
	EXPECT(transform(kind, both, next) == REASON_NONE, "%s", kind->name);
	expect_sent(kind, 0, 0, "what was computed in place");
	munmap(both, ROOM * sizeof *both);
	munmap(wanted, ROOM * sizeof *both);
	munmap(next, ROOM * sizeof *both);
}

static void test_all(void)
{
	for (size_t i = 0; i < KINDS; i++)
		test_kind(&kinds[i]);
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].family == FAMILY_FFT_C2C) {
			test_in_place(&kinds[i]);
			test_pair(&kinds[i]);
		}
	test_real_pair(true);
	test_real_pair(false);
}

/* The input is as before, and what the call has planned is dropped. */
static int run_failures(bool in_place)
{
	int failed = 0;
	gpu_device = gpu_check_start(0);
	double *in = gpu_check_make_memory(ROOM), *before = gpu_check_make_memory(ROOM),
	       *out = in_place ? in : gpu_check_make_memory(ROOM);
	fill(in);
	gpu_check_open_tracking("gpu_resident_fft");
	gpu_fft_set_group(LINES / 4);
	for (int i = 0; i < 6 && failed == 0; i++) {
		memcpy(before, in, ROOM * sizeof *in);
		if (transform(&kinds[1], in, out) == REASON_NONE)
			continue;
		EXPECT(memcmp(before, in, ROOM * sizeof *in) == 0, "the input was written");
		EXPECT(resident_stats_get().windows == 0, "a mirror of a failed call");
		failed++;
	}
	EXPECT(failed > 0, "no call failed");
	return gpu_check_end("gpu_resident_fft failures");
}

static void run_failure(const char *scenario, const char *fault)
{
	struct gpu_child child = {.scenario = scenario, .setting = {fault}};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, 0), "%s, %s: status %#x, %s", scenario, fault,
	       (unsigned)child.status, child.errors);
}

/* Each copy of the first calls, and each transform: of an input that is sent, and that is there. */
static void test_failures(const char *scenario)
{
	enum { COPIES = 34, TRANSFORMS = 10 };
	char fault[64];
	for (int number = 1; number <= COPIES; number++) {
		snprintf(fault, sizeof fault, "SIMCUDA_FAIL=copy:%d:700", number);
		run_failure(scenario, fault);
	}
	for (int number = 1; number <= TRANSFORMS; number++) {
		snprintf(fault, sizeof fault, "SIMCUDA_FAIL=cufftExecZ2Z:%d:6", number);
		run_failure(scenario, fault);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return run_failures(strcmp(argv[1], "in_place") == 0);
	gpu_device = gpu_check_start(0);
	gpu_check_count_sent();
	test_all();
	gpu_fft_set_group(LINES / 4 - 1);
	test_all();
	if (gpu_check_is_simulated()) {
		test_failures("out_of_place");
		test_failures("in_place");
	}
	return gpu_check_end("gpu_resident_fft");
}
