/* verify_plan.c - verifies a transform: its library executes the plan on other arrays */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "policy/call/fft_extent.h"
#include "policy/verify/verify_fft.h"
#include "shim/base/diag.h"
#include "shim/base/loader.h"
#include "shim/base/observe.h"
#include "shim/execute/verify/verify_shadow.h"
#include "shim/shield/shield.h"

/* FFTW's vector code may need this: copies are aligned as the program's arrays. */
enum { PLAN_ALIGNMENT_BYTES = 64 };

static const struct fft_call *verify_plan_call(const struct verify *verify)
{
	return &verify->request.call->fft;
}

static bool verify_plan_is_in_place(const struct verify *verify)
{
	return verify_plan_call(verify)->in == verify_plan_call(verify)->out;
}

/* Whether the GPU writes its results over the input. */
static bool verify_plan_loses_input(const struct verify *verify)
{
	return fft_extent_overlap(verify_plan_call(verify));
}

/*
 * Whether the input has to be kept a second time: FFTW's c2r overwrites the copy, and it is still
 * needed for the bound.
 */
static bool verify_plan_keeps_input(const struct verify *verify)
{
	return verify_plan_loses_input(verify) &&
	       verify_plan_call(verify)->problem->family == FAMILY_FFT_C2R;
}

/* The library's function that executes a plan on other arrays. */
static bool verify_plan_find_execute(struct verify *verify)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	static const char *const suffix[FAMILY_COUNT] = {
		[FAMILY_FFT_R2C] = "_r2c", [FAMILY_FFT_C2R] = "_c2r"};
	const struct fft_problem *problem = verify_plan_call(verify)->problem;
	char name[32];
	strcpy(name, problem->element == ELEMENT_C ? "fftwf_execute_dft" : "fftw_execute_dft");
	if (suffix[problem->family] != NULL)
		strcat(name, suffix[problem->family]);
	void *code = loader_find_beside(verify->request.code, name);
	if (code == NULL && diag_once(&said))
		diag_warn("transforms on the GPU are not verified: their library has no %s", name);
	memcpy(&verify->execute, &code, sizeof code);
	return code != NULL;
}

static struct fft_extent verify_plan_join(struct fft_extent x, struct fft_extent y)
{
	return (struct fft_extent){x.begin < y.begin ? x.begin : y.begin,
	                           x.end > y.end ? x.end : y.end};
}

/* Room before the first element, for a block whose address has the alignment of the program's. */
static uint64_t verify_plan_front_bytes(const struct fft_extent *extent)
{
	return ((uint64_t)-extent->begin + PLAN_ALIGNMENT_BYTES - 1) / PLAN_ALIGNMENT_BYTES *
	       PLAN_ALIGNMENT_BYTES;
}

static bool verify_plan_take_memory(struct verify *verify,
                                    const struct fft_extent extent[SHADOW_COUNT])
{
	const void *const lies[SHADOW_COUNT] = {verify_plan_call(verify)->out,
	                                        verify_plan_call(verify)->in,
	                                        verify_plan_call(verify)->in};
	uint64_t size_bytes[SHADOW_COUNT];
	for (int shadow = 0; shadow < SHADOW_COUNT; shadow++) {
		size_bytes[shadow] = 0;
		if (extent[shadow].end > extent[shadow].begin)
			size_bytes[shadow] = verify_plan_front_bytes(&extent[shadow]) +
			                     (uint64_t)extent[shadow].end + PLAN_ALIGNMENT_BYTES;
	}
	if (!verify_shadow_take_memory(verify, size_bytes))
		return false;
	for (int shadow = 0; shadow < SHADOW_COUNT; shadow++)
		if (size_bytes[shadow] > 0)
			verify->first[shadow] += verify_plan_front_bytes(&extent[shadow]) +
			                         (uintptr_t)lies[shadow] % PLAN_ALIGNMENT_BYTES;
	return true;
}

/* In place the CPU reads its input where its result will be. */
static char *verify_plan_find_input(const struct verify *verify)
{
	return verify->first[verify_plan_is_in_place(verify) ? SHADOW_RESULT : SHADOW_INPUT];
}

bool verify_plan_begin(struct verify *verify)
{
	const struct fft_call *call = verify_plan_call(verify);
	struct fft_extent extent[SHADOW_COUNT] = {0}, in, out;
	if (!fft_extent_find(call->problem, false, FFT_EXTENT_ALL, &in) ||
	    !fft_extent_find(call->problem, true, FFT_EXTENT_ALL, &out) ||
	    !verify_plan_find_execute(verify))
		return false;
	extent[SHADOW_RESULT] = verify_plan_is_in_place(verify) ? verify_plan_join(in, out) : out;
	if (!verify_plan_is_in_place(verify))
		extent[SHADOW_INPUT] = in;
	if (verify_plan_keeps_input(verify))
		extent[SHADOW_SPARE] = in;
	if (!verify_plan_take_memory(verify, extent))
		return false;
	if (verify_plan_loses_input(verify))
		verify_fft_copy_side(call->problem, false, verify_plan_find_input(verify),
		                     call->in);
	return true;
}

static void verify_plan_execute(const struct verify *verify)
{
	const struct fft_call *call = verify_plan_call(verify);
	char *in = verify_plan_find_input(verify);
	if (!verify_plan_loses_input(verify))
		verify_fft_copy_side(call->problem, false, in, call->in);
	if (verify_plan_keeps_input(verify))
		verify_fft_copy_side(call->problem, false, verify->first[SHADOW_SPARE], in);
	const int64_t begin_ns = observe_begin("verify: CPU");
	shield_open();
	verify->execute(call->plan_key, in, verify->first[SHADOW_RESULT]);
	shield_close();
	observe_end("verify: CPU", begin_ns);
}

struct verify_verdict verify_plan_compare(struct verify *verify)
{
	const struct fft_call *call = verify_plan_call(verify);
	struct verify_verdict verdict;
	verify_plan_execute(verify);
	verify_fft_judge(call->problem,
	                 verify_plan_keeps_input(verify) ? verify->first[SHADOW_SPARE] : call->in,
	                 call->out, verify->first[SHADOW_RESULT], &verdict);
	return verdict;
}

void verify_plan_restore(const struct verify *verify)
{
	const struct fft_call *call = verify_plan_call(verify);
	verify_fft_copy_side(call->problem, true, call->out, verify->first[SHADOW_RESULT]);
}
