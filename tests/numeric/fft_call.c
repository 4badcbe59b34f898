/* fft_call.c - makes the calls that a trial describes: their names, and where their arrays lie */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_call.h"

#include <fftw3.h>
#include <stdio.h>

/*
 * split_dft_r2c and the like: what the names of guru planners and of new-array executions end in.
 */
static void fft_call_name_kind(const struct fft_trial *t, const char *begin, const char *end,
                               char *name)
{
	static const char *const kinds[FFT_KINDS] = {"dft", "dft_r2c", "dft_c2r", "r2r"};
	snprintf(name, FFT_NAME_BYTES, "%s_%s%s%s", begin, t->split ? "split_" : "", kinds[t->kind],
	         end);
}

static void *fft_call_find_planner(const struct fft_trial *t, enum fft_library library)
{
	static const char *const forms[FFT_FORMS] = {"plan", "plan", "plan_many", "plan_guru",
	                                             "plan_guru64"};
	char name[FFT_NAME_BYTES], lengths[8] = "";
	if (t->form == FFT_BASIC)
		snprintf(lengths, sizeof lengths, "_%dd", t->rank);
	fft_call_name_kind(t, forms[t->form], lengths, name);
	return fft_library_find(library, t->precision, t->language, name);
}

/* Split transforms know no sign: backward is forward with the parts exchanged. */
static struct fft_places fft_call_find_places(const struct fft_trial *t, enum fft_arrays arrays,
                                              char *arena)
{
	const bool exchanged = t->kind == FFT_C2C && t->sign == FFTW_BACKWARD;
	struct fft_places at = {{NULL, NULL}, {NULL, NULL}};
	for (int side = 0; side < FFT_SIDES; side++) {
		char *real = arena + t->offset[arrays][side];
		at.real[side] = real;
		if (!t->split)
			continue;
		at.imaginary[side] = real + t->apart_bytes[side];
		if (exchanged) {
			at.real[side] = at.imaginary[side];
			at.imaginary[side] = real;
		}
	}
	return at;
}

void *fft_call_plan(const struct fft_trial *t, enum fft_library library, char *arena)
{
	const struct fft_places at = fft_call_find_places(t, FFT_PLANNED, arena);
	void *code = fft_call_find_planner(t, library);
	return (t->language == FFT_C ? fft_call_plan_c : fft_call_plan_fortran)(t, &at, code);
}

void fft_call_execute(const struct fft_trial *t, const struct fft_execution *execution, void *plan,
                      char *arena, char symbol[FFT_NAME_BYTES])
{
	const enum fft_language language = execution->language;
	const struct fft_places at = fft_call_find_places(t, execution->arrays, arena);
	char name[FFT_NAME_BYTES] = "execute";
	if (execution->by_arrays)
		fft_call_name_kind(t, "execute", "", name);
	fft_library_name(t->precision, language, name, symbol);
	void *code = fft_library_find(FFT_LIBRARY_PROGRAM, t->precision, language, name);
	if (!execution->by_arrays && language == FFT_C)
		FFT_CODE(code, void, void *)(plan);
	else if (!execution->by_arrays)
		FFT_CODE(code, void, void **)(&plan);
	else
		(language == FFT_C ? fft_call_execute_c : fft_call_execute_fortran)(t, &at, plan,
		                                                                    code);
}

void fft_call_destroy(const struct fft_trial *t, enum fft_library library, void *plan)
{
	void *code = fft_library_find(library, t->precision, t->destroyed_by, "destroy_plan");
	if (t->destroyed_by == FFT_C)
		FFT_CODE(code, void, void *)(plan);
	else
		FFT_CODE(code, void, void **)(&plan);
}

void fft_call_forget_wisdom(const struct fft_trial *t, enum fft_library library)
{
	FFT_CODE(fft_library_find(library, t->precision, FFT_C, "forget_wisdom"), void, void)();
}
