/* gpu_verify_test.c - calls verified by the CPU: right ones pass, wrong ones are replaced */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <string.h>

#include "gpu_check_blas.h"
#include "gpu_child.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/session/session.h"
#include "shim/execute/verify/verify_call.h"
#include "shim/table/symbol.h"

enum { ENDED = 40, FFT_MEMBERS = 512, FFT_NUMBERS = 4 * FFT_MEMBERS };

/* The reason that the calls of a scenario must return. */
static enum reason expected;
static int verified;

/* Level 3 */

static int fortran_symbol(enum family family, enum element element)
{
	char name[SYMBOL_NAME_BYTES];
	symbol_name_routine(family, element, name, sizeof name - 1);
	strcat(name, "_");
	return symbol_find(name);
}

/* The off-diagonal elements of a triangular system are small. */
static void shape_a(const struct gpu_check_blas *w, struct check_matrix *a)
{
	for (int64_t j = 0; j < a->columns && family_is_in_place(w->family); j++)
		for (int64_t i = 0; i < a->rows; i++) {
			const double complex value = check_matrix_get(a, i, j);
			check_matrix_set(a, i, j, i == j ? value + 2 : 0.25 * value);
		}
}

static struct call make_call(const struct gpu_check_blas *w,
                             struct check_matrix operand[OPERAND_COUNT])
{
	struct call call = gpu_check_describe_blas(w);
	call.symbol = fortran_symbol(w->family, w->element);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		struct matrix shape = {.rows = 0};
		operand_find(w->family, &call.blas, (enum operand)name, &shape);
		operand[name] = check_matrix_make(w->element, shape.rows, shape.columns,
		                                  shape.rows + w->gap, 0, w->place[name]);
		check_matrix_fill(&operand[name], false);
	}
	shape_a(w, &operand[OPERAND_A]);
	gpu_check_set_operands(&call, &operand[OPERAND_A], &operand[OPERAND_B],
	                       &operand[OPERAND_C]);
	return call;
}

/* Runs and verifies a call as the route does. */
static enum reason run_verified(const struct call *call, int device)
{
	const struct verify_request request = {.call = call,
	                                       .caller = __builtin_return_address(0),
	                                       .code = (void *)(uintptr_t)fortran_symbol,
	                                       .device = device};
	struct verify *verify = verify_call_begin(&request);
	bool finished;
	const enum reason reason = gpu_check_call_blas(call, device, &finished);
	EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
	verified += verify != NULL;
	if (reason == REASON_NONE && verify != NULL)
		return verify_call_end(verify, NULL);
	verify_shadow_free(verify);
	return reason;
}

/* The result must be right in every case, and nothing else may be written. */
static void check_blas(struct gpu_check_blas *wanted, int device)
{
	struct check_matrix operand[OPERAND_COUNT], before[OPERAND_COUNT];
	const struct gpu_check_blas w = gpu_check_settle_blas(wanted);
	const struct call call = make_call(&w, operand);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		before[name] = check_matrix_copy(&operand[name]);
		check_matrix_send(&operand[name]);
	}
	const enum reason reason = run_verified(&call, device);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		check_matrix_receive(&operand[name]);
	EXPECT(reason == expected, "family %d %c, %ld x %ld x %ld, side %d, uplo %d, op %d %d: %s",
	       (int)w.family, "sdcz"[w.element], (long)w.m, (long)w.n, (long)w.k, (int)w.side,
	       (int)w.uplo, (int)w.transa, (int)w.transb, reason_name(reason));
	EXPECT(gpu_check_compare_blas(&w, &before[OPERAND_A], &before[OPERAND_B],
	                              &before[OPERAND_C], &operand[OPERAND_C]) <= 1,
	       "family %d %c: the result is wrong", (int)w.family, "sdcz"[w.element]);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		EXPECT(check_matrix_same_bytes(&operand[name], &before[name]),
		       "operand %d was written", name);
		check_matrix_free(&operand[name]);
		check_matrix_free(&before[name]);
	}
}

static int64_t draw_size(int64_t most)
{
	return 1 + (int64_t)((gpu_check_random() + 1) / 2 * (double)most) % most;
}

static void run_any_size(struct gpu_check_blas *wanted, int device)
{
	wanted->m = draw_size(60);
	wanted->n = draw_size(60);
	wanted->k = draw_size(60);
	wanted->gap = draw_size(4) - 1;
	wanted->alpha = 1.5 - 0.5 * I;
	wanted->beta = draw_size(2) == 1 ? 0 : 0.5 + 2 * I;
	check_blas(wanted, device);
}

/*
 * So large that the flipped bit is in an element of the result, and the element is not negligible.
 */
static void run_square(struct gpu_check_blas *wanted, int device)
{
	wanted->m = wanted->n = wanted->k = 9;
	wanted->gap = 1;
	wanted->alpha = 1;
	check_blas(wanted, device);
}

/* Transforms */

static void *fftw(bool single, const char *stem)
{
	static void *library[2];
	char name[48];
	if (library[single] == NULL)
		library[single] = dlopen(single ? "libfftw3f.so.3" : "libfftw3.so.3", RTLD_NOW);
	if (library[single] == NULL)
		return NULL;
	snprintf(name, sizeof name, "%s%s", single ? "fftwf_" : "fftw_", stem);
	return dlsym(library[single], name);
}

static void *plan_fft(const struct fft_problem *p, void *in, void *out)
{
	enum { ESTIMATE = 1 << 6 };
	static const char *const stem[FAMILY_COUNT] = {[FAMILY_FFT_C2C] = "plan_guru64_dft",
	                                               [FAMILY_FFT_R2C] = "plan_guru64_dft_r2c",
	                                               [FAMILY_FFT_C2R] = "plan_guru64_dft_c2r"};
	void *(*plan)(int, const void *, int, const void *, void *, void *, int, unsigned);
	void *code = fftw(p->element == ELEMENT_C, stem[p->family]);
	memcpy(&plan, &code, sizeof plan);
	/* The planners of real transforms have no sign: the flags come in its place. */
	return plan(p->rank, p->dims, p->loops, p->loop, in, out,
	            p->family == FAMILY_FFT_C2C ? p->sign : ESTIMATE, ESTIMATE);
}

static void drop_plan(bool single, void *plan)
{
	void (*destroy)(void *);
	void *code = fftw(single, "destroy_plan");
	memcpy(&destroy, &code, sizeof code);
	gpu_fft_forget(plan);
	destroy(plan);
}

/*
 * Compares the GPU's result (or the CPU's, where the GPU's was wrong) with that of the program's
 * own plan.
 */
static void check_fft(const struct fft_problem *p, int device)
{
	static _Alignas(64) double in[FFT_NUMBERS], out[FFT_NUMBERS], start[FFT_NUMBERS],
		result[FFT_NUMBERS];
	const bool single = p->element == ELEMENT_C;
	void *const output = p->in_place ? in : out, *plan = plan_fft(p, in, output);
	void *code = fftw(single, "execute");
	void (*execute)(void *);
	memcpy(&execute, &code, sizeof code);
	for (int64_t i = 0; i < FFT_NUMBERS; i++) {
		gpu_check_store(in, i, p->element, true, gpu_check_random());
		gpu_check_store(out, i, p->element, true, gpu_check_random());
	}
	memcpy(start, in, sizeof in);
	const struct call call = {.symbol = SYMBOL_fftw_execute,
	                          .family = p->family,
	                          .element = p->element,
	                          .fft = {p, in, output, .plan_key = plan}};
	struct verify *verify = verify_call_begin(
		&(struct verify_request){.call = &call, .code = code, .device = device});
	enum reason reason = gpu_fft_run(&call, device);
	EXPECT(reason == REASON_NONE && verify != NULL, "%s", reason_name(reason));
	if (reason == REASON_NONE && verify != NULL)
		reason = verify_call_end(verify, NULL);
	verified += verify != NULL;
	EXPECT(reason == expected, "family %d, %ld x %ld, %ld times: %s", (int)p->family,
	       (long)p->dims[0].n, (long)p->dims[1].n, (long)p->howmany, reason_name(reason));
	memcpy(result, output, sizeof result);
	memcpy(in, start, sizeof in);
	execute(plan);
	for (int64_t i = 0; i < FFT_MEMBERS; i++) {
		const double complex x = gpu_check_load(result, i, p->element, true);
		const double complex y = gpu_check_load(output, i, p->element, true);
		/* FFTW may write the padding of real rows; the GPU does not. */
		const bool padding =
			p->family == FAMILY_FFT_C2R && i % p->dims[0].output_stride >= p->dims[1].n;
		EXPECT(padding || cabs(x - y) <= (single ? 1e-3 : 1e-11),
		       "number %ld is %g, not %g", (long)i, creal(x), creal(y));
	}
	drop_plan(single, plan);
}

/*
 * Two dimensions and a few repetitions: halved on the complex side, padded where reals are
 * transformed in place.
 */
static struct fft_problem make_fft(enum family family, enum element element, int64_t n0, int64_t n1,
                                   bool in_place)
{
	const int64_t half = family == FAMILY_FFT_C2C ? n1 : n1 / 2 + 1,
		      padded = in_place ? 2 * half : n1;
	const int64_t in = family == FAMILY_FFT_R2C ? padded : half,
		      out = family == FAMILY_FFT_C2R ? padded : half;
	return (struct fft_problem){.family = family,
	                            .element = element,
	                            .rank = 2,
	                            .dims = {{n0, in, out}, {n1, 1, 1}},
	                            .loops = 1,
	                            .loop = {{3, n0 * in, n0 * out}},
	                            .howmany = 3,
	                            .sign = family == FAMILY_FFT_C2C ? -1 : 0,
	                            .in_place = in_place};
}

/* For wrong results: lengths with which the number in the middle is not zero by symmetry. */
static void check_ffts(int device, int rounds)
{
	static const enum family families[] = {FAMILY_FFT_C2C, FAMILY_FFT_R2C, FAMILY_FFT_C2R};
	const bool wrong = expected != REASON_NONE;
	if (fftw(false, "execute") == NULL || fftw(true, "execute") == NULL) {
		printf("transforms are left out: no libfftw3.so.3, or no libfftw3f.so.3\n");
		return;
	}
	for (int kind = 0; kind < 12 * rounds; kind++) {
		const enum element element = kind / 3 % 2 ? ELEMENT_C : ELEMENT_Z;
		const int64_t n0 = wrong ? 5 : 1 + draw_size(9), n1 = wrong ? 7 : 1 + draw_size(11);
		const struct fft_problem problem =
			make_fft(families[kind % 3], element, n0, n1, kind / 6 % 2);
		check_fft(&problem, device);
	}
}

/* Scenarios */

static void check_elsewhere(int device)
{
	struct gpu_check_blas wanted = {
		.family = FAMILY_GEMM, .element = ELEMENT_D, .m = 5, .n = 5, .k = 5, .alpha = 1};
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		const int before = verified;
		wanted.place[OPERAND_A] = wanted.place[OPERAND_B] = wanted.place[OPERAND_C] =
			PLACE_HOST;
		wanted.place[name] = name == OPERAND_B ? PLACE_MANAGED : PLACE_DEVICE;
		check_blas(&wanted, device);
		EXPECT(verified == before, "operand %d in the device's memory", name);
	}
}

static void check_sound(int device)
{
	expected = REASON_NONE;
	for (int round = 0; round < 8; round++)
		gpu_check_each_blas(run_any_size, device);
	EXPECT(verified > 1000, "%d", verified);
	check_ffts(device, 12);
	check_elsewhere(device);
}

/* Each kernel flips a bit. A call of several kernels has more than one wrong element. */
static int scenario(void)
{
	const int device = gpu_check_start(0);
	expected = REASON_VERIFY_FAILED;
	gpu_check_each_blas(run_square, device);
	check_ffts(device, 2);
	EXPECT(gpu_check_situation().gpu == GPU_READY, "nobody told the session");
	session_note_outcome(REASON_VERIFY_FAILED);
	EXPECT(gpu_check_situation().gpu == GPU_OFF &&
	               gpu_check_situation().off_reason == REASON_BREAKER_OPEN,
	       "%s", reason_name(gpu_check_situation().off_reason));
	return gpu_check_end("gpu_verify scenario") != 0 ? 1 : ENDED;
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc == 2)
		return scenario();
	check_sound(gpu_check_start(0));
	if (gpu_check_is_simulated()) {
		struct gpu_child child = {.scenario = "wrong",
		                          .setting = {"SIMCUDA_FAIL=kernel:*:wrong"}};
		gpu_child_run(&child);
		EXPECT(gpu_child_exited(&child, ENDED), "status %x: %s", (unsigned)child.status,
		       child.errors);
		EXPECT(strstr(child.errors, "sgemm_ (m 9, n 9, k 9): the GPU's result is ") != NULL,
		       "%s", child.errors);
	}
	return gpu_check_end("gpu_verify");
}
