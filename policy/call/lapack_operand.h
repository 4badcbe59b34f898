/* lapack_operand.h - what a LAPACK call reads and writes: matrices, vectors, work arrays; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_LAPACK_OPERAND_H
#define GPUSHIM_POLICY_CALL_LAPACK_OPERAND_H

#include "policy/call/call.h"

enum lapack_name {
	LAPACK_A,
	LAPACK_B,  /* of ormqr C */
	LAPACK_U,  /* also Z, VL */
	LAPACK_VT, /* also VR */
	LAPACK_W,  /* also S, WR */
	LAPACK_WI,
	LAPACK_TAU,
	LAPACK_IPIV,
	LAPACK_ISUPPZ, /* also IFAIL */
	LAPACK_FOUND,
	LAPACK_INFO,
	LAPACK_WORK,
	LAPACK_RWORK,
	LAPACK_IWORK,
	LAPACK_NAMES
};

/* Of integers: 64 bits if the call's integers have 64, else 32. LAPACK_REAL: float or double. */
enum lapack_type { LAPACK_ELEMENT, LAPACK_REAL, LAPACK_INTEGER };

/*
 * The part of a matrix that is read, or written. The strict triangles have no diagonal; of a matrix
 * that is not square, LAPACK_STRICT_LOWER is all that lies below the diagonal of its first row.
 */
enum lapack_part {
	LAPACK_NOTHING,
	LAPACK_WHOLE,
	LAPACK_UPPER,
	LAPACK_LOWER,
	LAPACK_STRICT_UPPER,
	LAPACK_STRICT_LOWER
};

/*
 * One operand; a vector is a matrix of one column. The part read is that of the first read_rows
 * rows and read_columns columns, the part written that of the whole matrix. spent: LAPACK may leave
 * anything in what was read, and in all of a work array; nothing has to be written.
 */
struct lapack_operand {
	enum lapack_name name;
	enum lapack_type type;
	void *base;
	int64_t rows, columns, ld;
	int64_t read_rows, read_columns;
	enum lapack_part read, written;
	bool spent;
};

/* Operands without elements are left out. */
struct lapack_operands {
	int count;
	struct lapack_operand list[LAPACK_NAMES];
};

/*
 * Lists the operands of a call without defect: results that LAPACK writes in the order in which
 * they are to be written (info last), operands that are only read, then work arrays.
 */
void lapack_operand_list(const struct call *call, struct lapack_operands *operands);

/* The operand of this name, or NULL. */
const struct lapack_operand *lapack_operand_find(const struct lapack_operands *operands,
                                                 enum lapack_name name);

/* Whether calls of this family of LAPACK may have such an operand. */
bool lapack_operand_belongs(enum family family, enum lapack_name name);

/* Whether it is an array that the program lends, work, rwork or iwork. */
static inline bool lapack_operand_is_work(const struct lapack_operand *operand)
{
	return operand->name >= LAPACK_WORK;
}

/* Bytes of one element of the operand. */
uint64_t lapack_operand_element_bytes(const struct call *call,
                                      const struct lapack_operand *operand);

/* Bytes of all its elements, without gaps between columns; UINT64_MAX on overflow. */
uint64_t lapack_operand_bytes(const struct call *call, const struct lapack_operand *operand);

/* Addresses of the first byte, and of the one behind the last. */
void lapack_operand_find_extent(const struct call *call, const struct lapack_operand *operand,
                                uintptr_t *begin, uintptr_t *end);

/* Whether an operand that is written, or spent, shares a byte with another one. */
bool lapack_operand_overlap(const struct call *call, const struct lapack_operands *operands);

/*
 * Sizes that follow from those of the call. other, inner: of ormqr the order of the side that Q is
 * applied to is inner, the other size is other. vectors: eigenvectors that are computed, at most.
 * left, right: columns of U (or VL), rows of VT (columns of VR) that are computed, also where they
 * overwrite A.
 */
struct lapack_counts {
	int64_t least, most, inner, other, vectors, left, right;
};

struct lapack_counts lapack_operand_count(const struct call *call);

#endif
