/* log_names.h - finds symbols, routines and reasons by their names in logs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_LOG_LOG_NAMES_H
#define GPUSHIM_CLI_LOG_LOG_NAMES_H

#include "policy/text/words.h"

/*
 * The enum symbol or the enum reason with this name, or -1. Hashed, since each line of a log asks.
 */
int log_names_symbol(struct words name);
int log_names_reason(struct words name);

/* Family and element of a routine by its name, or of a BLAS symbol; both -1 where it has none. */
void log_names_routine(struct words name, int *family, int *element);
void log_names_routine_of(int symbol, int *family, int *element);

#endif
