/* gemm_strips.c - the strips by which a rectangle of C grows to all of it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/gemm_strips.h"

/*
 * The cost of a strip that is twice as wide as wanted, or of no width, in parts of its kernel; and
 * by how many tiles it may differ at most.
 */
static const double strips_far = 0.3;
enum { STRIPS_TILES = 4 };

static int64_t gemm_strips_divide(int64_t size, int64_t part)
{
	return (size - 1) / part + 1;
}

double gemm_strips_count_waves(const struct gemm_waves *waves, int64_t rows, int64_t columns)
{
	if (waves->tile <= 0 || waves->units <= 0)
		return (double)rows * (double)columns;
	const int64_t tiles =
		gemm_strips_divide(rows, waves->tile) * gemm_strips_divide(columns, waves->tile);
	return (double)gemm_strips_divide(tiles, waves->units);
}

/* About `about` elements, so that a kernel over as many and `other` fills its last wave. */
static int64_t gemm_strips_fill(const struct gemm_waves *waves, int64_t about, int64_t other)
{
	const int64_t tile = waves->tile, units = waves->units;
	if (tile <= 0 || units <= 0)
		return about;
	const int64_t down = gemm_strips_divide(other, tile),
		      middle = gemm_strips_divide(about, tile);
	const int64_t most = middle / 3 < STRIPS_TILES ? middle / 3 : STRIPS_TILES;
	int64_t best = middle;
	double least = 0;
	for (int64_t more = -most; more <= most; more++) {
		const int64_t across = middle + more, tiles = down * across;
		const double waste = (double)(gemm_strips_divide(tiles, units) * units) /
		                     (double)tiles,
			     far = (double)(more < 0 ? -more : more) / (double)middle;
		const double cost = waste * (1 + strips_far * far);
		if (least == 0 || cost < least) {
			least = cost;
			best = across;
		}
	}
	return best * tile;
}

int64_t gemm_strips_find_end(const struct gemm_side *side)
{
	return side->span.begin + side->span.count;
}

bool gemm_strips_is_done(const struct gemm_strips *strips)
{
	return gemm_strips_find_end(&strips->row) == strips->row.size &&
	       gemm_strips_find_end(&strips->column) == strips->column.size;
}

/* About count elements in whole grains; less than a grain is not left over. */
static void gemm_strips_cut(const struct gemm_waves *waves, struct gemm_side *side, int64_t count,
                            int64_t other)
{
	const int64_t begin = gemm_strips_find_end(side), left = side->size - begin;
	const int64_t filled = gemm_strips_fill(waves, count, other);
	const int64_t whole = (filled + PANEL_GRAIN - 1) / PANEL_GRAIN * PANEL_GRAIN;
	side->span = (struct panel_span){begin, left - whole < PANEL_GRAIN ? left : whole};
}

/* The shorter dimension is cut in proportion, so that both end together. */
static struct gemm_side gemm_strips_start_side(const struct blas_call *blas, int64_t size,
                                               int64_t group, const struct panel_choice *choice)
{
	const double share = (double)size / (double)(blas->m > blas->n ? blas->m : blas->n);
	return (struct gemm_side){.size = size,
	                          .first = (int64_t)((double)(group - 1) * share) + 1,
	                          .width = (int64_t)((double)(choice->width - 1) * share) + 1,
	                          .last = (int64_t)((double)(choice->last - 1) * share) + 1};
}

struct gemm_strips gemm_strips_start(const struct blas_call *blas, const struct gemm_waves *waves,
                                     const struct panel_choice *choice)
{
	struct gemm_strips strips = {
		.waves = *waves,
		.row = gemm_strips_start_side(blas, blas->m, choice->group, choice),
		.column = gemm_strips_start_side(blas, blas->n, choice->across, choice)};
	const struct gemm_waves none = {0, 0};
	gemm_strips_cut(&none, &strips.row, strips.row.first, 1);
	gemm_strips_cut(waves, &strips.column, strips.column.first, strips.row.span.count);
	return strips;
}

/* Whether rows come next: of them a smaller part is there. */
static bool gemm_strips_is_by_rows(const struct gemm_strips *strips)
{
	const struct gemm_side *row = &strips->row, *column = &strips->column;
	const double rows = (double)gemm_strips_find_end(row) / (double)row->size,
		     columns = (double)gemm_strips_find_end(column) / (double)column->size;
	return rows <= columns && rows < 1;
}

bool gemm_strips_next(struct gemm_strips *strips, bool *by_rows)
{
	*by_rows = gemm_strips_is_by_rows(strips);
	struct gemm_side *side = *by_rows ? &strips->row : &strips->column;
	const struct gemm_side *other = *by_rows ? &strips->column : &strips->row;
	const int64_t left = side->size - gemm_strips_find_end(side);
	const int64_t half = left / 2 > side->last ? left / 2 : side->last;
	if (left <= 0)
		return false;
	gemm_strips_cut(&strips->waves, side, side->width < half ? side->width : half,
	                gemm_strips_find_end(other));
	return true;
}
