/* placement.c - which operands may be moved, and where to */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/placement.h"

#include "shim/execute/gpu/device/memory.h"
#include "shim/execute/gpu/resident/migrate.h"

static bool placement_is_possible(const struct lane *lane)
{
	return migrate_is_on() && lane->card->reads_host && lane->card->memory_node >= 0;
}

static bool placement_view(const struct placement_area *area, struct host_view *view)
{
	return host_view_make(view, area->host, area->run_bytes, area->pitch_bytes, area->count);
}

/* Loads through a ring gain nothing: the processor would read the device's memory for them. */
void placement_note_input(const struct lane *lane, const struct placement_area *area,
                          double link_bytes_s)
{
	struct host_view view;
	if (!placement_is_possible(lane))
		return;
	if (link_bytes_s <= 0)
		migrate_close(MIGRATION_REASON_STAGED);
	if ((area->count > 1 && area->pitch_bytes > CUDA_PITCH_MAX_BYTES) ||
	    !placement_view(area, &view))
		return;
	const struct migrate_target target = {.node = lane->card->memory_node,
	                                      .limit_bytes = memory_limit(lane->device),
	                                      .link_bytes_s = link_bytes_s};
	migrate_note_read(&view, &target);
}

void placement_note_result(const struct lane *lane, const struct placement_area *area)
{
	struct host_view view;
	if (placement_is_possible(lane) && placement_view(area, &view))
		migrate_note_written(&view);
}
