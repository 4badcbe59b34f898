/* gpu_mirrors_padded_test.c - matrices with gaps: right digits, most is not sent again */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
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
	double before; /* all of C; added to the product unless it is 0 */
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
			wrong += padded->c[i + j * padded->ld] !=
			         padded_add_up(padded, i, j) + padded->before;
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
	                               .beta = {padded->before != 0, 0},
	                               .a = padded->a,
	                               .b = padded->b,
	                               .c = padded->c,
	                               .lda = padded->ld,
	                               .ldb = COLUMNS,
	                               .ldc = padded->ld};
	for (int i = 0; i < padded->ld * RIGHT; i++)
		padded->c[i] = padded->before;
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

/*
 * In place of what: an element inside a column, one beside the gap, one in it, and many. Pages that
 * hold a part of A stay, until others have written there twice.
 */
static void test_writes(struct padded *padded)
{
	const uint64_t few = SMALL_BYTES + UINT64_C(6) * PAGE_BYTES;
	expect_at_most(padded_multiply(padded, "again"), SMALL_BYTES, "again");
	padded->a[ROWS / 2 + 5 * padded->ld] += 1;
	expect_at_most(padded_multiply(padded, "one element"), few, "one element");
	padded->a[ROWS - 1 + 6 * padded->ld] += 1;
	padded->a[7 * padded->ld] -= 1;
	expect_at_most(padded_multiply(padded, "beside the gap"), few, "beside the gap");
	expect_at_most(padded_multiply(padded, "as before"), SMALL_BYTES, "as before");
	padded->a[ROWS + 8 * padded->ld] = 1e300;
	expect_at_most(padded_multiply(padded, "in the gap"), ENDS_BYTES, "in the gap");
	for (int j = 0; j < COLUMNS; j++)
		padded->a[ROWS / 3 + j * padded->ld] += 1;
	padded_multiply(padded, "an element of each column");
	expect_at_most(padded_multiply(padded, "at last"), ENDS_BYTES, "at last");
}

/*
 * A call looks late at what calls before it found unchanged, and begins anew if it has changed.
 * Nothing is stored before that: it would be added twice.
 */
static void test_late(int gap)
{
	struct padded padded = padded_make(gap);
	gpu_check_open_tracking("gpu_mirrors_padded");
	for (int round = 0; round < 3; round++) {
		padded.before = round;
		for (int i = 0; i < HITS; i++)
			padded_multiply(&padded, "unchanged for long");
		expect_at_most(padded.sent, SMALL_BYTES, "unchanged for long");
		padded.a[ROWS / 2 + round + round * padded.ld] += 1;
		expect_at_most(padded_multiply(&padded, "changed after a while"),
		               2 * SMALL_BYTES + 2 * PAGE_BYTES, "changed after a while");
	}
	padded_free(&padded);
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

/* -- triangles of short columns ---------------------------------------------------------------- */

/* Columns of less than three pages: their ends are more than the triangle. */
enum { ORDER = 1300, ORDER_LD = 1320, TRIANGLE_BYTES = ORDER * (ORDER + 1) / 2 * 8 };

struct square {
	double *a, *b, *c;
};

static double square_read(const struct square *square, enum family family, int i, int j)
{
	if (i > j)
		return family == FAMILY_TRMM ? 0 : square->a[j + i * ORDER_LD];
	return square->a[i + j * ORDER_LD];
}

static int square_count_wrong(const struct square *square, enum family family)
{
	int wrong = 0;
	for (int i = 0; i < ORDER; i++)
		for (int j = 0; j < RIGHT; j++) {
			double sum = 0;
			for (int p = 0; p < ORDER; p++)
				sum += square_read(square, family, i, p) * square->b[p + j * ORDER];
			wrong += square->c[i + j * ORDER] != sum;
		}
	return wrong;
}

/* Returns the bytes that were sent. */
static uint64_t square_multiply(struct square *square, enum family family, const char *way)
{
	struct call call = {.family = family, .element = ELEMENT_D};
	bool finished;
	memcpy(square->c, square->b, ORDER * RIGHT * sizeof *square->b);
	call.blas = (struct blas_call){.side = SIDE_LEFT,
	                               .uplo = UPLO_UPPER,
	                               .m = ORDER,
	                               .n = RIGHT,
	                               .k = ORDER,
	                               .alpha = {1, 0},
	                               .a = square->a,
	                               .b = family == FAMILY_SYMM ? square->b : NULL,
	                               .c = square->c,
	                               .lda = ORDER_LD,
	                               .ldb = ORDER,
	                               .ldc = ORDER};
	gpu_check_take_sent();
	EXPECT(gpu_check_call_blas(&call, gpu_device, &finished) == REASON_NONE, "%s", way);
	const int wrong = square_count_wrong(square, family);
	EXPECT(wrong == 0, "%s: %d elements are wrong", way, wrong);
	return gpu_check_take_sent();
}

static void square_fill(const struct square *square)
{
	for (int i = 0; i < ORDER_LD * ORDER; i++)
		square->a[i] = (i * 7 + i / ORDER_LD) % 5 - 2;
	for (int i = 0; i < ORDER * RIGHT; i++)
		square->b[i] = i % 3 - 1;
}

/* Numbers change inside the triangle, beside it, at the ends of columns, and in their gaps. */
static void test_short_columns(enum family family, const char *way, bool sends_less)
{
	const struct square made = {gpu_check_make_memory((size_t)ORDER_LD * ORDER),
	                            gpu_check_make_memory((size_t)ORDER * RIGHT),
	                            gpu_check_make_memory((size_t)ORDER * RIGHT)};
	struct square square = made;
	square_fill(&square);
	const uint64_t all = square_multiply(&square, family, way);
	for (int call = 0; call < 2 * HITS; call++) {
		for (int j = 0; j < ORDER; j++)
			square.a[ORDER + j * ORDER_LD] = call;
		if (call % 3 == 1)
			square.a[call + 700 * ORDER_LD] += 1;
		if (call % 3 == 2)
			square.a[700 + call * ORDER_LD] = square.a[ORDER - 1 + 9 * ORDER_LD] = 1e9;
		const uint64_t sent = square_multiply(&square, family, way);
		EXPECT(!sends_less || sent <= all, "%s: %lu bytes were sent, of %lu", way,
		       (unsigned long)sent, (unsigned long)all);
	}
	EXPECT(all < 2 * TRIANGLE_BYTES, "%s: %lu bytes of a triangle", way, (unsigned long)all);
	munmap(made.a, (size_t)ORDER_LD * ORDER * sizeof *made.a);
	munmap(made.b, (size_t)ORDER * RIGHT * sizeof *made.b);
	munmap(made.c, (size_t)ORDER * RIGHT * sizeof *made.c);
}

static void test_short_columns_in(enum resident_mode mode, bool at_once, const char *way)
{
	static const struct machine slow = {.link_up_bytes = 1e8};
	const struct resident_settings settings = {
		.mode = mode, .limit_bytes = UINT64_MAX, .tracks_at_once = at_once};
	const char *fault;
	resident_close();
	engine_rates_set_machine(&slow);
	const enum track_reason reason = resident_open(&settings, &fault);
	EXPECT(reason == TRACK_REASON_NONE || reason == TRACK_REASON_NO_HASH, "%s: closed", way);
	test_short_columns(FAMILY_SYMM, way, true);
	test_short_columns(FAMILY_TRMM, way, true);
	resident_close();
}

int main(void)
{
	gpu_device = gpu_check_start(0);
	gpu_check_count_sent();
	test_tracked(SHORT_GAP);
	test_tracked(LONG_GAP);
	test_late(SHORT_GAP);
	test_late(LONG_GAP);
	for (int large = 0; large < 2; large++) {
		test_auto(SHORT_GAP, large != 0);
		test_auto(LONG_GAP, large != 0);
	}
	resident_close();
	test_short_columns(FAMILY_SYMM, "off", false);
	test_short_columns(FAMILY_TRMM, "off", false);
	test_short_columns_in(RESIDENT_TRACK, true, "track");
	test_short_columns_in(RESIDENT_TRACK, false, "auto");
	test_short_columns_in(RESIDENT_HASH, true, "hash");
	return gpu_check_end("gpu_mirrors_padded");
}
