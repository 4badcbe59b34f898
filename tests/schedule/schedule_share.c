/* schedule_share.c - calls that CPU and GPU share, on virtual clocks, against perfect sharing */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/common/spawn.h"
#include "policy/decide/decide.h"
#include "policy/decide/learn_share.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "tests/schedule/schedule_beside.h"
#include "tests/schedule/schedule_copiers.h"
#include "tests/schedule/schedule_run.h"
#include "tests/schedule/share_bound.h"

/*
 * A process that calls the same product again and again decides as the shim does, with measured
 * times of either side: alone first, then shared. Its last calls are compared with two bounds
 * (share_bound.h): of bytes and operations, which no schedule reaches, and of pipelines in whole
 * waves.
 */
enum {
	CALLS = 16,
	COPY_THREADS = 16,
	PATH_BYTES = 4200,
	COPY_GBYTES_S = 10,
	OPERATION_US = 8,
	COPY_US = 3
};

static const double share_duplex = 0.92;

/*
 * team: threads of the CPU library; processors: of the machine; l3_mb: of all its last-level
 * caches, as data sheets have it for a processor of so many cores (EPYC 9554, 9124, 7763; two Xeon
 * 6148; Ryzen 7950X; Core i7-10700). TFLOP/s in double precision. The simulated CUDA is version 13,
 * which takes no V100: that card has another capability here.
 */
static const struct share_machine {
	const char *name;
	double cpu_tflops;
	int team, processors, l3_mb, cards;
	struct share_card card[SHARE_CARDS];
} machines[] = {
	{"H200, 64 cores, SMT", 2.0, 64, 128, 256, 1, {{55.3, 53.0, 55, 132, 90}}},
	{"H200, 16 cores, SMT", 0.8, 16, 32, 64, 1, {{55.3, 53.0, 55, 132, 90}}},
	{"A100, 64 cores, SMT", 1.9, 64, 128, 256, 1, {{24.5, 25.0, 17.5, 108, 80}}},
	{"V100, 40 cores", 1.2, 40, 40, 55, 1, {{12.3, 12.9, 6.3, 80, 80}}},
	{"RTX 4090, 16 cores, SMT", 0.8, 16, 32, 64, 1, {{25.0, 26.0, 1.18, 128, 89}}},
	{"T400, 8 cores, SMT", 0.3, 8, 16, 16, 1, {{12.0, 12.5, 0.034, 6, 75}}},
	{"A100 and A30, 64 cores",
         1.9,
         64,
         128,
         256,
         2,
         {{24.5, 25.0, 17.5, 108, 80}, {24.5, 25.0, 8.4, 56, 80}}},
};
static const int orders[] = {2000, 4000, 10000};

enum { MACHINES = sizeof machines / sizeof machines[0], ORDERS = sizeof orders / sizeof orders[0] };

/*
 * The most that a call may take, in parts of the bound and of the better side alone. rule: a call
 * is shared where that leaves at most so much of the time of the better side alone.
 */
static const double share_bar = 1.08, share_alone_bar = 1.02, share_rule = 0.9;

/* -- the child: one machine, one order -- */

static struct schedule_run run;
static struct learn learn;
static struct options options;

struct share_result {
	double cpu_ns, gpu_ns, whole_ns, first_ns, waits;
	double cpu_share;
};

static struct machine describe_machine(const struct share_machine *row)
{
	return (struct machine){
		.cpu_threads = row->team,
		.cpu_gemm_flops = {[ELEMENT_D] = row->cpu_tflops * 1e12},
		.gpu_gemm_flops = {[ELEMENT_D] = row->card[0].tflops * 1e12},
		.link_up_bytes = row->card[0].up * 1e9,
		.link_down_bytes = row->card[0].down * 1e9,
		.link_duplex = share_duplex,
		.operation_ns = OPERATION_US * 1e3,
		.copy_ns = COPY_US * 1e3,
		.call_fixed_ns = 30e3,
		.gpu_multiprocessors = row->card[0].units,
		.gpu_capability = row->card[0].capability,
	};
}

static double run_call(const struct decision *decision, double cpu_ns, int team,
                       struct cpu_share *share)
{
	bool finished = false;
	*share = (struct cpu_share){.wanted = decision->cpu_share, .threads = team};
	if (decision->target == TARGET_CPU) {
		schedule_copiers_work(cpu_ns);
		return cpu_ns;
	}
	const int64_t begin_ns = schedule_copiers_now_ns();
	const enum reason reason = gpu_blas_run(&run.call, NULL, run.device, share, &finished);
	if (reason != REASON_NONE) {
		fprintf(stderr, "schedule_share: %s\n", reason_sentence(reason));
		exit(1);
	}
	return (double)(schedule_copiers_now_ns() - begin_ns);
}

static void note_call(const struct decision *decision, const struct cpu_share *share,
                      double elapsed_ns, struct share_result *result)
{
	const double part_ns[] = {
		[TARGET_CPU] = schedule_beside_cpu_ns(), [TARGET_GPU] = (double)share->device_ns};
	if (share->done <= 0) {
		*(decision->target == TARGET_GPU ? &result->gpu_ns : &result->cpu_ns) = elapsed_ns;
		learn_note(&learn, &run.call, decision, elapsed_ns);
		return;
	}
	learn_share_note(&learn, &run.call, decision, share->done, part_ns, elapsed_ns);
	const double shorter = part_ns[0] < part_ns[1] ? part_ns[TARGET_CPU] : part_ns[TARGET_GPU];
	if (result->first_ns == 0)
		result->first_ns = elapsed_ns;
	result->whole_ns = elapsed_ns;
	result->waits = 1 - shorter / elapsed_ns;
	result->cpu_share = share->done;
}

/* Decides as the route does. Both sides alone are known from earlier calls. */
static struct share_result run_process(const struct share_machine *row, double flops)
{
	const struct machine machine = describe_machine(row);
	const struct experience experience = {&machine, &learn, EXPERIENCE_LOOKED};
	const double cpu_ns = flops / row->cpu_tflops / 1e3;
	struct situation situation = {.gpu = GPU_READY, .device = run.device};
	struct share_result result = {.whole_ns = 0};
	struct decision decision;
	struct cpu_share share;
	situation.setting.cpu_threads = row->team;
	situation.setting.copy_threads = copiers_count_beside(row->team);
	for (int i = 0; i < CALLS; i++) {
		decide(&options, &experience, &situation, &run.call, &decision);
		if (i < 2) {
			decision.target = i == 0 ? TARGET_CPU : TARGET_GPU;
			decision.cpu_share = 0;
		}
		note_call(&decision, &share, run_call(&decision, cpu_ns, row->team, &share),
		          &result);
	}
	return result;
}

static int run_child(const struct share_machine *row, int order, const char *cuda_path,
                     const char *clock_path)
{
	struct schedule_call wanted = {.m = order,
	                               .n = order,
	                               .k = order,
	                               .l3_mb = row->l3_mb,
	                               .cores = row->processors,
	                               .copy_gbytes_s = COPY_GBYTES_S};
	static struct machine machine;
	struct schedule_clock clock;
	char message[OPTION_MESSAGE_BYTES];
	snprintf(wanted.routine, sizeof wanted.routine, "gemm");
	snprintf(wanted.element, sizeof wanted.element, "D");
	if (!schedule_clock_read(clock_path, &clock) ||
	    !schedule_run_start(&run, &wanted, cuda_path, &clock))
		return 1;
	const double elements = (double)order * order;
	machine = describe_machine(row);
	run.call.work_flops = 2 * elements * order;
	run.call.size_bytes = (uint64_t)(24 * elements);
	run.call.input_bytes = (uint64_t)(16 * elements);
	run.call.output_bytes = (uint64_t)(8 * elements);
	engine_rates_set_machine(&machine);
	schedule_beside_start(row->cpu_tflops * 1e12);
	options_set_defaults(&options);
	if (!options_set(&options, "share_cpu", "auto", message))
		return 1;
	const struct share_result result = run_process(row, run.call.work_flops);
	printf("result %.9g %.9g %.9g %.9g %.9g %.9g\n", result.cpu_ns, result.gpu_ns,
	       result.whole_ns, result.first_ns, result.waits, result.cpu_share);
	return 0;
}

/* -- the parent -- */

static void write_card(FILE *file, const struct share_card *card)
{
	fprintf(file,
	        "up_gbytes_s = %g\ndown_gbytes_s = %g\nsgemm_tflops_s = %g\n"
	        "dgemm_tflops_s = %g\ncgemm_tflops_s = %g\nzgemm_tflops_s = %g\nunits = %d\n"
	        "capability = %.1f\nmultiprocessors = %d\n",
	        card->up, card->down, card->tflops, card->tflops, card->tflops, card->tflops,
	        card->units, card->capability / 10.0, card->units);
}

/* Of the first cards so many. */
static bool write_clock(const struct share_machine *row, int cards, const char *path)
{
	FILE *file = fopen(path, "w");
	if (file == NULL)
		return false;
	fprintf(file,
	        "pageable_up_gbytes_s = 12\npageable_down_gbytes_s = 12\nduplex = %g\n"
	        "operation_us = %d\ncopy_us = %d\ntile = 128\nmemory_gbytes_s = 900\n"
	        "memory = 80G\nfree_polls = 16\n",
	        share_duplex, OPERATION_US, COPY_US);
	write_card(file, &row->card[0]);
	for (int i = 1; i < cards; i++) {
		fprintf(file, "[device %d]\n", i);
		write_card(file, &row->card[i]);
	}
	return fclose(file) == 0;
}

static bool run_row(int machine, int order, char *program, const char *clock_path,
                    struct share_result *result)
{
	static struct spawn_result child;
	char clock_word[PATH_BYTES], numbers[2][16], path[PATH_BYTES], dry[] = "SIMCUDA_DRY=1";
	char count_word[32];
	char cuda_path[PATH_BYTES];
	snprintf(cuda_path, sizeof cuda_path, "%s", spawn_beside("simcuda/13", true));
	snprintf(path, sizeof path, "%s", clock_path);
	snprintf(clock_word, sizeof clock_word, "SIMCUDA_CLOCK=%s.cards", clock_path);
	snprintf(count_word, sizeof count_word, "SIMCUDA_DEVICES=%d", machines[machine].cards);
	snprintf(numbers[0], sizeof numbers[0], "%d", machine);
	snprintf(numbers[1], sizeof numbers[1], "%d", order);
	char *arguments[] = {program, "--run", numbers[0], numbers[1], cuda_path, path, NULL};
	char *environment[] = {clock_word, count_word, dry, NULL};
	spawn_run(arguments, environment, true, &child);
	const char *line = strstr(child.output, "result ");
	if (child.status == 0 && line != NULL &&
	    sscanf(line, "result %lf %lf %lf %lf %lf %lf", &result->cpu_ns, &result->gpu_ns,
	           &result->whole_ns, &result->first_ns, &result->waits, &result->cpu_share) == 6)
		return true;
	printf("the run ended with status %#x: %s\n", (unsigned)child.status, child.output);
	return false;
}

static struct share_host describe_host(const struct share_machine *row)
{
	const int others = row->processors - row->processors / 4 - 1,
		  left = row->processors - row->team, free = others < left ? others : left;
	struct share_host host = {
		.cards = row->cards,
		.copy_threads = free < COPY_THREADS ? 1 + free : COPY_THREADS,
		.all_copy_threads = others < COPY_THREADS ? 1 + others : COPY_THREADS,
		.cpu_tflops = row->cpu_tflops,
		.copy_gbytes_s = COPY_GBYTES_S,
		.duplex = share_duplex,
		.operation_ns = OPERATION_US * 1e3,
	};
	memcpy(host.card, row->card, sizeof host.card);
	return host;
}

/*
 * The least time under the rule of a tenth: where perfect sharing saves less of the
 * better side alone, the call is not to be shared.
 */
static double find_ruled(double shared_ns, double alone_ns)
{
	return shared_ns <= share_rule * alone_ns ? shared_ns : alone_ns;
}

static bool print_row(const struct share_machine *row, int order, const struct share_result *result)
{
	const struct share_host host = describe_host(row);
	const struct share_bound shared = share_bound_find(&host, order, true),
				 alone = share_bound_find(&host, order, false);
	const double bound_ns = find_ruled(shared.pipeline_ns, alone.pipeline_ns);
	const double better_ns = result->cpu_ns < result->gpu_ns ? result->cpu_ns : result->gpu_ns;
	const double whole_ns = result->whole_ns > 0 ? result->whole_ns : better_ns;
	const bool pass =
		whole_ns <= share_bar * bound_ns && whole_ns <= share_alone_bar * better_ns;
	printf("%-24s %6d %9.3f %9.3f %9.3f %9.3f %6.1f %6.1f %7.3f %7.3f %6s %7.3f %7.3f  %s\n",
	       row->name, order, result->cpu_ns / 1e6, result->gpu_ns / 1e6, result->first_ns / 1e6,
	       whole_ns / 1e6, 100 * result->cpu_share, 100 * result->waits,
	       whole_ns / shared.bytes_ns, whole_ns / shared.pipeline_ns,
	       bound_ns < alone.pipeline_ns ? "share" : "alone", whole_ns / bound_ns,
	       whole_ns / better_ns, pass ? "PASS" : "over");
	fflush(stdout);
	return pass;
}

static void print_head(void)
{
	printf("virtual clocks, no speed of anything; ms on the CPU, on the GPUs, shared the first "
	       "time, shared;\nthe CPU's share and the longer wait of a side in per cent; parts of "
	       "the bound of bytes, of the\nbound of pipelines, of the latter where sharing saves "
	       "a tenth, else of the better side\nalone by it (rule), and of the better side "
	       "alone as it was\n");
	printf("%-24s %6s %9s %9s %9s %9s %6s %6s %7s %7s %6s %7s %7s\n", "machine", "order", "cpu",
	       "gpu", "first", "shared", "share", "wait", "/bytes", "/pipe", "rule", "/bound",
	       "/alone");
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/gpushim-share-XXXXXX", clock_path[64], cards_path[72];
	char program[PATH_BYTES];
	const bool check = argc > 1 && strcmp(argv[1], "--check") == 0;
	int failed = 0;
	if (argc == 6 && strcmp(argv[1], "--run") == 0)
		return run_child(&machines[atoi(argv[2])], atoi(argv[3]), argv[4], argv[5]);
	if (argc > 1 + check || mkdtemp(folder) == NULL) {
		fprintf(stderr, "usage: schedule_share [--check]\n");
		return 2;
	}
	snprintf(clock_path, sizeof clock_path, "%s/clock", folder);
	snprintf(cards_path, sizeof cards_path, "%s.cards", clock_path);
	snprintf(program, sizeof program, "%s", spawn_beside("schedule_share", false));
	print_head();
	for (int m = 0; m < MACHINES; m++)
		for (int i = 0; i < ORDERS; i++) {
			struct share_result result;
			failed += !write_clock(&machines[m], 1, clock_path) ||
			          !write_clock(&machines[m], machines[m].cards, cards_path) ||
			          !run_row(m, orders[i], program, clock_path, &result) ||
			          !print_row(&machines[m], orders[i], &result);
		}
	unlink(clock_path);
	unlink(cards_path);
	rmdir(folder);
	printf("schedule_share: %d over\n", failed);
	return check && failed > 0 ? 1 : 0;
}
