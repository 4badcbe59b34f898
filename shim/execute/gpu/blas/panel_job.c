/* panel_job.c - planned problems as the steps of a flow */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/panel_job.h"

#include "policy/call/argument.h"
#include "shim/execute/gpu/blas/gpu_square.h"
#include "shim/execute/gpu/device/gpu_launch.h"

static const double panel_scalar_value[][2] = {
	[PANEL_ZERO] = {0, 0}, [PANEL_ONE] = {1, 0}, [PANEL_MINUS_ONE] = {-1, 0}};

/* The rule by which stores enter C. */
static void panel_job_make_rule(struct panel_job_part *part)
{
	const enum family family = part->problem.family;
	const struct blas_call *blas = &part->problem.blas;
	struct pack_rule *rule = &part->rule;
	const bool in_place = family_is_in_place(family);
	rule->element = part->problem.element;
	for (int i = 0; i < 2; i++)
		rule->beta[i] = in_place ? 0 : blas->beta[i];
	rule->part = PACK_WHOLE;
	if (operand_is_triangle(family))
		rule->part = blas->uplo == UPLO_UPPER ? PACK_UPPER : PACK_LOWER;
	rule->hermitian = family_has_hermitian_result(family) && element_is_complex(rule->element);
	part->ruled = rule->part != PACK_WHOLE || !argument_is_zero(rule->beta);
	part->backward = in_place && blas->side == SIDE_RIGHT && region_begins_at_end(family, blas);
}

void panel_job_add(struct panel_job *job, const struct panel_problem *problem,
                   const struct panel_plan *plan, const bool locked[OPERAND_COUNT])
{
	struct panel_job_part *part = &job->part[job->count];
	*part = (struct panel_job_part){
		.problem = *problem, .plan = *plan, .first = job->steps, .end = plan->count};
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		part->locked[name] = locked[name];
		operand_find(problem->family, &problem->blas, (enum operand)name,
		             &part->matrix[name]);
	}
	if (job->count > 0)
		for (int kind = 0; kind < PANEL_KINDS; kind++)
			part->base[kind] = part[-1].base[kind] + part[-1].plan.kind_count[kind];
	panel_job_make_rule(part);
	part->square = gpu_square_make_rule(problem->family, problem->element, &problem->blas);
	job->steps += plan->count;
	job->count++;
}

/* Areas are the first steps, and the part waits for them. */
void panel_job_use_mirrors(struct panel_job *job, const struct mirror *const mirror[OPERAND_COUNT])
{
	struct panel_job_part *part = &job->part[0];
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		const bool again = name == OPERAND_B && mirror[name] == mirror[OPERAND_A];
		part->mirror[name] = mirror[name]->device;
		job->held[name] = part->problem.held[name] && !again ? mirror[name] : NULL;
		job->areas += job->held[name] != NULL ? job->held[name]->areas : 0;
	}
	part->first = part->base[PANEL_LOAD] = job->areas;
	job->steps += job->areas;
}

void panel_job_clear(struct panel_job *job)
{
	for (int i = 0; i < job->count; i++)
		panel_plan_free(&job->part[i].plan);
	job->count = 0;
	job->steps = job->areas = 0;
}

uint64_t panel_job_arena_bytes(const struct panel_job *job)
{
	uint64_t most_bytes = 0;
	for (int i = 0; i < job->count; i++)
		if (job->part[i].plan.arena_bytes > most_bytes)
			most_bytes = job->part[i].plan.arena_bytes;
	return most_bytes;
}

static const struct panel_job_part *panel_job_find(const struct panel_job *job, uint32_t number)
{
	const struct panel_job_part *part = &job->part[job->count - 1];
	while (part->first > number)
		part--;
	return part;
}

/* Where a block is on the device, and the leading dimension there. */
static char *panel_job_point(const struct panel_job *job, const struct panel_job_part *part,
                             const struct panel_block *block)
{
	const int64_t offset =
		block->row.begin + block->column.begin * part->matrix[block->operand].ld;
	const uint64_t size = element_size_bytes(part->problem.element);
	char *mirror = part->mirror[block->operand];
	return mirror == NULL ? job->arena + block->place_bytes : mirror + (uint64_t)offset * size;
}

static int64_t panel_job_find_ld(const struct panel_job_part *part, const struct panel_block *block)
{
	return part->mirror[block->operand] == NULL ? block->ld : part->matrix[block->operand].ld;
}

static void panel_job_fill_copy(const struct panel_job *job, const struct panel_job_part *part,
                                const struct panel_block *block, struct flow_copy *copy)
{
	const struct matrix *matrix = &part->matrix[block->operand];
	const uint64_t size = element_size_bytes(part->problem.element);
	const uint64_t offset =
		(uint64_t)block->row.begin + (uint64_t)block->column.begin * (uint64_t)matrix->ld;
	*copy = (struct flow_copy){
		.area = {(char *)(uintptr_t)matrix->base + offset * size,
	                 (uint64_t)block->row.count * size, (uint64_t)block->column.count,
	                 (uint64_t)matrix->ld * size},
		.device = panel_job_point(job, part, block),
		.device_pitch = (uint64_t)panel_job_find_ld(part, block) * size,
		.row = block->row.begin,
		.column = block->column.begin,
	};
}

/* The area with this number, of all operands that are held. */
static void panel_job_read_area(const struct panel_job *job, uint32_t number,
                                struct flow_step *step)
{
	int name = OPERAND_A;
	for (; job->held[name] == NULL || number >= job->held[name]->areas; name++)
		number -= job->held[name] != NULL ? job->held[name]->areas : 0;
	const struct mirror_area *area = &job->held[name]->area[number];
	*step = (struct flow_step){.kind = FLOW_LOAD};
	step->copy = (struct flow_copy){.area = area->area,
	                                .device = area->device,
	                                .device_pitch = area->device_pitch,
	                                .row = area->row,
	                                .column = area->column};
	if (name == OPERAND_A && job->part[0].square.part != PACK_WHOLE)
		step->copy.rule = &job->part[0].square;
}

/* Whether a block of a square A has elements that must not be read, or its diagonal. */
static bool panel_job_meets_diagonal(const struct panel_job_part *part,
                                     const struct panel_block *block)
{
	const int64_t row_end = block->row.begin + block->row.count;
	const int64_t column_end = block->column.begin + block->column.count;
	switch (part->square.part) {
	case PACK_UPPER: return row_end > block->column.begin;
	case PACK_LOWER: return column_end > block->row.begin;
	default: return false;
	}
}

/* The parts use the arena one after the other: a part waits for all steps of the part before. */
static void panel_job_read(const void *self, uint32_t number, struct flow_step *step)
{
	const struct panel_job *job = self;
	if (number < job->areas) {
		panel_job_read_area(job, number, step);
		return;
	}
	const struct panel_job_part *part = panel_job_find(job, number);
	const struct panel_step *planned = &part->plan.steps[number - part->first];
	step->kind = (enum flow_kind)planned->kind;
	for (int kind = 0; kind < PANEL_KINDS; kind++)
		step->after[kind] =
			kind == (int)planned->kind ? 0 : part->base[kind] + planned->after[kind];
	if (planned->kind == PANEL_WORK)
		return;
	panel_job_fill_copy(job, part, &planned->block, &step->copy);
	if (planned->kind == PANEL_LOAD) {
		step->copy.locked = part->locked[planned->block.operand];
		if (planned->block.operand == OPERAND_A &&
		    panel_job_meets_diagonal(part, &planned->block))
			step->copy.rule = &part->square;
	}
	if (planned->kind == PANEL_STORE) {
		step->copy.rule = part->ruled ? &part->rule : NULL;
		step->copy.backward = part->backward;
		step->copy.whole_runs = family_is_in_place(part->problem.family) &&
		                        part->problem.blas.side == SIDE_LEFT;
	}
}

static void panel_job_set_scalar(const struct panel_job_part *part, enum panel_scalar scalar,
                                 double value[2])
{
	const double *alpha = part->problem.blas.alpha;
	if (scalar < PANEL_ALPHA)
		alpha = panel_scalar_value[scalar];
	value[0] = alpha[0];
	value[1] = scalar == PANEL_ALPHA_CONJUGATE ? -alpha[1] : alpha[1];
}

/* As in struct blas_call k is the inner dimension, or the order of the square x. */
static void panel_job_set_sizes(const struct panel_work *work, struct blas_call *blas)
{
	blas->m = work->z.row.count;
	blas->n = work->z.column.count;
	blas->k = work->transx == TRANSPOSE_N ? work->x.column.count : work->x.row.count;
}

static enum reason panel_job_launch(const void *self, struct lane *lane, uint32_t number)
{
	const struct panel_job *job = self;
	const struct panel_job_part *part = panel_job_find(job, number);
	const struct panel_work *work = &part->plan.steps[number - part->first].work;
	struct gpu_launch launch = {.family = work->family,
	                            .element = part->problem.element,
	                            .blas = part->problem.blas,
	                            .count = 1};
	struct blas_call *blas = &launch.blas;
	panel_job_set_sizes(work, blas);
	panel_job_set_scalar(part, work->alpha, blas->alpha);
	panel_job_set_scalar(part, work->beta, blas->beta);
	blas->transa = work->transx;
	blas->transb = work->transy;
	blas->a = panel_job_point(job, part, &work->x);
	blas->lda = panel_job_find_ld(part, &work->x);
	blas->b = work->has_y ? panel_job_point(job, part, &work->y) : NULL;
	blas->ldb = work->has_y ? panel_job_find_ld(part, &work->y) : 1;
	blas->c = panel_job_point(job, part, &work->z);
	blas->ldc = panel_job_find_ld(part, &work->z);
	return gpu_launch_run(lane, &launch);
}

static enum resident_proof panel_job_prove(const void *self)
{
	const struct panel_job *job = self;
	return mirrors_prove(job->unproven);
}

static void panel_job_note_stored(const void *self, const struct pack_area *area)
{
	const struct panel_job *job = self;
	mirrors_note_stored(job->unproven, area);
}

struct flow_program panel_job_program(const struct panel_job *job)
{
	return (struct flow_program){.self = job,
	                             .count = job->steps,
	                             .read = panel_job_read,
	                             .launch = panel_job_launch,
	                             .prove = job->unproven != NULL ? panel_job_prove : NULL,
	                             .stored = job->unproven != NULL ? panel_job_note_stored : NULL,
	                             .watch = pack_find_watch(job->part[0].problem.element)};
}
