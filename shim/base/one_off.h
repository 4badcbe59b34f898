/* one_off.h - marks calls whose time contains costs that arise once, so that no one learns them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_ONE_OFF_H
#define GPUSHIM_SHIM_BASE_ONE_OFF_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Around work of the GPU path that later calls do not repeat: page-locking of memory, the first use
 * of a kernel, the making of a plan. Such work holds up calls of other threads too, because the
 * driver does it under locks. From any thread; begin and end need not be in the same one.
 */
void one_off_begin(void);
void one_off_end(void);

/*
 * At the beginning and the end of such work that a handler of the program may leave by a jump, so
 * that no end is owed: calls that go on at either moment are marked.
 */
void one_off_note(void);

/* For the beginning of a call. */
uint64_t one_off_mark(void);

/* Whether one-off work of any thread was under way at any time since the mark was taken. */
bool one_off_since(uint64_t mark);

#endif
