/* gpu_mirrors_padded_test.c - matrices with gaps: right digits, most is not sent again */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <sys/mman.h>

#include "gpu_check.h"
#include "gpu_check_blas.h"
#include "gpu_check_resident.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/resident/resident.h"

/*
 * A has more columns than are copied one by one, of ten pages and a part. Elements are small
 * integers: sums are exact. The gap between two columns is less than a page, or more.
 */
enum { ROWS = 5200, COLUMNS = 70, RIGHT = 3, SHORT_GAP = 20, LONG_GAP = 1300, HITS = 4 };
enum { COLUMN_BYTES = ROWS * sizeof(double), MATRIX_BYTES = COLUMNS * COLUMN_BYTES };
enum { PAGE_BYTES = 4096, SMALL_BYTES = COLUMNS * RIGHT * sizeof(double) + 2 * PAGE_BYTES };
/* A page at either end of each column, and B. */
enum { ENDS_BYTES = 2 * PAGE_BYTES * COLUMNS + SMALL_BYTES };

struct padded {
	double *a, *b, *c;
	int ld;
	uint64_t sent; /* by the last call */
};

static int gpu_device;

static struct padded padded_make(int gap)
{
	struct padded padded = {.ld = ROWS + gap};
	padded.a = gpu_check_make_memory((size_t)padded.ld * COLUMNS);
	padded.b = gpu_check_make_memory((size_t)COLUMNS * RIGHT);
	padded.c = gpu_check_make_memory((size_t)padded.ld * RIGHT);
	for (int j = 0; j < COLUMNS; j++)
		for (int i = 0; i < padded.ld; i++)
			padded.a[i + j * padded.ld] = (i * 7 + j * 3) % 5 - 2;
	for (int i = 0; i < COLUMNS * RIGHT; i++)
		padded.b[i] = i % 3 - 1;
	return padded;
}

static void padded_free(const struct padded *padded)
{
	munmap(padded->a, (size_t)padded->ld * COLUMNS * sizeof *padded->a);
	munmap(padded->b, (size_t)COLUMNS * RIGHT * sizeof *padded->b);
	munmap(padded->c, (size_t)padded->ld * RIGHT * sizeof *padded->c);
}

static double padded_add_up(const struct padded *padded, int i, int j)
{
	double sum = 0;
	for (int p = 0; p < COLUMNS; p++)
		sum += padded->a[i + p * padded->ld] * padded->b[p + j * COLUMNS];
	return sum;
}

static int padded_count_wrong(const struct padded *padded)
{
	int wrong = 0;
	for (int j = 0; j < RIGHT; j++)
		for (int i = 0; i < ROWS; i++)
			wrong += padded->c[i + j * padded->ld] != padded_add_up(padded, i, j);
	return wrong;
}

/* Returns the bytes that were to be sent. */
static uint64_t padded_multiply(struct padded *padded, const char *what)
{
	struct call call = {.family = FAMILY_GEMM, .element = ELEMENT_D};
	bool finished;
	call.blas = (struct blas_call){.m = ROWS,
	                               .n = RIGHT,
	                               .k = COLUMNS,
	                               .alpha = {1, 0},
	                               .a = padded->a,
	                               .b = padded->b,
	                               .c = padded->c,
	                               .lda = padded->ld,
	                               .ldb = COLUMNS,
	                               .ldc = padded->ld};
	const enum reason reason = gpu_check_call_blas(&call, gpu_device, &finished);
	EXPECT(finished && reason == REASON_NONE, "%s: %s", what, reason_name(reason));
	const int wrong = padded_count_wrong(padded);
	EXPECT(wrong == 0, "%s: %d elements are wrong", what, wrong);
	padded->sent = gpu_check_take_sent();
	return padded->sent;
}

static void expect_at_most(uint64_t sent, uint64_t most, const char *what)
{
	EXPECT(sent <= most, "%s: %lu bytes were sent, more than %lu", what, (unsigned long)sent,
	       (unsigned long)most);
}

/* In place of what: an element inside a column, one beside the gap, one in it, and many. */
static void test_writes(struct padded *padded)
{
	expect_at_most(padded_multiply(padded, "again"), ENDS_BYTES, "again");
	padded->a[ROWS / 2 + 5 * padded->ld] += 1;
	expect_at_most(padded_multiply(padded, "one element"), ENDS_BYTES + COLUMN_BYTES,
	               "one element");
	padded->a[ROWS - 1 + 6 * padded->ld] += 1;
	padded->a[7 * padded->ld] -= 1;
	expect_at_most(padded_multiply(padded, "beside the gap"), ENDS_BYTES, "beside the gap");
	padded->a[ROWS + 8 * padded->ld] = 1e300;
	expect_at_most(padded_multiply(padded, "in the gap"), ENDS_BYTES, "in the gap");
	for (int j = 0; j < COLUMNS; j++)
		padded->a[ROWS / 3 + j * padded->ld] += 1;
	padded_multiply(padded, "an element of each column");
	expect_at_most(padded_multiply(padded, "at last"), ENDS_BYTES, "at last");
}

/* C has gaps too, and another thread's memory in them: it is as before. */
static void test_gap(const struct padded *padded)
{
	for (int j = 0; j < RIGHT; j++)
		for (int i = ROWS; i < padded->ld; i++)
			EXPECT(padded->c[i + j * padded->ld] == 0, "the gap of C was written");
}

static void test_tracked(int gap)
{
	struct padded padded = padded_make(gap);
	gpu_check_open_tracking("gpu_mirrors_padded");
	EXPECT(padded_multiply(&padded, "first") >= MATRIX_BYTES, "all is sent at first");
	test_writes(&padded);
	test_gap(&padded);
	padded_free(&padded);
}

/* Over a slow link the operand is worth it, in pages of either size. */
static void test_auto(int gap, bool large)
{
	static const struct machine slow = {.link_up_bytes = 1e8};
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX};
	struct padded padded = padded_make(gap);
	const char *fault;
#ifdef MADV_COLLAPSE
	if (large)
		madvise(padded.a, (size_t)padded.ld * COLUMNS * sizeof *padded.a, MADV_COLLAPSE);
#endif
	resident_close();
	engine_rates_set_machine(&slow);
	EXPECT(resident_open(&settings, &fault) == TRACK_REASON_NONE, "tracking is open");
	for (int i = 0; i < HITS; i++)
		padded_multiply(&padded, large ? "auto, large pages" : "auto");
	expect_at_most(padded.sent, ENDS_BYTES, large ? "auto, large pages" : "auto");
	padded_free(&padded);
}

int main(void)
{
	gpu_device = gpu_check_start(0);
	gpu_check_count_sent();
	test_tracked(SHORT_GAP);
	test_tracked(LONG_GAP);
	for (int large = 0; large < 2; large++) {
		test_auto(SHORT_GAP, large != 0);
		test_auto(LONG_GAP, large != 0);
	}
	resident_close();
	return gpu_check_end("gpu_mirrors_padded");
}
