/* one_off.c - two counters: one-off work that was begun, and that was ended */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/one_off.h"

#include <stdatomic.h>

static _Atomic uint64_t one_off_begun, one_off_ended;

void one_off_begin(void)
{
	atomic_fetch_add(&one_off_begun, 1);
}

void one_off_end(void)
{
	atomic_fetch_add(&one_off_ended, 1);
}

void one_off_note(void)
{
	one_off_begin();
	one_off_end();
}

uint64_t one_off_mark(void)
{
	return atomic_load(&one_off_ended);
}

/* All that was begun until now had ended before the mark, or the counters differ. */
bool one_off_since(uint64_t mark)
{
	return atomic_load(&one_off_begun) != mark;
}
