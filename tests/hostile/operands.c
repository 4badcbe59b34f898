/* operands.c - level 3 with inaccessible memory beside the operands: operands ELEMENTS */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/hostile/operands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * The square operand has EIGHTHS eighths of a page of rows, and columns of two pages: one page of
 * most columns belongs wholly to the excluded triangle. BREADTH is the other dimension.
 */
enum { EIGHTHS = 9, BREADTH = 5, SAMPLES = 40, PAGES_PER_COLUMN = 2 };

static size_t page_bytes;
static int cases, wrong;

/* -- operands -- */

/* A matrix in memory of its own, and the elements that the routine may read. */
struct guarded {
	enum element element;
	int rows, columns, ld;
	enum part part;
	bool unit;
	char *base;
	size_t bytes;
};

static size_t element_bytes(enum element element)
{
	static const size_t bytes[] = {4, 8, 8, 16};
	return bytes[element];
}

static bool is_complex(enum element element)
{
	return element >= ELEMENT_C;
}

static bool is_read(const struct guarded *matrix, int i, int j)
{
	if (i >= matrix->rows || (matrix->unit && i == j))
		return false;
	return matrix->part == PART_WHOLE || (matrix->part == PART_UPPER ? i <= j : i >= j);
}

static wide get(const struct guarded *matrix, int i, int j)
{
	const char *at = matrix->base + ((size_t)i + (size_t)j * (size_t)matrix->ld) *
	                                        element_bytes(matrix->element);
	switch (matrix->element) {
	case ELEMENT_S: return *(const float *)(const void *)at;
	case ELEMENT_D: return *(const double *)(const void *)at;
	case ELEMENT_C: return *(const float complex *)(const void *)at;
	default: return *(const wide *)(const void *)at;
	}
}

static void put(const struct guarded *matrix, int i, int j, wide value)
{
	char *at = matrix->base +
	           ((size_t)i + (size_t)j * (size_t)matrix->ld) * element_bytes(matrix->element);
	switch (matrix->element) {
	case ELEMENT_S: *(float *)(void *)at = (float)creal(value); break;
	case ELEMENT_D: *(double *)(void *)at = creal(value); break;
	case ELEMENT_C: *(float complex *)(void *)at = (float complex)value; break;
	default: *(wide *)(void *)at = value; break;
	}
}

/* Whether a page of column j, whose first row is `first`, has an element that is read. */
static bool is_page_read(const struct guarded *matrix, int first, int rows, int j)
{
	const int end = first + rows < matrix->rows ? first + rows : matrix->rows;
	return end > first && (is_read(matrix, first, j) || is_read(matrix, end - 1, j));
}

static void set_pages(const struct guarded *matrix, bool all)
{
	const int rows = (int)(page_bytes / element_bytes(matrix->element));
	const int pages = matrix->columns * PAGES_PER_COLUMN;
	int begin = 0;
	mprotect(matrix->base, matrix->bytes, PROT_READ | PROT_WRITE);
	for (int page = 0; page <= pages && !all; page++) {
		const bool open =
			page == pages || is_page_read(matrix, page % PAGES_PER_COLUMN * rows, rows,
		                                      page / PAGES_PER_COLUMN);
		if (!open)
			continue;
		if (page > begin)
			mprotect(matrix->base + (size_t)begin * page_bytes,
			         (size_t)(page - begin) * page_bytes, PROT_NONE);
		begin = page + 1;
	}
}

static double draw(void)
{
	static unsigned long long state = 88172645463325252ULL;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / 0x1p53 - 0.5;
}

static const unsigned canary[4] = {0x7fc0beef, 0x7ff8dead, 0x7fc0beef, 0x7ff8dead};

/* NaN wherever the routine may not look. */
static void fill(struct guarded *matrix, bool real_diagonal)
{
	const size_t size = element_bytes(matrix->element);
	set_pages(matrix, true);
	for (int j = 0; j < matrix->columns; j++)
		for (int i = 0; i < matrix->ld; i++) {
			char *at =
				matrix->base + ((size_t)i + (size_t)j * (size_t)matrix->ld) * size;
			if (!is_read(matrix, i, j))
				memcpy(at, canary, size);
			else
				put(matrix, i, j,
				    draw() + (is_complex(matrix->element) ? draw() * (wide)I : 0));
			if (i == j && is_read(matrix, i, j) && real_diagonal)
				put(matrix, i, j, CMPLX(draw(), NAN));
		}
	set_pages(matrix, false);
}

static struct guarded make(enum element element, int rows, int columns, enum part part, bool unit)
{
	struct guarded matrix = {element, rows, columns, 0, part, unit, NULL, 0};
	matrix.ld = (int)(PAGES_PER_COLUMN * page_bytes / element_bytes(element));
	matrix.bytes = (size_t)columns * PAGES_PER_COLUMN * page_bytes;
	char *memory = mmap(NULL, matrix.bytes + 2 * page_bytes, PROT_NONE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		exit(2);
	matrix.base = memory + page_bytes;
	fill(&matrix, false);
	return matrix;
}

static void drop(const struct guarded *matrix)
{
	munmap(matrix->base - page_bytes, matrix->bytes + 2 * page_bytes);
}

/* Counts what was written where nothing may be. */
static int count_changed(const struct guarded *matrix)
{
	const size_t size = element_bytes(matrix->element);
	int changed = 0;
	set_pages(matrix, true);
	for (int j = 0; j < matrix->columns; j++)
		for (int i = 0; i < matrix->ld; i++)
			if (!is_read(matrix, i, j))
				changed += memcmp(matrix->base + ((size_t)i +
				                                  (size_t)j * (size_t)matrix->ld) *
				                                         size,
				                  canary, size) != 0;
	return changed;
}

/* A copy that keeps the old result. */
static wide *keep(const struct guarded *matrix)
{
	wide *copy = malloc((size_t)matrix->rows * (size_t)matrix->columns * sizeof *copy);
	for (int j = 0; j < matrix->columns; j++)
		for (int i = 0; i < matrix->rows; i++)
			copy[i + j * matrix->rows] = is_read(matrix, i, j) ? get(matrix, i, j) : 0;
	return copy;
}

/* -- what BLAS defines -- */

static wide turn(wide value, char trans)
{
	return trans == 'C' ? conj(value) : value;
}

/* Element (i, j) of a symmetric, Hermitian or triangular matrix. */
static wide read_square(const struct run *run, const struct guarded *a, int i, int j)
{
	const bool stored = a->part == PART_UPPER ? i <= j : i >= j;
	if (run->kind == KIND_TRMM || run->kind == KIND_TRSM)
		return i == j && a->unit ? 1 : stored ? get(a, i, j) : 0;
	const wide value = stored ? get(a, i, j) : get(a, j, i);
	if (run->kind == KIND_SYMM)
		return value;
	return i == j ? creal(value) : stored ? value : conj(value);
}

static wide read_turned(const struct run *run, const struct guarded *a, int i, int j)
{
	return run->trans == 'N' ? read_square(run, a, i, j)
	                         : turn(read_square(run, a, j, i), run->trans);
}

/* Element (i, j) of op(X) of a rank update, which is ORDER x BREADTH. */
static wide read_factor(const struct run *run, const struct guarded *x, int i, int p)
{
	return run->trans == 'N' ? get(x, i, p) : turn(get(x, p, i), run->trans);
}

/* Element (i, j) of a result that is compared with right. */
struct sums {
	wide left, right;
};

static struct sums sum_square(const struct run *run, const struct guarded *a,
                              const struct guarded *b, const struct guarded *c, const wide *old,
                              int i, int j)
{
	const bool left = run->side == 'L', solves = run->kind == KIND_TRSM;
	const int order = a->rows, own = left ? i : j, rows = c->rows;
	wide sum = 0;
	for (int p = 0; p < order; p++) {
		const wide factor =
			left ? read_turned(run, a, own, p) : read_turned(run, a, p, own);
		const int row = left ? p : i, column = left ? j : p;
		if (solves)
			sum += factor * get(c, row, column);
		else
			sum += factor *
			       (b == NULL ? old[row + column * rows] : get(b, row, column));
	}
	const wide before = old[i + j * rows];
	if (solves)
		return (struct sums){sum, run->alpha * before};
	const wide added = b == NULL || run->beta == 0 ? 0 : run->beta * before;
	return (struct sums){get(c, i, j), run->alpha * sum + added};
}

static struct sums sum_update(const struct run *run, const struct guarded *a,
                              const struct guarded *b, const struct guarded *c, const wide *old,
                              int i, int j)
{
	const bool hermitian = run->kind == KIND_HERK || run->kind == KIND_HER2K;
	const bool twice = run->kind == KIND_SYR2K || run->kind == KIND_HER2K;
	const wide alpha = run->alpha;
	wide sum = 0;
	for (int p = 0; p < BREADTH; p++) {
		const struct guarded *y = twice ? b : a;
		const wide right = read_factor(run, y, j, p), also = read_factor(run, a, j, p);
		sum += alpha * read_factor(run, a, i, p) * (hermitian ? conj(right) : right);
		if (twice)
			sum += (hermitian ? conj(alpha) : alpha) * read_factor(run, b, i, p) *
			       (hermitian ? conj(also) : also);
	}
	wide before = run->beta == 0 ? 0 : run->beta * old[i + j * c->rows];
	if (hermitian && i == j) {
		before = run->beta == 0 ? 0 : run->beta * creal(old[i + j * c->rows]);
		sum = creal(sum);
	}
	return (struct sums){get(c, i, j), sum + before};
}

static bool differs(const struct sums *sums, enum element element)
{
	const double most = element == ELEMENT_S || element == ELEMENT_C ? 2e-3 : 1e-9;
	return !(cabs(sums->left - sums->right) <= most * (1 + cabs(sums->right)));
}

/* Rows and columns at both ends, beside the boundary of pages, and between. */
static int sample(int number, int count)
{
	return count <= SAMPLES ? number : (int)((long)number * (count - 1) / (SAMPLES - 1));
}

static bool is_update(enum kind kind)
{
	return kind >= KIND_SYRK;
}

static int count_wrong(const struct run *run, const struct guarded matrix[3], const wide *old)
{
	const struct guarded *c = &matrix[2], *b = matrix[1].base == NULL ? NULL : &matrix[1];
	const int rows = c->rows < SAMPLES ? c->rows : SAMPLES,
		  columns = c->columns < SAMPLES ? c->columns : SAMPLES;
	int count = 0;
	for (int y = 0; y < columns; y++)
		for (int x = 0; x < rows; x++) {
			const int i = sample(x, c->rows), j = sample(y, c->columns);
			if (!is_read(c, i, j))
				continue;
			const struct sums sums =
				is_update(run->kind) ? sum_update(run, &matrix[0], b, c, old, i, j)
						     : sum_square(run, &matrix[0], b, c, old, i, j);
			count += differs(&sums, run->element);
		}
	return count;
}

/* -- cases -- */

/* A triangle of which solving is safe. */
static void weigh_diagonal(const struct guarded *a)
{
	for (int j = 0; j < a->columns; j++)
		for (int i = 0; i < a->rows; i++)
			if (is_read(a, i, j))
				put(a, i, j, i == j ? 2 + get(a, i, j) : get(a, i, j) / a->rows);
}

static void make_matrices(const struct run *run, struct guarded matrix[3])
{
	const enum element element = run->element;
	const int order = (int)(page_bytes / element_bytes(element)) * EIGHTHS / 8;
	const enum part part = run->uplo == 'U' ? PART_UPPER : PART_LOWER;
	const bool left = run->side == 'L',
		   in_place = run->kind == KIND_TRMM || run->kind == KIND_TRSM;
	const int rows = left ? order : BREADTH, columns = left ? BREADTH : order;
	matrix[1].base = NULL;
	if (is_update(run->kind)) {
		const bool plain = run->trans == 'N', twice = run->kind >= KIND_SYR2K;
		matrix[0] = make(element, plain ? order : BREADTH, plain ? BREADTH : order,
		                 PART_WHOLE, false);
		if (twice)
			matrix[1] = make(element, plain ? order : BREADTH, plain ? BREADTH : order,
			                 PART_WHOLE, false);
		matrix[2] = make(element, order, order, part, false);
		return;
	}
	matrix[0] = make(element, order, order, part, in_place && run->diag == 'U');
	if (run->kind == KIND_HEMM)
		fill(&matrix[0], true);
	if (run->kind == KIND_TRSM)
		weigh_diagonal(&matrix[0]);
	if (!in_place)
		matrix[1] = make(element, rows, columns, PART_WHOLE, false);
	matrix[2] = make(element, rows, columns, PART_WHOLE, false);
}

static void call(const struct run *run, const struct guarded matrix[3])
{
	const struct guarded *c = &matrix[2];
	operands_call(run, &(struct arguments){.m = c->rows,
	                                       .n = c->columns,
	                                       .k = BREADTH,
	                                       .lda = matrix[0].ld,
	                                       .ldb = matrix[1].ld,
	                                       .ldc = c->ld,
	                                       .a = matrix[0].base,
	                                       .b = matrix[1].base,
	                                       .c = c->base});
}

static void try(const struct run *run)
{
	struct guarded matrix[3];
	int changed = 0;
	make_matrices(run, matrix);
	wide *old = keep(&matrix[2]);
	call(run, matrix);
	const int bad = count_wrong(run, matrix, old);
	for (int i = 0; i < 3; i++) {
		if (matrix[i].base == NULL)
			continue;
		changed += count_changed(&matrix[i]);
		drop(&matrix[i]);
	}
	free(old);
	cases++;
	wrong += bad != 0 || changed != 0;
	if (bad != 0 || changed != 0)
		printf("%s %d: side %c uplo %c trans %c diag %c beta %g: %d wrong, %d changed\n",
		       operands_names[run->kind], (int)run->element, run->side, run->uplo,
		       run->trans, run->diag, run->beta, bad, changed);
}

/* All flags of a kind; one letter where the kind has no such flag. */
struct flags {
	const char *side, *trans, *diag;
	bool old;
};

static struct flags find_flags(const struct run *run)
{
	const bool real = !is_complex(run->element);
	switch (run->kind) {
	case KIND_SYMM:
	case KIND_HEMM: return (struct flags){"LR", "N", "N", true};
	case KIND_TRMM:
	case KIND_TRSM: return (struct flags){"LR", real ? "NT" : "NTC", "NU", false};
	case KIND_HERK:
	case KIND_HER2K: return (struct flags){"L", "NC", "N", true};
	default: return (struct flags){"L", "NT", "N", true};
	}
}

static void try_kind(struct run run)
{
	const struct flags flags = find_flags(&run);
	for (const char *side = flags.side; *side != 0; side++)
		for (const char *uplo = "UL"; *uplo != 0; uplo++)
			for (const char *trans = flags.trans; *trans != 0; trans++)
				for (const char *diag = flags.diag; *diag != 0; diag++)
					for (int old = 0; old <= flags.old; old++) {
						run.side = *side;
						run.uplo = *uplo;
						run.trans = *trans;
						run.diag = *diag;
						run.beta = old == 0 ? 0 : 0.5;
						try(&run);
					}
}

int main(int count, char **arguments)
{
	const char *elements = count > 1 ? arguments[1] : "sdcz";
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	for (int kind = 0; kind < KIND_COUNT; kind++)
		for (int element = ELEMENT_S; element <= ELEMENT_Z; element++) {
			struct run run = {.kind = (enum kind)kind,
			                  .element = (enum element)element,
			                  .alpha = 1.5};
			const bool hermitian =
				kind == KIND_HEMM || kind == KIND_HERK || kind == KIND_HER2K;
			if ((hermitian && !is_complex(run.element)) ||
			    strchr(elements, "sdcz"[element]) == NULL)
				continue;
			if (is_complex(run.element) && kind != KIND_HERK)
				run.alpha = 1.5 - 0.25 * (wide)I;
			try_kind(run);
		}
	printf("%d cases, %d wrong\n", cases, wrong);
	return wrong != 0;
}
