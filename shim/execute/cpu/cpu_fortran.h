/* cpu_fortran.h - calls a library's Fortran routines of level 3 on a struct blas_call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_CPU_FORTRAN_H
#define GPUSHIM_SHIM_EXECUTE_CPU_CPU_FORTRAN_H

#include "shim/execute/cpu/cpu.h"

/* A routine of family, and the width of its integers. */
struct cpu_fortran {
	void *code;
	bool wide;
	enum family family;
	enum element element;
};

/*
 * Finds family's routine for a part of call, as cpu_find_family does. False if there is none, or
 * its integers are too narrow for the sizes in call->blas.
 */
bool cpu_fortran_find(struct cpu_fortran *routine, const struct call *call, enum family family,
                      const void *caller);

/* The same for the whole call's family, as cpu_find_beside does. */
bool cpu_fortran_find_beside(struct cpu_fortran *routine, const struct call *call,
                             const void *caller);

/* Computes a legal problem of the routine's family. */
void cpu_fortran_run(const struct cpu_fortran *routine, const struct blas_call *blas);

/*
 * Computes the problems of a legal strided batch, by the routine of that family. False, with
 * nothing done, where its integers are too narrow for the strides.
 */
bool cpu_fortran_run_strided(const struct cpu_fortran *routine, const struct batch_call *batch);

#endif
