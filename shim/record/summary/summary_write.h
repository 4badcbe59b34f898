/* summary_write.h - puts a summary where the option says */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_SUMMARY_SUMMARY_WRITE_H
#define GPUSHIM_SHIM_RECORD_SUMMARY_SUMMARY_WRITE_H

#include <stddef.h>

/* Writes it to stderr, or appends it to the named file; with a warning where that fails. */
void summary_write_text(const char *where, const char *text, size_t size);

#endif
