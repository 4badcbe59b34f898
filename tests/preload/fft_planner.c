/* fft_planner.c - the planner's wisdom, costs, printed plans and memory are as without the shim */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft_tone.h"

enum { N = 64, WISDOM_BYTES = 1 << 16 };

static fftw_complex *in, *out;
static double *real;

/*
 * The plan printed in three ways, and FFTW's own cost figures. cuFFTW's cost functions are stubs
 * and have no figures for a plan of FFTW.
 */
static void tell_plan(const char *name, fftw_plan plan)
{
	double additions, multiplications, fused;
	char *text = fftw_sprint_plan(plan);
	fftw_flops(plan, &additions, &multiplications, &fused);
	printf("%s: %s\n", name, text);
	fftw_print_plan(plan);
	fftw_fprint_plan(plan, stdout);
	printf("\n%.0f additions, %.0f multiplications, %.0f fused, cost %.2f, estimated %.2f\n",
	       additions, multiplications, fused, fftw_cost(plan), fftw_estimate_cost(plan));
	free(text);
	fftw_destroy_plan(plan);
}

static void tell_plans(void)
{
	const fftw_iodim dims[2] = {{8, 8, 8}, {8, 1, 1}}, split = {N, 2, 2};
	tell_plan("c2c", fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE));
	tell_plan("c2c in place", fftw_plan_dft_2d(8, 8, in, in, FFTW_BACKWARD, FFTW_ESTIMATE));
	tell_plan("r2c", fftw_plan_dft_r2c_2d(8, 8, real, out, FFTW_ESTIMATE));
	tell_plan("c2r", fftw_plan_dft_c2r_1d(N, out, real, FFTW_ESTIMATE | FFTW_UNALIGNED));
	tell_plan("guru",
	          fftw_plan_guru_dft(2, dims, 0, NULL, in, out, FFTW_FORWARD, FFTW_ESTIMATE));
	tell_plan("split", fftw_plan_guru_split_dft(1, &split, 0, NULL, in[0], in[0] + 1, out[0],
	                                            out[0] + 1, FFTW_ESTIMATE));
	tell_plan("r2r", fftw_plan_r2r_1d(N, real, &out[0][0], FFTW_REDFT10, FFTW_ESTIMATE));
	tell_plan("rank 0", fftw_plan_dft(0, NULL, in, out, FFTW_FORWARD, FFTW_ESTIMATE));
}

struct wisdom_text {
	char bytes[WISDOM_BYTES];
	size_t length, read;
};

static void put_char(char c, void *data)
{
	struct wisdom_text *text = data;
	if (text->length < sizeof text->bytes - 1)
		text->bytes[text->length++] = c;
}

static int get_char(void *data)
{
	struct wisdom_text *text = data;
	return text->read < text->length ? (unsigned char)text->bytes[text->read++] : EOF;
}

/*
 * FFTW exports wisdom in the order of its hash table, which depends on its earlier content, so
 * lines are compared in any order.
 */
static bool is_exported(const char *wanted)
{
	char *again = fftw_export_wisdom_to_string();
	bool same = strlen(again) == strlen(wanted);
	for (char *line = strtok(again, "\n"); line != NULL; line = strtok(NULL, "\n"))
		same = same && strstr(wanted, line) != NULL;
	free(again);
	return same;
}

static bool file_holds(FILE *file, const char *wanted)
{
	static char bytes[WISDOM_BYTES];
	rewind(file);
	const size_t length = fread(bytes, 1, sizeof bytes, file);
	rewind(file);
	return length == strlen(wanted) && memcmp(bytes, wanted, length) == 0;
}

/* cuFFTW exports a sentence about itself, and reports success for any import. */
static void pass_wisdom(const char *wisdom)
{
	static struct wisdom_text text;
	fftw_export_wisdom(put_char, &text);
	tone_tell("wisdom to a callback", strcmp(text.bytes, wisdom) == 0);
	FILE *file = tmpfile();
	fftw_export_wisdom_to_file(file);
	tone_tell("wisdom to a file", file_holds(file, wisdom));
	tone_tell("wisdom to a file by name", fftw_export_wisdom_to_filename("wisdom") == 1);

	fftw_forget_wisdom();
	tone_tell("forgotten", !is_exported(wisdom));
	tone_tell("wisdom of a string",
	          fftw_import_wisdom_from_string(wisdom) == 1 && is_exported(wisdom));
	fftw_forget_wisdom();
	tone_tell("wisdom of a callback",
	          fftw_import_wisdom(get_char, &text) == 1 && is_exported(wisdom));
	fftw_forget_wisdom();
	tone_tell("wisdom of a file",
	          fftw_import_wisdom_from_file(file) == 1 && is_exported(wisdom));
	fftw_forget_wisdom();
	tone_tell("wisdom of a file by name",
	          fftw_import_wisdom_from_filename("wisdom") == 1 && is_exported(wisdom));
	tone_tell("nonsense is no wisdom", fftw_import_wisdom_from_string("(nonsense)") == 0 &&
	                                           fftw_import_wisdom_from_filename("none") == 0);
	printf("system wisdom: %d\n", fftw_import_system_wisdom());
	fclose(file);
	remove("wisdom");
}

/* Measured plans differ from run to run; estimated plans and their results do not. */
static void use_wisdom(void)
{
	fftw_forget_wisdom();
	fftw_plan estimated = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	char *wisdom = fftw_export_wisdom_to_string();
	printf("wisdom of estimates: %s", wisdom);
	free(wisdom);
	tone_tell("WISDOM_ONLY without wisdom has no plan",
	          fftw_plan_dft_1d(N + 1, in, out, FFTW_FORWARD, FFTW_WISDOM_ONLY) == NULL &&
	                  fftw_plan_dft_1d(N + 1, in, out, FFTW_FORWARD,
	                                   FFTW_WISDOM_ONLY | FFTW_PATIENT) == NULL);
	fftw_plan measured = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_MEASURE);
	fftw_plan patient = fftw_plan_dft_r2c_1d(N, real, out, FFTW_PATIENT);
	wisdom = fftw_export_wisdom_to_string();
	pass_wisdom(wisdom);
	free(wisdom);
	fftw_plan known = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_WISDOM_ONLY);
	tone_fill(in, N, 5);
	fftw_execute(known);
	tone_tell("a plan of wisdom alone", tone_is_peak((const fftw_complex *)out, N, 5, N));
	fftw_destroy_plan(estimated);
	fftw_destroy_plan(measured);
	fftw_destroy_plan(patient);
	fftw_destroy_plan(known);
}

/* With a time limit of 0 FFTW estimates, whatever the flags are. */
static void limit_time(void)
{
	fftw_forget_wisdom();
	fftw_set_timelimit(0);
	fftw_plan plan = fftw_plan_dft_1d(1 << 14, NULL, NULL, FFTW_FORWARD, FFTW_ESTIMATE);
	tone_tell("a plan without arrays", plan != NULL);
	fftw_destroy_plan(plan);
	fftw_set_timelimit(FFTW_NO_TIMELIMIT);
	plan = fftw_plan_dft_1d(N, in, out, FFTW_BACKWARD, FFTW_PATIENT);
	tone_fill(in, N, 5);
	fftw_execute(plan);
	tone_tell("patient", tone_is_peak((const fftw_complex *)out, N, N - 5, N));
	fftw_destroy_plan(plan);
}

/*
 * All precisions share one allocator, so a block of one may be freed by another. cuFFTW has neither
 * alloc_ function.
 */
static void use_memory(void)
{
	fftw_complex *complexes = fftw_alloc_complex(1000);
	double *reals = fftw_alloc_real(1000);
	char *bytes = fftw_malloc(1 << 20), *foreign = fftwf_malloc(1 << 20);
	printf("alignment of blocks: %d %d %d %d, one real on: %d\n",
	       fftw_alignment_of(complexes[0]), fftw_alignment_of(reals),
	       fftw_alignment_of((double *)(void *)bytes),
	       fftwf_alignment_of((float *)(void *)foreign), fftw_alignment_of(reals + 1));
	memset(complexes, 1, 1000 * sizeof *complexes);
	memset(reals, 1, 1000 * sizeof *reals);
	memset(bytes, 1, 1 << 20);
	memset(foreign, 1, 1 << 20);
	fftwf_free(complexes);
	fftwf_free(bytes);
	fftw_free(foreign);
	fftw_free(reals);
	fftw_free(NULL);
	tone_tell("more than there is", fftw_malloc((size_t)-1 / 4) == NULL);
}

int main(void)
{
	in = fftw_alloc_complex(N);
	out = fftw_alloc_complex(N);
	real = fftw_alloc_real(N);
	memset(in, 0, N * sizeof *in);
	memset(real, 0, N * sizeof *real);
	tell_plans();
	use_wisdom();
	limit_time();
	use_memory();
	fftw_free(in);
	fftw_free(out);
	fftw_free(real);
	return tone_failures != 0;
}
