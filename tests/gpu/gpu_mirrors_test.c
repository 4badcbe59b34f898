/* gpu_mirrors_test.c - operands that stay on the device: right digits, and nothing sent twice */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "gpu_check.h"
#include "gpu_check_blas.h"
#include "gpu_child.h"
#include "shim/execute/gpu/device/memory.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/resident/resident.h"

/* A matrix of ROWS rows is 16 pages, LD rows apart; elements are small integers: sums are exact. */
enum { ORDER = 96, LD = 103, SLOTS = 6, STEPS = 400, LIMIT_MB = 1, SLOT_ELEMENTS = LD * ORDER };

static int gpu_device;

static double *make_memory(size_t elements)
{
	void *memory = mmap(NULL, elements * sizeof(double), PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(memory != MAP_FAILED, "no memory");
	return memory;
}

static int draw(int below)
{
	return (int)((gpu_check_random() + 1) / 2 * 0.999999 * below);
}

static void fill(double *matrix, int ld)
{
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i < ORDER; i++)
			matrix[i + j * ld] = draw(7) - 3;
}

static double add_up(const double *row, int row_step, const double *column, int column_step)
{
	double sum = 0;
	for (int p = 0; p < ORDER; p++)
		sum += row[p * row_step] * column[p * column_step];
	return sum;
}

struct product {
	const double *a, *b;
	double *c;
	int lda, ldb, ldc;
	bool turned; /* A */
	double beta;
};

static double find_wanted(const struct product *product, int i, int j)
{
	const double *row = product->turned ? product->a + i * product->lda : product->a + i;
	return add_up(row, product->turned ? 1 : product->lda, product->b + j * product->ldb, 1);
}

/* Elements that are not integers any more, or too large for exact sums, begin anew. */
static enum reason multiply(const struct product *product)
{
	struct call call = {.family = FAMILY_GEMM, .element = ELEMENT_D};
	static double wanted[ORDER * ORDER];
	bool finished;
	call.blas = (struct blas_call){.transa = product->turned ? TRANSPOSE_T : TRANSPOSE_N,
	                               .m = ORDER,
	                               .n = ORDER,
	                               .k = ORDER,
	                               .alpha = {1, 0},
	                               .beta = {product->beta, 0},
	                               .a = (void *)(uintptr_t)product->a,
	                               .b = (void *)(uintptr_t)product->b,
	                               .c = product->c,
	                               .lda = product->lda,
	                               .ldb = product->ldb,
	                               .ldc = product->ldc};
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i < ORDER; i++)
			wanted[i + j * ORDER] =
				find_wanted(product, i, j) +
				(product->beta == 0
			                 ? 0
			                 : product->beta * product->c[i + j * product->ldc]);
	const enum reason reason = gpu_check_call_blas(&call, gpu_device, &finished);
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i < ORDER; i++)
			if (finished && product->c[i + j * product->ldc] != wanted[i + j * ORDER]) {
				EXPECT(false, "C(%d, %d) is %g, not %g", i, j,
				       product->c[i + j * product->ldc], wanted[i + j * ORDER]);
				return reason;
			}
	return reason;
}

/* Over a slow link, so that small operands are worth a sample. */
static void open_tracking(bool at_once, uint64_t limit_bytes)
{
	static const struct machine slow = {.link_up_bytes = 1e8};
	const struct resident_settings settings = {.limit_bytes = limit_bytes,
	                                           .tracks_at_once = at_once};
	const char *fault;
	resident_close();
	engine_rates_set_machine(&slow);
	const enum track_reason reason = resident_open(&settings, &fault);
	if (reason == TRACK_REASON_NONE)
		return;
	printf("gpu_mirrors: skipped, %s\n", track_reason_sentence(reason));
	exit(GPU_CHECK_SKIPPED);
}

static uint64_t count_sent(uint64_t *before)
{
	const uint64_t sent = resident_stats_get().sent_bytes, difference = sent - *before;
	*before = sent;
	return difference;
}

/* The pages at both ends of a matrix are sent again each time. */
static void expect_ends(uint64_t sent, int matrices, const char *what)
{
	EXPECT(sent <= (uint64_t)matrices * 2 * 4096, "%s: %lu bytes were sent", what,
	       (unsigned long)sent);
}

static void test_kept(void)
{
	double *a = make_memory(SLOT_ELEMENTS), *b = make_memory(SLOT_ELEMENTS),
	       *c = make_memory(SLOT_ELEMENTS);
	uint64_t sent = 0;
	open_tracking(true, UINT64_MAX);
	fill(a, ORDER);
	fill(b, ORDER);
	count_sent(&sent);
	EXPECT(multiply(&(struct product){a, b, c, ORDER, ORDER, ORDER, false, 0}) == REASON_NONE,
	       "first");
	EXPECT(count_sent(&sent) == 2 * sizeof(double) * ORDER * ORDER, "all is sent at first");
	multiply(&(struct product){a, b, c, ORDER, ORDER, ORDER, true, 0});
	expect_ends(count_sent(&sent), 2, "A and B again");
	multiply(&(struct product){a, c, b, ORDER, ORDER, ORDER, false, 0});
	expect_ends(count_sent(&sent), 2, "C of one call is B of the next");
	a[ORDER * ORDER / 2] += 1;
	multiply(&(struct product){a, b, c, ORDER, ORDER, ORDER, false, 0});
	expect_ends(count_sent(&sent), 3, "one page of A was written");
	multiply(&(struct product){a, a, c, ORDER, ORDER, ORDER, true, 0});
	expect_ends(count_sent(&sent), 1, "A times its transpose");
	fill(b, ORDER);
	multiply(&(struct product){a, a, b, ORDER, ORDER, ORDER, false, 2});
	expect_ends(count_sent(&sent), 1, "C is not sent");
	multiply(&(struct product){b, a, c, ORDER, ORDER, ORDER, false, 0});
	EXPECT(count_sent(&sent) >= sizeof(double) * ORDER * ORDER - 8192,
	       "B was combined with the program's memory");
	EXPECT(resident_reason() == TRACK_REASON_NONE, "%s",
	       track_reason_sentence(resident_reason()));
	munmap(a, SLOT_ELEMENTS * sizeof *a);
	multiply(&(struct product){b, b, c, ORDER, ORDER, ORDER, false, 0});
}

static long fill_and_count_faults(double *matrix)
{
	struct rusage before, after;
	getrusage(RUSAGE_THREAD, &before);
	fill(matrix, ORDER);
	getrusage(RUSAGE_THREAD, &after);
	return after.ru_minflt - before.ru_minflt;
}

/*
 * A call makes C, another one reads it, and after the first rounds the program rewrites it before
 * the next round. It has page faults for two matrices at most, and they are counted, though no call
 * reads what it has written.
 */
static void test_rewritten(int rounds_before)
{
	enum { ROUNDS = 40, PAGES = ORDER * ORDER * sizeof(double) / 4096 + 1 };
	double *a = make_memory(SLOT_ELEMENTS), *c = make_memory(SLOT_ELEMENTS),
	       *d = make_memory(SLOT_ELEMENTS);
	long faults = 0;
	open_tracking(false, UINT64_MAX);
	fill(a, ORDER);
	fill(c, ORDER);
	for (int i = 0; i < ROUNDS; i++) {
		multiply(&(struct product){a, a, c, ORDER, ORDER, ORDER, false, 0});
		multiply(&(struct product){c, a, d, ORDER, ORDER, ORDER, false, 0});
		if (i >= rounds_before)
			faults += fill_and_count_faults(c);
	}
	const uint64_t counted = resident_stats_get().written_pages;
	EXPECT(faults > 0 && faults <= 2 * PAGES, "%d rounds before: %ld page faults",
	       rounds_before, faults);
	EXPECT(counted + 2 >= (uint64_t)faults, "%lu of %ld page faults were counted",
	       (unsigned long)counted, faults);
	munmap(a, SLOT_ELEMENTS * sizeof *a);
	munmap(c, SLOT_ELEMENTS * sizeof *c);
	munmap(d, SLOT_ELEMENTS * sizeof *d);
}

/* Operands overlap in pages, have gaps or none, and are written now and then. */
static void test_random(bool at_once, uint64_t limit_bytes)
{
	double *memory = make_memory(SLOTS * SLOT_ELEMENTS);
	int ld[SLOTS];
	open_tracking(at_once, limit_bytes);
	for (int slot = 0; slot < SLOTS; slot++) {
		ld[slot] = slot % 2 == 0 ? ORDER : LD;
		fill(memory + slot * SLOT_ELEMENTS, ld[slot]);
	}
	for (int step = 0; step < STEPS; step++) {
		const int a = draw(SLOTS), b = draw(SLOTS);
		int c = draw(SLOTS);
		while (c == a || c == b)
			c = (c + 1) % SLOTS;
		const struct product product = {memory + a * SLOT_ELEMENTS,
		                                memory + b * SLOT_ELEMENTS,
		                                memory + c * SLOT_ELEMENTS,
		                                ld[a],
		                                ld[b],
		                                ld[c],
		                                draw(2) == 0,
		                                draw(3) == 0 ? 1 : 0};
		EXPECT(multiply(&product) == REASON_NONE, "step %d", step);
		if (draw(3) > 0)
			fill(memory + c * SLOT_ELEMENTS, ld[c]);
		if (draw(4) == 0)
			memory[a * SLOT_ELEMENTS + draw(ORDER) + draw(ORDER) * ld[a]] = 2;
		if (memory[c * SLOT_ELEMENTS] > 1e6 || memory[c * SLOT_ELEMENTS] < -1e6)
			fill(memory + c * SLOT_ELEMENTS, ld[c]);
		for (int slot = 0; slot < SLOTS; slot++)
			if (!(memory[slot * SLOT_ELEMENTS + 1] < 1e6 &&
			      memory[slot * SLOT_ELEMENTS + 1] > -1e6))
				fill(memory + slot * SLOT_ELEMENTS, ld[slot]);
	}
	const struct resident_stats stats = resident_stats_get();
	EXPECT(stats.sent_bytes < stats.asked_bytes, "nothing was kept");
	munmap(memory, SLOTS * SLOT_ELEMENTS * sizeof *memory);
}

/*
 * The program page-locks an operand by CUDA of its own: a device could write it unseen from now on,
 * so nothing is tracked any more. The last test: this process stays so.
 */
static void test_locked_by_program(void)
{
	int (*lock)(void *, size_t, unsigned) =
		(int (*)(void *, size_t, unsigned))gpu_check_function("cudaHostRegister");
	double *a = make_memory(SLOT_ELEMENTS), *c = make_memory(SLOT_ELEMENTS);
	const struct product product = {a, a, c, ORDER, ORDER, ORDER, false, 0};
	open_tracking(true, UINT64_MAX);
	fill(a, ORDER);
	multiply(&product);
	EXPECT(lock(a, SLOT_ELEMENTS * sizeof *a, 0) == 0, "the operand is page-locked");
	EXPECT(multiply(&product) == REASON_NONE, "the call that finds it so");
	EXPECT(resident_reason() == TRACK_REASON_CUDA, "%s",
	       track_reason_sentence(resident_reason()));
	a[7] = 2;
	EXPECT(multiply(&product) == REASON_NONE, "and those after it");
}

/* A device that fails: the CPU has the call, and what the mirrors hold is void. */
static void run_failures(void)
{
	double *a = make_memory(SLOT_ELEMENTS), *c = make_memory(SLOT_ELEMENTS);
	int failed = 0;
	gpu_device = gpu_check_start(0);
	open_tracking(true, UINT64_MAX);
	fill(a, ORDER);
	for (int i = 0; i < 4; i++) {
		const struct product product = {a, a, c, ORDER, ORDER, ORDER, false, 0};
		failed += multiply(&product) != REASON_NONE;
		a[5 + i] += 1;
	}
	EXPECT(failed > 0, "no call failed");
}

static void test_failures(void)
{
	static const char *const faults[] = {"SIMCUDA_FAIL=copy:1:700", "SIMCUDA_FAIL=copy:2:700",
	                                     "SIMCUDA_FAIL=kernel:2:700",
	                                     "SIMCUDA_FAIL=cublasDgemm_v2:2"};
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		struct gpu_child child = {.scenario = "failures", .setting = {faults[i]}};
		gpu_child_run(&child);
		EXPECT(gpu_child_exited(&child, 0), "%s: status %#x, %s", faults[i],
		       (unsigned)child.status, child.errors);
	}
}

/* The program uses CUDA itself from now on, and needs the memory of the device. */
static void test_given_back(void)
{
	double *a = make_memory(SLOT_ELEMENTS), *c = make_memory(SLOT_ELEMENTS);
	const struct product product = {a, a, c, ORDER, ORDER, ORDER, false, 0};
	open_tracking(true, UINT64_MAX);
	fill(a, ORDER);
	for (int i = 0; i < 3; i++)
		multiply(&product);
	EXPECT(resident_has_mirrors(), "nothing is kept");
	resident_note_cuda();
	for (int i = 0; i < 3; i++)
		multiply(&product);
	EXPECT(resident_reason() == TRACK_REASON_CUDA, "%s",
	       track_reason_sentence(resident_reason()));
	EXPECT(!resident_has_mirrors(), "copies stay where nothing is tracked any more");
	munmap(a, SLOT_ELEMENTS * sizeof *a);
	munmap(c, SLOT_ELEMENTS * sizeof *c);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "failures") == 0) {
		run_failures();
		return gpu_check_end("gpu_mirrors failures");
	}
	gpu_device = gpu_check_start(0);
	if (argc > 1 && strcmp(argv[1], "given-back") == 0) {
		test_given_back();
		return gpu_check_end("gpu_mirrors given-back");
	}
	test_kept();
	test_rewritten(0);
	test_rewritten(4);
	test_random(true, UINT64_MAX);
	test_random(false, UINT64_MAX);
	test_random(true, (uint64_t)3 * SLOT_ELEMENTS * sizeof(double));
	if (gpu_check_is_simulated())
		test_failures();
	struct gpu_child child = {.scenario = "given-back"};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, 0), "given-back: status %#x, %s", (unsigned)child.status,
	       child.errors);
	test_locked_by_program();
	return gpu_check_end("gpu_mirrors");
}
