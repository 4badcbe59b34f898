/* lapack_mirrors.c - which operands of a LAPACK call may have a mirror */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/lapack_mirrors.h"

#include "shim/execute/gpu/device/gpu_launch.h"

static struct pack_area lapack_mirrors_area(const struct lapack_job *job,
                                            const struct lapack_operand *operand)
{
	const uint64_t bytes = lapack_operand_element_bytes(job->call, operand);
	return (struct pack_area){operand->base, (uint64_t)operand->rows * bytes,
	                          (uint64_t)operand->columns, (uint64_t)operand->ld * bytes};
}

/*
 * LU, Cholesky's factor, and solutions by them: their steps write no element of these matrices
 * beside what LAPACK writes, but for the other triangle of Cholesky's, and take any leading
 * dimension. A Hermitian matrix is loaded without the imaginary parts of its diagonal, so that its
 * mirror is not the program's matrix.
 */
static bool lapack_mirrors_takes(const struct lapack_job *job, const struct lapack_matrix *matrix)
{
	const struct lapack_operand *operand = matrix->operand;
	const enum lapack_part part = operand->read;
	if (!gpu_launch_fits(operand->ld) || (matrix->stores && operand->written != part))
		return false;
	switch (job->call->family) {
	case FAMILY_GETRF:
	case FAMILY_GETRS:
	case FAMILY_GESV: return part == LAPACK_WHOLE;
	case FAMILY_POTRF:
	case FAMILY_POTRS:
	case FAMILY_POSV: return part != LAPACK_NOTHING && !(matrix->load.hermitian);
	default: return false;
	}
}

/* Solves follow. Those that factor and solve in one call leave factors that few programs use. */
static bool lapack_mirrors_makes_factors(enum family family)
{
	return family == FAMILY_GETRF || family == FAMILY_POTRF;
}

/* Kernels work in the mirror: what is loaded and solved there is committed with it. */
static void lapack_mirrors_plan(struct lapack_job *job, struct lapack_matrix *matrix, bool uses)
{
	const struct pack_area area = lapack_mirrors_area(job, matrix->operand);
	const uint64_t size = lapack_operand_element_bytes(job->call, matrix->operand);
	const bool takes = uses && lapack_mirrors_takes(job, matrix);
	const struct pack_rule rule = lapack_job_rule(job->call, matrix->operand);
	const struct mirror *mirror = NULL;
	if (matrix->stores)
		mirror =
			mirrors_plan_result(job->mirrors, &area, size, takes ? &rule : NULL, takes);
	else if (takes)
		mirror = mirrors_plan_input(job->mirrors, &area, size, &rule);
	if (takes && mirror->device != NULL)
		lapack_job_use_mirror(job, matrix, mirror);
}

static void lapack_mirrors_plan_all(struct lapack_job *job, bool results, bool uses)
{
	for (int i = 0; i < job->matrices; i++)
		if (job->matrix[i].stores == results)
			lapack_mirrors_plan(job, &job->matrix[i], uses);
}

static uint64_t lapack_mirrors_count_bytes(const struct lapack_job *job)
{
	uint64_t most_bytes = 0;
	for (int i = 0; i < job->matrices; i++) {
		const uint64_t bytes = lapack_operand_bytes(job->call, job->matrix[i].operand);
		most_bytes = bytes > most_bytes ? bytes : most_bytes;
	}
	return most_bytes;
}

void lapack_mirrors_begin(struct lapack_job *job, bool uses, bool defers)
{
	job->mirrors = mirrors_begin(job->lane, lapack_mirrors_count_bytes(job));
	job->defers = job->mirrors != NULL && uses && defers;
	if (job->mirrors == NULL)
		return;
	if (job->defers)
		mirrors_defer(job->mirrors);
	mirrors_set_watch(job->mirrors, pack_find_watch(job->call->element));
	lapack_mirrors_plan_all(job, false, uses);
	if (uses && lapack_mirrors_makes_factors(job->call->family))
		mirrors_announce(job->mirrors);
	lapack_mirrors_plan_all(job, true, uses);
	for (int i = 0; i < job->vectors; i++) {
		const struct pack_area area = lapack_mirrors_area(job, job->vector[i].operand);
		if (job->vector[i].operand->written != LAPACK_NOTHING)
			mirrors_overwrite(&area);
	}
}
