/* variables.h - the variables of the environment, read while other threads may change them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_VARIABLES_H
#define GPUSHIM_SHIM_BASE_VARIABLES_H

/*
 * Copies the environment as it is now. Another thread may be inside setenv, unsetenv or putenv,
 * which move and release what environ points to: a variable that is being changed then has its old
 * or its new value, or is missing. Two copies are made at most, one at the process's first call and
 * one when CUDA starts, or one at the end of a process without a call; later calls change nothing.
 * From any thread.
 */
void variables_keep(void);

/* The value of a variable in the last copy, or NULL. Before the first copy it is that of getenv. */
const char *variables_find(const char *name);

/* All variables, as in environ. */
char *const *variables_list(void);

#endif
