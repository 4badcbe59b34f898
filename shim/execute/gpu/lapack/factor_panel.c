/* factor_panel.c - cuSOLVER's factorization of a panel, its pivots and its info */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lapack/factor_panel.h"

/* As cudaMalloc aligns. */
enum { FACTOR_PANEL_ALIGNMENT = 256 };

static uint64_t factor_panel_round(uint64_t size_bytes)
{
	return (size_bytes + FACTOR_PANEL_ALIGNMENT - 1) / FACTOR_PANEL_ALIGNMENT *
	       FACTOR_PANEL_ALIGNMENT;
}

static uint64_t factor_panel_raw_bytes(int64_t columns)
{
	return factor_panel_round((uint64_t)columns * sizeof(int64_t));
}

static uint64_t factor_panel_pivot_bytes(int64_t count)
{
	return factor_panel_round((uint64_t)count * sizeof(int));
}

struct solve_room factor_panel_find_room(int64_t least, int64_t columns)
{
	const uint64_t raw_bytes = factor_panel_raw_bytes(columns) + FACTOR_PANEL_ALIGNMENT;
	return (struct solve_room){.device_bytes = raw_bytes + factor_panel_pivot_bytes(least),
	                           .host_bytes = raw_bytes + factor_panel_pivot_bytes(columns)};
}

void factor_panel_place(struct factor_panel *panel, char *device, char *host, int64_t least,
                        int64_t columns)
{
	const uint64_t raw_bytes = factor_panel_raw_bytes(columns);
	panel->info = (int *)(void *)device;
	panel->raw = (int64_t *)(void *)(device + FACTOR_PANEL_ALIGNMENT);
	panel->pivots = (int *)(void *)(device + FACTOR_PANEL_ALIGNMENT + raw_bytes);
	panel->work = device + factor_panel_find_room(least, columns).device_bytes;
	panel->host_info = (int *)(void *)host;
	panel->host_raw = (int64_t *)(void *)(host + FACTOR_PANEL_ALIGNMENT);
	panel->host_pivots = (int *)(void *)(host + FACTOR_PANEL_ALIGNMENT + raw_bytes);
	panel->host_work = host + factor_panel_find_room(least, columns).host_bytes;
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
	if (panel->form == FACTOR_LU)
		return solve_judge_status(api->getrf(
			panel->handle, panel->params, panel->rows, panel->columns, panel->type,
			panel->memory, panel->ld, panel->raw, panel->type, panel->work,
			room->device_bytes, panel->host_work, room->host_bytes, panel->info));
	return solve_judge_status(api->potrf(panel->handle, panel->params, panel->triangle,
	                                     panel->columns, panel->type, panel->memory, panel->ld,
	                                     panel->type, panel->work, room->device_bytes,
	                                     panel->host_work, room->host_bytes, panel->info));
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

enum reason factor_panel_run(struct lane *lane, void *object)
{
	struct factor_panel *panel = object;
	const uint64_t pivots = (uint64_t)factor_panel_count_pivots(panel);
	enum reason reason = factor_panel_factor(panel);
	*panel->host_info = -1;
	if (reason == REASON_NONE)
		reason = factor_panel_copy(lane, panel->host_info, panel->info, sizeof(int),
		                           CUDA_COPY_DEVICE_TO_HOST);
	if (reason == REASON_NONE && pivots > 0)
		reason = factor_panel_copy(lane, panel->host_raw, panel->raw,
		                           pivots * sizeof(int64_t), CUDA_COPY_DEVICE_TO_HOST);
	const enum reason confirmed = lanes_confirm(lane);
	if (confirmed != REASON_NONE)
		return confirmed;
	if (reason != REASON_NONE)
		return reason;
	if (*panel->host_info != 0)
		return REASON_NOT_SOLVED;
	return factor_panel_keep(panel) ? REASON_NONE : REASON_NOT_FINITE;
}

enum reason factor_panel_send(const struct factor_panel *panel, struct lane *lane)
{
	const uint64_t pivots = (uint64_t)factor_panel_count_pivots(panel);
	if (pivots == 0)
		return REASON_NONE;
	return factor_panel_copy(lane, panel->pivots + panel->first, panel->host_pivots,
	                         pivots * sizeof(int), CUDA_COPY_HOST_TO_DEVICE);
}
