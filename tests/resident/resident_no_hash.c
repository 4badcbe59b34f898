/* resident_no_hash.c - a library built without xxhash.h says so, and hashes nothing */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "shim/execute/gpu/resident/resident.h"

/* Linked with the files of the hash, compiled without xxhash.h. */
int main(void)
{
	static char memory[1 << 20];
	const struct resident_settings settings = {
		.mode = RESIDENT_HASH, .limit_bytes = 64 << 20, .tracks_at_once = true};
	const char *fault;
	struct host_view view;
	struct resident_call call;
	const char *reason = track_reason_name(resident_open(&settings, &fault));
	host_view_make(&view, memory, sizeof memory, sizeof memory, 1);
	resident_begin(&call);
	const bool tracked = resident_plan(&call, &view, RESIDENT_READ)->is_tracked;
	resident_end(&call);
	const bool right = strcmp(reason, "no_hash") == 0 &&
	                   resident_reason() == TRACK_REASON_NO_HASH && !tracked && fault == NULL;
	printf("%s: %s\n", right ? "ok" : "FAIL", track_reason_sentence(resident_reason()));
	return right ? 0 : 1;
}
