/* traffic.c - counts a call's bytes in its thread */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/traffic.h"

/* Of a call that is left by a jump it stays behind; the next call begins anew. */
static _Thread_local struct traffic traffic_own;

struct traffic traffic_begin(void)
{
	const struct traffic outer = traffic_own;
	traffic_own = (struct traffic){0, 0};
	return outer;
}

struct traffic traffic_end(const struct traffic *outer)
{
	const struct traffic own = traffic_own;
	traffic_own = *outer;
	return own;
}

void traffic_note_sent(uint64_t size_bytes)
{
	traffic_own.sent_bytes += size_bytes;
}

void traffic_note_kept(uint64_t size_bytes)
{
	traffic_own.kept_bytes += size_bytes;
}
