/* call_trace_test.c - the reader of traces: valid ones, refusals and their words, damaged files */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/random.h"
#include "tests/driver/expect.h"
#include "tests/regret/call_trace.h"

#define HEAD "trace 1\nprogram p\nversion 1\nthreads 1\nrepeat 2\n"
enum { DAMAGES = 4000, EDITS_MOST = 4, TEXT_BYTES = 1 << 16 };

static const char good[] = HEAD "# a remark\n"
				"calls 11\n"
				"dgemm NT 700x60x20 2 100\n"
				"loop 3\n"
				"fftw_c2c I 64x32*5 1 7\n"
				"dtrsm RT 30x40x40 2 0\n"
				"end\n"
				"done\n";

static void test_good(void)
{
	char message[TRACE_MESSAGE_BYTES] = "";
	struct call_trace trace;
	struct call_trace_walk walk = {0};
	expect(call_trace_parse(good, sizeof good - 1, &trace, message), message);
	if (trace.shape_count != 3) {
		expect(false, "there are three shapes");
		return;
	}
	expect(strcmp(trace.program, "p") == 0 && trace.repeat == 2 && trace.threads == 1,
	       "the head");
	const struct call_trace_shape *gemm = &trace.shape[0], *fft = &trace.shape[1],
				      *trsm = &trace.shape[2];
	expect(gemm->family == FAMILY_GEMM && gemm->element == ELEMENT_D &&
	               gemm->transb == TRANSPOSE_T && gemm->transa == TRANSPOSE_N &&
	               gemm->m == 700 && gemm->n == 60 && gemm->k == 20,
	       "the product");
	expect(fft->family == FAMILY_FFT_C2C && fft->element == ELEMENT_Z && fft->rank == 2 &&
	               fft->length[1] == 32 && fft->howmany == 5 && fft->in_place,
	       "the transform");
	expect(trsm->side == SIDE_RIGHT && trsm->transa == TRANSPOSE_T && trsm->k == 40,
	       "the triangle");
	int steps = 0;
	double calls = 0;
	/* A round is a product, then three turns of two. */
	for (const struct call_trace_step *step; (step = call_trace_next(&trace, &walk)) != NULL;
	     steps++) {
		const int at = steps % 7, shape = at == 0 ? 0 : at % 2 == 1 ? 1 : 2;
		expect(step->shape == shape, "the order of the walk");
		calls += (double)step->count;
	}
	expect(steps == 14 && calls == 22, "the length of the walk");
	call_trace_free(&trace);
}

static const struct {
	const char *text, *message;
} refused[] = {
	{"", "the trace is cut off: it does not end with 'done'"},
	{"\177ELF", "1: byte 1 is not a printable character"},
	{"trace 2\n", "1: a trace begins with 'trace 1'"},
	{"trace 1\ncolour red\n", "2: the head has no word 'colour'"},
	{"trace 1\nprogram\n", "2: a word of the head has nothing behind it"},
	{"trace 1\nprogram p\ncalls 1\n", "3: the head ends without program, threads and repeat"},
	{"trace 1\nrepeat 0\n",
         "2: repeat cannot be '0'; allowed: a whole number from 1 to 1000000"},
	{"trace 1\nthreads -4\n",
         "2: threads cannot be '-4'; allowed: a whole number from 1 to 4096"},
	{HEAD "calls 1\n", "the trace is cut off: it does not end with 'done'"},
	{HEAD "calls 1\ndone\n", "7: there are 0 calls, and the head says 1"},
	{HEAD "calls 1\ndgemm NN 2x2x2 2 0\n", "7: there are more calls than the head says"},
	{HEAD "calls 1\ndfoo NN 2x2x2 1 0\n",
         "7: 'dfoo' is no routine, and no word that may stand here"},
	{HEAD "calls 1\ndgemm_batch NN 2x2x2 1 0\n",
         "7: 'dgemm_batch' is no routine, and no word that may stand here"},
	{HEAD "calls 1\nfftw_r2r I 2*2 1 0\n",
         "7: 'fftw_r2r' is no routine, and no word that may stand here"},
	{HEAD "calls 1\ndgemm NN 2x2x2 1\n", "7: there are 4 words; a row of calls has 5"},
	{HEAD "calls 1\ndgemm N 2x2x2 1 0\n", "7: the routine has no flags 'N'"},
	{HEAD "calls 1\ndgemm NNN 2x2x2 1 0\n", "7: the routine has no flags 'NNN'"},
	{HEAD "calls 1\ndtrsm N 2x2x2 1 0\n", "7: the routine has no flags 'N'"},
	{HEAD "calls 1\nfftw_c2c N 2*2 1 0\n", "7: the routine has no flags 'N'"},
	{HEAD "calls 1\ndgemm NN -2x2x2 1 0\n",
         "7: a size cannot be '-2'; allowed: a whole number from 1 to 1000000"},
	{HEAD "calls 1\ndgemm NN 0x2x2 1 0\n",
         "7: a size cannot be '0'; allowed: a whole number from 1 to 1000000"},
	{HEAD "calls 1\ndgemm NN 2x2 1 0\n", "7: fewer sizes than the routine has"},
	{HEAD "calls 1\ndgemm NN 2x2x2x2 1 0\n", "7: more sizes than the routine has"},
	{HEAD "calls 1\ndsyrk N 2x3x4 1 0\n", "7: m and n of this routine are equal, not 2 and 3"},
	{HEAD "calls 1\ndtrsm LN 2x3x3 1 0\n", "7: k of this routine is m, not 3"},
	{HEAD "calls 1\ndsymm R 2x3x2 1 0\n", "7: k of this routine is n, not 2"},
	{HEAD "calls 1\nfftw_c2c I 2x2 1 0\n",
         "7: sizes '2x2' lack '*' and the number of transforms"},
	{HEAD "calls 1\nfftw_c2c I 1048576x1048576*2 1 0\n",
         "7: the transforms have more than 2^40 points"},
	{HEAD "calls 1\ndgemm NN 2x2x2 1 1e9\n",
         "7: the gap cannot be '1e9'; allowed: a whole number from 0 to 1000000000000"},
	{HEAD "calls 1\ndgemm NN 2x2x2 1 99999999999999999999\n",
         "7: the gap cannot be '99999999999999999999'; allowed: a whole number from 0 to "
         "1000000000000"},
	{HEAD "calls 1\nend\n", "7: 'end' without a loop"},
	{HEAD "calls 1\nloop 2\nend\n", "8: a loop without calls"},
	{HEAD "calls 1\nloop 2\nloop 2\n", "8: a loop begins in another one"},
	{HEAD "calls 1\nloop\n", "7: a loop has one number, how often it is gone through"},
	{HEAD "calls 2\nloop 2\ndgemm NN 2x2x2 1 0\ndone\n", "9: 'done' inside a loop"},
	{HEAD "calls 1\ndgemm NN 2x2x2 1 0\ndone\ndone\n", "9: something stands behind 'done'"},
};

static void test_refusals(void)
{
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		char message[TRACE_MESSAGE_BYTES] = "";
		struct call_trace trace;
		const bool taken =
			call_trace_parse(refused[i].text, strlen(refused[i].text), &trace, message);
		expect(!taken, refused[i].message);
		if (!taken && strcmp(message, refused[i].message) != 0) {
			printf("FAIL it says \"%s\", not \"%s\"\n", message, refused[i].message);
			expect_failures++;
		}
	}
}

/* Any text gives either a trace that can be walked through, or one sentence. */
static bool take(const char *text, size_t size_bytes)
{
	char message[TRACE_MESSAGE_BYTES] = "";
	struct call_trace trace;
	struct call_trace_walk walk = {0};
	if (!call_trace_parse(text, size_bytes, &trace, message)) {
		expect(message[0] != '\0' && strchr(message, '\n') == NULL,
		       "a refusal is one sentence");
		expect(trace.shape == NULL && trace.step == NULL,
		       "a refusal leaves nothing allocated");
		return false;
	}
	trace.repeat = 1;
	int64_t left = INT64_C(1) << 20;
	for (const struct call_trace_step *step;
	     left-- > 0 && (step = call_trace_next(&trace, &walk)) != NULL;)
		expect(step->kind == TRACE_CALLS && step->count >= 1 &&
		               step->shape < trace.shape_count,
		       "a step");
	call_trace_free(&trace);
	return true;
}

/* Replaces bytes by others and by characters of the format, and cuts off the end. */
static void test_damages(const char *text, size_t size_bytes)
{
	static const char likely[] = "0123456789x* \n-.NTLRIOdszcend\0\177\377";
	static char damaged[TEXT_BYTES];
	int taken = 0;
	for (uint64_t round = 0; round < DAMAGES; round++) {
		memcpy(damaged, text, size_bytes);
		const uint64_t edits = random_bits(1, round) % EDITS_MOST + 1;
		for (uint64_t edit = 0; edit < edits; edit++)
			damaged[random_bits(2 + edit, round) % size_bytes] =
				likely[random_bits(20 + edit, round) % (sizeof likely - 1)];
		const size_t kept =
			round % 3 == 0 ? random_bits(40, round) % (size_bytes + 1) : size_bytes;
		taken += take(damaged, kept);
	}
	expect(taken > 0 && taken < DAMAGES, "some damages are harmless, most are not");
	printf("%d of %d damaged traces are still traces\n", taken, DAMAGES);
}

/* A trace of bench/traces is read; cut off at every tenth of its length it is refused. */
static void test_file(const char *path)
{
	static char text[TRACE_FILE_BYTES];
	char message[TRACE_MESSAGE_BYTES] = "";
	struct call_trace trace;
	expect(call_trace_read(path, &trace, message), message);
	call_trace_free(&trace);
	FILE *file = fopen(path, "re");
	const size_t size_bytes = file != NULL ? fread(text, 1, sizeof text, file) : 0;
	if (file != NULL)
		fclose(file);
	expect(take(text, size_bytes), path);
	for (size_t part = 0; part < 10; part++)
		expect(!take(text, size_bytes * part / 10), "a trace that is cut off is refused");
}

static void test_missing(void)
{
	char message[TRACE_MESSAGE_BYTES] = "";
	struct call_trace trace;
	expect(!call_trace_read("no such folder/trace", &trace, message),
	       "a file that is not there");
	expect(strcmp(message, "no such folder/trace: No such file or directory") == 0, message);
	expect(!call_trace_read("/", &trace, message), "a folder");
	expect(strcmp(message, "/: Is a directory") == 0, message);
}

int main(int argc, char **argv)
{
	test_good();
	test_refusals();
	test_damages(good, sizeof good - 1);
	test_missing();
	expect(argc > 1, "traces are given as arguments");
	for (int i = 1; i < argc; i++)
		test_file(argv[i]);
	printf("trace: %d files, %d failed\n", argc - 1, expect_failures);
	return expect_failures > 0;
}
