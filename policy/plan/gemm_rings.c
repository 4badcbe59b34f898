/* gemm_rings.c - plans of a product as a growing rectangle of C */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_gemm.h"

/*
 * A factor that grows: blocks in the order of the rings, in neighbouring buffers from `first` on.
 * Where its own dimension is the column index they form one image, which one kernel reads.
 */
struct rings_factor {
	struct gemm_factor factor;
	struct panel_cut cut;
	int first, newest;      /* buffers */
	struct panel_span span; /* of the newest block */
};

/* The shorter dimension is cut in proportion, so that both end together. */
static struct rings_factor gemm_rings_start_factor(struct panel_builder *builder,
                                                   enum operand operand,
                                                   const struct panel_choice *choice)
{
	const struct blas_call *blas = &builder->problem->blas;
	struct rings_factor side = {.factor = panel_gemm_find_factor(builder, operand)};
	const double share =
		(double)side.factor.size / (double)(blas->m > blas->n ? blas->m : blas->n);
	side.cut = (struct panel_cut){.size = side.factor.size,
	                              .first = (int64_t)((double)(choice->group - 1) * share) + 1,
	                              .width = (int64_t)((double)(choice->width - 1) * share) + 1,
	                              .last = (int64_t)((double)(choice->last - 1) * share) + 1};
	int number = 0;
	for (struct panel_span span = {0, 0}; panel_builder_next(&side.cut, &span); number++) {
		const int buffer =
			panel_gemm_add_buffer(builder, &side.factor, span.count, side.factor.k);
		side.first = number == 0 ? buffer : side.first;
	}
	side.newest = side.first - 1;
	return side;
}

static struct panel_image gemm_rings_place(const struct rings_factor *side, int buffer,
                                           struct panel_span span)
{
	const struct gemm_part part = {span, {0, side->factor.k}};
	return panel_gemm_place(&side->factor, buffer, part);
}

/* Loads the next block of the factor; false if it is complete. */
static bool gemm_rings_load(struct panel_builder *builder, struct rings_factor *side)
{
	if (!panel_builder_next(&side->cut, &side->span))
		return false;
	const struct gemm_part part = {side->span, {0, side->factor.k}};
	const struct panel_image image = gemm_rings_place(side, ++side->newest, side->span);
	panel_gemm_load(builder, &side->factor, &image, part);
	return true;
}

/* Computes a rectangle of C in a buffer of its own, and stores it. */
static void gemm_rings_write_tile(struct panel_builder *builder, struct gemm_product product)
{
	const int buffer = panel_builder_add_buffer_of(builder, OPERAND_C, product.row.count,
	                                               product.column.count);
	product.c = panel_gemm_place_c(buffer, product.row, product.column);
	panel_gemm_multiply(builder, &product);
	panel_builder_store(builder, &product.c, product.row, product.column);
}

/* Multiplies the newest block of one factor with the blocks of the other one before end. */
static void gemm_rings_write_arm(struct panel_builder *builder, const struct rings_factor *newest,
                                 const struct rings_factor *other, int64_t end)
{
	const struct panel_image image = gemm_rings_place(newest, newest->newest, newest->span);
	const bool newest_is_a = newest->factor.operand == OPERAND_A,
		   whole = !other->factor.k_is_column;
	struct panel_span span = {0, 0};
	for (int buffer = other->first; span.begin + span.count < end; buffer++) {
		panel_builder_next(&other->cut, &span);
		if (whole && span.begin + span.count < end)
			continue;
		const struct panel_image met = gemm_rings_place(other, buffer, span);
		const struct panel_span part = whole ? (struct panel_span){0, end} : span;
		gemm_rings_write_tile(
			builder, (struct gemm_product){.a = newest_is_a ? image : met,
		                                       .b = newest_is_a ? met : image,
		                                       .row = newest_is_a ? newest->span : part,
		                                       .column = newest_is_a ? part : newest->span,
		                                       .k = {0, newest->factor.k}});
	}
}

/* A ring: new rows times the columns so far, then the rows before times the new columns. */
void panel_gemm_write_rings(struct panel_builder *builder, const struct panel_choice *choice)
{
	struct rings_factor a = gemm_rings_start_factor(builder, OPERAND_A, choice);
	struct rings_factor b = gemm_rings_start_factor(builder, OPERAND_B, choice);
	bool more_a = true, more_b = true;
	while (!builder->failed && !builder->too_large && (more_a || more_b)) {
		const int64_t rows = a.span.begin + a.span.count;
		more_a = gemm_rings_load(builder, &a);
		more_b = gemm_rings_load(builder, &b);
		if (more_a)
			gemm_rings_write_arm(builder, &a, &b, b.span.begin + b.span.count);
		if (more_b)
			gemm_rings_write_arm(builder, &b, &a, rows);
	}
}
