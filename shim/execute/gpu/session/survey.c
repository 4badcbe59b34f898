/* survey.c - collects what the GPU's side knows about a call before it is decided */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/session/survey.h"

#include "policy/call/fft_extent.h"
#include "policy/call/lapack_operand.h"
#include "shim/execute/gpu/blas/gpu_square.h"
#include "shim/execute/gpu/device/gpu_place.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/engine/mirrors.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"
#include "shim/execute/gpu/lapack/lapack_job.h"
#include "shim/execute/gpu/node/sharers.h"
#include "shim/execute/gpu/session/card_choice.h"
#include "shim/shield/shield.h"

void survey_peers(struct situation *situation)
{
	const int used = lanes_count();
	situation->gpu_peers = situation->gpu == GPU_READY
	                               ? card_choice_count_peers(situation->device, used)
	                               : sharers_count(used);
}

/* Operands of a planned call whose copies the device has kept. */
static void survey_find_held(const struct call *call, int device, bool held[OPERAND_COUNT])
{
	const uint64_t size = element_size_bytes(call->element);
	for (int name = OPERAND_A; name < OPERAND_C; name++) {
		struct matrix matrix;
		held[name] = false;
		if (!operand_find(call->family, &call->blas, (enum operand)name, &matrix))
			continue;
		const struct pack_area area = {
			(char *)(uintptr_t)matrix.base, (uint64_t)matrix.rows * size,
			(uint64_t)matrix.columns, (uint64_t)matrix.ld * size};
		const struct pack_rule rule =
			gpu_square_make_rule(call->family, call->element, &call->blas);
		held[name] = mirrors_expect(device, &area, name == OPERAND_A ? &rule : NULL);
	}
}

/* A of a call of LAPACK that does not write it. */
static bool survey_is_factor_held(const struct call *call, int device)
{
	struct lapack_operands operands;
	lapack_operand_list(call, &operands);
	const struct lapack_operand *a = lapack_operand_find(&operands, LAPACK_A);
	if (a == NULL || a->read == LAPACK_NOTHING || a->written != LAPACK_NOTHING)
		return false;
	const uint64_t size = lapack_operand_element_bytes(call, a);
	const struct pack_area area = {a->base, (uint64_t)a->rows * size, (uint64_t)a->columns,
	                               (uint64_t)a->ld * size};
	const struct pack_rule rule = lapack_job_rule(call, a);
	return mirrors_expect(device, &area, &rule);
}

/* The input of a transform, if it has no gaps; in place results overwrite all of it. */
static bool survey_is_input_held(const struct call *call, int device)
{
	const struct fft_call *fft = &call->fft;
	struct fft_extent extent;
	if ((fft->in != fft->out && fft_extent_overlap(fft)) ||
	    !fft_extent_find(fft->problem, false, FFT_EXTENT_ALL, &extent) ||
	    (uint64_t)(extent.end - extent.begin) != call->input_bytes)
		return false;
	const struct pack_area area = {(char *)fft->in + extent.begin, call->input_bytes, 1,
	                               call->input_bytes};
	return mirrors_expect(device, &area, NULL);
}

static void survey_held(const struct call *call, int device, bool held[OPERAND_COUNT])
{
	if (!mirrors_are_on())
		return;
	if (family_is_blas(call->family) && !family_is_batch(call->family))
		survey_find_held(call, device, held);
	else if (family_is_lapack(call->family))
		held[OPERAND_A] = survey_is_factor_held(call, device);
	else if (family_is_fft(call->family))
		held[OPERAND_A] = survey_is_input_held(call, device);
}

void survey_call(const struct call *call, double plan_ns, struct situation *situation)
{
	struct cost_setting *setting = &situation->setting;
	struct shield shield;
	const bool ready = situation->gpu == GPU_READY && call->defect == REASON_NONE;
	const int device = situation->device;
	setting->setup_ns = family_is_fft(call->family) ? plan_ns : 0;
	if (!ready)
		return;
	shield_begin(&shield);
	setting->queue_ns = (double)lanes_find_work_ns(device);
	if (setting->setup_ns > 0 && gpu_fft_is_planned(call, device))
		setting->setup_ns = 0;
	gpu_place_describe(call, device, setting->place, &situation->device_only);
	survey_held(call, device, setting->held);
	shield_end(&shield);
}

void survey_solver(double start_ns, struct situation *situation)
{
	const bool ready = situation->gpu == GPU_READY;
	situation->setting.setup_ns =
		ready && gpu_lapack_is_started(situation->device) ? 0 : start_ns;
	if (ready)
		situation->setting.memory_bytes = (double)memory_limit(situation->device);
}
