/* crossover.c - from which size on the GPU is faster: products and transforms, table and page */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/crossover/crossover.h"
#include "measure/measure_call.h"
#include "page/whole_file.h"
#include "policy/call/reason.h"
#include "policy/text/human.h"
#include "policy/text/number.h"

/* The exit status of all programs of this folder where there is no GPU. */
enum { CROSSOVER_SKIPPED = 77 };

/* The arguments. */
struct crossover_request {
	bool quick;
	double seconds;
	const char *html, *blas;
};

static void crossover_print_time(double seconds)
{
	char text[HUMAN_BYTES] = "-";
	if (seconds > 0)
		human_format_time((uint64_t)(seconds * 1e9), text);
	printf(" %10s", text);
}

static void crossover_print_curve(const struct crossover_curve *curve)
{
	printf("%s, %s\n%12s %10s %10s %10s %8s\n", curve->name,
	       curve->transform ? "one complex transform in place, by its points"
	                        : "n x n times n x n, by n",
	       "size", "CPU", "GPU", "no copies", "CPU/GPU");
	for (int i = 0; i < curve->count; i++) {
		const double *seconds = curve->point[i].seconds;
		printf("%12ld", (long)curve->point[i].size);
		for (int way = 0; way < CROSSOVER_WAYS; way++)
			crossover_print_time(seconds[way]);
		if (seconds[CROSSOVER_CPU] > 0 && seconds[CROSSOVER_GPU] > 0)
			printf(" %8.3g", seconds[CROSSOVER_CPU] / seconds[CROSSOVER_GPU]);
		printf("\n");
	}
	if (curve->even > 1)
		printf("   the GPU is faster from about %.0f on\n", ceil(curve->even));
	else
		printf("   the GPU is %s\n",
		       curve->even > 0 ? "faster at all sizes" : "not faster at the largest size");
	printf("\n");
	fflush(stdout);
}

static void crossover_print_head(const struct crossover *crossover)
{
	if (crossover->device.simulated)
		printf("SIMULATED: this is the CUDA of the tests; no time below is a speed\n");
	if (crossover->quick)
		printf("QUICK: a few small sizes; nothing follows from them\n");
	printf("%s; %s\nmedians; GPU: the shim's whole call, transfers and all; no copies: the "
	       "kernel alone\n\n",
	       crossover->device.name,
	       crossover->missing[0] == '\0' ? crossover->blas.path : "no BLAS on the CPU");
	if (crossover->missing[0] != '\0')
		printf("products on the CPU are not measured: %s\n\n", crossover->missing);
	fflush(stdout);
}

static void crossover_measure_curves(struct crossover *crossover, double seconds)
{
	static const struct {
		const char *name;
		bool transform;
		enum element element;
	} rows[] = {{"sgemm", false, ELEMENT_S},    {"dgemm", false, ELEMENT_D},
	            {"cgemm", false, ELEMENT_C},    {"zgemm", false, ELEMENT_Z},
	            {"fftwf_c2c", true, ELEMENT_C}, {"fftw_c2c", true, ELEMENT_Z}};
	crossover->budget_s = seconds / (CROSSOVER_CURVES * CROSSOVER_WAYS);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct crossover_curve *curve = &crossover->curve[crossover->curve_count++];
		snprintf(curve->name, sizeof curve->name, "%s", rows[i].name);
		curve->transform = rows[i].transform;
		curve->element = rows[i].element;
		crossover_measure_curve(crossover, curve);
		crossover_print_curve(curve);
	}
}

static int crossover_refuse_arguments(void)
{
	fprintf(stderr,
	        "usage: crossover [--quick] [--html FILE] [--seconds NUMBER] [--cpu-blas FILE]\n"
	        "seconds: about how long it may take, 180 unless told otherwise\n");
	return 2;
}

static bool crossover_read_arguments(int argc, char **argv, struct crossover_request *request)
{
	for (int i = 1; i < argc; i++) {
		const bool has = i + 1 < argc;
		if (strcmp(argv[i], "--quick") == 0)
			request->quick = true;
		else if (strcmp(argv[i], "--html") == 0 && has)
			request->html = argv[++i];
		else if (strcmp(argv[i], "--cpu-blas") == 0 && has)
			request->blas = argv[++i];
		else if (strcmp(argv[i], "--seconds") != 0 || !has ||
		         number_parse_real(argv[i + 1], strlen(argv[i + 1]), &request->seconds) !=
		                 NUMBER_FINE ||
		         !(request->seconds > 0))
			return false;
		else
			i++;
	}
	return true;
}

/* Opens the device for kernels, and starts the shim's engine. false: a message was printed. */
static bool crossover_open_device(struct crossover *crossover)
{
	static struct options options;
	char sentence[CUDA_SENTENCE_BYTES];
	if (!device_open(&crossover->device, sentence)) {
		printf("crossover: skipped, %s\n", sentence);
		return false;
	}
	const char *cuda_path = getenv("EPOCHLY_GPU_CUDA_PATH");
	options_set_defaults(&options);
	snprintf(options.cuda_path, sizeof options.cuda_path, "%s",
	         cuda_path == NULL ? "" : cuda_path);
	const enum reason reason = measure_call_start(&options, &crossover->engine_device);
	if (reason != REASON_NONE)
		printf("crossover: skipped, %s\n", reason_sentence(reason));
	return reason == REASON_NONE;
}

static void crossover_tell_page_error(const char *path, int error)
{
	if (error != 0)
		fprintf(stderr, "crossover: cannot write %s: %s\n", path, strerror(error));
}

/* Checked before minutes of measuring, not after them. */
static bool crossover_page_can_be_stored(const char *path)
{
	const int error = path == NULL ? 0 : whole_file_check(path);
	crossover_tell_page_error(path, error);
	return error == 0;
}

int main(int argc, char **argv)
{
	static struct crossover crossover;
	struct crossover_request request = {.seconds = 180, .blas = "libopenblas.so.0"};
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!crossover_read_arguments(argc, argv, &request))
		return crossover_refuse_arguments();
	if (!crossover_page_can_be_stored(request.html))
		return 1;
	if (!crossover_open_device(&crossover))
		return CROSSOVER_SKIPPED;
	crossover.quick = request.quick;
	if (!measure_blas_open(&crossover.blas, request.blas, crossover.missing) &&
	    crossover.missing[0] == '\0')
		snprintf(crossover.missing, sizeof crossover.missing, "%s cannot be used",
		         request.blas);
	crossover_print_head(&crossover);
	crossover_measure_curves(&crossover, request.seconds);
	const int error = request.html == NULL ? 0 : crossover_page_write(&crossover, request.html);
	crossover_tell_page_error(request.html, error);
	const bool told = fflush(stdout) == 0 && !ferror(stdout);
	if (!told)
		fprintf(stderr, "crossover: cannot write to stdout\n");
	return error == 0 && told ? 0 : 1;
}
