/* verify_call.c - which calls are verified, their memory, and what is said of a result that is wrong */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/verify/verify_call.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "policy/text/number.h"
#include "policy/text/sentence.h"
#include "shim/base/diag.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/node/host_memory.h"
#include "shim/execute/verify/verify_shadow.h"
#include "shim/table/symbol.h"

enum { VERIFY_ALIGNMENT_BYTES = 64, VERIFY_SIZES_BYTES = 160 };

bool verify_call_wants(double share)
{
	static _Atomic uint64_t calls;
	if (!(share > 0))
		return false;
	const uint64_t number = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
	return number == 0 ||
	       (uint64_t)((double)number * share) != (uint64_t)((double)(number - 1) * share);
}

/*
 * -- memory
 * ------------------------------------------------------------------------------------------------------
 */

static void verify_call_say_short(void)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	if (diag_once(&said))
		diag_warn(
			"a call on the GPU is not verified: there is no memory for the CPU's result; calls of its size "
			"go on without");
}

bool verify_shadow_take_memory(struct verify *verify, const uint64_t size_bytes[SHADOW_COUNT])
{
	uint64_t all_bytes = 0;
	for (int shadow = 0; shadow < SHADOW_COUNT; shadow++)
		if (__builtin_add_overflow(all_bytes, size_bytes[shadow], &all_bytes))
			return false;
	bool taken = all_bytes <= host_memory_available("") / 2;
	for (int shadow = 0; shadow < SHADOW_COUNT && taken; shadow++) {
		if (size_bytes[shadow] > 0)
			taken = posix_memalign(&verify->memory[shadow], VERIFY_ALIGNMENT_BYTES,
			                       size_bytes[shadow]) == 0;
		verify->first[shadow] = verify->memory[shadow];
	}
	if (!taken)
		verify_call_say_short();
	return taken;
}

void verify_call_drop(struct verify *verify)
{
	if (verify == NULL)
		return;
	for (int shadow = 0; shadow < SHADOW_COUNT; shadow++)
		free(verify->memory[shadow]);
	free(verify);
}

/*
 * -- the call
 * ----------------------------------------------------------------------------------------------------
 */

static bool verify_call_is_fft(const struct verify *verify)
{
	return family_is_fft(verify->request.call->family);
}

struct verify *verify_shadow_start(const struct verify_request *request)
{
	struct verify *verify = request->code != NULL ? calloc(1, sizeof *verify) : NULL;
	if (verify == NULL && request->code != NULL)
		verify_call_say_short();
	if (verify == NULL)
		return NULL;
	verify->request = *request;
	if (verify_call_is_fft(verify) ? verify_plan_begin(verify) : verify_blas_begin(verify))
		return verify;
	verify_call_drop(verify);
	return NULL;
}

struct verify *verify_call_begin(const struct verify_request *request)
{
	if (!family_is_fft(request->call->family) &&
	    !verify_shadow_is_on_host(request->call, request->device))
		return NULL;
	const int64_t begin_ns = observe_begin("verify: keep");
	struct verify *verify = verify_shadow_start(request);
	observe_end("verify: keep", begin_ns);
	return verify;
}

/*
 * -- what is said
 * ------------------------------------------------------------------------------------------------
 */

static void verify_call_tell_size(struct sentence *sentence, const char *name, int64_t size)
{
	char digits[NUMBER_DIGITS_BYTES];
	number_format_count((uint64_t)size, digits);
	sentence_add(sentence, name);
	sentence_add(sentence, digits);
}

static void verify_call_tell_sizes(const struct call *call, struct sentence *sentence)
{
	if (!family_is_fft(call->family)) {
		verify_call_tell_size(sentence, "m ", call->blas.m);
		verify_call_tell_size(sentence, ", n ", call->blas.n);
		verify_call_tell_size(sentence, ", k ", call->blas.k);
		if (family_is_batch(call->family))
			verify_call_tell_size(sentence, ", problems ", call->batch.problems);
		return;
	}
	for (int d = 0; d < call->fft.problem->rank; d++)
		verify_call_tell_size(sentence, d > 0 ? " x " : "", call->fft.problem->dims[d].n);
	if (call->fft.problem->howmany > 1)
		verify_call_tell_size(sentence, ", transforms ", call->fft.problem->howmany);
}

static void verify_call_tell(const struct call *call, const struct verify_verdict *verdict)
{
	char sizes[VERIFY_SIZES_BYTES], deviation[NUMBER_REAL_BYTES], bound[NUMBER_REAL_BYTES];
	struct sentence sentence = sentence_start(sizes, sizeof sizes);
	verify_call_tell_sizes(call, &sentence);
	const bool finite = isfinite(verdict->deviation);
	number_format_real(finite ? verdict->deviation : 0, deviation);
	number_format_real(verdict->bound, bound);
	diag_warn(
		"%s (%s): the GPU's result is %s%s%s%s; the CPU's is used, and the GPU is left alone in this process; "
		"test the GPU (nvidia-smi -q -d ECC), and report it if that is sound",
		symbol_table[call->symbol].name, sizes,
		finite ? "off by " : "not finite where the CPU's is, or vice versa",
		finite ? deviation : "", finite ? ", where rounding explains " : "",
		finite ? bound : "");
}

enum reason verify_call_end(struct verify *verify)
{
	const bool fft = verify_call_is_fft(verify);
	const int64_t begin_ns = observe_begin("verify: compare");
	const struct verify_verdict verdict =
		fft ? verify_plan_compare(verify) : verify_blas_compare(verify);
	observe_end("verify: compare", begin_ns);
	if (!verdict.fits) {
		if (fft)
			verify_plan_restore(verify);
		else
			verify_blas_restore(verify);
		verify_call_tell(verify->request.call, &verdict);
	}
	verify_call_drop(verify);
	return verdict.fits ? REASON_NONE : REASON_VERIFY_FAILED;
}
