/* differ_gemm.c - random gemm calls against the definition: differ_gemm [CALLS [SEED [ONLY]]] */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "naive_gemm.h"

/* The special property of a call, besides its shape. */
enum twist {
	PLAIN,
	BETA_ZERO_NAN,
	ALPHA_ZERO_NAN,
	K_ZERO,
	NAN_IN_A,
	OFF_BY_ELEMENT,
	OFF_BY_BYTE,
	SAME_AB,
	INTERLEAVED,
	OVERLAP,
	READ_ONLY,
	LAST_PAGE,
	TWIST_COUNT
};
static const char *const twist_names[TWIST_COUNT] = {
	"plain",
	"beta 0 with NaN in C",
	"alpha 0 with NaN in A and B",
	"k 0",
	"NaN in A",
	"off by an element",
	"off by a byte",
	"A is B",
	"C and A interleaved",
	"C overlaps A",
	"A and B read-only",
	"C ends at a page's end",
};

static uint64_t state;

static unsigned draw(unsigned below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % below;
}

/*
 * One operand's memory: pages around what is used, the last one without access, a copy of all of
 * it.
 */
struct block {
	char *pages, *copy, *start;
	size_t map_bytes, bytes; /* mapped with access; from pages to the end of use */
};

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static struct block block_make(size_t bytes, size_t shift, bool at_end)
{
	const size_t page = page_bytes(), room = (bytes + shift + 64 + page - 1) / page * page;
	struct block block = {.map_bytes = room};
	block.pages =
		mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (block.pages == MAP_FAILED || mprotect(block.pages + room, page, PROT_NONE) != 0)
		exit(3);
	memset(block.pages, 0x5a, room);
	block.start = at_end ? block.pages + room - bytes : block.pages + 16 + shift;
	block.copy = malloc(room);
	return block;
}

static void block_save(struct block *block)
{
	memcpy(block->copy, block->pages, block->map_bytes);
}

static void block_free(struct block *block)
{
	munmap(block->pages, block->map_bytes + page_bytes());
	free(block->copy);
}

static void fill(enum type type, const struct operand *o, void *array)
{
	for (int i = 0; i < o->rows; i++)
		for (int j = 0; j < o->columns; j++) {
			const long double re = (int)draw(2001) - 1000, im = (int)draw(2001) - 1000;
			element_write(type, array, operand_index(o, i, j),
			              CMPLXL(re / 1000, im / 1000));
		}
}

static void fill_nan(enum type type, const struct operand *o, void *array)
{
	for (int i = 0; i < o->rows; i++)
		for (int j = 0; j < o->columns; j++)
			element_write(type, array, operand_index(o, i, j), CMPLXL(NAN, NAN));
}

static int draw_size(void)
{
	static const unsigned most[] = {4, 20, 70};
	return 1 + (int)draw(most[draw(3)]);
}

static void draw_scalar(double value[2])
{
	static const double common[] = {1, -1, 0.5, 2};
	value[0] = draw(2) ? common[draw(4)] : (int)draw(200) / 64.0 - 1.3;
	value[1] = draw(2) ? 0 : (int)draw(200) / 64.0 - 1.7;
}

static struct gemm draw_gemm(enum twist twist)
{
	static const char letters[] = "NTC";
	struct gemm g = {.type = (enum type)draw(TYPE_COUNT),
	                 .spelling = (enum spelling)draw(SPELLING_COUNT)};
	g.transa = letters[draw(3)];
	g.transb = letters[draw(3)];
	g.m = draw_size();
	g.n = draw_size();
	g.k = twist == K_ZERO ? 0 : draw_size();
	draw_scalar(g.alpha);
	draw_scalar(g.beta);
	if (draw(3) == 0 || twist == BETA_ZERO_NAN)
		g.beta[0] = g.beta[1] = 0;
	if (twist == ALPHA_ZERO_NAN)
		g.alpha[0] = g.alpha[1] = 0;
	if (twist == SAME_AB) {
		g.n = g.m;
		g.transa = 'N';
		g.transb = draw(2) ? 'T' : 'C';
	}
	if (twist == INTERLEAVED)
		g.transa = 'N';
	return g;
}

static int least_ld(struct operand o)
{
	const int least = o.by_rows ? o.columns : o.rows;
	return least > 1 ? least : 1;
}

static void draw_leads(struct gemm *g, enum twist twist)
{
	g->lda = least_ld(operand_a(g)) + (draw(2) ? (int)draw(9) : 0);
	g->ldb = least_ld(operand_b(g)) + (draw(2) ? (int)draw(9) : 0);
	g->ldc = least_ld(operand_c(g)) + (draw(2) ? (int)draw(9) : 0);
	if (twist == SAME_AB)
		g->ldb = g->lda;
	/* One array, A above C (or left of it): neither touches the other's elements. */
	if (twist == INTERLEAVED)
		g->lda = g->ldc = least_ld(operand_a(g)) + least_ld(operand_c(g)) + (int)draw(3);
}

struct trial {
	struct gemm g;
	enum twist twist;
	struct block a, b, c;
};

static void trial_lay_out(struct trial *t)
{
	struct gemm *g = &t->g;
	const struct operand a = operand_a(g), b = operand_b(g), c = operand_c(g);
	const size_t bytes = type_bytes(g->type);
	const size_t shift = t->twist == OFF_BY_BYTE ? 1 : t->twist == OFF_BY_ELEMENT ? bytes : 0;
	const size_t both = operand_extent(&a) + operand_extent(&c) + (size_t)(g->lda + g->ldc);
	const bool at_end = t->twist == LAST_PAGE;
	t->a = block_make(operand_extent(&a) * bytes, shift, at_end);
	t->b = block_make(operand_extent(&b) * bytes, shift, at_end);
	t->c = block_make(
		(t->twist == INTERLEAVED || t->twist == OVERLAP ? both : operand_extent(&c)) *
			bytes,
		shift, at_end);
	g->a = t->a.start;
	g->b = t->twist == SAME_AB ? t->a.start : t->b.start;
	g->c = t->c.start;
	if (t->twist == INTERLEAVED)
		g->a = t->c.start + (size_t)least_ld(c) * bytes;
	if (t->twist == OVERLAP)
		g->a = t->c.start + draw((unsigned)operand_extent(&c)) * bytes;
}

static void trial_fill(struct trial *t)
{
	struct gemm *g = &t->g;
	const struct operand a = operand_a(g), b = operand_b(g), c = operand_c(g);
	fill(g->type, &c, g->c);
	fill(g->type, &b, (void *)(uintptr_t)g->b);
	fill(g->type, &a, (void *)(uintptr_t)g->a);
	if (t->twist == BETA_ZERO_NAN)
		fill_nan(g->type, &c, g->c);
	if (t->twist == ALPHA_ZERO_NAN) {
		fill_nan(g->type, &a, (void *)(uintptr_t)g->a);
		fill_nan(g->type, &b, (void *)(uintptr_t)g->b);
	}
	if (t->twist == NAN_IN_A)
		element_write(g->type, (void *)(uintptr_t)g->a,
		              operand_index(&a, a.rows / 2, a.columns / 2),
		              draw(2) ? CMPLXL(NAN, NAN) : CMPLXL(INFINITY, 0));
	block_save(&t->a);
	block_save(&t->b);
	block_save(&t->c);
	if (t->twist == READ_ONLY && (mprotect(t->a.pages, t->a.map_bytes, PROT_READ) != 0 ||
	                              mprotect(t->b.pages, t->b.map_bytes, PROT_READ) != 0))
		exit(3);
}

/* Only C's elements may differ from their values before the call. */
static bool trial_is_clean(struct trial *t)
{
	const struct operand c = operand_c(&t->g);
	const size_t bytes = type_bytes(t->g.type);
	char *expected = malloc(t->c.map_bytes), *first = expected + ((char *)t->g.c - t->c.pages);
	memcpy(expected, t->c.copy, t->c.map_bytes);
	for (int i = 0; i < c.rows; i++)
		for (int j = 0; j < c.columns; j++) {
			const size_t at = operand_index(&c, i, j) * bytes;
			memcpy(first + at, (char *)t->g.c + at, bytes);
		}
	const bool clean = memcmp(expected, t->c.pages, t->c.map_bytes) == 0 &&
	                   memcmp(t->a.copy, t->a.pages, t->a.map_bytes) == 0 &&
	                   memcmp(t->b.copy, t->b.pages, t->b.map_bytes) == 0;
	free(expected);
	return clean;
}

/*
 * The error, or NULL. Where the CPU library computes the result (see main), only the memory around
 * it is checked.
 */
static const char *trial_verdict(struct trial *t)
{
	const void *before = t->c.copy + ((char *)t->g.c - t->c.pages);
	if (t->twist == OVERLAP)
		return NULL;
	if (!trial_is_clean(t))
		return "wrote outside of C";
	if (t->twist == ALPHA_ZERO_NAN)
		return NULL; /* small kernels of OpenBLAS multiply by zero */
	if (t->twist == NAN_IN_A)
		return naive_gemm_agrees_on_finite(&t->g, before) || type_is_complex(t->g.type)
		               ? NULL
		               : "NaN in the wrong place";
	const double error = naive_gemm_error(&t->g, before);
	return error <= 4 ? NULL : "a wrong result";
}

static bool trial_is_eligible(const struct trial *t)
{
	const double *alpha = t->g.alpha;
	const bool zero = alpha[0] == 0 && (alpha[1] == 0 || !type_is_complex(t->g.type));
	return t->twist != OVERLAP && t->g.k > 0 && !zero;
}

/*
 * Of the results that are the CPU library's own, to be compared with those of a run without the
 * shim.
 */
static uint64_t own_results = 14695981039346656037u;

static void note_own_result(const struct trial *t)
{
	for (size_t i = 0; i < t->c.map_bytes; i++)
		own_results = (own_results ^ (unsigned char)t->c.pages[i]) * 1099511628211u;
}

static bool run(unsigned number, bool shown)
{
	struct trial t = {.twist = draw(3) ? (enum twist)draw(TWIST_COUNT) : PLAIN};
	t.g = draw_gemm(t.twist);
	draw_leads(&t.g, t.twist);
	trial_lay_out(&t);
	trial_fill(&t);
	gemm_call(&t.g);
	if (trial_is_eligible(&t))
		gemm_count(&t.g);
	else
		note_own_result(&t);
	const char *verdict = trial_verdict(&t);
	if (verdict != NULL || shown)
		printf("call %u %s %c%c %dx%dx%d ld %d %d %d spelling %d alpha %g,%g beta %g,%g, "
		       "%s: %s\n",
		       number, gemm_name(&t.g), t.g.transa, t.g.transb, t.g.m, t.g.n, t.g.k,
		       t.g.lda, t.g.ldb, t.g.ldc, t.g.spelling, t.g.alpha[0], t.g.alpha[1],
		       t.g.beta[0], t.g.beta[1], twist_names[t.twist],
		       verdict != NULL ? verdict : "right");
	block_free(&t.a);
	block_free(&t.b);
	block_free(&t.c);
	return verdict == NULL;
}

int main(int argc, char **argv)
{
	const unsigned calls = argc > 1 ? (unsigned)atoi(argv[1]) : 2000;
	const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 20261;
	const long only = argc > 3 ? atol(argv[3]) : -1;
	unsigned failures = 0;
	printf("seed %llu\n", (unsigned long long)seed);
	for (unsigned i = 0; i < calls; i++) {
		state = seed * 1000003u + i; /* each call by itself, so that one can be replayed */
		for (int warm = 0; warm < 8; warm++)
			draw(2);
		if (only < 0 || only == (long)i)
			failures += !run(i, only >= 0);
	}
	gemm_tell_counts();
	printf("results of the calls that no GPU may take: %016llx\n",
	       (unsigned long long)own_results);
	printf("%u calls, %u failures\n", calls, failures);
	return failures != 0;
}
