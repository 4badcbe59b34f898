/* gemm_blocks.c - plans of a product in little memory: block after block of C, k innermost */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_gemm.h"

/*
 * C is cut into blocks of group x width, row by row, every second row from right to left; k into
 * slices, every second block from the end to the beginning. A block thus begins with the slices
 * that the previous block ended with: those of A if it is beside it, those of B if it is below it.
 * Slices that are still in a buffer are not loaded again. With A and B buffers for slices and M x N
 * x S blocks and slices (sums over ragged ends as they are), the elements that go up are
 *
 *   the sum over blocks of k (rows + columns)
 *   - the sum over steps aside of rows x (the last min(A, S) slices)
 *   - the sum over steps down of columns x (the last min(B, S) slices; for S = 1 of k for the last
 *     min(B, N) blocks)
 *
 * and each element of C comes down once. With one slice (S = 1) a row of blocks keeps its rows of
 * A: panels of rows, k m + k n M elements less those that the steps down save.
 */
enum { BLOCKS_BUFFERS = 3, BLOCKS_PIECES = 4 };

/* Numbers of buffers for blocks of C and slices of A and B; the first row that fits is taken. */
static const struct gemm_blocks_room {
	int c, a, b;
} blocks_rooms[] = {{2, 3, 3}, {2, 2, 2}, {1, 2, 2}, {1, 1, 2}};
enum { BLOCKS_ROOMS = sizeof blocks_rooms / sizeof blocks_rooms[0] };

/* Slices of a factor on the device; the one that was not used for the longest time is replaced. */
struct gemm_blocks_cache {
	struct gemm_factor factor;
	int count, buffers[BLOCKS_BUFFERS];
	struct gemm_part parts[BLOCKS_BUFFERS];
	uint64_t used[BLOCKS_BUFFERS], uses;
};

struct gemm_blocks {
	struct panel_builder *builder;
	int64_t group, width, slice, piece, m, n, k;
	struct gemm_blocks_cache a, b;
	/* first buffer of C, buffers per block, blocks that have buffers */
	int first_piece, pieces, blocks;
	uint64_t written; /* blocks that are written */
};

static int64_t gemm_blocks_count(int64_t size, int64_t part)
{
	return (size - 1) / part + 1;
}

static struct panel_span gemm_blocks_cut(int64_t size, int64_t part, int64_t number)
{
	const int64_t begin = number * part, left = size - begin;
	return (struct panel_span){begin, left < part ? left : part};
}

/* Bytes of a buffer with the rounding of the builder. */
static double gemm_blocks_size(enum element element, int64_t rows, int64_t columns)
{
	return (double)rows * (double)columns * (double)element_size_bytes(element) +
	       PANEL_ALIGNMENT_BYTES;
}

/* Chooses the numbers of buffers; false if no row fits. */
static bool gemm_blocks_choose_room(enum element element, uint64_t memory_bytes,
                                    const struct panel_choice *choice,
                                    struct gemm_blocks_room *chosen)
{
	const double one_c = gemm_blocks_size(element, choice->group, choice->width) +
	                     BLOCKS_PIECES * PANEL_ALIGNMENT_BYTES;
	const double one_a = gemm_blocks_size(element, choice->group, choice->slice);
	const double one_b = gemm_blocks_size(element, choice->slice, choice->width);
	for (int i = 0; i < BLOCKS_ROOMS; i++) {
		*chosen = blocks_rooms[i];
		if (chosen->c * one_c + chosen->a * one_a + chosen->b * one_b <=
		    (double)memory_bytes)
			return true;
	}
	return false;
}

/* Columns of a piece of a block of this width. */
static int64_t gemm_blocks_find_piece(int64_t width)
{
	struct panel_span piece = {0, 0};
	const int64_t share = (width - 1) / BLOCKS_PIECES + 1;
	const struct panel_cut cut = {width, share, share, share, false};
	panel_builder_next(&cut, &piece);
	return piece.count;
}

static double gemm_blocks_least(double a, double b)
{
	return a < b ? a : b;
}

bool panel_gemm_count_blocks(const struct panel_problem *problem, uint64_t memory_bytes,
                             const struct panel_choice *choice, struct gemm_blocks_count *count)
{
	const struct blas_call *blas = &problem->blas;
	const double m = (double)blas->m, n = (double)blas->n, k = (double)blas->k;
	const double rows = (double)gemm_blocks_count(blas->m, choice->group);
	const double columns = (double)gemm_blocks_count(blas->n, choice->width);
	const double slices = (double)gemm_blocks_count(blas->k, choice->slice),
		     blocks = rows * columns;
	struct gemm_blocks_room room;
	if (!gemm_blocks_choose_room(problem->element, memory_bytes, choice, &room))
		return false;
	const double kept_a = gemm_blocks_least(room.a, slices);
	const double kept_b = slices == 1 ? gemm_blocks_least(room.b, columns)
	                                  : gemm_blocks_least(room.b, slices);
	const double slice = gemm_blocks_least((double)choice->slice, k);
	const double piece = (double)gemm_blocks_find_piece(choice->width),
		     width = (double)choice->width;
	*count = (struct gemm_blocks_count){
		.load_elements = k * (columns * m + rows * n) - (columns - 1) * m * kept_a * slice -
	                         (rows - 1) * width * kept_b * slice,
		.loads = 2 * blocks * slices - (blocks - rows) * kept_a - (rows - 1) * kept_b,
		.blocks = blocks,
		.pieces = (double)(int64_t)((width - 1) / piece + 1),
		.piece = piece,
		.slices = slices,
		.beside = room.c > 1,
		.ahead = room.a > 1 && room.b > 1,
	};
	return true;
}

static struct gemm_blocks_cache gemm_blocks_start_cache(struct panel_builder *builder,
                                                        enum operand operand, int count,
                                                        int64_t own, int64_t inner)
{
	struct gemm_blocks_cache cache = {.factor = panel_gemm_find_factor(builder, operand),
	                                  .count = count};
	for (int i = 0; i < count; i++)
		cache.buffers[i] = panel_gemm_add_buffer(builder, &cache.factor, own, inner);
	return cache;
}

static bool gemm_blocks_equal(struct gemm_part x, struct gemm_part y)
{
	return x.own.begin == y.own.begin && x.inner.begin == y.inner.begin;
}

/* The part on the device; it is loaded if it is not there. */
static struct panel_image gemm_blocks_fetch(struct panel_builder *builder,
                                            struct gemm_blocks_cache *cache, struct gemm_part part)
{
	int oldest = 0;
	cache->uses++;
	for (int i = 0; i < cache->count; i++) {
		if (cache->used[i] > 0 && gemm_blocks_equal(cache->parts[i], part)) {
			cache->used[i] = cache->uses;
			return panel_gemm_place(&cache->factor, cache->buffers[i], part);
		}
		oldest = cache->used[i] < cache->used[oldest] ? i : oldest;
	}
	cache->used[oldest] = cache->uses;
	cache->parts[oldest] = part;
	const struct panel_image image =
		panel_gemm_place(&cache->factor, cache->buffers[oldest], part);
	panel_gemm_load(builder, &cache->factor, &image, part);
	return image;
}

/*
 * A block of C is neighbouring pieces of columns, which form one image. The first slice is
 * multiplied piece by piece, so that each piece waits only for the stores of its own buffer; so is
 * the last slice, after which each piece is complete.
 */
static struct panel_image gemm_blocks_place_piece(const struct gemm_blocks *state,
                                                  struct panel_span row, struct panel_span column,
                                                  int number)
{
	const int block = (int)(state->written % (uint64_t)state->blocks);
	const struct panel_span piece = {column.begin + number * state->piece, state->piece};
	struct panel_image image =
		panel_gemm_place_c(state->first_piece + block * state->pieces + number, row, piece);
	image.ld = state->group;
	return image;
}

static void gemm_blocks_write_pieces(struct gemm_blocks *state, struct gemm_product product,
                                     bool final)
{
	const struct panel_span row = product.row, column = product.column;
	const int count = (int)gemm_blocks_count(column.count, state->piece);
	for (int i = 0; i < count; i++) {
		const struct panel_span piece = gemm_blocks_cut(column.count, state->piece, i);
		product.column = (struct panel_span){column.begin + piece.begin, piece.count};
		product.c = gemm_blocks_place_piece(state, row, column, i);
		panel_gemm_multiply(state->builder, &product);
		if (final)
			panel_builder_store(state->builder, &product.c, row, product.column);
	}
}

static void gemm_blocks_write_slice(struct gemm_blocks *state, struct gemm_product product,
                                    bool first, bool final)
{
	product.a = gemm_blocks_fetch(state->builder, &state->a,
	                              (struct gemm_part){product.row, product.k});
	product.b = gemm_blocks_fetch(state->builder, &state->b,
	                              (struct gemm_part){product.column, product.k});
	product.c = gemm_blocks_place_piece(state, product.row, product.column, 0);
	product.more = !first;
	if (first || final)
		gemm_blocks_write_pieces(state, product, final);
	else
		panel_gemm_multiply(state->builder, &product);
}

static void gemm_blocks_write_block(struct gemm_blocks *state, struct panel_span row,
                                    struct panel_span column)
{
	const int64_t slices = gemm_blocks_count(state->k, state->slice);
	for (int64_t i = 0; i < slices; i++) {
		const int64_t number = state->written % 2 == 0 ? i : slices - 1 - i;
		const struct gemm_product product = {
			.row = row,
			.column = column,
			.k = gemm_blocks_cut(state->k, state->slice, number)};
		gemm_blocks_write_slice(state, product, i == 0, i == slices - 1);
	}
	state->written++;
}

void panel_gemm_write_blocks(struct panel_builder *builder, const struct panel_choice *choice)
{
	const struct blas_call *blas = &builder->problem->blas;
	struct gemm_blocks state = {.builder = builder,
	                            .group = choice->group,
	                            .width = choice->width,
	                            .slice = choice->slice,
	                            .m = blas->m,
	                            .n = blas->n,
	                            .k = blas->k};
	struct gemm_blocks_room room;
	if (!gemm_blocks_choose_room(builder->problem->element, builder->memory_bytes, choice,
	                             &room)) {
		builder->too_large = true;
		return;
	}
	state.piece = gemm_blocks_find_piece(choice->width);
	state.pieces = (int)gemm_blocks_count(choice->width, state.piece);
	state.blocks = room.c;
	for (int i = 0; i < room.c * state.pieces; i++) {
		const struct panel_span part =
			gemm_blocks_cut(choice->width, state.piece, i % state.pieces);
		const int buffer =
			panel_builder_add_buffer_of(builder, OPERAND_C, state.group, part.count);
		state.first_piece = i == 0 ? buffer : state.first_piece;
	}
	state.a = gemm_blocks_start_cache(builder, OPERAND_A, room.a, state.group, state.slice);
	state.b = gemm_blocks_start_cache(builder, OPERAND_B, room.b, state.width, state.slice);
	const int64_t rows = gemm_blocks_count(state.m, state.group),
		      columns = gemm_blocks_count(state.n, state.width);
	for (int64_t i = 0; i < rows; i++)
		for (int64_t j = 0; j < columns && !builder->failed && !builder->too_large; j++) {
			const int64_t across = i % 2 == 0 ? j : columns - 1 - j;
			gemm_blocks_write_block(&state, gemm_blocks_cut(state.m, state.group, i),
			                        gemm_blocks_cut(state.n, state.width, across));
		}
}
