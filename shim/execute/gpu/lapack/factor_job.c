/* factor_job.c - the steps of a factorization as copies and kernels */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/factor_job.h"

#include "shim/execute/gpu/device/gpu_launch.h"
#include "shim/execute/gpu/engine/blocking.h"

factor_swap *factor_job_find_swap(const struct cuda_solver *api, enum element element)
{
	switch (element) {
	case ELEMENT_S: return api->laswp_s;
	case ELEMENT_C: return api->laswp_c;
	case ELEMENT_Z: return api->laswp_z;
	default: return api->laswp_d;
	}
}

/* -- copies ------------------------------------------------------------------------------------ */

static const struct lapack_matrix *factor_job_find(const struct factor_job *job, bool of_b)
{
	const struct lapack_job *operands = job->operands;
	const enum lapack_name name = of_b ? LAPACK_B : LAPACK_A;
	const struct lapack_matrix *matrix = operands->matrix;
	while (matrix->operand->name != name)
		matrix++;
	return matrix;
}

static uint64_t factor_job_size(const struct factor_job *job)
{
	return element_size_bytes(job->problem.element);
}

static char *factor_job_point(const struct factor_job *job, const struct factor_block *block)
{
	const struct lapack_matrix *matrix = factor_job_find(job, block->of_b);
	uint64_t place = block->place;
	if (matrix->mirror != NULL)
		place = (uint64_t)(block->row.begin + block->column.begin * matrix->ld);
	return matrix->device + place * factor_job_size(job);
}

/* A mirror has the whole matrix, with a leading dimension of its own. */
static int64_t factor_job_find_ld(const struct factor_job *job, const struct factor_block *block)
{
	const struct lapack_matrix *matrix = factor_job_find(job, block->of_b);
	return matrix->mirror != NULL ? matrix->ld : block->ld;
}

static struct pack_area factor_job_area(const struct factor_job *job,
                                        const struct factor_block *block)
{
	const struct lapack_operand *operand = factor_job_find(job, block->of_b)->operand;
	const uint64_t size = factor_job_size(job);
	const int64_t offset = block->row.begin + block->column.begin * operand->ld;
	return (struct pack_area){(char *)operand->base + (uint64_t)offset * size,
	                          (uint64_t)block->row.count * size, (uint64_t)block->column.count,
	                          (uint64_t)operand->ld * size};
}

/* NULL where nothing is kept. Shadows lie one behind the other, in the order of the loads. */
static char *factor_job_shadow(const struct factor_job *job, const struct factor_step *planned)
{
	if (planned->copy.kept == FACTOR_NOT_KEPT)
		return NULL;
	return job->operands->matrix[0].shadow + planned->copy.kept * factor_job_size(job);
}

/* Results are found not to be finite when they are stored. They lie beside the diagonal. */
static const struct pack_rule *factor_job_find_rule(const struct factor_job *job,
                                                    const struct factor_step *planned,
                                                    const struct lapack_matrix *matrix)
{
	if (planned->kind == FACTOR_STORE)
		return &matrix->store;
	return planned->copy.kept == FACTOR_NOT_KEPT ? &job->result : &matrix->load;
}

static void factor_job_fill_copy(const struct factor_job *job, const struct factor_step *planned,
                                 struct flow_copy *copy)
{
	const struct factor_block *block = &planned->copy.block;
	const struct lapack_matrix *matrix = factor_job_find(job, block->of_b);
	*copy = (struct flow_copy){
		.area = factor_job_area(job, block),
		.device = factor_job_point(job, block),
		.device_pitch = (uint64_t)factor_job_find_ld(job, block) * factor_job_size(job),
		.shadow = factor_job_shadow(job, planned),
		.rule = factor_job_find_rule(job, planned, matrix),
		.row = block->row.begin,
		.column = block->column.begin,
	};
}

static void factor_job_read(const void *self, uint32_t number, struct flow_step *step)
{
	const struct factor_job *job = self;
	const struct factor_step *planned = &job->plan.steps[number];
	*step = (struct flow_step){.kind = (enum flow_kind)planned->kind};
	for (int kind = 0; kind < FACTOR_KINDS; kind++)
		step->after[kind] = planned->after[kind];
	if (planned->kind != FACTOR_WORK)
		factor_job_fill_copy(job, planned, &step->copy);
}

/* -- kernels ----------------------------------------------------------------------------------- */

/* A triangle of x, from the left but for SOLVE_RIGHT. Fields that are not set: left, upper. */
static void factor_job_fill_solve(const struct factor_job *job, const struct factor_work *work,
                                  struct gpu_launch *launch)
{
	const enum factor_form form = job->problem.form;
	const bool back = work->operation == FACTOR_SOLVE_BACK;
	struct blas_call *blas = &launch->blas;
	launch->family = FAMILY_TRSM;
	blas->k = work->x.row.count;
	blas->alpha[0] = 1;
	if (form == FACTOR_LOWER || (form == FACTOR_LU && !back))
		blas->uplo = UPLO_LOWER;
	if (form == FACTOR_LU && !back)
		blas->diag = DIAG_UNIT;
	if (work->operation == FACTOR_SOLVE_RIGHT)
		blas->side = SIDE_RIGHT;
	if (work->operation == FACTOR_SOLVE_RIGHT || (form == FACTOR_LOWER && back) ||
	    (form == FACTOR_UPPER && !back))
		blas->transa = TRANSPOSE_C;
}

static void factor_job_fill_update(const struct factor_job *job, const struct factor_work *work,
                                   struct gpu_launch *launch)
{
	struct blas_call *blas = &launch->blas;
	const bool triangle = work->operation == FACTOR_TRIANGLE;
	launch->family = FAMILY_GEMM;
	if (triangle)
		launch->family =
			element_is_complex(job->problem.element) ? FAMILY_HERK : FAMILY_SYRK;
	if (triangle && job->problem.form == FACTOR_LOWER)
		blas->uplo = UPLO_LOWER;
	blas->k = work->x_turned ? work->x.row.count : work->x.column.count;
	blas->transa = work->x_turned ? TRANSPOSE_C : TRANSPOSE_N;
	blas->transb = work->y_turned ? TRANSPOSE_C : TRANSPOSE_N;
	blas->alpha[0] = -1;
	blas->beta[0] = 1;
	if (!triangle) {
		blas->b = factor_job_point(job, &work->y);
		blas->ldb = factor_job_find_ld(job, &work->y);
	}
}

static enum reason factor_job_launch_blas(const struct factor_job *job, struct lane *lane,
                                          const struct factor_work *work)
{
	struct gpu_launch launch = {.element = job->problem.element, .count = 1};
	struct blas_call *blas = &launch.blas;
	if (work->operation == FACTOR_UPDATE || work->operation == FACTOR_TRIANGLE)
		factor_job_fill_update(job, work, &launch);
	else
		factor_job_fill_solve(job, work, &launch);
	blas->m = work->z.row.count;
	blas->n = work->z.column.count;
	blas->a = factor_job_point(job, &work->x);
	blas->c = factor_job_point(job, &work->z);
	blas->lda = factor_job_find_ld(job, &work->x);
	blas->ldc = factor_job_find_ld(job, &work->z);
	return gpu_launch_run(lane, &launch);
}

static enum reason factor_job_launch_swap(const struct factor_job *job,
                                          const struct factor_work *work)
{
	const struct factor_panel *panel = job->panel;
	const struct factor_span *pivots = &work->pivots;
	factor_swap *swap = factor_job_find_swap(panel->api, job->problem.element);
	return solve_judge_status(
		swap(panel->handle, (int)work->z.column.count, factor_job_point(job, &work->z),
	             (int)factor_job_find_ld(job, &work->z), (int)(pivots->begin + 1),
	             (int)(pivots->begin + pivots->count), panel->pivots, 1));
}

static enum reason factor_job_launch(const void *self, struct lane *lane, uint32_t number)
{
	const struct factor_job *job = self;
	const struct factor_work *work = &job->plan.steps[number].work;
	switch (work->operation) {
	case FACTOR_PANEL: return factor_panel_send(job->panel, lane);
	case FACTOR_SWAP: return factor_job_launch_swap(job, work);
	default: return factor_job_launch_blas(job, lane, work);
	}
}

/* Panels are factored on another thread, because the call may block. */
static bool factor_job_begin(const void *self, struct lane *lane, uint32_t number,
                             enum reason *reason)
{
	const struct factor_job *job = self;
	const struct factor_work *work = &job->plan.steps[number].work;
	struct factor_panel *panel = job->panel;
	if (work->operation != FACTOR_PANEL)
		return true;
	if (panel->number > 0 && panel->step == number)
		return blocking_has_ended(lane, reason);
	panel->number++;
	panel->step = number;
	panel->first = work->z.row.begin;
	panel->rows = work->z.row.count;
	panel->columns = work->z.column.count;
	panel->ld = factor_job_find_ld(job, &work->z);
	panel->memory = factor_job_point(job, &work->z);
	*reason = blocking_begin(lane, factor_panel_run, panel);
	return false;
}

struct flow_program factor_job_program(const struct factor_job *job)
{
	return (struct flow_program){.self = job,
	                             .count = job->plan.count,
	                             .read = factor_job_read,
	                             .launch = factor_job_launch,
	                             .begin = factor_job_begin,
	                             .watch = pack_find_watch(job->problem.element)};
}

/* -- the way back ------------------------------------------------------------------------------ */

/* How many loads have ended for certain: the last store that has begun comes after them. */
static uint32_t factor_job_count_loaded(const struct factor_job *job, uint32_t stores)
{
	uint32_t loads = 0;
	for (uint32_t number = 0; number < job->plan.count && stores > 0; number++) {
		const struct factor_step *step = &job->plan.steps[number];
		if (step->kind != FACTOR_STORE)
			continue;
		loads = step->after[FACTOR_LOAD];
		stores--;
	}
	return loads;
}

/* The program's memory as the shadow of this load has it. */
static void factor_job_restore_block(const struct factor_job *job,
                                     const struct factor_step *planned)
{
	const struct factor_block *block = &planned->copy.block;
	const struct pack_area area = factor_job_area(job, block);
	struct pack_rule rule = factor_job_find(job, block->of_b)->store;
	rule.hermitian = false;
	rule.row = block->row.begin;
	rule.column = block->column.begin;
	if (planned->copy.kept != FACTOR_NOT_KEPT)
		pack_scatter(&area, factor_job_shadow(job, planned), &rule);
}

void factor_job_restore(const void *self, const struct flow_progress *progress)
{
	const struct factor_job *job = self;
	const uint32_t begun = progress->stores + (progress->runs > 0 || progress->bytes > 0);
	uint32_t loads = factor_job_count_loaded(job, begun);
	for (uint32_t number = 0; number < job->plan.count && loads > 0; number++) {
		const struct factor_step *step = &job->plan.steps[number];
		if (step->kind != FACTOR_LOAD)
			continue;
		factor_job_restore_block(job, step);
		loads--;
	}
}
