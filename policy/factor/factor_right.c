/* factor_right.c - the solution for B by a factor that is larger than the device's memory */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * B lies on the device as a whole, beside the room. The factor comes back from the host twice in
 * chunks of columns, of UPPER rows: in ascending order for its first half (L, or U^H), in
 * descending order for the second (U, L^H). One chunk arrives while another is applied.
 */
#include "policy/factor/factor_right.h"

enum { RIGHT_CHUNKS = 2 };

/* used: the kernels after which a chunk's place is free. */
struct right {
	struct factor_steps *steps;
	int64_t n;
	uint64_t chunk_room;
	uint32_t chunks, stored, used[RIGHT_CHUNKS];
};

/* A part of the factor on the device, and the columns that it is solved for. */
struct right_chunk {
	uint32_t slot;
	struct factor_block block;
	struct factor_span done;
};

static struct factor_span factor_right_between(int64_t begin, int64_t end)
{
	return (struct factor_span){begin, end - begin};
}

static int64_t factor_right_end(struct factor_span span)
{
	return span.begin + span.count;
}

struct factor_block factor_right_cut(const struct factor_steps *steps, struct factor_span row)
{
	return (struct factor_block){.of_b = true,
	                             .row = row,
	                             .column = {0, steps->problem->right},
	                             .place = (uint64_t)row.begin,
	                             .ld = steps->problem->m};
}

void factor_right_store(struct factor_steps *steps)
{
	const int64_t right = steps->problem->right;
	for (int64_t begin = 0; begin < right; begin += steps->width) {
		const int64_t end = right - begin < steps->width ? right : begin + steps->width;
		const struct factor_block block = {.of_b = true,
		                                   .row = {0, steps->problem->m},
		                                   .column = factor_right_between(begin, end)};
		factor_steps_store(steps, &block);
	}
}

/* -- chunks ------------------------------------------------------------------------------------ */

static struct factor_block factor_right_part(const struct right_chunk *chunk,
                                             struct factor_span row, struct factor_span column)
{
	struct factor_block part = chunk->block;
	part.place += (uint64_t)(row.begin - part.row.begin +
	                         (column.begin - part.column.begin) * part.ld);
	part.row = row;
	part.column = column;
	return part;
}

/* The rows of the factor that these columns have, or of UPPER the columns of these rows. */
static struct factor_block factor_right_find(const struct right *right, struct factor_span done,
                                             bool back)
{
	const enum factor_form form = right->steps->problem->form;
	const struct factor_span from = factor_right_between(done.begin, right->n),
				 to = factor_right_between(0, factor_right_end(done));
	if (form == FACTOR_UPPER)
		return (struct factor_block){.row = done, .column = from, .ld = done.count};
	const struct factor_span row = form == FACTOR_LU && back ? to : from;
	return (struct factor_block){.row = row, .column = done, .ld = row.count};
}

static struct right_chunk factor_right_load(struct right *right, struct factor_span done, bool back)
{
	struct right_chunk chunk = {.slot = right->chunks++ % RIGHT_CHUNKS,
	                            .block = factor_right_find(right, done, back),
	                            .done = done};
	const uint32_t after[FACTOR_KINDS] = {
		[FACTOR_WORK] = right->used[chunk.slot], [FACTOR_STORE] = right->stored};
	chunk.block.place = chunk.slot * right->chunk_room;
	factor_steps_load(right->steps, &chunk.block, after, false);
	return chunk;
}

/* -- kernels ----------------------------------------------------------------------------------- */

static void factor_right_work(struct right *right, const struct factor_work *work)
{
	factor_steps_work_after(right->steps, work, right->steps->plan->kind_count[FACTOR_LOAD]);
}

static void factor_right_solve(struct right *right, const struct right_chunk *chunk, bool back)
{
	factor_right_work(right, &(struct factor_work){
					 .operation = back ? FACTOR_SOLVE_BACK : FACTOR_SOLVE,
					 .x = factor_right_part(chunk, chunk->done, chunk->done),
					 .z = factor_right_cut(right->steps, chunk->done)});
}

/* Rows of B behind those that are solved for. */
static void factor_right_forward(struct right *right, const struct right_chunk *chunk)
{
	const bool upper = right->steps->problem->form == FACTOR_UPPER;
	const struct factor_span done = chunk->done,
				 behind = factor_right_between(factor_right_end(done), right->n);
	factor_right_solve(right, chunk, false);
	factor_right_work(right,
	                  &(struct factor_work){.operation = FACTOR_UPDATE,
	                                        .x_turned = upper,
	                                        .x = upper ? factor_right_part(chunk, done, behind)
	                                                   : factor_right_part(chunk, behind, done),
	                                        .y = factor_right_cut(right->steps, done),
	                                        .z = factor_right_cut(right->steps, behind)});
}

/* Of LU the rows before those that are solved for; of Cholesky these, less those behind them. */
static void factor_right_backward(struct right *right, const struct right_chunk *chunk)
{
	const enum factor_form form = right->steps->problem->form;
	const struct factor_span done = chunk->done, before = factor_right_between(0, done.begin),
				 behind = factor_right_between(factor_right_end(done), right->n);
	struct factor_work update = {.operation = FACTOR_UPDATE};
	if (form == FACTOR_LU) {
		factor_right_solve(right, chunk, true);
		update.x = factor_right_part(chunk, before, done);
		update.y = factor_right_cut(right->steps, done);
		update.z = factor_right_cut(right->steps, before);
		factor_right_work(right, &update);
		return;
	}
	update.x_turned = form == FACTOR_LOWER;
	update.x = form == FACTOR_LOWER ? factor_right_part(chunk, behind, done)
	                                : factor_right_part(chunk, done, behind);
	update.y = factor_right_cut(right->steps, behind);
	update.z = factor_right_cut(right->steps, done);
	if (behind.count > 0)
		factor_right_work(right, &update);
	factor_right_solve(right, chunk, true);
}

/* -- all --------------------------------------------------------------------------------------- */

static void factor_right_pass(struct right *right, bool back)
{
	const int64_t most = (int64_t)(right->chunk_room / (uint64_t)right->n),
		      pieces = (right->n + most - 1) / most;
	for (int64_t i = 0; i < pieces && !right->steps->failed; i++) {
		const int64_t piece = back ? pieces - 1 - i : i;
		const struct right_chunk chunk =
			factor_right_load(right,
		                          factor_right_between(right->n * piece / pieces,
		                                               right->n * (piece + 1) / pieces),
		                          back);
		if (back)
			factor_right_backward(right, &chunk);
		else
			factor_right_forward(right, &chunk);
		right->used[chunk.slot] = right->steps->plan->kind_count[FACTOR_WORK];
	}
}

double factor_right_count_again(const struct factor_problem *problem)
{
	return problem->right > 0 ? (double)problem->n * (double)problem->n : 0;
}

void factor_right_write(struct factor_steps *steps)
{
	static const uint32_t none[FACTOR_KINDS];
	const struct factor_problem *problem = steps->problem;
	const uint32_t works = steps->plan->kind_count[FACTOR_WORK];
	struct right right = {.steps = steps,
	                      .n = problem->n,
	                      .chunk_room = problem->room / RIGHT_CHUNKS,
	                      .stored = steps->plan->kind_count[FACTOR_STORE],
	                      .used = {works, works}};
	const struct factor_block whole =
		factor_right_cut(steps, (struct factor_span){0, problem->m});
	if (problem->right == 0)
		return;
	factor_steps_load(steps, &whole, none, true);
	if (problem->form == FACTOR_LU)
		factor_right_work(&right, &(struct factor_work){.operation = FACTOR_SWAP,
		                                                .pivots = {0, problem->n},
		                                                .z = whole});
	factor_right_pass(&right, false);
	factor_right_pass(&right, true);
	factor_right_store(steps);
}
