/* lapack_scale.c - the greatest numbers of least squares problems, by which LAPACK scales them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/lapack_scale.h"

/*
 * LAPACK scales by 2^103 and 2^-103 of single precision, 2^970 and 2^-970 of double: the least
 * normal number by the precision. A complex number is larger than its parts, by less than 2.
 */
static bool lapack_scale_is_extreme(const struct lapack_job *job, uint32_t largest)
{
	const bool single = pack_find_watch(job->call->element) == PACK_WATCH_SINGLE;
	const uint32_t least = single ? (127 - 103) << 7 : (1023 - 970) << 4,
		       end = single ? (127 + 102) << 7 : (1023 + 969) << 4;
	return largest != 0 && (largest < least || largest >= end);
}

/* Of the rows of B that are read, where more of them are written. */
static enum reason lapack_scale_look(const struct lapack_job *job, struct lapack_matrix *matrix)
{
	const struct lapack_operand *operand = matrix->operand;
	const enum pack_watch watch = pack_find_watch(job->call->element);
	const uint64_t size_bytes = lapack_operand_element_bytes(job->call, operand),
		       read_bytes = (uint64_t)operand->read_rows * size_bytes;
	const char *column = matrix->shadow;
	for (int64_t j = 0; j < operand->columns; j++) {
		const uint32_t size = pack_copy_find_size(column, read_bytes, watch);
		if (pack_copy_is_special(column, read_bytes, watch))
			return REASON_NOT_FINITE;
		if (size > atomic_load(&matrix->largest))
			atomic_store(&matrix->largest, size);
		column += (uint64_t)operand->rows * size_bytes;
	}
	return REASON_NONE;
}

enum reason lapack_scale_judge(struct lapack_job *job)
{
	for (int i = 0; i < job->matrices && job->call->family == FAMILY_GELS; i++) {
		struct lapack_matrix *matrix = &job->matrix[i];
		const bool partly = matrix->operand->read_rows < matrix->operand->rows;
		const enum reason reason = partly ? lapack_scale_look(job, matrix) : REASON_NONE;
		if (reason != REASON_NONE)
			return reason;
		const uint32_t largest = atomic_load(&matrix->largest);
		if (largest == 0 && matrix->operand->name == LAPACK_A)
			return REASON_ZERO_MATRIX;
		if (lapack_scale_is_extreme(job, largest))
			return REASON_EXTREME_SCALE;
	}
	return REASON_NONE;
}
