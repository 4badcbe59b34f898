/* gpu_check_turns.c - transforms of which the CPU computes some, by the FFTW that is installed */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>

#include "gpu_check.h"
#include "gpu_check_blas.h"
#include "shim/execute/gpu/fft/gpu_fft.h"

/* A function in the library of this precision; NULL: it is not installed. */
static const void *find_library(enum element element)
{
	const bool single = element == ELEMENT_C;
	void *library = dlopen(single ? "libfftw3f.so.3" : "libfftw3.so.3", RTLD_NOW);
	return library != NULL ? dlsym(library, single ? "fftwf_execute" : "fftw_execute") : NULL;
}

bool gpu_check_has_fftw(void)
{
	return find_library(ELEMENT_C) != NULL && find_library(ELEMENT_Z) != NULL;
}

static struct cpu_slices *make_slices(const struct call *call, double wanted)
{
	struct cpu_slices_planner planner = {.threads = 1};
	struct fft_share turns;
	if (wanted <= 0 || !fft_share_cut(&call->fft, wanted, &turns))
		return NULL;
	planner.beside = find_library(call->element);
	struct cpu_slices *slices = cpu_slices_make(&turns, &call->fft, 1, &planner);
	EXPECT(slices != NULL, "FFTW has no plan for a slice");
	return slices;
}

enum reason gpu_check_call_fft(const struct call *call, int device, bool *finished)
{
	struct cpu_share share = gpu_check_make_share();
	struct cpu_slices *slices = make_slices(call, share.wanted);
	const enum reason reason = gpu_fft_run_shared(call, device, slices, &share, finished);
	gpu_check_note_share(&share, reason);
	if (slices != NULL)
		cpu_slices_drop(slices);
	return reason;
}
