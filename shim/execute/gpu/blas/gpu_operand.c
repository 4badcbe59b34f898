/* gpu_operand.c - where an operand is, and its way to the device and back */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/gpu_operand.h"

#include "policy/call/batch.h"
#include "shim/execute/gpu/blas/gpu_launch.h"
#include "shim/execute/gpu/device/gpu_place.h"
#include "shim/execute/gpu/engine/transfer.h"

/* What was found out about the problems' matrices together. */
struct gpu_operand_sight {
	bool any_host, any_device;
	bool reachable; /* kernels of the lane's device can read them where they are */
	bool locked;    /* the last one that was looked at is page-locked */
};

static const void *gpu_operand_find_host(const struct gpu_operand *operand, int64_t problem)
{
	struct blas_call blas;
	if (operand->batch == NULL)
		return operand->matrix.base;
	batch_point(operand->batch, operand->element, operand->first + problem, &blas);
	const void *const base[OPERAND_COUNT] = {blas.a, blas.b, blas.c};
	return base[operand->name];
}

/* Elements between the problems of a strided batch in the program's memory. */
static int64_t gpu_operand_distance(const struct gpu_operand *operand)
{
	const struct batch_call *batch = operand->batch;
	const int64_t distance[OPERAND_COUNT] = {batch->stridea, batch->strideb, batch->stridec};
	return distance[operand->name];
}

static bool gpu_operand_is_strided(const struct gpu_operand *operand)
{
	return operand->count > 1 && operand->batch->strided;
}

/* The program's streams on another device may still be writing there. */
static enum reason gpu_operand_wait_for(const struct lane *lane, int device)
{
	if (lane->api->set_device(device) != CUDA_SUCCESS)
		return REASON_DEVICE_FAILED;
	const int error = lane->api->device_synchronize();
	if (lane->api->set_device(lane->device) != CUDA_SUCCESS || error != CUDA_SUCCESS)
		return REASON_DEVICE_FAILED;
	return REASON_NONE;
}

static enum reason gpu_operand_look_at(const struct lane *lane, const struct gpu_operand *operand,
                                       const void *host, struct gpu_operand_sight *sight)
{
	struct gpu_place_found place;
	const enum reason reason = gpu_place_find(lane->api, host, &place);
	if (reason != REASON_NONE)
		return reason;
	if (!place.on_device) {
		sight->any_host = true;
		sight->locked = place.locked;
		return REASON_NONE;
	}
	sight->any_device = true;
	const bool elsewhere = place.device != lane->device && place.device >= 0;
	if ((elsewhere && !place.managed) ||
	    (uintptr_t)host % element_size_bytes(operand->element) != 0)
		sight->reachable = false;
	return elsewhere ? gpu_operand_wait_for(lane, place.device) : REASON_NONE;
}

/* A strided batch is one array: its first matrix stands for all. */
static enum reason gpu_operand_look(const struct lane *lane, const struct gpu_operand *operand,
                                    struct gpu_operand_sight *sight)
{
	const int64_t count = gpu_operand_is_strided(operand) ? 1 : operand->count;
	enum reason reason = REASON_NONE;
	for (int64_t i = 0; i < count && reason == REASON_NONE; i++)
		reason = gpu_operand_look_at(lane, operand, gpu_operand_find_host(operand, i),
		                             sight);
	return reason;
}

/* Whether a matrix that begins in page-locked memory ends there too. */
static bool gpu_operand_is_locked(const struct lane *lane, const struct gpu_operand *operand)
{
	uintptr_t begin, end;
	if (operand->place != GPU_PLACE_HOST || operand->count != 1)
		return false;
	operand_find_extent(&operand->matrix, operand->element, &begin, &end);
	return gpu_place_is_locked(lane->api, (const void *)begin, end - begin);
}

enum reason gpu_operand_place(struct lane *lane, struct gpu_operand *operand,
                              const struct gpu_operand_rules *rules)
{
	struct gpu_operand_sight sight = {.reachable = true};
	const struct matrix *matrix = &operand->matrix;
	const enum reason reason = gpu_operand_look(lane, operand, &sight);
	if (reason != REASON_NONE)
		return reason;
	operand->place = !sight.any_device ? GPU_PLACE_HOST
	                 : sight.any_host  ? GPU_PLACE_MIXED
	                                   : GPU_PLACE_DEVICE;
	operand->locked = sight.locked && gpu_operand_is_locked(lane, operand);
	const bool even = operand->count == 1 ||
	                  (gpu_operand_is_strided(operand) && gpu_operand_distance(operand) > 0);
	operand->in_place = rules->may_stay && operand->place == GPU_PLACE_DEVICE &&
	                    sight.reachable && even &&
	                    (rules->any_ld || gpu_launch_fits(matrix->ld));
	operand->block = matrix->rows < rules->most_rows || operand->in_place ? matrix->rows
	                                                                      : rules->most_rows;
	operand->stride = 0;
	if (operand->count > 1)
		operand->stride =
			operand->in_place
				? gpu_operand_distance(operand)
				: (int64_t)((uint64_t)matrix->rows * (uint64_t)matrix->columns);
	if (operand->in_place)
		operand->memory = (char *)(uintptr_t)matrix->base;
	return REASON_NONE;
}

uint64_t gpu_operand_size_bytes(const struct gpu_operand *operand)
{
	uint64_t bytes;
	if (operand->count == 0 || operand->in_place)
		return 0;
	if (__builtin_mul_overflow(operand_size_bytes(&operand->matrix, operand->element),
	                           (uint64_t)operand->count, &bytes))
		return UINT64_MAX;
	return bytes;
}

static int64_t gpu_operand_band_rows(const struct gpu_operand *operand, int64_t band)
{
	const int64_t rest = operand->matrix.rows - band * operand->block;
	return rest < operand->block ? rest : operand->block;
}

/* Where an element is stored in our copies, counted in elements. */
static int64_t gpu_operand_find_tight(const struct gpu_operand *operand, int64_t problem,
                                      int64_t row, int64_t column)
{
	const int64_t band = row / operand->block;
	return problem * operand->stride + band * operand->block * operand->matrix.columns +
	       gpu_operand_band_rows(operand, band) * column + row % operand->block;
}

void *gpu_operand_find(const struct gpu_operand *operand, int64_t problem, int64_t row,
                       int64_t column, int64_t *ld)
{
	const int64_t size = (int64_t)element_size_bytes(operand->element);
	if (operand->in_place) {
		*ld = operand->matrix.ld;
		return operand->memory + (problem * operand->stride + row + column * *ld) * size;
	}
	*ld = gpu_operand_band_rows(operand, row / operand->block);
	return operand->memory + gpu_operand_find_tight(operand, problem, row, column) * size;
}

/* One rectangle of a matrix in the program's memory, and where its tight copy begins, in bytes. */
struct gpu_operand_piece {
	struct transfer_area area;
	uint64_t offset_bytes;
};

/*
 * It must lie in one band, and be either a whole one or a part of one column: else its copy is not
 * tight.
 */
static struct gpu_operand_piece gpu_operand_cut(const struct gpu_operand *operand, int64_t problem,
                                                int64_t row, int64_t rows, int64_t column,
                                                int64_t columns)
{
	const uint64_t size = element_size_bytes(operand->element);
	const uint64_t ld = (uint64_t)operand->matrix.ld;
	char *host = (char *)(uintptr_t)gpu_operand_find_host(operand, problem);
	return (struct gpu_operand_piece){
		.area = {.host = host + ((uint64_t)row + (uint64_t)column * ld) * size,
	                 .row_bytes = (uint64_t)rows * size,
	                 .rows = (uint64_t)columns,
	                 .pitch_bytes = ld * size,
	                 .on_device = operand->place != GPU_PLACE_HOST},
		.offset_bytes =
			(uint64_t)gpu_operand_find_tight(operand, problem, row, column) * size,
	};
}

static enum reason gpu_operand_visit_bands(const struct gpu_operand *operand, int64_t problem,
                                           char *memory, gpu_operand_visit *visit, void *self)
{
	const struct matrix *matrix = &operand->matrix;
	enum reason reason = REASON_NONE;
	for (int64_t row = 0; row < matrix->rows && reason == REASON_NONE; row += operand->block) {
		const struct gpu_operand_piece piece = gpu_operand_cut(
			operand, problem, row, gpu_operand_band_rows(operand, row / operand->block),
			0, matrix->columns);
		reason = visit(self, &piece.area, memory + piece.offset_bytes);
	}
	return reason;
}

/* Column by column, and within a column band by band: rows first .. end - 1. */
static enum reason gpu_operand_visit_column(const struct gpu_operand *operand, int64_t column,
                                            char *memory, gpu_operand_visit *visit, void *self)
{
	const bool upper = operand->part == GPU_PART_UPPER;
	const int64_t end = upper ? column + 1 : operand->matrix.rows;
	enum reason reason = REASON_NONE;
	for (int64_t row = upper ? 0 : column; row < end && reason == REASON_NONE;) {
		const int64_t band_end = (row / operand->block + 1) * operand->block;
		const int64_t rows = (band_end < end ? band_end : end) - row;
		const struct gpu_operand_piece piece =
			gpu_operand_cut(operand, 0, row, rows, column, 1);
		reason = visit(self, &piece.area, memory + piece.offset_bytes);
		row += rows;
	}
	return reason;
}

/*
 * The matrices of a strided batch that have no gaps of their own are the columns of one large
 * matrix.
 */
static bool gpu_operand_is_one_area(const struct gpu_operand *operand)
{
	const struct matrix *matrix = &operand->matrix;
	return gpu_operand_is_strided(operand) && matrix->ld == matrix->rows &&
	       operand->block >= matrix->rows && gpu_operand_distance(operand) >= operand->stride;
}

static enum reason gpu_operand_visit_all(const struct gpu_operand *operand, char *memory,
                                         gpu_operand_visit *visit, void *self)
{
	enum reason reason = REASON_NONE;
	if (gpu_operand_is_one_area(operand)) {
		const uint64_t size = element_size_bytes(operand->element);
		struct gpu_operand_piece piece =
			gpu_operand_cut(operand, 0, 0, operand->stride, 0, operand->count);
		piece.area.pitch_bytes = (uint64_t)gpu_operand_distance(operand) * size;
		return visit(self, &piece.area, memory);
	}
	if (operand->part != GPU_PART_WHOLE) {
		for (int64_t j = 0; j < operand->matrix.columns && reason == REASON_NONE; j++)
			reason = gpu_operand_visit_column(operand, j, memory, visit, self);
		return reason;
	}
	for (int64_t i = 0; i < operand->count && reason == REASON_NONE; i++)
		reason = gpu_operand_visit_bands(operand, i, memory, visit, self);
	return reason;
}

enum reason gpu_operand_visit_input(const struct gpu_operand *operand, gpu_operand_visit *visit,
                                    void *self)
{
	struct gpu_operand whole = *operand;
	whole.part = GPU_PART_WHOLE;
	return operand->count == 0 || operand->in_place
	               ? REASON_NONE
	               : gpu_operand_visit_all(&whole, operand->memory, visit, self);
}

static enum reason gpu_operand_publish_area(void *lane, const struct transfer_area *area,
                                            char *memory)
{
	return transfer_publish(lane, area, memory);
}

enum reason gpu_operand_publish(struct lane *lane, const struct gpu_operand *operand)
{
	return gpu_operand_visit_all(operand, operand->memory, gpu_operand_publish_area, lane);
}

static enum reason gpu_operand_commit_area(void *unused, const struct transfer_area *area,
                                           char *staging)
{
	(void)unused;
	transfer_commit(area, staging);
	return REASON_NONE;
}

void gpu_operand_commit(const struct gpu_operand *operand)
{
	gpu_operand_visit_all(operand, operand->staging, gpu_operand_commit_area, NULL);
}
