/* lapack_mirrors.c - results of a LAPACK call take the place of what mirrors have */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/lapack_mirrors.h"

#include "shim/execute/gpu/engine/mirrors.h"

static struct pack_area lapack_mirrors_area(const struct lapack_job *job,
                                            const struct lapack_operand *operand)
{
	const uint64_t bytes = lapack_operand_element_bytes(job->call, operand);
	return (struct pack_area){operand->base, (uint64_t)operand->rows * bytes,
	                          (uint64_t)operand->columns, (uint64_t)operand->ld * bytes};
}

/* Of a triangle the whole matrix: both triangles share most pages. */
void lapack_mirrors_overwrite(const struct lapack_job *job)
{
	for (int i = 0; i < job->operands.count && mirrors_are_on(); i++) {
		const struct lapack_operand *operand = &job->operands.list[i];
		const struct pack_area area = lapack_mirrors_area(job, operand);
		if (operand->written != LAPACK_NOTHING)
			mirrors_overwrite(&area);
	}
}
