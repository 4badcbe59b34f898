/* lapack_flows.c - the loads and stores of a LAPACK call as programs of flows; the way back */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/lapack_flows.h"

#include "shim/execute/gpu/copy/copiers.h"

/* An input with a mirror is sent in the areas that the mirror lacks. */
static uint32_t lapack_flows_count_copies(const struct lapack_matrix *matrix, bool stores)
{
	if (!(stores ? matrix->stores : matrix->loads))
		return 0;
	return matrix->mirror != NULL && !matrix->stores ? matrix->mirror->areas : 1;
}

/* *area: the number of the copy, of those of its matrix. */
static const struct lapack_matrix *lapack_flows_find(const struct lapack_job *job, uint32_t number,
                                                     bool stores, uint32_t *area)
{
	for (int i = 0; i < job->matrices; i++) {
		const struct lapack_matrix *matrix = &job->matrix[i];
		const uint32_t copies = lapack_flows_count_copies(matrix, stores);
		*area = number;
		if (number < copies)
			return matrix;
		number -= copies;
	}
	return NULL;
}

static uint32_t lapack_flows_count(const struct lapack_job *job, bool stores)
{
	uint32_t count = 0;
	for (int i = 0; i < job->matrices; i++)
		count += lapack_flows_count_copies(&job->matrix[i], stores);
	return count;
}

/* Of a matrix of which less is read than written, all is loaded, for the shadow's sake. */
static struct pack_area lapack_flows_area(const struct lapack_job *job,
                                          const struct lapack_matrix *matrix, bool stores)
{
	const struct lapack_operand *operand = matrix->operand;
	const uint64_t bytes = lapack_operand_element_bytes(job->call, operand);
	const bool whole = stores || matrix->stores;
	const int64_t rows = whole ? operand->rows : operand->read_rows,
		      columns = whole ? operand->columns : operand->read_columns;
	return (struct pack_area){operand->base, (uint64_t)rows * bytes, (uint64_t)columns,
	                          (uint64_t)operand->ld * bytes};
}

static void lapack_flows_fill_copy(const struct lapack_job *job, uint32_t number, bool stores,
                                   struct flow_copy *copy)
{
	uint32_t area;
	const struct lapack_matrix *matrix = lapack_flows_find(job, number, stores, &area);
	const struct lapack_operand *operand = matrix->operand;
	*copy = (struct flow_copy){
		.area = lapack_flows_area(job, matrix, stores),
		.device = matrix->device,
		.device_pitch =
			(uint64_t)matrix->ld * lapack_operand_element_bytes(job->call, operand),
		.shadow = stores ? NULL : matrix->shadow,
		.rule = stores ? &matrix->store : &matrix->load,
	};
	if (matrix->mirror == NULL || matrix->stores)
		return;
	copy->area = matrix->mirror->area[area].area;
	copy->device = matrix->mirror->area[area].device;
	copy->device_pitch = matrix->mirror->area[area].device_pitch;
	copy->row = matrix->mirror->area[area].row;
	copy->column = matrix->mirror->area[area].column;
}

bool lapack_flows_have_late_infos(const struct call *call)
{
	return call->family == FAMILY_GETRS || call->family == FAMILY_POTRS;
}

/* Whether the last copy before the tail's is one of the same memory of the device. */
static bool lapack_flows_tail_adjoins(const struct lapack_job *job, uint32_t copies, bool stores)
{
	uint32_t area;
	const struct lapack_matrix *matrix =
		copies > 0 ? lapack_flows_find(job, copies - 1, stores, &area) : NULL;
	return matrix != NULL && matrix->mirror == NULL;
}

/* As bytes, by way of page-locked memory. */
static void lapack_flows_fill_tail(const struct lapack_job *job, bool stores,
                                   struct flow_copy *copy)
{
	static const struct pack_rule whole = {.element = ELEMENT_D};
	const uint32_t copies = lapack_flows_count(job, stores);
	const uint64_t bytes = stores ? SOLVE_INFOS * sizeof(int) : job->tail_bytes;
	*copy = (struct flow_copy){.area = {job->tail, bytes, 1, bytes},
	                           .device = (char *)job->solver->solve.info,
	                           .device_pitch = bytes,
	                           .adjoins = lapack_flows_tail_adjoins(job, copies, stores),
	                           .rule = &whole};
}

/* The tail is small: it comes last, behind other copies, and shares the last one where it can. */
static void lapack_flows_read_load(const void *self, uint32_t number, struct flow_step *step)
{
	const struct lapack_job *job = self;
	*step = (struct flow_step){.kind = FLOW_LOAD};
	if (number == lapack_flows_count(job, false))
		lapack_flows_fill_tail(job, false, &step->copy);
	else
		lapack_flows_fill_copy(job, number, false, &step->copy);
}

/* So do the infos. */
static void lapack_flows_read_store(const void *self, uint32_t number, struct flow_step *step)
{
	const struct lapack_job *job = self;
	*step = (struct flow_step){.kind = FLOW_STORE};
	if (number == lapack_flows_count(job, true))
		lapack_flows_fill_tail(job, true, &step->copy);
	else
		lapack_flows_fill_copy(job, number, true, &step->copy);
}

static enum resident_proof lapack_flows_prove(const void *self)
{
	const struct lapack_job *job = self;
	return mirrors_prove(job->mirrors);
}

bool lapack_flows_prove_part(void *job)
{
	const enum resident_proof proof = lapack_flows_prove(job);
	if (proof == RESIDENT_AWAITED)
		copiers_help();
	return proof == RESIDENT_PENDING || proof == RESIDENT_AWAITED;
}

struct flow_program lapack_flows_loads(const struct lapack_job *job)
{
	return (struct flow_program){.self = job,
	                             .count = 1 + lapack_flows_count(job, false),
	                             .read = lapack_flows_read_load,
	                             .prove = job->defers ? lapack_flows_prove : NULL};
}

struct flow_program lapack_flows_stores(const struct lapack_job *job)
{
	return (struct flow_program){.self = job,
	                             .count = lapack_flows_have_late_infos(job->call) +
	                                      lapack_flows_count(job, true),
	                             .read = lapack_flows_read_store,
	                             .prove = job->defers ? lapack_flows_prove : NULL,
	                             .watch = pack_find_watch(job->call->element)};
}

/* The rule of the store, without a change of the diagonal: the shadow has what was there. */
void lapack_flows_restore(const void *self, const struct flow_progress *progress)
{
	const struct lapack_job *job = self;
	const uint32_t begun = progress->stores + (progress->runs > 0 || progress->bytes > 0);
	for (uint32_t number = 0; number < begun; number++) {
		uint32_t unused;
		const struct lapack_matrix *matrix = lapack_flows_find(job, number, true, &unused);
		if (matrix == NULL || matrix->shadow == NULL)
			continue;
		const struct pack_area area = lapack_flows_area(job, matrix, true);
		struct pack_rule rule = matrix->store;
		rule.hermitian = false;
		pack_scatter(&area, matrix->shadow, &rule);
	}
}
