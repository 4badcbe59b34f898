/* pending_error.h - what the program's next dlerror() returns, kept over the shim's work */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_PENDING_ERROR_H
#define GPUSHIM_SHIM_BASE_PENDING_ERROR_H

/*
 * Every function of the dlopen family discards the pending error of its thread, also where it
 * succeeds. Between begin and end the shim's own calls leave it alone. Per thread; pairs nest.
 * Where libc does not show where the error is kept, they do nothing.
 */
void *pending_error_begin(void);
void pending_error_end(void *program);

#endif
