/* update_rings.c - plans of rank updates with resident factors */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_update.h"

struct update_rings {
	const struct update_state *update;
	int buffers[2]; /* buffers of the whole factors */
	struct update_product product;
};

static struct update_rings update_rings_start(const struct update_state *update)
{
	struct update_rings state = {.update = update, .product = {.beta = PANEL_ZERO}};
	for (int number = 0; number < update->factors; number++)
		state.buffers[number] = panel_builder_add_buffer_of(
			update->builder, update->factor[number].operand, update->n, update->k);
	return state;
}

static void update_rings_load(struct update_rings *state, struct panel_span i, struct panel_span p)
{
	const struct update_state *update = state->update;
	for (int number = 0; number < update->factors; number++)
		state->product.rows[number] = state->product.columns[number] = panel_update_load(
			update, &update->factor[number], state->buffers[number], true, i, p);
}

/* Computes columns j of the triangle, whose place is product.c. */
static void update_rings_multiply(struct update_rings *state, struct panel_span j)
{
	struct update_product *product = &state->product;
	product->j = j;
	product->i = panel_update_column(state->update, j);
	if (product->i.count == j.count)
		panel_update_diagonal(state->update, product);
	else
		panel_update_multiply(state->update, product);
}

static void update_rings_store(const struct update_rings *state, struct panel_span j)
{
	panel_builder_store(state->update->builder, &state->product.c,
	                    panel_update_column(state->update, j), j);
}

/* Loads all rows for the slices of k in [0, end), and adds their products to the triangle of C. */
static void update_rings_write_slices(struct update_rings *state, int64_t slice, int64_t end,
                                      struct panel_span triangle)
{
	struct update_product *product = &state->product;
	const struct panel_span all = {0, state->update->n};
	for (int64_t begin = 0; begin < end; begin += slice) {
		product->p = (struct panel_span){begin, end - begin < slice ? end - begin : slice};
		update_rings_load(state, all, product->p);
		product->i = product->j = triangle;
		panel_update_diagonal(state->update, product);
		const int64_t rest = state->update->n - triangle.count;
		product->i = (struct panel_span){triangle.begin == 0 ? triangle.count : 0, rest};
		if (rest > 0)
			panel_update_multiply(state->update, product);
		product->beta = PANEL_ONE;
	}
}

/* A buffer and image for columns j of C alone. */
static struct panel_image update_rings_place(struct update_rings *state, struct panel_ring *ring,
                                             struct panel_span j)
{
	const struct panel_span i = panel_update_column(state->update, j);
	const int buffer = panel_builder_take(state->update->builder, ring, i.count, j.count);
	return (struct panel_image){OPERAND_C, buffer, i.begin, j.begin, i.count};
}

static struct panel_ring update_rings_start_ring(const struct update_state *update, int64_t width)
{
	struct panel_ring ring = {.operand = OPERAND_C,
	                          .rows = update->n,
	                          .columns = (width / PANEL_GRAIN + 1) * PANEL_GRAIN};
	if (ring.columns > update->n)
		ring.columns = update->n;
	ring.reuse = !panel_builder_fit(update->builder, 0);
	return ring;
}

/*
 * The triangle grows from its tip. If group is a slice or more, the first `group` of k comes in
 * slices for the whole triangle before: a ring has little to compute until the triangle has grown,
 * and those slices keep the device busy.
 */
void panel_update_write_rings(const struct update_state *update, const struct panel_choice *choice)
{
	struct update_rings state = update_rings_start(update);
	const struct panel_cut cut = {.size = update->n,
	                              .first = choice->width,
	                              .width = choice->width,
	                              .last = choice->last};
	const int64_t slices = choice->group / choice->slice * choice->slice;
	const struct panel_span prefix = {0, slices < update->k ? slices : update->k - 1};
	struct panel_ring ring = update_rings_start_ring(update, choice->width);
	struct panel_span span = {0, 0};
	int whole = 0;
	if (prefix.count > 0) {
		whole = panel_builder_add_buffer(update->builder, update->n, update->n);
		state.product.c = (struct panel_image){OPERAND_C, whole, 0, 0, update->n};
		update_rings_write_slices(&state, choice->slice, prefix.count,
		                          (struct panel_span){0, update->n});
	}
	while (panel_builder_next(&cut, &span)) {
		const struct panel_span j = panel_update_turn(update, span, update->lower);
		state.product.p = (struct panel_span){prefix.count, update->k - prefix.count};
		update_rings_load(&state, j, state.product.p);
		if (prefix.count > 0)
			state.product.c.buffer = panel_builder_add_part(update->builder, whole);
		else
			state.product.c = update_rings_place(&state, &ring, j);
		update_rings_multiply(&state, j);
		update_rings_store(&state, j);
	}
}

/*
 * From the end where the columns of the triangle are long: the first group with slices of k, the
 * others with all of k.
 */
void panel_update_write_columns(const struct update_state *update,
                                const struct panel_choice *choice)
{
	struct update_rings state = update_rings_start(update);
	const struct panel_cut cut = {.size = update->n,
	                              .first = choice->group,
	                              .width = choice->width,
	                              .last = choice->last};
	struct panel_ring ring = update_rings_start_ring(update, choice->width);
	struct panel_span span = {0, 0}, piece = {0, 0};
	panel_builder_next(&cut, &span);
	const int buffer = panel_builder_add_buffer(update->builder, update->n, span.count);
	const struct panel_span group = panel_update_turn(update, span, !update->lower);
	state.product.c = (struct panel_image){OPERAND_C, buffer, 0, group.begin, update->n};
	update_rings_write_slices(&state, choice->slice, update->k, group);
	const struct panel_cut pieces = {.size = group.count,
	                                 .first = choice->width,
	                                 .width = choice->width,
	                                 .last = choice->width};
	while (panel_builder_next(&pieces, &piece))
		update_rings_store(&state,
		                   (struct panel_span){group.begin + piece.begin, piece.count});
	state.product.beta = PANEL_ZERO;
	state.product.p = (struct panel_span){0, update->k};
	while (panel_builder_next(&cut, &span)) {
		const struct panel_span j = panel_update_turn(update, span, !update->lower);
		state.product.c = update_rings_place(&state, &ring, j);
		update_rings_multiply(&state, j);
		update_rings_store(&state, j);
	}
}
