/* lapack_operand.c - the operands column of lapack_family.def */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/call/lapack_operand.h"

#include <stddef.h>

#include "policy/call/operand.h"

/* -- sizes ------------------------------------------------------------------------------------ */

/* Eigenvectors of the range that was asked for; how many values lie in an interval is not known. */
static int64_t lapack_operand_count_vectors(const struct lapack_call *lapack)
{
	if (lapack->jobs[0] != 'V')
		return 0;
	return lapack->range == 'I' ? lapack->iu - lapack->il + 1 : lapack->n;
}

/* A: all vectors of that side; S and O: as many as there are singular values; V: eigenvectors. */
static int64_t lapack_operand_count_side(char job, int64_t order, int64_t least)
{
	if (job == 'A' || job == 'V')
		return order;
	return job == 'S' || job == 'O' ? least : 0;
}

struct lapack_counts lapack_operand_count(const struct call *call)
{
	const struct lapack_call *lapack = &call->lapack;
	const bool left = lapack->side == SIDE_LEFT;
	const char second = call->family == FAMILY_GESDD ? lapack->jobs[0] : lapack->jobs[1];
	struct lapack_counts counts = {
		.least = lapack->m < lapack->n ? lapack->m : lapack->n,
		.most = lapack->m > lapack->n ? lapack->m : lapack->n,
		.inner = left ? lapack->m : lapack->n,
		.other = left ? lapack->n : lapack->m,
		.vectors = lapack_operand_count_vectors(lapack),
	};
	counts.left = lapack_operand_count_side(lapack->jobs[0], lapack->m, counts.least);
	counts.right = lapack_operand_count_side(second, lapack->n, counts.least);
	return counts;
}

/* -- the list --------------------------------------------------------------------------------- */

/* The words of the column for sizes: see lapack_operand_find_size. */
enum lapack_size {
	SIZE_NONE,
	SIZE_M,
	SIZE_N,
	SIZE_K,
	SIZE_RIGHT_SIDES,
	SIZE_LEAST,
	SIZE_MOST,
	SIZE_INNER,
	SIZE_VECTORS,
	SIZE_SUPPORT,
	SIZE_FAILURES,
	SIZE_LEFT,
	SIZE_RIGHT
};

/* Those for parts: see lapack_operand_find_part. */
enum lapack_word {
	WORD_NOTHING,
	WORD_WHOLE,
	WORD_TRIANGLE,
	WORD_REFLECTORS,
	WORD_SAME_ROWS,
	WORD_IF_VECTORS
};

/* An operand of a family. may_spend: what is read of it may change even if nothing is written. */
struct lapack_row {
	uint8_t name, type, rows, columns, read, written;
	bool may_spend;
};

enum { LAPACK_ROW_OPERANDS = 5, LAPACK_FAMILIES = FAMILY_FFT_C2C - FAMILY_GETRF };

#define READ_READ WORD_WHOLE, WORD_NOTHING
#define READ_WRITTEN WORD_NOTHING, WORD_WHOLE
#define MATRIX(id, rows, columns, read, written)                                                   \
	{LAPACK_##id, LAPACK_ELEMENT, SIZE_##rows, SIZE_##columns,                                 \
	 WORD_##read, WORD_##written, false},
#define SPENT(id, rows, columns, read)                                                             \
	{LAPACK_##id, LAPACK_ELEMENT, SIZE_##rows, SIZE_##columns, WORD_##read, WORD_NOTHING, true},
#define VECTOR(id, type, length, use)                                                              \
	{LAPACK_##id, LAPACK_##type, SIZE_##length, SIZE_NONE, READ_##use, false},
/* Without vectors LAPACK leaves anything in the triangle that it read. */
#define EIGENVECTORS_IN_A                                                                          \
	{LAPACK_A, LAPACK_ELEMENT, SIZE_N, SIZE_N, WORD_TRIANGLE, WORD_IF_VECTORS, true},
#define EIGENVECTORS_IN_Z MATRIX(U, N, VECTORS, NOTHING, WHOLE) SPENT(A, N, N, TRIANGLE)

static const struct lapack_row lapack_rows[LAPACK_FAMILIES][LAPACK_ROW_OPERANDS] = {
#define LAPACK_FAMILY(id, name, elements, sizes, letters, flops, operands) {operands},
#include "policy/call/lapack_family.def"
};

static int64_t lapack_operand_find_size(const struct call *call, const struct lapack_counts *counts,
                                        enum lapack_size size)
{
	const struct lapack_call *lapack = &call->lapack;
	const bool overwrites = lapack->jobs[0] == 'O' || lapack->jobs[1] == 'O';
	switch (size) {
	case SIZE_NONE: break;
	case SIZE_M: return lapack->m;
	case SIZE_N: return lapack->n;
	case SIZE_K: return lapack->k;
	case SIZE_RIGHT_SIDES: return lapack->nrhs;
	case SIZE_LEAST: return counts->least;
	case SIZE_MOST: return counts->most;
	case SIZE_INNER: return counts->inner;
	case SIZE_VECTORS: return counts->vectors;
	case SIZE_SUPPORT: return 2 * counts->vectors;
	case SIZE_FAILURES: return counts->vectors > 0 ? lapack->n : 0;
	case SIZE_LEFT: return overwrites ? 0 : counts->left;
	case SIZE_RIGHT: return overwrites ? 0 : counts->right;
	}
	return 1;
}

static enum lapack_part lapack_operand_name_triangle(const struct call *call)
{
	const bool upper = call->lapack.uplo == UPLO_UPPER;
	if (call->lapack.diag == DIAG_UNIT)
		return upper ? LAPACK_STRICT_UPPER : LAPACK_STRICT_LOWER;
	return upper ? LAPACK_UPPER : LAPACK_LOWER;
}

static enum lapack_part lapack_operand_find_part(const struct call *call, enum lapack_word word)
{
	switch (word) {
	case WORD_NOTHING: return LAPACK_NOTHING;
	case WORD_TRIANGLE: return lapack_operand_name_triangle(call);
	case WORD_REFLECTORS: return LAPACK_STRICT_LOWER;
	case WORD_IF_VECTORS: return call->lapack.jobs[0] == 'V' ? LAPACK_WHOLE : LAPACK_NOTHING;
	case WORD_WHOLE:
	case WORD_SAME_ROWS: break;
	}
	return LAPACK_WHOLE;
}

static void lapack_operand_place(const struct lapack_call *lapack, struct lapack_operand *operand)
{
	void *const base[LAPACK_NAMES] = {
		[LAPACK_A] = lapack->a,           [LAPACK_B] = lapack->b,
		[LAPACK_U] = lapack->u,           [LAPACK_VT] = lapack->vt,
		[LAPACK_W] = lapack->w,           [LAPACK_WI] = lapack->wi,
		[LAPACK_TAU] = lapack->tau,       [LAPACK_IPIV] = lapack->ipiv,
		[LAPACK_ISUPPZ] = lapack->isuppz, [LAPACK_FOUND] = lapack->found,
		[LAPACK_INFO] = lapack->info,     [LAPACK_WORK] = lapack->work,
		[LAPACK_RWORK] = lapack->rwork,   [LAPACK_IWORK] = lapack->iwork,
	};
	const int64_t ld[] = {lapack->lda, lapack->ldb, lapack->ldu, lapack->ldvt};
	operand->base = base[operand->name];
	operand->ld = operand->name <= LAPACK_VT ? ld[operand->name] : operand->rows;
}

/* An array that the call does not have is NULL. */
static void lapack_operand_add(const struct call *call, struct lapack_operands *operands,
                               struct lapack_operand operand)
{
	lapack_operand_place(&call->lapack, &operand);
	if (operand.rows > 0 && operand.columns > 0 &&
	    (operand.base != NULL || operand.name <= LAPACK_VT))
		operands->list[operands->count++] = operand;
}

/* Reflectors lie in k columns; right-hand sides have as many rows as op(A). */
static void lapack_operand_add_row(const struct call *call, const struct lapack_counts *counts,
                                   const struct lapack_row *row, struct lapack_operands *operands)
{
	const struct lapack_call *lapack = &call->lapack;
	struct lapack_operand operand = {
		.name = (enum lapack_name)row->name,
		.type = (enum lapack_type)row->type,
		.rows = lapack_operand_find_size(call, counts, (enum lapack_size)row->rows),
		.columns = lapack_operand_find_size(call, counts, (enum lapack_size)row->columns),
		.read = lapack_operand_find_part(call, (enum lapack_word)row->read),
		.written = lapack_operand_find_part(call, (enum lapack_word)row->written),
	};
	operand.spent = row->may_spend && operand.written == LAPACK_NOTHING;
	operand.read_rows = operand.rows;
	operand.read_columns = operand.columns;
	if (row->read == WORD_REFLECTORS)
		operand.read_columns = lapack->k;
	if (row->read == WORD_SAME_ROWS)
		operand.read_rows = lapack->trans == TRANSPOSE_N ? lapack->m : lapack->n;
	lapack_operand_add(call, operands, operand);
}

static void lapack_operand_add_result(const struct call *call, struct lapack_operands *operands,
                                      enum lapack_name name)
{
	lapack_operand_add(call, operands,
	                   (struct lapack_operand){.name = name,
	                                           .type = LAPACK_INTEGER,
	                                           .rows = 1,
	                                           .columns = 1,
	                                           .written = LAPACK_WHOLE});
}

static void lapack_operand_add_work(const struct call *call, struct lapack_operands *operands,
                                    enum lapack_name name, enum lapack_type type, int64_t length)
{
	lapack_operand_add(
		call, operands,
		(struct lapack_operand){
			.name = name, .type = type, .rows = length, .columns = 1, .spent = true});
}

void lapack_operand_list(const struct call *call, struct lapack_operands *operands)
{
	const struct lapack_call *lapack = &call->lapack;
	const struct lapack_counts counts = lapack_operand_count(call);
	const struct lapack_row *row = lapack_rows[call->family - FAMILY_GETRF];
	operands->count = 0;
	for (int i = 0; i < LAPACK_ROW_OPERANDS && row[i].rows != SIZE_NONE; i++)
		lapack_operand_add_row(call, &counts, &row[i], operands);
	lapack_operand_add_result(call, operands, LAPACK_FOUND);
	lapack_operand_add_result(call, operands, LAPACK_INFO);
	lapack_operand_add_work(call, operands, LAPACK_WORK, LAPACK_ELEMENT, lapack->lwork);
	lapack_operand_add_work(call, operands, LAPACK_RWORK, LAPACK_REAL, lapack->lrwork);
	lapack_operand_add_work(call, operands, LAPACK_IWORK, LAPACK_INTEGER, lapack->liwork);
}

bool lapack_operand_belongs(enum family family, enum lapack_name name)
{
	const struct lapack_row *row = lapack_rows[family - FAMILY_GETRF];
	for (int i = 0; i < LAPACK_ROW_OPERANDS && row[i].rows != SIZE_NONE; i++)
		if (row[i].name == name)
			return true;
	return false;
}

const struct lapack_operand *lapack_operand_find(const struct lapack_operands *operands,
                                                 enum lapack_name name)
{
	for (int i = 0; i < operands->count; i++)
		if (operands->list[i].name == name)
			return &operands->list[i];
	return NULL;
}

/* -- memory ----------------------------------------------------------------------------------- */

uint64_t lapack_operand_element_bytes(const struct call *call, const struct lapack_operand *operand)
{
	const uint64_t size = element_size_bytes(call->element);
	switch (operand->type) {
	case LAPACK_REAL: return element_is_complex(call->element) ? size / 2 : size;
	case LAPACK_INTEGER: return call->lapack.wide ? sizeof(int64_t) : sizeof(int32_t);
	case LAPACK_ELEMENT: break;
	}
	return size;
}

uint64_t lapack_operand_bytes(const struct call *call, const struct lapack_operand *operand)
{
	uint64_t elements, bytes;
	if (__builtin_mul_overflow((uint64_t)operand->rows, (uint64_t)operand->columns,
	                           &elements) ||
	    __builtin_mul_overflow(elements, lapack_operand_element_bytes(call, operand), &bytes))
		return UINT64_MAX;
	return bytes;
}

void lapack_operand_find_extent(const struct call *call, const struct lapack_operand *operand,
                                uintptr_t *begin, uintptr_t *end)
{
	const uint64_t last =
		(uint64_t)(operand->columns - 1) * (uint64_t)operand->ld + (uint64_t)operand->rows;
	*begin = (uintptr_t)operand->base;
	*end = *begin + last * lapack_operand_element_bytes(call, operand);
}

/* Blocks of one matrix of elements may have overlapping extents and still share no byte. */
static bool lapack_operand_meet(const struct call *call, const struct lapack_operand *x,
                                const struct lapack_operand *y)
{
	uintptr_t x_begin, x_end, y_begin, y_end;
	if (x->type == LAPACK_ELEMENT && y->type == LAPACK_ELEMENT) {
		const struct matrix a = {x->base, x->rows, x->columns, x->ld};
		const struct matrix b = {y->base, y->rows, y->columns, y->ld};
		return operand_overlaps(&a, &b, call->element);
	}
	lapack_operand_find_extent(call, x, &x_begin, &x_end);
	lapack_operand_find_extent(call, y, &y_begin, &y_end);
	return x_begin < y_end && y_begin < x_end;
}

static bool lapack_operand_changes(const struct lapack_operand *operand)
{
	return operand->written != LAPACK_NOTHING || operand->spent;
}

bool lapack_operand_overlap(const struct call *call, const struct lapack_operands *operands)
{
	for (int i = 0; i < operands->count; i++)
		for (int j = i + 1; j < operands->count; j++) {
			const struct lapack_operand *x = &operands->list[i],
						    *y = &operands->list[j];
			if ((lapack_operand_changes(x) || lapack_operand_changes(y)) &&
			    lapack_operand_meet(call, x, y))
				return true;
		}
	return false;
}
