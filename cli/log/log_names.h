/* log_names.h - finds symbols, routines and reasons by the names that logs have */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_LOG_LOG_NAMES_H
#define GPUSHIM_CLI_LOG_LOG_NAMES_H

#include "policy/text/words.h"

/*
 * The enum symbol or the enum reason of this name, or -1. A log asks millions of times: they look
 * up, not through.
 */
int log_names_symbol(struct words name);
int log_names_reason(struct words name);

/*
 * Family and element of a routine's name, or of a symbol that can have but one; both -1 where there
 * are none.
 */
void log_names_routine(struct words name, int *family, int *element);
void log_names_routine_of(int symbol, int *family, int *element);

#endif
