/* factor_panel.c - cuSOLVER's factorization of a panel, its pivots and its info */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/factor_panel.h"

#include <string.h>

/* As cudaMalloc aligns. */
enum { FACTOR_PANEL_ALIGNMENT = 256 };

static uint64_t factor_panel_round(uint64_t size_bytes)
{
	return (size_bytes + FACTOR_PANEL_ALIGNMENT - 1) / FACTOR_PANEL_ALIGNMENT *
	       FACTOR_PANEL_ALIGNMENT;
}

static uint64_t factor_panel_raw_bytes(const struct factor_panel *panel)
{
	return factor_panel_round((uint64_t)panel->columns * sizeof(int64_t));
}

static uint64_t factor_panel_pivot_bytes(int64_t count)
{
	return factor_panel_round((uint64_t)count * sizeof(int));
}

struct solve_room factor_panel_find_room(const struct factor_panel *panel, int64_t least)
{
	const uint64_t bytes =
		factor_panel_pivot_bytes(panel->count) + factor_panel_raw_bytes(panel);
	return (struct solve_room){.device_bytes = bytes + factor_panel_pivot_bytes(least),
	                           .host_bytes = bytes + factor_panel_pivot_bytes(panel->columns)};
}

void factor_panel_place(struct factor_panel *panel, char *device, char *host, int64_t least)
{
	const struct solve_room room = factor_panel_find_room(panel, least);
	const uint64_t info_bytes = factor_panel_pivot_bytes(panel->count),
		       raw_bytes = factor_panel_raw_bytes(panel);
	panel->info = (int *)(void *)device;
	panel->raw = (int64_t *)(void *)(device + info_bytes);
	panel->pivots = (int *)(void *)(device + info_bytes + raw_bytes);
	panel->work = device + room.device_bytes;
	panel->host_info = (int *)(void *)host;
	panel->host_raw = (int64_t *)(void *)(host + info_bytes);
	panel->host_pivots = (int *)(void *)(host + info_bytes + raw_bytes);
	panel->host_work = host + room.host_bytes;
}

/* Adds what a panel of this size needs. */
static enum reason factor_panel_ask(struct factor_panel *panel, int64_t rows, int64_t columns)
{
	const struct cuda_solver *api = panel->api;
	size_t device_bytes = 0, host_bytes = 0;
	int status;
	if (panel->form == FACTOR_LU)
		status = api->getrf_size(panel->handle, panel->params, rows, columns, panel->type,
		                         panel->memory, panel->ld, panel->type, &device_bytes,
		                         &host_bytes);
	else
		status = api->potrf_size(panel->handle, panel->params, panel->triangle, columns,
		                         panel->type, panel->memory, panel->ld, panel->type,
		                         &device_bytes, &host_bytes);
	if (device_bytes > panel->room.device_bytes)
		panel->room.device_bytes = device_bytes;
	if (host_bytes > panel->room.host_bytes)
		panel->room.host_bytes = host_bytes;
	return solve_judge_status(status);
}

enum reason factor_panel_measure(struct lane *lane, void *object)
{
	struct factor_panel *panel = object;
	(void)lane;
	panel->room = (struct solve_room){.device_bytes = 0};
	const enum reason reason = factor_panel_ask(panel, panel->rows, panel->columns);
	return reason == REASON_NONE
	               ? factor_panel_ask(panel, panel->last_rows, panel->last_columns)
	               : reason;
}

static enum reason factor_panel_factor(struct factor_panel *panel)
{
	const struct cuda_solver *api = panel->api;
	const struct solve_room *room = &panel->room;
	int *info = panel->info + (panel->number - 1);
	if (panel->form == FACTOR_LU)
		return solve_judge_status(api->getrf(
			panel->handle, panel->params, panel->rows, panel->columns, panel->type,
			panel->memory, panel->ld, panel->raw, panel->type, panel->work,
			room->device_bytes, panel->host_work, room->host_bytes, info));
	return solve_judge_status(api->potrf(panel->handle, panel->params, panel->triangle,
	                                     panel->columns, panel->type, panel->memory, panel->ld,
	                                     panel->type, panel->work, room->device_bytes,
	                                     panel->host_work, room->host_bytes, info));
}

static enum reason factor_panel_copy(struct lane *lane, void *to, const void *from,
                                     uint64_t size_bytes, int kind)
{
	const int error = lane->api->memcpy_async(to, from, size_bytes, kind, lane->stream);
	return error == CUDA_SUCCESS ? REASON_NONE : REASON_TRANSFER_FAILED;
}

static int64_t factor_panel_count_pivots(const struct factor_panel *panel)
{
	if (panel->form != FACTOR_LU)
		return 0;
	return panel->rows < panel->columns ? panel->rows : panel->columns;
}

/* Pivots of the panel's rows become those of the matrix. false: one is no row. */
static bool factor_panel_keep(struct factor_panel *panel)
{
	const int64_t count = factor_panel_count_pivots(panel);
	for (int64_t i = 0; i < count; i++) {
		const int64_t pivot = panel->host_raw[i];
		if (pivot <= i || pivot > panel->rows)
			return false;
		panel->kept[panel->first + i] = panel->first + pivot;
		panel->host_pivots[i] = (int)(panel->first + pivot);
	}
	return true;
}

/* Each info is -1 until a panel has written it. */
static enum reason factor_panel_clear(struct factor_panel *panel, struct lane *lane)
{
	const uint64_t bytes = (uint64_t)panel->count * sizeof(int);
	if (panel->number > 1)
		return REASON_NONE;
	memset(panel->host_info, 0xff, bytes);
	return factor_panel_copy(lane, panel->info, panel->host_info, bytes,
	                         CUDA_COPY_HOST_TO_DEVICE);
}

/* Reads the infos of panels, and waits. */
static enum reason factor_panel_judge(struct factor_panel *panel, struct lane *lane, int64_t first,
                                      int64_t end)
{
	enum reason reason = REASON_NONE;
	if (end > first)
		reason = factor_panel_copy(lane, panel->host_info + first, panel->info + first,
		                           (uint64_t)(end - first) * sizeof(int),
		                           CUDA_COPY_DEVICE_TO_HOST);
	const enum reason confirmed = lanes_confirm(lane);
	if (confirmed != REASON_NONE)
		return confirmed;
	for (int64_t i = first; i < end && reason == REASON_NONE; i++)
		if (panel->host_info[i] != 0)
			reason = REASON_NOT_SOLVED;
	return reason;
}

enum reason factor_panel_run(struct lane *lane, void *object)
{
	struct factor_panel *panel = object;
	const uint64_t pivots = (uint64_t)factor_panel_count_pivots(panel);
	enum reason reason = factor_panel_clear(panel, lane);
	if (reason == REASON_NONE)
		reason = factor_panel_factor(panel);
	if (reason != REASON_NONE || (pivots == 0 && panel->room.host_bytes == 0))
		return reason;
	if (pivots > 0)
		reason = factor_panel_copy(lane, panel->host_raw, panel->raw,
		                           pivots * sizeof(int64_t), CUDA_COPY_DEVICE_TO_HOST);
	const enum reason judged =
		factor_panel_judge(panel, lane, panel->number - 1, panel->number);
	if (reason == REASON_NONE)
		reason = judged;
	if (reason != REASON_NONE)
		return reason;
	return factor_panel_keep(panel) ? REASON_NONE : REASON_NOT_FINITE;
}

enum reason factor_panel_end(struct lane *lane, void *object)
{
	struct factor_panel *panel = object;
	return factor_panel_judge(panel, lane, 0, panel->number);
}

enum reason factor_panel_send(const struct factor_panel *panel, struct lane *lane)
{
	const uint64_t pivots = (uint64_t)factor_panel_count_pivots(panel);
	if (pivots == 0)
		return REASON_NONE;
	return factor_panel_copy(lane, panel->pivots + panel->first, panel->host_pivots,
	                         pivots * sizeof(int), CUDA_COPY_HOST_TO_DEVICE);
}
