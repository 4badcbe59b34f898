/* fft_trial_tell.c - prints a plan */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <stdio.h>

#include "fft_trial.h"

static const char *const tell_languages[FFT_LANGUAGES] = {"C", "Fortran_", "Fortran__"};

static void tell_flags(const struct fft_trial *t)
{
	static const struct {
		unsigned flag;
		const char *name;
	} flags[] = {
		{FFTW_ESTIMATE, "ESTIMATE"},       {FFTW_PATIENT, "PATIENT"},
		{FFTW_UNALIGNED, "UNALIGNED"},     {FFTW_PRESERVE_INPUT, "PRESERVE_INPUT"},
		{FFTW_WISDOM_ONLY, "WISDOM_ONLY"}, {FFTW_DESTROY_INPUT, "DESTROY_INPUT"},
	};
	printf("    sign %d, flags", t->sign);
	if (!(t->flags & (FFTW_ESTIMATE | FFTW_PATIENT)))
		printf(" MEASURE");
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
		if (t->flags & flags[i].flag)
			printf(" %s", flags[i].name);
	printf("%s\n", t->is_prepared ? ", planned before" : "");
}

static void tell_axes(const struct fft_trial *t)
{
	for (int a = 0; a < t->rank + t->loops; a++) {
		const struct fft_axis *axis = &t->axis[a];
		printf("    %s %lld strides %lld %lld", a < t->rank ? "dimension" : "loop",
		       (long long)axis->n, (long long)axis->stride[FFT_IN],
		       (long long)axis->stride[FFT_OUT]);
		if (a < t->rank && t->kind == FFT_R2R)
			printf(" kind %d", t->r2r[a]);
		for (int side = 0; side < FFT_SIDES && a < t->rank; side++)
			if (t->form == FFT_MANY && t->has_embed[side])
				printf(" %s embed %d", side == FFT_IN ? "in" : "out",
				       t->embed[side][a]);
		printf("\n");
	}
	if (t->form == FFT_MANY)
		printf("    many: strides %d %d distances %d %d\n", t->stride[FFT_IN],
		       t->stride[FFT_OUT], t->distance[FFT_IN], t->distance[FFT_OUT]);
}

static void tell_arrays(const struct fft_trial *t)
{
	for (int arrays = 0; arrays < FFT_ARRAYS; arrays++)
		printf("    %s arrays at %zu %zu, modulo 64: %zu %zu\n",
		       arrays == FFT_PLANNED ? "planned" : "other", t->offset[arrays][FFT_IN],
		       t->offset[arrays][FFT_OUT], t->offset[arrays][FFT_IN] % 64,
		       t->offset[arrays][FFT_OUT] % 64);
	if (t->split)
		printf("    imaginary parts %lld and %lld bytes behind\n",
		       (long long)t->apart_bytes[FFT_IN], (long long)t->apart_bytes[FFT_OUT]);
}

void fft_trial_tell(const struct fft_trial *t)
{
	static const char *const kinds[FFT_KINDS] = {"c2c", "r2c", "c2r", "r2r"};
	static const char *const forms[FFT_FORMS] = {"basic", "nd", "many", "guru", "guru64"};
	static const char *const faults[FFT_FAULTS] = {"", ", illegal rank", ", illegal length",
	                                               ", illegal loop"};
	static const char *const fillers[FFT_FILLERS] = {"NaN", "infinity", "numbers"};
	printf("  %s%s %s by %s, rank %d, loops %d%s%s%s%s, gaps of %s, destroyed by %s\n",
	       fft_precisions[t->precision].prefix, kinds[t->kind], forms[t->form],
	       tell_languages[t->language], t->rank, t->loops, t->split ? ", split" : "",
	       t->in_place ? ", in place" : "", t->unseen ? ", around the shim" : "",
	       faults[t->fault], fillers[t->filler], tell_languages[t->destroyed_by]);
	tell_axes(t);
	tell_flags(t);
	tell_arrays(t);
	for (int e = 0; e < t->executions; e++)
		printf("    executed by %s%s\n", tell_languages[t->execution[e].language],
		       !t->execution[e].by_arrays             ? ""
		       : t->execution[e].arrays == FFT_OTHERS ? ", on the other arrays"
		                                              : ", on the planned arrays");
	printf("    expected: %s\n", fft_trial_reason(t));
}
