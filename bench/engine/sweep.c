/* sweep.c - the engine's copies of ordinary memory by size of chunk, copying threads, direction */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/common/spawn.h"
#include "measure/device.h"
#include "measure/measure_engine.h"
#include "policy/call/reason.h"
#include "shim/execute/gpu/copy/copiers.h"

/*
 * Rings and threads are made once in a process, so each row is a process of its own: sweep --one
 * CHUNK_BYTES THREADS SIZE_BYTES. 0: as the library chooses.
 */
enum { SWEEP_SKIPPED = 77, NUMBER_BYTES = 32, ONE_ARGUMENTS = 5 };

static const uint64_t chunk_kib[] = {256, 512, 1024, 2048, 4096};
static const int threads[] = {8, 12, 4};
static const uint64_t size_mib[] = {256, 8};

/* Both rings with the chunks that the library would not choose. */
static const uint64_t ring_bytes = UINT64_C(16) << 20;

static void sweep_print_rate(const struct spread *rate)
{
	printf("  %6.2f [%.2f..%.2f]", rate->median / 1e9, rate->least / 1e9, rate->most / 1e9);
}

static int sweep_run_one(uint64_t chunk_bytes, int count, uint64_t size_bytes)
{
	static struct options options;
	static struct measure_engine engine;
	const char *cuda_path = getenv("EPOCHLY_GPU_CUDA_PATH");
	struct measure_copies copies;
	options_set_defaults(&options);
	snprintf(options.cuda_path, sizeof options.cuda_path, "%s",
	         cuda_path == NULL ? "" : cuda_path);
	if (chunk_bytes > 0)
		staging_set_sizes(ring_bytes, chunk_bytes);
	if (count > 0)
		copiers_set_count(count);
	enum reason reason = measure_engine_start(&engine, &options, size_bytes);
	if (reason == REASON_NONE)
		reason = measure_engine_copies(&engine, engine.probe.device_bytes, &copies);
	if (reason != REASON_NONE) {
		printf("not measured: %s\n", reason_sentence(reason));
		return SWEEP_SKIPPED;
	}
	printf("%8.1f %10lu %8d", (double)engine.probe.device_bytes / 1e6,
	       (unsigned long)(staging_chunk_bytes() >> 10), copiers_count());
	sweep_print_rate(&copies.up_bytes);
	sweep_print_rate(&copies.down_bytes);
	sweep_print_rate(&copies.both_bytes);
	printf("%s\n", chunk_bytes == 0 ? "   as the library chooses" : "");
	return 0;
}

/* Status of the row's process; 0 where it was measured. */
static int sweep_print_row(uint64_t chunk_bytes, int count, uint64_t size_bytes)
{
	static struct spawn_result result;
	char chunk[NUMBER_BYTES], number[NUMBER_BYTES], size[NUMBER_BYTES];
	char *path = strdup(spawn_beside("sweep", false));
	snprintf(chunk, sizeof chunk, "%lu", (unsigned long)chunk_bytes);
	snprintf(number, sizeof number, "%d", count);
	snprintf(size, sizeof size, "%lu", (unsigned long)size_bytes);
	char *const argv[] = {path, "--one", chunk, number, size, NULL};
	spawn_run(argv, environ, true, &result);
	printf("%s", result.output);
	fflush(stdout);
	free(path);
	return result.status;
}

static int sweep_run_all(bool quick, double until)
{
	const size_t sizes = sizeof size_mib / sizeof size_mib[0];
	int failed = 0;
	printf("the engine's copies between ordinary memory and the device, GB/s, median "
	       "[least..most]; both: the sum of both ways at once\n%8s %10s %8s  %s\n",
	       "MB", "chunk KiB", "threads", "up, down, both");
	for (size_t i = 0; i < (quick ? 1 : sizes); i++) {
		const uint64_t size_bytes = (quick ? 2 : size_mib[i]) << 20;
		failed += sweep_print_row(0, 0, size_bytes) != 0;
		for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++)
			for (size_t c = 0; c < sizeof chunk_kib / sizeof chunk_kib[0]; c++) {
				if (device_seconds() > until) {
					printf("the time is up\n");
					return failed > 0 ? 1 : 0;
				}
				failed += sweep_print_row(chunk_kib[c] << 10, threads[t],
				                          size_bytes) != 0;
			}
	}
	return failed > 0 ? 1 : 0;
}

/* In a process of its own: a card in exclusive mode takes one process at a time. */
static int sweep_print_head(void)
{
	static struct device device;
	char sentence[CUDA_SENTENCE_BYTES];
	if (!device_open(&device, sentence)) {
		printf("sweep: skipped, %s\n", sentence);
		return SWEEP_SKIPPED;
	}
	if (device.simulated)
		printf("SIMULATED: this is the CUDA of the tests; no figure below is a speed\n");
	return 0;
}

static int sweep_ask_head(void)
{
	static struct spawn_result result;
	char *path = strdup(spawn_beside("sweep", false));
	char *const argv[] = {path, "--head", NULL};
	spawn_run(argv, environ, true, &result);
	printf("%s", result.output);
	free(path);
	return result.status == 0 ? 0 : WIFEXITED(result.status) ? WEXITSTATUS(result.status) : 1;
}

int main(int argc, char **argv)
{
	double seconds = 90;
	bool quick = false;
	if (argc == ONE_ARGUMENTS && strcmp(argv[1], "--one") == 0)
		return sweep_run_one(strtoul(argv[2], NULL, 10), atoi(argv[3]),
		                     strtoul(argv[4], NULL, 10));
	if (argc == 2 && strcmp(argv[1], "--head") == 0)
		return sweep_print_head();
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--quick") == 0) {
			quick = true;
		} else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
			seconds = strtod(argv[++i], NULL);
		} else {
			fprintf(stderr, "usage: sweep [--quick] [--seconds NUMBER]\n");
			return 2;
		}
	const int status = sweep_ask_head();
	return status == 0 ? sweep_run_all(quick, device_seconds() + seconds) : status;
}
