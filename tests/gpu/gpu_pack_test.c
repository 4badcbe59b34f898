/* gpu_pack_test.c - copies between matrices and staging against plain loops; needs no CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpu_check.h"
#include "shim/execute/gpu/copy/pack.h"
#include "shim/execute/gpu/copy/pack_copy.h"

/* The canary is NaN in every precision. It fills all that must not be read. */
enum { CANARY = 0xff, PAGES = 16 };

static size_t page_bytes;
static char *place_begin, *place_end; /* no page is mapped after the end */

static void open_place(void)
{
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	place_begin = mmap(NULL, (PAGES + 1) * page_bytes, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (place_begin == MAP_FAILED)
		exit(1);
	place_end = place_begin + PAGES * page_bytes;
	mprotect(place_end, page_bytes, PROT_NONE);
}

static uint64_t place_bytes(void)
{
	return PAGES * page_bytes;
}

/*
 * count columns of rows elements, gap elements between them. The last column ends spare_bytes
 * before the end of the memory.
 */
static struct pack_area lay_out(enum element element, uint64_t rows, uint64_t count, uint64_t gap,
                                uint64_t spare_bytes)
{
	const uint64_t size_bytes = element_size_bytes(element),
		       pitch_bytes = (rows + gap) * size_bytes;
	const uint64_t extent_bytes = (count - 1) * pitch_bytes + rows * size_bytes;
	return (struct pack_area){place_end - spare_bytes - extent_bytes, rows * size_bytes, count,
	                          pitch_bytes};
}

/* Small whole numbers: sums and products with halves are exact in every precision. */
static double complex draw(void)
{
	const double re = (double)(int)(gpu_check_random() * 100),
		     im = (double)(int)(gpu_check_random() * 100);
	return CMPLX(re, im);
}

/* Gather */

static void check_gather(const struct pack_area *area, uint64_t margin_bytes)
{
	const uint64_t size_bytes = area->run_bytes * area->count,
		       whole_bytes = size_bytes + 2 * margin_bytes;
	char *staging = malloc(whole_bytes), *expected = malloc(whole_bytes);
	for (char *byte = place_begin; byte < place_end; byte++)
		*byte = (char)(int)(gpu_check_random() * 127);
	memset(staging, CANARY, whole_bytes);
	memset(expected, CANARY, whole_bytes);
	for (uint64_t i = 0; i < size_bytes; i++)
		expected[margin_bytes + i] =
			area->host[i / area->run_bytes * area->pitch_bytes + i % area->run_bytes];
	pack_gather(staging + margin_bytes, area);
	EXPECT(memcmp(staging, expected, whole_bytes) == 0, "%lu runs of %lu bytes, %lu apart",
	       (unsigned long)area->count, (unsigned long)area->run_bytes,
	       (unsigned long)area->pitch_bytes);
	free(staging);
	free(expected);
}

static void test_gather(void)
{
	static const uint64_t runs[] = {1, 7, 8, 63, 512, 2047, 2048, 2500, 8192, 9001};
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
		for (uint64_t count = 1; count <= 5; count += 2)
			for (uint64_t gap = 0; gap <= 700; gap = 2 * gap + 1) {
				const uint64_t pitch_bytes = runs[i] + gap;
				const uint64_t extent_bytes = (count - 1) * pitch_bytes + runs[i];
				const struct pack_area area = {place_end - extent_bytes, runs[i],
				                               count, pitch_bytes};
				check_gather(&area, gap % 2 == 0 ? 4096 : 33);
			}
	check_gather(&(struct pack_area){place_begin, 0, 0, 0}, 16);
}

/* Scatter */

static bool is_written(const struct pack_rule *rule, int64_t row, int64_t column)
{
	if (rule->part == PACK_UPPER)
		return row <= column;
	return rule->part == PACK_WHOLE || row >= column;
}

/* The contents of the area after the copy, by definition. */
static void expect_element(char *c, const char *z, const struct pack_rule *rule, bool diagonal)
{
	const double complex beta = CMPLX(rule->beta[0], rule->beta[1]);
	double complex old = gpu_check_load(c, 0, rule->element, false);
	const double complex product = gpu_check_load(z, 0, rule->element, false);
	if (rule->hermitian && diagonal)
		old = creal(old);
	double complex result = beta == 0 ? product : product + beta * old;
	if (rule->hermitian && diagonal)
		result = creal(result);
	gpu_check_store(c, 0, rule->element, false, result);
}

/*
 * Gives numbers to the elements that are read. The imaginary parts of a Hermitian diagonal are not
 * read.
 */
static void fill_area(const struct pack_area *area, const struct pack_rule *rule)
{
	const uint64_t size_bytes = element_size_bytes(rule->element),
		       rows = area->run_bytes / size_bytes;
	for (uint64_t j = 0; j < area->count; j++)
		for (uint64_t i = 0; i < rows; i++) {
			const int64_t row = rule->row + (int64_t)i,
				      column = rule->column + (int64_t)j;
			char *c = area->host + j * area->pitch_bytes + i * size_bytes;
			if ((rule->beta[0] == 0 && rule->beta[1] == 0) ||
			    !is_written(rule, row, column))
				continue;
			gpu_check_store(c, 0, rule->element, false, draw());
			if (rule->hermitian && row == column)
				memset(c + size_bytes / 2, CANARY, size_bytes / 2);
		}
}

static void expect_area(char *expected, const struct pack_area *area, const char *staging,
                        const struct pack_rule *rule)
{
	const uint64_t size_bytes = element_size_bytes(rule->element),
		       rows = area->run_bytes / size_bytes;
	for (uint64_t j = 0; j < area->count; j++)
		for (uint64_t i = 0; i < rows; i++) {
			const int64_t row = rule->row + (int64_t)i,
				      column = rule->column + (int64_t)j;
			if (is_written(rule, row, column))
				expect_element(expected + (area->host - place_begin) +
				                       j * area->pitch_bytes + i * size_bytes,
				               staging + j * area->run_bytes + i * size_bytes, rule,
				               row == column);
		}
}

static void check_scatter(const struct pack_area *area, const struct pack_rule *rule)
{
	const uint64_t numbers = area->run_bytes * area->count / element_size_bytes(rule->element);
	char *staging = malloc(area->run_bytes * area->count), *expected = malloc(place_bytes());
	memset(place_begin, CANARY, place_bytes());
	for (uint64_t i = 0; i < numbers; i++)
		gpu_check_store(staging, (int64_t)i, rule->element, false, draw());
	fill_area(area, rule);
	memcpy(expected, place_begin, place_bytes());
	expect_area(expected, area, staging, rule);
	pack_scatter(area, staging, rule);
	EXPECT(memcmp(place_begin, expected, place_bytes()) == 0,
	       "element %d, beta %g %g, part %d, hermitian %d, (%ld, %ld), %lu runs of %lu bytes",
	       (int)rule->element, rule->beta[0], rule->beta[1], (int)rule->part, rule->hermitian,
	       (long)rule->row, (long)rule->column, (unsigned long)area->count,
	       (unsigned long)area->run_bytes);
	free(staging);
	free(expected);
}

/*
 * Every rule on one shape: the diagonal crosses the area, begins inside, ends inside, or misses it.
 */
static void check_rules(enum element element, uint64_t rows, uint64_t count, uint64_t gap,
                        uint64_t spare_bytes)
{
	static const double betas[][2] = {{0, 0}, {1, 0}, {-2.5, 0}, {0.5, -2}, {0, 1}};
	static const int64_t corners[][2] = {{0, 0}, {3, 0}, {0, 2}, {100000, 7}, {7, 100000}};
	const struct pack_area area = lay_out(element, rows, count, gap, spare_bytes);
	for (size_t i = 0; i < sizeof betas / sizeof betas[0]; i++)
		for (size_t k = 0; k < sizeof corners / sizeof corners[0]; k++)
			for (int part = PACK_WHOLE; part <= PACK_LOWER; part++)
				for (int hermitian = 0; hermitian <= element_is_complex(element);
				     hermitian++) {
					const bool real = hermitian || !element_is_complex(element);
					const struct pack_rule rule = {
						element,
						{betas[i][0], betas[i][1]},
						(enum pack_part)part,
						hermitian != 0,
						corners[k][0],
						corners[k][1],
						.unit = false,
					};
					if (!real || betas[i][1] == 0)
						check_scatter(&area, &rule);
				}
}

static void test_rules(void)
{
	static const uint64_t shapes[][3] = {
		{1, 1, 0}, {1, 5, 3}, {7, 4, 0}, {13, 6, 5}, {67, 3, 1}};
	for (int element = 0; element < ELEMENT_BLAS_COUNT; element++)
		for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
			for (uint64_t spare_bytes = 0; spare_bytes <= 8;
			     spare_bytes = 3 * spare_bytes + 1)
				check_rules((enum element)element, shapes[i][0], shapes[i][1],
				            shapes[i][2], spare_bytes);
}

/* Long enough for streaming stores, at every alignment of beginning and end. */
static void test_long_runs(void)
{
	for (int element = 0; element < ELEMENT_BLAS_COUNT; element++)
		for (uint64_t spare_bytes = 0; spare_bytes < 96;
		     spare_bytes = 2 * spare_bytes + 1) {
			const uint64_t rows = 8192 / element_size_bytes((enum element)element);
			check_rules((enum element)element, rows, 2, 9, spare_bytes);
			check_rules((enum element)element, rows + 5, 3, 0, spare_bytes);
		}
}

/* Without a rule bytes are copied unchanged. */
static void test_plain_bytes(void)
{
	char *staging = malloc(place_bytes()), *expected = malloc(place_bytes());
	for (uint64_t i = 0; i < place_bytes(); i++)
		staging[i] = (char)(int)(gpu_check_random() * 127);
	for (uint64_t run_bytes = 1; run_bytes < 15000; run_bytes = 3 * run_bytes + 2)
		for (uint64_t gap_bytes = 0; gap_bytes < 100; gap_bytes = 7 * gap_bytes + 1) {
			const uint64_t extent_bytes = 3 * (run_bytes + gap_bytes) + run_bytes;
			const struct pack_area area = {place_end - extent_bytes, run_bytes, 4,
			                               run_bytes + gap_bytes};
			memset(place_begin, CANARY, place_bytes());
			memset(expected, CANARY, place_bytes());
			for (uint64_t i = 0; i < 4; i++)
				memcpy(expected + place_bytes() - extent_bytes +
				               i * area.pitch_bytes,
				       staging + i * run_bytes, run_bytes);
			pack_scatter(&area, staging, NULL);
			EXPECT(memcmp(place_begin, expected, place_bytes()) == 0,
			       "runs of %lu bytes, gaps of %lu", (unsigned long)run_bytes,
			       (unsigned long)gap_bytes);
		}
	free(staging);
	free(expected);
}

/* Rounding */

enum { NUMBERS = 1003 };

static void check_bound(const char *c, const char *old, const char *z, const struct pack_rule *rule)
{
	const bool single = rule->element == ELEMENT_S || rule->element == ELEMENT_C;
	const double epsilon = single ? 0x1p-23 : 0x1p-52;
	const double complex beta = CMPLX(rule->beta[0], rule->beta[1]);
	double worst = 0;
	for (int i = 0; i < NUMBERS; i++) {
		const double complex was = gpu_check_load(old, i, rule->element, false);
		const double complex product = gpu_check_load(z, i, rule->element, false);
		const double complex is = gpu_check_load(c, i, rule->element, false);
		const double size = cabs(product) + cabs(beta) * cabs(was);
		const double error = cabs(is - (product + beta * was)) / (size * epsilon);
		worst = error > worst ? error : worst;
	}
	EXPECT(worst <= 4, "element %d: off by %g roundings", (int)rule->element, worst);
}

/* Results are equal to the bit, however a copy was cut into pieces. */
static void test_cuts(void)
{
	for (int element = 0; element < ELEMENT_BLAS_COUNT; element++) {
		const struct pack_rule rule = {
			.element = (enum element)element,
			.beta = {0.7, element_is_complex((enum element)element) ? -0.3 : 0}};
		const uint64_t size_bytes = element_size_bytes(rule.element),
			       whole_bytes = NUMBERS * size_bytes;
		char old[NUMBERS * 16], z[NUMBERS * 16], c[NUMBERS * 16];
		for (int i = 0; i < NUMBERS; i++) {
			gpu_check_store(old, i, rule.element, false,
			                CMPLX(gpu_check_random(), gpu_check_random()));
			gpu_check_store(z, i, rule.element, false,
			                CMPLX(gpu_check_random(), gpu_check_random()));
		}
		memcpy(c, old, whole_bytes);
		pack_scatter(&(struct pack_area){c, whole_bytes, 1, whole_bytes}, z, &rule);
		check_bound(c, old, z, &rule);
		for (uint64_t step = 1; step < 40; step = 2 * step + 1) {
			char *pieces = place_end - whole_bytes;
			memcpy(pieces, old, whole_bytes);
			for (uint64_t at = 0; at < whole_bytes; at += step * size_bytes) {
				const uint64_t left_bytes = whole_bytes - at;
				const uint64_t take_bytes = step * size_bytes < left_bytes
				                                    ? step * size_bytes
				                                    : left_bytes;
				pack_scatter(
					&(struct pack_area){pieces + at, take_bytes, 1, take_bytes},
					z + at, &rule);
			}
			EXPECT(memcmp(pieces, c, whole_bytes) == 0, "element %d in pieces of %lu",
			       element, (unsigned long)step);
		}
	}
}

/*
 * An infinity in C: a beta with imaginary part 0 still multiplies as a complex number, except in
 * Hermitian updates.
 */
static void test_infinity(void)
{
	double c[2] = {INFINITY, 1}, z[2] = {1, 1};
	const struct pack_area area = {(char *)c, sizeof c, 1, sizeof c};
	struct pack_rule rule = {.element = ELEMENT_Z, .beta = {2, 0}, .column = 1};
	pack_scatter(&area, z, &rule);
	EXPECT(isinf(c[0]) && isnan(c[1]), "%g %g", c[0], c[1]);
	c[1] = 1;
	rule.hermitian = true;
	pack_scatter(&area, z, &rule);
	EXPECT(isinf(c[0]) && c[1] == 3, "%g %g", c[0], c[1]);
}

/* Each place of a special number, in short and in long runs, and alignments that split elements. */
static void test_watch(void)
{
	enum { WATCHED = 2600 };
	static const uint64_t sizes[] = {1, 7, 8, 9, 100, 1023, WATCHED};
	static double z[WATCHED];
	char *host = place_begin;
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (uint64_t skew = 0; skew < 17; skew += 4) {
			const uint64_t bytes = sizes[s] * sizeof *z;
			const struct pack_area area = {host + skew, bytes, 1, bytes};
			for (uint64_t i = 0; i < WATCHED; i++)
				z[i] = i % 2 == 0 ? DBL_MAX : -0x1.0p-1060;
			EXPECT(!pack_scatter_watched(&area, z, NULL, PACK_WATCH_DOUBLE), "%lu %lu",
			       (unsigned long)sizes[s], (unsigned long)skew);
			for (uint64_t i = 0; i < sizes[s]; i += i % 97 == 3 ? 31 : 1) {
				const double kept = z[i];
				z[i] = i % 2 == 0 ? -INFINITY : NAN;
				EXPECT(pack_scatter_watched(&area, z, NULL, PACK_WATCH_DOUBLE),
				       "%lu of %lu at %lu", (unsigned long)i,
				       (unsigned long)sizes[s], (unsigned long)skew);
				z[i] = kept;
			}
		}
}

static void test_watch_kinds(void)
{
	float single[4] = {1, 2, INFINITY, 3};
	double c[2] = {1, NAN}, sums[2] = {1, 1};
	char host[sizeof single];
	const struct pack_area area = {host, sizeof host, 1, sizeof host};
	const struct pack_area old = {(char *)c, sizeof c, 1, sizeof c};
	const struct pack_rule rule = {.element = ELEMENT_D, .beta = {2, 0}};
	EXPECT(pack_scatter_watched(&area, single, NULL, PACK_WATCH_SINGLE), "single");
	EXPECT(!pack_scatter_watched(&area, single, NULL, PACK_WATCH_NONE), "nothing is watched");
	single[2] = FLT_MAX;
	EXPECT(!pack_scatter_watched(&area, single, NULL, PACK_WATCH_SINGLE), "finite");
	EXPECT(pack_scatter_watched(&old, sums, &rule, PACK_WATCH_DOUBLE), "from the old C");
}

/* The greatest number at each place of short and of long runs, at any alignment. */
static void test_size(void)
{
	enum { SIZED = 37 };
	static char memory[(SIZED + 2) * sizeof(double)];
	for (uint64_t count = 1; count <= SIZED; count++)
		for (uint64_t skew = 0; skew < 17; skew += 4)
			for (uint64_t i = 0; i < count; i++) {
				double d[SIZED];
				float s[SIZED];
				for (uint64_t j = 0; j < count; j++)
					s[j] = -(float)(d[j] = j == i ? -0x1.8p7 : 0x1.7p6);
				memcpy(memory + skew % 16, d, count * sizeof *d);
				EXPECT(pack_copy_find_size(memory + skew % 16, count * sizeof *d,
				                           PACK_WATCH_DOUBLE) == 0x4068,
				       "double %d of %d", (int)i, (int)count);
				memcpy(memory + skew % 16, s, count * sizeof *s);
				EXPECT(pack_copy_find_size(memory + skew % 16, count * sizeof *s,
				                           PACK_WATCH_SINGLE) == 0x4340,
				       "single %d of %d", (int)i, (int)count);
			}
	double least[5] = {0, -0.0, 0, 0, 0};
	EXPECT(pack_copy_find_size(least, sizeof least, PACK_WATCH_DOUBLE) == 0, "all are 0");
	least[1] = -DBL_TRUE_MIN;
	EXPECT(pack_copy_find_size(least, sizeof least, PACK_WATCH_DOUBLE) == 1, "the least");
	least[4] = INFINITY;
	EXPECT(pack_copy_find_size(least, sizeof least, PACK_WATCH_DOUBLE) == 0x7ff0, "infinite");
}

/* Populate */

static bool is_backed(const char *page)
{
	unsigned char backed = 0;
	return mincore((void *)(uintptr_t)page, page_bytes, &backed) == 0 && (backed & 1) != 0;
}

static size_t count_bytes(const char *memory, size_t size_bytes, char value)
{
	size_t count = 0;
	for (size_t i = 0; i < size_bytes; i++)
		count += memory[i] == value;
	return count;
}

/* Runs of 20 pages that begin and end inside pages, with gaps of slightly more than 3 pages. */
static void test_populate(void)
{
	enum { RUNS = 3, PITCH_PAGES = 24 };
	const size_t whole_bytes = (RUNS * PITCH_PAGES + 2) * page_bytes;
	char *memory =
		mmap(NULL, whole_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(memory, whole_bytes, MADV_NOHUGEPAGE);
	if (madvise(memory, page_bytes, 23) != 0) {
		puts("gpu_pack: skipped: populate, for want of MADV_POPULATE_WRITE (Linux 5.14)");
		munmap(memory, whole_bytes);
		return;
	}
	pack_populate(&(struct pack_area){memory + page_bytes + 100, 20 * page_bytes, RUNS,
	                                  PITCH_PAGES * page_bytes},
	              NULL);
	for (int run = 0; run < RUNS; run++)
		for (int page = 0; page < PITCH_PAGES; page++)
			EXPECT(is_backed(memory + (size_t)(1 + run * PITCH_PAGES + page) *
			                                  page_bytes) == (page >= 1 && page < 20),
			       "page %d of run %d", page, run);
	EXPECT(count_bytes(memory, whole_bytes, 0) == whole_bytes, "nothing was written");
	munmap(memory, whole_bytes);
}

/*
 * Gaps of less than a page. Memory that is present keeps its contents, and memory that cannot be
 * written stays as it is.
 */
static void test_populate_kinds(void)
{
	const size_t whole_bytes = PAGES * page_bytes;
	char *memory =
		mmap(NULL, whole_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(memory, whole_bytes, MADV_NOHUGEPAGE);
	const struct pack_area area = {memory + 8, 1000, 40, 1500};
	pack_populate(&area, NULL);
	EXPECT(!is_backed(memory), "the page that the area begins in is its neighbour's too");
	EXPECT(is_backed(memory + page_bytes) || madvise(memory, page_bytes, 23) != 0,
	       "the next one is backed");
	memset(memory, 5, whole_bytes);
	pack_populate(&area, NULL);
	pack_populate(&(struct pack_area){memory, 0, 3, 4096}, NULL);
	pack_populate(&(struct pack_area){memory, 4096, 0, 4096}, NULL);
	EXPECT(count_bytes(memory, whole_bytes, 5) == whole_bytes, "nothing was written");
	munmap(memory, whole_bytes);
	memory = mmap(NULL, whole_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pack_populate(&(struct pack_area){memory, whole_bytes, 1, whole_bytes}, NULL);
	EXPECT(!is_backed(memory), "what cannot be written is left alone");
	munmap(memory, whole_bytes);
}

int main(void)
{
	open_place();
	for (int plain = 0; plain <= 1; plain++) {
		pack_copy_set_plain(plain != 0);
		test_gather();
		test_rules();
		test_long_runs();
		test_plain_bytes();
		test_cuts();
		test_infinity();
		test_watch();
		test_watch_kinds();
		test_size();
	}
	test_populate();
	test_populate_kinds();
	return gpu_check_end("gpu_pack");
}
