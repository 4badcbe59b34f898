/* lapack_job.c - operands to the device and back; memory for them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/lapack_job.h"

#include <string.h>

#include "policy/call/operand.h"
#include "shim/base/fp_environment.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/node/host_memory.h"

/*
 * ALIGNMENT: as cudaMalloc aligns. TAIL: so that the tail begins where most matrices end, and one
 * copy of the link takes both.
 */
enum { LAPACK_JOB_ALIGNMENT_BYTES = 256, LAPACK_JOB_TAIL_ALIGNMENT_BYTES = 64 };

static uint64_t lapack_job_round_to(uint64_t size_bytes, uint64_t unit_bytes)
{
	const uint64_t more = operand_add_bytes(size_bytes, unit_bytes - 1);
	return more == UINT64_MAX ? more : more - more % unit_bytes;
}

static uint64_t lapack_job_round(uint64_t size_bytes)
{
	return lapack_job_round_to(size_bytes, LAPACK_JOB_ALIGNMENT_BYTES);
}

/* -- the operands ------------------------------------------------------------------------------ */

/* Every part is the whole or a triangle, which the device's function may spoil beside it. */
static enum pack_part lapack_job_part(enum lapack_part part)
{
	switch (part) {
	case LAPACK_UPPER:
	case LAPACK_STRICT_UPPER: return PACK_UPPER;
	case LAPACK_LOWER:
	case LAPACK_STRICT_LOWER: return PACK_LOWER;
	default: return PACK_WHOLE;
	}
}

static bool lapack_job_is_strict(enum lapack_part part)
{
	return part == LAPACK_STRICT_UPPER || part == LAPACK_STRICT_LOWER;
}

/* Whether the imaginary parts of the diagonal are taken for 0, as LAPACK documents. */
static bool lapack_job_is_hermitian(const struct call *call, const struct lapack_operand *operand)
{
	if (!element_is_complex(call->element))
		return false;
	switch (call->family) {
	case FAMILY_POTRF:
	case FAMILY_POSV:
	case FAMILY_HEEV:
	case FAMILY_HEEVD:
	case FAMILY_HEEVR:
	case FAMILY_HEEVX: return operand->name == LAPACK_A;
	case FAMILY_HEGV:
	case FAMILY_HEGVD:
	case FAMILY_HEGVX: return operand->name == LAPACK_A || operand->name == LAPACK_B;
	default: return false;
	}
}

struct pack_rule lapack_job_rule(const struct call *call, const struct lapack_operand *operand)
{
	return (struct pack_rule){.element = call->element,
	                          .part = lapack_job_part(operand->read),
	                          .unit = lapack_job_is_strict(operand->read),
	                          .hermitian = lapack_job_is_hermitian(call, operand)};
}

static void lapack_job_add_matrix(struct lapack_job *job, const struct lapack_operand *operand)
{
	struct lapack_matrix *matrix = &job->matrix[job->matrices++];
	const enum element element = job->call->element;
	*matrix = (struct lapack_matrix){
		.operand = operand,
		.ld = operand->rows,
		.loads = operand->read != LAPACK_NOTHING,
		.stores = operand->written != LAPACK_NOTHING,
		.store = {.element = element,
	                  .part = lapack_job_part(operand->written),
	                  .unit = lapack_job_is_strict(operand->written),
	                  .hermitian = lapack_job_is_hermitian(job->call, operand)},
	};
	/* What is written is kept, also beside the part that is read. */
	const bool same = operand->written == operand->read || !matrix->stores;
	matrix->load = matrix->store;
	/* Results are Hermitian where they are those of the same triangle. */
	matrix->store.hermitian = matrix->store.hermitian && same;
	matrix->load.part = same ? lapack_job_part(operand->read) : PACK_WHOLE;
	matrix->load.unit = lapack_job_is_strict(operand->read);
	/* Of fewer rows than are loaded, the shadow tells. */
	const bool partly = operand->read_rows < operand->rows;
	matrix->load.watch = partly ? PACK_WATCH_NONE : pack_find_watch(element);
	matrix->load.watched = lapack_job_part(operand->read);
	matrix->load.watched_columns = operand->read_columns;
	if (job->call->family == FAMILY_GELS && !partly)
		matrix->load.largest = &matrix->largest;
	job->device_bytes = operand_add_bytes(
		job->device_bytes, lapack_job_round(lapack_operand_bytes(job->call, operand)));
	if (matrix->loads && matrix->stores)
		job->shadow_bytes = operand_add_bytes(job->shadow_bytes,
		                                      lapack_operand_bytes(job->call, operand));
}

static uint64_t lapack_job_count_vector(const struct lapack_job *job,
                                        const struct lapack_operand *operand)
{
	const uint64_t bytes = operand->type == LAPACK_INTEGER
	                               ? sizeof(int64_t)
	                               : lapack_operand_element_bytes(job->call, operand);
	return bytes * (uint64_t)operand->rows;
}

static void lapack_job_add_vector(struct lapack_job *job, const struct lapack_operand *operand)
{
	const uint64_t bytes = lapack_job_count_vector(job, operand);
	job->vector[job->vectors++] = (struct lapack_vector){operand, job->tail_bytes, bytes};
	job->tail_bytes += lapack_job_round(bytes);
}

static void lapack_job_add_matrices(struct lapack_job *job, bool results)
{
	for (int i = 0; i < job->operands.count; i++) {
		const struct lapack_operand *operand = &job->operands.list[i];
		if (operand->name <= LAPACK_VT && (operand->written != LAPACK_NOTHING) == results)
			lapack_job_add_matrix(job, operand);
	}
}

static void lapack_job_add_vectors(struct lapack_job *job)
{
	for (int i = 0; i < job->operands.count; i++) {
		const struct lapack_operand *operand = &job->operands.list[i];
		if (operand->name > LAPACK_VT && operand->name <= LAPACK_IPIV)
			lapack_job_add_vector(job, operand);
	}
}

/* Results are the last matrices, before the tail: their last copies may be the tail's, too. */
enum reason lapack_job_begin(struct lapack_job *job, struct lane *lane, const struct call *call,
                             struct solver *solver)
{
	*job = (struct lapack_job){.lane = lane,
	                           .call = call,
	                           .solver = solver,
	                           .tail_bytes = lapack_job_round(SOLVE_INFOS * sizeof(int))};
	lapack_operand_list(call, &job->operands);
	lapack_job_add_matrices(job, false);
	lapack_job_add_matrices(job, true);
	lapack_job_add_vectors(job);
	job->device_bytes = operand_add_bytes(job->device_bytes, job->tail_bytes);
	return job->device_bytes == UINT64_MAX ? REASON_DEVICE_MEMORY : REASON_NONE;
}

void lapack_job_use_mirror(struct lapack_job *job, struct lapack_matrix *matrix,
                           const struct mirror *mirror)
{
	const uint64_t bytes = lapack_job_round(lapack_operand_bytes(job->call, matrix->operand));
	matrix->mirror = mirror;
	matrix->device = mirror->device;
	matrix->ld = matrix->operand->ld;
	job->device_bytes -= bytes;
}

/* -- memory ------------------------------------------------------------------------------------ */

enum reason lapack_job_take_shadows(struct lapack_job *job)
{
	struct lane *lane = job->lane;
	if (job->shadow_bytes == 0)
		return REASON_NONE;
	if (job->shadow_bytes > lane->staging_bytes &&
	    job->shadow_bytes > host_memory_available("") / 2)
		return REASON_HOST_MEMORY;
	char *shadow = lanes_take_staging(lane, job->shadow_bytes);
	if (shadow == NULL)
		return REASON_HOST_MEMORY;
	for (int i = 0; i < job->matrices; i++) {
		struct lapack_matrix *matrix = &job->matrix[i];
		if (!matrix->loads || !matrix->stores)
			continue;
		matrix->shadow = shadow;
		shadow += lapack_operand_bytes(job->call, matrix->operand);
	}
	return REASON_NONE;
}

/* Returns where they end in job->memory. */
static uint64_t lapack_job_place_matrices(struct lapack_job *job)
{
	uint64_t end = 0;
	for (int i = 0; i < job->matrices; i++) {
		struct lapack_matrix *matrix = &job->matrix[i];
		const struct lapack_operand *operand = matrix->operand;
		if (matrix->mirror == NULL) {
			const uint64_t begin = lapack_job_round(end);
			matrix->device = job->memory + begin;
			end = begin + lapack_operand_bytes(job->call, operand);
		}
		job->solver->solve.array[operand->name] = (struct solve_array){
			matrix->device, operand->rows, operand->columns, matrix->ld};
	}
	return end;
}

static void lapack_job_place(struct lapack_job *job)
{
	struct solve *solve = &job->solver->solve;
	*solve = (struct solve){.lane = job->lane, .call = *job->call};
	char *tail = job->memory + lapack_job_round_to(lapack_job_place_matrices(job),
	                                               LAPACK_JOB_TAIL_ALIGNMENT_BYTES);
	for (int i = 0; i < job->vectors; i++) {
		const struct lapack_operand *operand = job->vector[i].operand;
		solve->array[operand->name] = (struct solve_array){tail + job->vector[i].begin,
		                                                   operand->rows, 1, operand->rows};
	}
	solve->info = (int *)(void *)tail;
}

enum reason lapack_job_take_memory(struct lapack_job *job)
{
	void *memory;
	if (job->device_bytes > memory_limit(job->lane->device))
		return REASON_DEVICE_MEMORY;
	enum reason reason = lapack_job_take_shadows(job);
	if (reason == REASON_NONE)
		reason = lanes_take_memory(job->lane, job->device_bytes, &memory);
	if (reason != REASON_NONE)
		return reason;
	job->memory = memory;
	lapack_job_place(job);
	return REASON_NONE;
}

enum reason lapack_job_take_room(struct lapack_job *job, const struct solve_room *room)
{
	struct solve *solve = &job->solver->solve;
	const uint64_t host_bytes = operand_add_bytes(job->tail_bytes, room->host_bytes);
	void *work = NULL;
	enum reason reason = solver_take_host(job->solver, host_bytes);
	const uint64_t work_bytes = lapack_job_round(room->device_bytes),
		       bytes = operand_add_bytes(work_bytes, room->spare_bytes);
	if (reason == REASON_NONE && bytes > 0)
		reason = lanes_take_memory(job->lane, bytes, &work);
	if (reason != REASON_NONE)
		return reason;
	job->work_bytes = bytes;
	job->tail = job->solver->host;
	solve->tail = job->tail;
	solve->tail_bytes = job->tail_bytes;
	solve->room = *room;
	solve->work = work;
	solve->spare = room->spare_bytes > 0 ? solve->work + work_bytes : NULL;
	solve->host_work = room->host_bytes > 0 ? job->tail + job->tail_bytes : NULL;
	return REASON_NONE;
}

/* -- vectors ----------------------------------------------------------------------------------- */

/* Of the eigenvalues only those that were found. */
static uint64_t lapack_job_count_written(const struct lapack_job *job,
                                         const struct lapack_vector *vector)
{
	const struct lapack_operand *operand = vector->operand;
	const int64_t found = job->solver->solve.found;
	if (operand->name != LAPACK_W || found <= 0 || found >= operand->rows)
		return vector->bytes;
	return (uint64_t)found * lapack_operand_element_bytes(job->call, operand);
}

static bool lapack_job_is_special(const struct lapack_job *job, const struct lapack_vector *vector)
{
	return vector->operand->type != LAPACK_INTEGER &&
	       pack_copy_is_special(job->tail + vector->begin,
	                            lapack_job_count_written(job, vector),
	                            pack_find_watch(job->call->element));
}

/* Pivots for the device. false: one of them is no row below or at its own. */
static bool lapack_job_read_pivots(const struct lapack_job *job, const struct lapack_vector *vector)
{
	const struct lapack_operand *operand = vector->operand;
	bool legal = true;
	for (int64_t i = 0; i < operand->rows; i++) {
		int64_t pivot;
		if (job->call->lapack.wide)
			memcpy(&pivot, (const char *)operand->base + i * 8, sizeof pivot);
		else
			pivot = ((const int32_t *)operand->base)[i];
		legal = legal && pivot > i && pivot <= operand->rows;
		memcpy(job->tail + vector->begin + (uint64_t)i * sizeof pivot, &pivot,
		       sizeof pivot);
	}
	return legal;
}

/* Each info is not 0 until a step has written it, and no NaN, for stores that look for these. */
enum reason lapack_job_fill_tail(const struct lapack_job *job)
{
	memset(job->tail, 0, job->tail_bytes);
	memset(job->tail, 1, SOLVE_INFOS * sizeof(int));
	for (int i = 0; i < job->vectors; i++) {
		const struct lapack_vector *vector = &job->vector[i];
		if (vector->operand->read == LAPACK_NOTHING)
			continue;
		if (vector->operand->type != LAPACK_INTEGER)
			memcpy(job->tail + vector->begin, vector->operand->base, vector->bytes);
		else if (!lapack_job_read_pivots(job, vector))
			return REASON_UNSUPPORTED_LAYOUT;
		if (lapack_job_is_special(job, vector))
			return REASON_NOT_FINITE;
	}
	return REASON_NONE;
}

enum reason lapack_job_judge_tail(const struct lapack_job *job)
{
	const int infos = job->solver->solve.infos;
	for (int i = 0; i < infos; i++) {
		int info;
		memcpy(&info, job->tail + (size_t)i * sizeof info, sizeof info);
		if (info != 0)
			return REASON_NOT_SOLVED;
	}
	for (int i = 0; i < job->vectors; i++)
		if (lapack_job_is_special(job, &job->vector[i]))
			return REASON_NOT_FINITE;
	return REASON_NONE;
}

/* Integers of the program are read and written as bytes: nothing says that they are aligned. */
static void lapack_job_write_integer(const struct lapack_job *job,
                                     const struct lapack_operand *operand, int64_t index,
                                     int64_t value)
{
	const int32_t narrow = (int32_t)value;
	if (job->call->lapack.wide)
		memcpy((char *)operand->base + index * (int64_t)sizeof value, &value, sizeof value);
	else
		memcpy((char *)operand->base + index * (int64_t)sizeof narrow, &narrow,
		       sizeof narrow);
}

static void lapack_job_write_vector(const struct lapack_job *job,
                                    const struct lapack_vector *vector)
{
	const struct lapack_operand *operand = vector->operand;
	if (operand->written == LAPACK_NOTHING)
		return;
	if (operand->type != LAPACK_INTEGER) {
		memcpy(operand->base, job->tail + vector->begin,
		       lapack_job_count_written(job, vector));
		return;
	}
	for (int64_t i = 0; i < operand->rows; i++) {
		int64_t value;
		memcpy(&value, job->tail + vector->begin + (uint64_t)i * sizeof value,
		       sizeof value);
		lapack_job_write_integer(job, operand, i, value);
	}
}

/* syevr: the rows in which each vector is not 0; syevx: that each vector converged. */
static void lapack_job_write_support(const struct lapack_job *job)
{
	const struct lapack_operand *support = lapack_operand_find(&job->operands, LAPACK_ISUPPZ);
	const enum family family = job->call->family;
	const bool rows = family == FAMILY_SYEVR || family == FAMILY_HEEVR;
	const int64_t found = job->solver->solve.found;
	for (int64_t i = 0; support != NULL && i < (rows ? 2 * found : found); i++)
		lapack_job_write_integer(job, support, i,
		                         !rows        ? 0
		                         : i % 2 == 0 ? 1
		                                      : job->call->lapack.n);
}

/* Vectors, then info. */
static void lapack_job_write_tail(const struct lapack_job *job)
{
	const struct lapack_operand *info = lapack_operand_find(&job->operands, LAPACK_INFO),
				    *found = lapack_operand_find(&job->operands, LAPACK_FOUND);
	for (int i = 0; i < job->vectors; i++)
		lapack_job_write_vector(job, &job->vector[i]);
	lapack_job_write_support(job);
	if (found != NULL)
		lapack_job_write_integer(job, found, 0, job->solver->solve.found);
	if (info != NULL)
		lapack_job_write_integer(job, info, 0, 0);
}

/* A result that is not finite is the CPU's to find. */
enum reason lapack_job_end(const struct lapack_job *job, enum reason reason,
                           const struct flow_progress *progress,
                           void (*restore)(const void *self, const struct flow_progress *progress),
                           const void *self)
{
	const bool special = (fp_environment_take_noted() & FP_SPECIAL) != 0;
	if (reason == REASON_NONE && special)
		reason = REASON_NOT_FINITE;
	const int64_t begin_ns = observe_begin("commit");
	lane_owner_copy(true);
	if (reason == REASON_NONE)
		lapack_job_write_tail(job);
	else
		restore(self, progress);
	lane_owner_copy(false);
	observe_end("commit", begin_ns);
	return reason;
}
