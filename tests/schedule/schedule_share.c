/* schedule_share.c - calls that CPU and GPU share, on virtual clocks, against perfect sharing */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/common/spawn.h"
#include "policy/decide/decide.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/copy/copiers.h"
#include "tests/schedule/schedule_beside.h"
#include "tests/schedule/schedule_copiers.h"
#include "tests/schedule/schedule_run.h"

/*
 * A process that calls the same product again and again decides as the shim does, with measured
 * times of either side: alone first, then shared. Its last calls are compared with the bound:
 *
 *   least over s of the larger one of   s x (time on the CPU alone)
 *                                       the GPU's time for the rest
 *
 * where the GPU's time is that of the slowest of both links, the arithmetic, and the copies by the
 * threads that the CPU library leaves free; the part that is not cut is sent whole. No schedule
 * reaches these times: the first kernel waits for data, the last results for their way back, and
 * kernels fill whole waves. A second bound has the GPU's part take as many times longer as all of
 * the call does on the GPU alone. It tells what the sharing loses from what the schedule does.
 */
enum { CALLS = 16, SHARES = 10000, WORDS = 8, PATH_BYTES = 4200, COPY_GBYTES_S = 10 };

/* team: threads of the CPU library; processors: of the machine. TFLOP/s in double precision. */
static const struct share_machine {
	const char *name;
	double up, down, gpu_tflops, cpu_tflops;
	int units, team, processors;
} machines[] = {
	{"H200, 64 cores, SMT", 55.3, 53.0, 55, 2.0, 132, 64, 128},
	{"H200, 16 cores, SMT", 55.3, 53.0, 55, 0.8, 132, 16, 32},
	{"A100, 64 cores, SMT", 24.5, 25.0, 17.5, 1.9, 108, 64, 128},
	{"V100, 40 cores", 12.3, 12.9, 6.3, 1.2, 80, 40, 40},
	{"RTX 4090, 16 cores, SMT", 25.0, 26.0, 1.18, 0.8, 128, 16, 32},
	{"T400, 8 cores, SMT", 12.0, 12.5, 0.034, 0.3, 6, 8, 16},
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
		.gpu_gemm_flops = {[ELEMENT_D] = row->gpu_tflops * 1e12},
		.link_up_bytes = row->up * 1e9,
		.link_down_bytes = row->down * 1e9,
		.link_duplex = 0.92,
		.operation_ns = 8e3,
		.call_fixed_ns = 30e3,
		.gpu_multiprocessors = row->units,
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
	learn_note_shared(&learn, &run.call, decision, share->done, part_ns, elapsed_ns);
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
	                               .l3_mb = 32,
	                               .cores = row->processors,
	                               .copy_gbytes_s = COPY_GBYTES_S};
	struct schedule_clock clock;
	char message[OPTION_MESSAGE_BYTES];
	snprintf(wanted.routine, sizeof wanted.routine, "gemm");
	snprintf(wanted.element, sizeof wanted.element, "D");
	if (!schedule_clock_read(clock_path, &clock) ||
	    !schedule_run_start(&run, &wanted, cuda_path, &clock))
		return 1;
	const double elements = (double)order * order;
	run.call.work_flops = 2 * elements * order;
	run.call.size_bytes = (uint64_t)(24 * elements);
	run.call.input_bytes = (uint64_t)(16 * elements);
	run.call.output_bytes = (uint64_t)(8 * elements);
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

static double larger(double x, double y)
{
	return x > y ? x : y;
}

/* The links, the arithmetic. */
static double find_gpu_ns(const struct share_machine *row, double order, double rest)
{
	const double bytes = 8 * order * order, flops = 2 * order * order * order;
	const double up = rest > 0 ? bytes * (1 + rest) : 0, down = bytes * rest;
	return larger(larger(up / row->up, down / row->down), flops * rest / row->gpu_tflops / 1e3);
}

/* efficiency: the GPU's part takes so many times longer than its bound. */
static double find_bound(const struct share_machine *row, double order, int copy_threads,
                         double efficiency)
{
	const double bytes = 8 * order * order, flops = 2 * order * order * order;
	double least_ns = __DBL_MAX__;
	for (int i = 0; i <= SHARES; i++) {
		const double s = (double)i / SHARES, rest = 1 - s;
		const double copied = rest > 0 ? bytes * (1 + 2 * rest) : 0;
		/* Alone, the GPU has all copy threads. */
		const double copies_ns = i > 0 ? copied / (copy_threads * COPY_GBYTES_S) : 0;
		const double gpu_ns = larger(efficiency * find_gpu_ns(row, order, rest), copies_ns);
		const double both_ns = larger(gpu_ns, s * flops / row->cpu_tflops / 1e3);
		least_ns = both_ns < least_ns ? both_ns : least_ns;
	}
	return least_ns;
}

static bool write_clock(const struct share_machine *row, const char *path)
{
	FILE *file = fopen(path, "w");
	if (file == NULL)
		return false;
	fprintf(file,
	        "up_gbytes_s = %g\ndown_gbytes_s = %g\npageable_up_gbytes_s = 12\n"
	        "pageable_down_gbytes_s = 12\nduplex = 0.92\noperation_us = 8\n"
	        "sgemm_tflops_s = %g\ndgemm_tflops_s = %g\ncgemm_tflops_s = %g\n"
	        "zgemm_tflops_s = %g\ntile = 128\nunits = %d\nmemory_gbytes_s = 900\n"
	        "memory = 80G\ncapability = 8.0\nmultiprocessors = %d\nfree_polls = 16\n"
	        "l3_mb = 32\n",
	        row->up, row->down, row->gpu_tflops, row->gpu_tflops, row->gpu_tflops,
	        row->gpu_tflops, row->units, row->units);
	return fclose(file) == 0;
}

static bool run_row(int machine, int order, char *program, const char *clock_path,
                    struct share_result *result)
{
	static struct spawn_result child;
	char clock_word[PATH_BYTES], numbers[2][16], path[PATH_BYTES], dry[] = "SIMCUDA_DRY=1";
	char cuda_path[PATH_BYTES];
	snprintf(cuda_path, sizeof cuda_path, "%s", spawn_beside("simcuda/13", true));
	snprintf(path, sizeof path, "%s", clock_path);
	snprintf(clock_word, sizeof clock_word, "SIMCUDA_CLOCK=%s", clock_path);
	snprintf(numbers[0], sizeof numbers[0], "%d", machine);
	snprintf(numbers[1], sizeof numbers[1], "%d", order);
	char *arguments[] = {program, "--run", numbers[0], numbers[1], cuda_path, path, NULL};
	char *environment[] = {clock_word, dry, NULL};
	spawn_run(arguments, environment, true, &child);
	const char *line = strstr(child.output, "result ");
	if (child.status == 0 && line != NULL &&
	    sscanf(line, "result %lf %lf %lf %lf %lf %lf", &result->cpu_ns, &result->gpu_ns,
	           &result->whole_ns, &result->first_ns, &result->waits, &result->cpu_share) == 6)
		return true;
	printf("the run ended with status %#x: %s\n", (unsigned)child.status, child.output);
	return false;
}

static int count_copy_threads(const struct share_machine *row)
{
	const int others = row->processors - row->processors / 4 - 1,
		  left = row->processors - row->team;
	const int threads = 1 + (others < left ? others : left);
	return threads > 16 ? 16 : threads;
}

/*
 * A call that is not shared is as good as the better side. rule: no call is shared that would not
 * save a tenth even if it were shared perfectly, with the GPU's schedules as they are.
 */
static bool print_row(const struct share_machine *row, int order, const struct share_result *result)
{
	const int copy_threads = count_copy_threads(row);
	const double bound_ns = find_bound(row, order, copy_threads, 1),
		     efficiency = result->gpu_ns / find_gpu_ns(row, order, 1),
		     own_ns = find_bound(row, order, copy_threads, efficiency);
	const double better_ns = result->cpu_ns < result->gpu_ns ? result->cpu_ns : result->gpu_ns;
	const double whole_ns = result->whole_ns > 0 ? result->whole_ns : better_ns;
	const bool pass =
		whole_ns <= share_bar * bound_ns && whole_ns <= share_alone_bar * better_ns;
	const bool ruled = result->whole_ns <= 0 && own_ns > share_rule * better_ns;
	printf("%-24s %6d %9.3f %9.3f %9.3f %9.3f %6.1f %6.1f %7.3f %7.3f %7.3f  %s\n", row->name,
	       order, result->cpu_ns / 1e6, result->gpu_ns / 1e6, result->first_ns / 1e6,
	       whole_ns / 1e6, 100 * result->cpu_share, 100 * result->waits, whole_ns / bound_ns,
	       whole_ns / own_ns, whole_ns / better_ns,
	       pass    ? "PASS"
	       : ruled ? "rule"
	               : "over");
	fflush(stdout);
	return pass;
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/gpushim-share-XXXXXX", clock_path[64], program[PATH_BYTES];
	const bool check = argc > 1 && strcmp(argv[1], "--check") == 0;
	int failed = 0;
	if (argc == 6 && strcmp(argv[1], "--run") == 0)
		return run_child(&machines[atoi(argv[2])], atoi(argv[3]), argv[4], argv[5]);
	if (argc > 1 + check || mkdtemp(folder) == NULL) {
		fprintf(stderr, "usage: schedule_share [--check]\n");
		return 2;
	}
	snprintf(clock_path, sizeof clock_path, "%s/clock", folder);
	snprintf(program, sizeof program, "%s", spawn_beside("schedule_share", false));
	printf("virtual clocks, no speed of anything; ms on each side alone, shared the first "
	       "time, shared; the CPU's\nshare and the longer wait of a side in per cent; parts "
	       "of the bound, of the bound with\nthe GPU's schedules as they are, and of the "
	       "better side alone. rule: not shared, would not save a tenth\n");
	printf("%-24s %6s %9s %9s %9s %9s %6s %6s %7s %7s %7s\n", "machine", "order", "cpu", "gpu",
	       "first", "shared", "share", "wait", "/bound", "/own", "/alone");
	for (int m = 0; m < MACHINES; m++)
		for (int i = 0; i < ORDERS; i++) {
			struct share_result result;
			failed += !write_clock(&machines[m], clock_path) ||
			          !run_row(m, orders[i], program, clock_path, &result) ||
			          !print_row(&machines[m], orders[i], &result);
		}
	unlink(clock_path);
	rmdir(folder);
	printf("schedule_share: %d over\n", failed);
	return check && failed > 0 ? 1 : 0;
}
