/* verify_call.c - chooses the calls to verify, and reports a wrong result */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/verify/verify_call.h"

#include <math.h>
#include <stdatomic.h>

#include "policy/text/number.h"
#include "policy/text/sentence.h"
#include "shim/base/diag.h"
#include "shim/base/observe.h"
#include "shim/table/symbol.h"

enum { VERIFY_CALL_SIZES_BYTES = 160 };

bool verify_call_wants(double share)
{
	static _Atomic uint64_t calls;
	if (!(share > 0))
		return false;
	const uint64_t number = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
	return number == 0 ||
	       (uint64_t)((double)number * share) != (uint64_t)((double)(number - 1) * share);
}

/* -- the call ---------------------------------------------------------------------------------- */

static bool verify_call_is_fft(const struct verify *verify)
{
	return family_is_fft(verify->request.call->family);
}

static bool verify_call_is_lapack(const struct verify *verify)
{
	return family_is_lapack(verify->request.call->family);
}

static bool verify_call_keep(struct verify *verify)
{
	if (verify_call_is_fft(verify))
		return verify_plan_begin(verify);
	return verify_call_is_lapack(verify) ? verify_lapack_begin(verify)
	                                     : verify_blas_begin(verify);
}

struct verify *verify_call_start(const struct verify_request *request)
{
	struct verify *verify = verify_shadow_make(request);
	if (verify == NULL)
		return NULL;
	if (verify_call_keep(verify))
		return verify;
	verify_shadow_free(verify);
	return NULL;
}

struct verify *verify_call_begin(const struct verify_request *request)
{
	const enum family family = request->call->family;
	if (family_is_blas(family) && !verify_blas_is_on_host(request->call, request->device))
		return NULL;
	if (family_is_lapack(family) && !verify_lapack_is_on_host(request->call, request->device))
		return NULL;
	const int64_t begin_ns = observe_begin("verify: keep");
	struct verify *verify = verify_call_start(request);
	observe_end("verify: keep", begin_ns);
	return verify;
}

/* -- the report -------------------------------------------------------------------------------- */

static void verify_call_add_size(struct sentence *sentence, const char *name, int64_t size)
{
	char digits[NUMBER_DIGITS_BYTES];
	number_format_count((uint64_t)size, digits);
	sentence_add(sentence, name);
	sentence_add(sentence, digits);
}

/* The sizes that the family's routines have, by their names. */
static void verify_call_add_solver(const struct call *call, struct sentence *sentence)
{
	const struct call_sizes sizes = call_find_sizes(call);
	const char *letter = family_sizes(call->family);
	for (const char *first = letter; *letter != '\0'; letter++) {
		if (letter > first)
			sentence_add(sentence, ", ");
		switch (*letter) {
		case 'm': verify_call_add_size(sentence, "m ", sizes.m); break;
		case 'n': verify_call_add_size(sentence, "n ", sizes.n); break;
		case 'k': verify_call_add_size(sentence, "k ", sizes.k); break;
		default: verify_call_add_size(sentence, "nrhs ", sizes.nrhs); break;
		}
	}
}

static void verify_call_add_transform(const struct fft_problem *problem, struct sentence *sentence)
{
	for (int d = 0; d < problem->rank; d++)
		verify_call_add_size(sentence, d > 0 ? " x " : "", problem->dims[d].n);
	if (problem->howmany > 1)
		verify_call_add_size(sentence, ", transforms ", problem->howmany);
}

static void verify_call_add_sizes(const struct call *call, struct sentence *sentence)
{
	if (family_is_fft(call->family)) {
		verify_call_add_transform(call->fft.problem, sentence);
		return;
	}
	if (family_is_lapack(call->family)) {
		verify_call_add_solver(call, sentence);
		return;
	}
	const struct call_sizes sizes = call_find_sizes(call);
	verify_call_add_size(sentence, "m ", sizes.m);
	verify_call_add_size(sentence, ", n ", sizes.n);
	verify_call_add_size(sentence, ", k ", sizes.k);
	if (family_is_batch(call->family))
		verify_call_add_size(sentence, ", problems ", call->batch.problems);
}

static void verify_call_report(const struct call *call, const struct verify_verdict *verdict)
{
	char sizes[VERIFY_CALL_SIZES_BYTES], deviation[NUMBER_REAL_BYTES], bound[NUMBER_REAL_BYTES];
	struct sentence sentence = sentence_start(sizes, sizeof sizes);
	verify_call_add_sizes(call, &sentence);
	const bool finite = isfinite(verdict->deviation);
	number_format_real(finite ? verdict->deviation : 0, deviation);
	number_format_real(verdict->bound, bound);
	diag_warn("%s (%s): the GPU's result %s%s%s%s; the CPU's is used, and this process "
	          "stops using the GPU; test the GPU (nvidia-smi -q -d ECC), and if it is sound, "
	          "report this",
	          symbol_table[call->symbol].name, sizes,
	          finite && family_is_lapack(call->family) ? "leaves a residual of "
	          : finite                                 ? "is off by "
	                   : "is not finite where the CPU's is, or vice versa",
	          finite ? deviation : "", finite ? ", where rounding explains " : "",
	          finite ? bound : "");
}

bool verify_call_needs_library(struct verify *verify)
{
	if (!verify_call_is_lapack(verify))
		return false;
	const int64_t begin_ns = observe_begin("verify: compare");
	const bool needs = verify_lapack_needs_library(verify);
	observe_end("verify: compare", begin_ns);
	return needs;
}

static struct verify_verdict verify_call_compare(struct verify *verify)
{
	if (verify_call_is_fft(verify))
		return verify_plan_compare(verify);
	return verify_call_is_lapack(verify) ? verify_lapack_compare(verify)
	                                     : verify_blas_compare(verify);
}

/* Of LAPACK the program has the CPU's result already. */
static void verify_call_restore(const struct verify *verify)
{
	if (verify_call_is_fft(verify))
		verify_plan_restore(verify);
	else if (!verify_call_is_lapack(verify))
		verify_blas_restore(verify);
}

enum reason verify_call_end(struct verify *verify, double *ratio)
{
	if (verify_call_is_lapack(verify) && !verify_lapack_is_solved(verify)) {
		verify_shadow_free(verify);
		return REASON_NOT_SOLVED;
	}
	const int64_t begin_ns = observe_begin("verify: compare");
	const struct verify_verdict verdict = verify_call_compare(verify);
	observe_end("verify: compare", begin_ns);
	if (ratio != NULL)
		*ratio = verify_norm_find_ratio(&verdict);
	if (!verdict.fits) {
		verify_call_restore(verify);
		verify_call_report(verify->request.call, &verdict);
	}
	verify_shadow_free(verify);
	return verdict.fits ? REASON_NONE : REASON_VERIFY_FAILED;
}
