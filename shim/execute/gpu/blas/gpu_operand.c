/* gpu_operand.c - finds an operand's place, and copies it to the device and back */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/gpu_operand.h"

#include "policy/call/batch.h"
#include "shim/execute/gpu/device/gpu_launch.h"
#include "shim/execute/gpu/device/gpu_place.h"

/* The places of all matrices of an operand. */
struct gpu_operand_places {
	bool any_host, any_device;
	bool reachable; /* by kernels of the lane's device */
	bool locked;    /* the last matrix on the host is page-locked */
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

/* The program's streams on another device may still be writing to the operand. */
static enum reason gpu_operand_wait_for(const struct lane *lane, int device)
{
	return guest_wait_for(device, lane->device) == CUDA_SUCCESS ? REASON_NONE
	                                                            : REASON_DEVICE_FAILED;
}

static enum reason gpu_operand_look_at(const struct lane *lane, const struct gpu_operand *operand,
                                       const void *host, struct gpu_operand_places *places)
{
	struct gpu_place_found place;
	const enum reason reason = gpu_place_find(lane->api, host, &place);
	if (reason != REASON_NONE)
		return reason;
	if (!place.on_device) {
		places->any_host = true;
		places->locked = place.locked;
		return REASON_NONE;
	}
	places->any_device = true;
	const bool elsewhere = place.device != lane->device && place.device >= 0;
	if ((elsewhere && !place.managed) ||
	    (uintptr_t)host % element_size_bytes(operand->element) != 0)
		places->reachable = false;
	return elsewhere ? gpu_operand_wait_for(lane, place.device) : REASON_NONE;
}

/* A strided batch is one array: only its first matrix is checked. */
static enum reason gpu_operand_look(const struct lane *lane, const struct gpu_operand *operand,
                                    struct gpu_operand_places *places)
{
	const int64_t count = gpu_operand_is_strided(operand) ? 1 : operand->count;
	enum reason reason = REASON_NONE;
	for (int64_t i = 0; i < count && reason == REASON_NONE; i++)
		reason = gpu_operand_look_at(lane, operand, gpu_operand_find_host(operand, i),
		                             places);
	return reason;
}

/* Whether a matrix whose beginning is page-locked is so up to its end. */
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
	struct gpu_operand_places places = {.reachable = true};
	const struct matrix *matrix = &operand->matrix;
	const enum reason reason = gpu_operand_look(lane, operand, &places);
	if (reason != REASON_NONE)
		return reason;
	operand->place = !places.any_device ? GPU_PLACE_HOST
	                 : places.any_host  ? GPU_PLACE_MIXED
	                                    : GPU_PLACE_DEVICE;
	operand->locked = places.locked && gpu_operand_is_locked(lane, operand);
	const bool even = operand->count == 1 ||
	                  (gpu_operand_is_strided(operand) && gpu_operand_distance(operand) > 0);
	operand->in_place = rules->may_stay && operand->place == GPU_PLACE_DEVICE &&
	                    places.reachable && even &&
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

/* The index of an element in the tight copies. */
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

/* What gpu_operand_visit was called with. */
struct gpu_operand_walk {
	const struct gpu_operand *operand;
	char *copy;
	gpu_operand_visitor *visit;
	void *self;
};

/*
 * The rectangle must be a whole band, or part of one column of a band: any other has a copy with
 * gaps.
 */
static enum reason gpu_operand_visit_piece(const struct gpu_operand_walk *walk, int64_t problem,
                                           struct pack_area area, int64_t row, int64_t column)
{
	const struct gpu_operand *operand = walk->operand;
	const uint64_t size = element_size_bytes(operand->element);
	const uint64_t ld = (uint64_t)operand->matrix.ld;
	area.host = (char *)(uintptr_t)gpu_operand_find_host(operand, problem) +
	            ((uint64_t)row + (uint64_t)column * ld) * size;
	area.run_bytes *= size;
	area.pitch_bytes *= size;
	return walk->visit(walk->self, &area,
	                   walk->copy +
	                           (uint64_t)gpu_operand_find_tight(operand, problem, row, column) *
	                                   size);
}

static enum reason gpu_operand_visit_bands(const struct gpu_operand_walk *walk, int64_t problem)
{
	const struct gpu_operand *operand = walk->operand;
	const struct matrix *matrix = &operand->matrix;
	enum reason reason = REASON_NONE;
	for (int64_t row = 0; row < matrix->rows && reason == REASON_NONE; row += operand->block) {
		const int64_t rows = gpu_operand_band_rows(operand, row / operand->block);
		const struct pack_area area = {NULL, (uint64_t)rows, (uint64_t)matrix->columns,
		                               (uint64_t)matrix->ld};
		reason = gpu_operand_visit_piece(walk, problem, area, row, 0);
	}
	return reason;
}

/* The rows of a column that belong to a triangle, band by band. */
static enum reason gpu_operand_visit_column(const struct gpu_operand_walk *walk, bool upper,
                                            int64_t column)
{
	const struct gpu_operand *operand = walk->operand;
	const int64_t end = upper ? column + 1 : operand->matrix.rows;
	enum reason reason = REASON_NONE;
	for (int64_t row = upper ? 0 : column, next; row < end && reason == REASON_NONE;
	     row = next) {
		const int64_t band_end = (row / operand->block + 1) * operand->block;
		next = band_end < end ? band_end : end;
		const struct pack_area area = {NULL, (uint64_t)(next - row), 1,
		                               (uint64_t)operand->matrix.ld};
		reason = gpu_operand_visit_piece(walk, 0, area, row, column);
	}
	return reason;
}

/* Whether the matrices of a strided batch are the columns of one large matrix: without gaps. */
static bool gpu_operand_is_one_area(const struct gpu_operand *operand)
{
	const struct matrix *matrix = &operand->matrix;
	return gpu_operand_is_strided(operand) && matrix->ld == matrix->rows &&
	       operand->block >= matrix->rows && gpu_operand_distance(operand) >= operand->stride;
}

enum reason gpu_operand_visit(const struct gpu_operand *operand, enum pack_part part, char *copy,
                              gpu_operand_visitor *visit, void *self)
{
	const struct gpu_operand_walk walk = {operand, copy, visit, self};
	enum reason reason = REASON_NONE;
	if (operand->count == 0 || operand->in_place)
		return REASON_NONE;
	if (gpu_operand_is_one_area(operand)) {
		const struct pack_area area = {NULL, (uint64_t)operand->stride,
		                               (uint64_t)operand->count,
		                               (uint64_t)gpu_operand_distance(operand)};
		return gpu_operand_visit_piece(&walk, 0, area, 0, 0);
	}
	for (int64_t j = 0;
	     part != PACK_WHOLE && j < operand->matrix.columns && reason == REASON_NONE; j++)
		reason = gpu_operand_visit_column(&walk, part == PACK_UPPER, j);
	for (int64_t i = 0; part == PACK_WHOLE && i < operand->count && reason == REASON_NONE; i++)
		reason = gpu_operand_visit_bands(&walk, i);
	return reason;
}

/* Copies by the device between the program's device memory and the tight copies. */
struct gpu_operand_transfer {
	struct lane *lane;
	bool publishes; /* to the program */
};

static enum reason gpu_operand_copy(void *self, const struct pack_area *area, char *copy)
{
	const struct gpu_operand_transfer *transfer = self;
	const struct cuda_api *api = transfer->lane->api;
	void *stream = transfer->lane->stream;
	const bool out = transfer->publishes;
	const uint64_t width = area->run_bytes, pitch = area->pitch_bytes;
	const bool tight = area->count <= 1 || pitch == width;
	const uint64_t calls = tight ? 1 : area->count;
	int error = CUDA_SUCCESS;
	if (!tight && pitch <= CUDA_PITCH_MAX_BYTES)
		error = api->memcpy_2d_async(out ? area->host : copy, out ? pitch : width,
		                             out ? copy : area->host, out ? width : pitch, width,
		                             area->count, CUDA_COPY_BY_ADDRESS, stream);
	else
		for (uint64_t i = 0; i < calls && error == CUDA_SUCCESS; i++) {
			char *host = area->host + i * pitch, *ours = copy + i * width;
			error = api->memcpy_async(out ? host : ours, out ? ours : host,
			                          tight ? width * area->count : width,
			                          CUDA_COPY_BY_ADDRESS, stream);
		}
	return error == CUDA_SUCCESS ? REASON_NONE : REASON_TRANSFER_FAILED;
}

enum reason gpu_operand_send(struct lane *lane, const struct gpu_operand *operand)
{
	return gpu_operand_visit(operand, PACK_WHOLE, operand->memory, gpu_operand_copy,
	                         &(struct gpu_operand_transfer){lane, false});
}

enum reason gpu_operand_publish(struct lane *lane, const struct gpu_operand *operand)
{
	return gpu_operand_visit(operand, operand->part, operand->memory, gpu_operand_copy,
	                         &(struct gpu_operand_transfer){lane, true});
}

static enum reason gpu_operand_commit_area(void *unused, const struct pack_area *area,
                                           char *staging)
{
	(void)unused;
	pack_scatter(area, staging, NULL);
	return REASON_NONE;
}

void gpu_operand_commit(const struct gpu_operand *operand)
{
	gpu_operand_visit(operand, operand->part, operand->staging, gpu_operand_commit_area, NULL);
}
