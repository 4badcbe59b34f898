/* gemm_rings.c - plans of a product as a growing rectangle of C */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/gemm_strips.h"
#include "policy/plan/panel_gemm.h"

/*
 * A factor that grows: one image on the device, to which each load adds a slice of k of a strip.
 * Each load is a part of its own; newest: the last one.
 */
struct rings_factor {
	struct gemm_factor factor;
	int whole, newest; /* buffers */
};

struct rings {
	struct panel_builder *builder;
	const struct panel_choice *choice;
	struct rings_factor a, b;
};

static struct rings_factor gemm_rings_start_factor(struct panel_builder *builder,
                                                   enum operand operand)
{
	struct rings_factor side = {.factor = panel_gemm_find_factor(builder, operand)};
	side.whole = side.newest =
		panel_gemm_add_buffer(builder, &side.factor, side.factor.size, side.factor.k);
	return side;
}

static struct panel_image gemm_rings_find_image(const struct rings_factor *side)
{
	const struct gemm_part part = {{0, side->factor.size}, {0, side->factor.k}};
	return panel_gemm_place(&side->factor, side->newest, part);
}

static void gemm_rings_load(struct rings *rings, struct rings_factor *side, struct gemm_part part)
{
	side->newest = panel_builder_add_part(rings->builder, side->whole);
	const struct panel_image image = gemm_rings_find_image(side);
	panel_gemm_load(rings->builder, &side->factor, &image, part);
}

/* The product of a slice of k, of what is there of both factors. */
static void gemm_rings_multiply(struct rings *rings, const struct panel_image *c,
                                struct panel_span row, struct panel_span column,
                                struct panel_span slice)
{
	const struct gemm_product product = {.a = gemm_rings_find_image(&rings->a),
	                                     .b = gemm_rings_find_image(&rings->b),
	                                     .c = *c,
	                                     .row = row,
	                                     .column = column,
	                                     .k = slice,
	                                     .more = slice.begin > 0};
	panel_gemm_multiply(rings->builder, &product);
}

/* A strip of one factor, slice by slice, times all that is there of the other one. */
static void gemm_rings_write_arm(struct rings *rings, bool by_rows, struct panel_span row,
                                 struct panel_span column)
{
	const bool last = row.begin + row.count == rings->a.factor.size &&
	                  column.begin + column.count == rings->b.factor.size;
	const struct panel_cut cut = panel_gemm_cut_tail(rings->a.factor.k, rings->choice, last);
	const int buffer =
		panel_builder_add_buffer_of(rings->builder, OPERAND_C, row.count, column.count);
	const struct panel_image c = panel_gemm_place_c(buffer, row, column);
	for (struct panel_span slice = {0, 0}; panel_builder_next(&cut, &slice);) {
		gemm_rings_load(rings, by_rows ? &rings->a : &rings->b,
		                (struct gemm_part){by_rows ? row : column, slice});
		gemm_rings_multiply(rings, &c, row, column, slice);
	}
	panel_builder_store(rings->builder, &c, row, column);
}

/* Pieces of the first rectangle, in neighbouring buffers: one image. */
struct rings_pieces {
	struct panel_cut cut;
	int first;
};

static struct rings_pieces gemm_rings_add_pieces(struct rings *rings, struct panel_span row,
                                                 struct panel_span column)
{
	const int64_t width = rings->choice->width;
	struct rings_pieces pieces = {.cut = {column.count, width, width, width, false}};
	int number = 0;
	for (struct panel_span piece = {0, 0}; panel_builder_next(&pieces.cut, &piece); number++) {
		const int buffer = panel_builder_add_buffer_of(rings->builder, OPERAND_C, row.count,
		                                               piece.count);
		pieces.first = number == 0 ? buffer : pieces.first;
	}
	return pieces;
}

/* The last slice completes one piece after the other. */
static void gemm_rings_finish_first(struct rings *rings, const struct rings_pieces *pieces,
                                    struct panel_span row, struct panel_span slice)
{
	int number = pieces->first;
	for (struct panel_span piece = {0, 0}; panel_builder_next(&pieces->cut, &piece); number++) {
		const struct panel_image c = panel_gemm_place_c(number, row, piece);
		gemm_rings_multiply(rings, &c, row, piece, slice);
		panel_builder_store(rings->builder, &c, row, piece);
	}
}

/* The first rectangle, while both factors come in slices of k. */
static void gemm_rings_write_first(struct rings *rings, struct panel_span row,
                                   struct panel_span column)
{
	const struct panel_cut cut = panel_gemm_cut_k(rings->a.factor.k, rings->choice->slice);
	const struct rings_pieces pieces = gemm_rings_add_pieces(rings, row, column);
	const struct panel_image c = panel_gemm_place_c(pieces.first, row, column);
	for (struct panel_span slice = {0, 0}; panel_builder_next(&cut, &slice);) {
		gemm_rings_load(rings, &rings->a, (struct gemm_part){row, slice});
		gemm_rings_load(rings, &rings->b, (struct gemm_part){column, slice});
		if (slice.begin + slice.count < cut.size)
			gemm_rings_multiply(rings, &c, row, column, slice);
		else
			gemm_rings_finish_first(rings, &pieces, row, slice);
	}
}

void panel_gemm_write_rings(struct panel_builder *builder, const struct panel_choice *choice)
{
	const struct gemm_waves waves = {builder->tile, builder->units};
	struct gemm_strips strips = gemm_strips_start(&builder->problem->blas, &waves, choice);
	struct rings rings = {.builder = builder,
	                      .choice = choice,
	                      .a = gemm_rings_start_factor(builder, OPERAND_A),
	                      .b = gemm_rings_start_factor(builder, OPERAND_B)};
	bool by_rows;
	gemm_rings_write_first(&rings, strips.row.span, strips.column.span);
	while (!builder->failed && !builder->too_large && gemm_strips_next(&strips, &by_rows)) {
		const struct panel_span rows = {0, gemm_strips_find_end(&strips.row)},
					columns = {0, gemm_strips_find_end(&strips.column)};
		gemm_rings_write_arm(&rings, by_rows, by_rows ? strips.row.span : rows,
		                     by_rows ? columns : strips.column.span);
	}
}
