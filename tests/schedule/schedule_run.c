/* schedule_run.c - carries a call out by the shim's engine on virtual clocks, without operands */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "policy/call/lapack_flops.h"
#include "policy/machine/machine.h"
#include "policy/options/options.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/blas/gpu_panels.h"
#include "shim/execute/gpu/blas/plan_cache.h"
#include "shim/execute/gpu/copy/copiers_count.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/lapack/gpu_factor.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"
#include "shim/execute/gpu/session/session.h"
#include "tests/schedule/schedule_copiers.h"
#include "tests/schedule/schedule_copy.h"

static struct gpu_lapack_account run_account;

static bool run_find_family(const char *name, enum family *family)
{
	for (int i = 0; i < FAMILY_COUNT; i++)
		if (strcmp(name, family_name((enum family)i)) == 0) {
			*family = (enum family)i;
			return true;
		}
	return false;
}

static enum element run_find_element(const struct schedule_call *wanted)
{
	static const char letters[] = "SDCZ";
	const char *letter = strchr(letters, wanted->element[0]);
	return letter == NULL ? ELEMENT_D : (enum element)(letter - letters);
}

/*
 * Reserves addresses without memory: an access ends the program. Behind them is a page that can be
 * read, as behind what malloc gives: pack_probe_behind asks for it.
 */
static void *run_reserve(double elements, enum element element)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	const size_t bytes = ((size_t)elements * element_size_bytes(element) + page_bytes - 1) /
	                     page_bytes * page_bytes;
	char *address = mmap(NULL, bytes + page_bytes, PROT_NONE,
	                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (address == MAP_FAILED || mprotect(address + bytes, page_bytes, PROT_READ) != 0) {
		perror("schedule: no addresses");
		return NULL;
	}
	return address;
}

static enum transpose run_find_transpose(const char *letter)
{
	return *letter == 'T' ? TRANSPOSE_T : *letter == 'C' ? TRANSPOSE_C : TRANSPOSE_N;
}

/* m, n and k as in BLAS; the order of a square A is k. */
static bool run_describe_blas(struct call *call, const struct schedule_call *wanted)
{
	struct blas_call *blas = &call->blas;
	const double m = (double)wanted->m, n = (double)wanted->n, k = (double)wanted->k;
	const bool square = family_has_square(call->family);
	*blas = (struct blas_call){
		.side = wanted->side[0] == 'R' ? SIDE_RIGHT : SIDE_LEFT,
		.uplo = wanted->uplo[0] == 'U' ? UPLO_UPPER : UPLO_LOWER,
		.transa = run_find_transpose(wanted->transa),
		.transb = run_find_transpose(wanted->transb),
		.m = wanted->m,
		.n = wanted->n,
		.k = wanted->k,
		.ldc = wanted->m,
		.alpha = {1, 0},
		.beta = {wanted->beta == 0 ? 0 : 1.5, 0},
	};
	blas->lda = square || blas->transa != TRANSPOSE_N ? wanted->k : wanted->m;
	blas->ldb = square ? wanted->m : blas->transb == TRANSPOSE_N ? wanted->k : wanted->n;
	if (family_is_twice(call->family))
		blas->ldb = blas->lda;
	blas->a = run_reserve(square ? k * k : m * k, call->element);
	blas->b = run_reserve(square ? m * n : k * n, call->element);
	blas->c = run_reserve(m * n, call->element);
	return blas->a != NULL && blas->b != NULL && blas->c != NULL;
}

/* info and the pivots are memory that is written; the matrix is not. */
static bool run_describe_lapack(struct call *call, const struct schedule_call *wanted)
{
	static int info;
	call->lapack = (struct lapack_call){
		.uplo = wanted->uplo[0] == 'U' ? UPLO_UPPER : UPLO_LOWER,
		.m = wanted->m,
		.n = wanted->n,
		.lda = wanted->m,
		.a = run_reserve((double)wanted->m * (double)wanted->n, call->element),
		.ipiv = malloc((size_t)wanted->n * sizeof(int)),
		.info = &info,
	};
	call->work_flops = lapack_flops_count(call);
	return call->lapack.a != NULL && call->lapack.ipiv != NULL;
}

static bool run_describe_fft(struct schedule_run *run, const struct schedule_call *wanted)
{
	struct call *call = &run->call;
	const int rank = wanted->rank > 1 ? (int)wanted->rank : 1;
	int64_t points = 1;
	run->problem = (struct fft_problem){
		.family = FAMILY_FFT_C2C,
		.element = call->element,
		.rank = rank,
		.loops = 1,
		.howmany = wanted->howmany,
		.sign = -1,
		.in_place = wanted->in_place != 0,
	};
	for (int i = rank - 1; i >= 0; i--, points *= wanted->n)
		run->problem.dims[i] = (struct fft_dim){wanted->n, points, points};
	run->problem.loop[0] = (struct fft_dim){wanted->howmany, points, points};
	const double elements = (double)points * (double)wanted->howmany;
	call->family = FAMILY_FFT_C2C;
	call->fft.problem = &run->problem;
	call->fft.in = run_reserve(elements, call->element);
	call->fft.out = run->problem.in_place ? call->fft.in : run_reserve(elements, call->element);
	return call->fft.in != NULL && call->fft.out != NULL;
}

static bool run_start_session(struct schedule_run *run, const char *cuda_path)
{
	static struct options options;
	struct situation situation = {.device = 0};
	options_set_defaults(&options);
	snprintf(options.cuda_path, sizeof options.cuda_path, "%s", cuda_path);
	snprintf(options.devices, sizeof options.devices, "all");
	options.warmup = WARMUP_WAIT;
	options.residency = RESIDENCY_OFF;
	options.memory_limit = (uint64_t)run->wanted.memory_mb;
	session_configure(&options);
	session_wake();
	session_describe(&situation);
	run->device = situation.device;
	if (situation.gpu != GPU_READY)
		fprintf(stderr, "schedule: %s\n", reason_sentence(situation.off_reason));
	return situation.gpu == GPU_READY;
}

static bool run_describe_copy(struct schedule_run *run, const struct schedule_call *wanted)
{
	run->copies = true;
	run->operand = run_reserve((double)wanted->m * 1024 / sizeof(double), ELEMENT_D);
	return run->operand != NULL;
}

static bool run_describe(struct schedule_run *run, const struct schedule_call *wanted)
{
	const char *routine = wanted->routine;
	if (strcmp(routine, "fft") == 0)
		return run_describe_fft(run, wanted);
	if (strcmp(routine, "load") == 0 || strcmp(routine, "store") == 0)
		return run_describe_copy(run, wanted);
	if (run_find_family(routine, &run->call.family))
		return family_is_lapack(run->call.family) ? run_describe_lapack(&run->call, wanted)
		                                          : run_describe_blas(&run->call, wanted);
	fprintf(stderr, "schedule: there is no routine %s\n", routine);
	return false;
}

/* The planner gets the clocks' rates; the rings are those of a host with the call's cache. */
static void run_set_machine(struct schedule_run *run, const struct schedule_clock *clock)
{
	static struct machine machine;
	machine.link_up_bytes = clock->up_gbytes_s * 1e9;
	machine.link_down_bytes = clock->down_gbytes_s * 1e9;
	machine.link_duplex = clock->duplex;
	machine.operation_ns = clock->operation_us * 1e3;
	machine.copy_ns = clock->copy_us * 1e3;
	machine.gpu_memory_bytes = clock->memory_gbytes_s * 1e9;
	machine.gpu_multiprocessors = clock->units;
	for (int element = ELEMENT_S; element < ELEMENT_BLAS_COUNT; element++)
		machine.gpu_gemm_flops[element] = clock->gemm_tflops_s[element] * 1e12;
	engine_rates_set_machine(&machine);
	const double cache_mb = run->wanted.l3_mb > 0 ? (double)run->wanted.l3_mb : clock->l3_mb;
	const struct staging_sizes sizes = staging_sizes_choose((uint64_t)(cache_mb * 1048576), 0);
	staging_use_sizes(&sizes);
	run->rates = panel_rates_find(&machine, run->call.element, 0, 0);
}

/* As many threads as the engine chooses for the cores, unless the call names their number. */
static void run_start_copiers(const struct schedule_call *wanted)
{
	struct schedule_host host = {
		.threads = (int)wanted->threads,
		.cores = (int)wanted->cores,
		.copy_gbytes_s = (double)wanted->copy_gbytes_s,
		.wake_us = (double)wanted->wake_us,
	};
	if (host.threads == 0)
		host.threads = copiers_count_choose(host.cores);
	schedule_copiers_start(&host);
	if (host.copy_gbytes_s > 0)
		flow_set_clock(schedule_copiers_now_ns);
}

bool schedule_run_start(struct schedule_run *run, const struct schedule_call *wanted,
                        const char *cuda_path, const struct schedule_clock *clock)
{
	*run = (struct schedule_run){.wanted = *wanted,
	                             .call = {.element = run_find_element(wanted)}};
	if (!run_describe(run, wanted))
		return false;
	run_set_machine(run, clock);
	flow_set_patience(0);
	gpu_factor_choose(wanted->whole != 0 ? GPU_FACTOR_NEVER : GPU_FACTOR_BY_TIME, wanted->width,
	                  0);
	if (!run_start_session(run, cuda_path))
		return false;
	run_start_copiers(wanted);
	run->rates.copy_bytes = staging_copy_bytes();
	run->rates.memory_bytes = memory_available(run->device);
	return true;
}

bool schedule_run_plan(const struct schedule_run *run, const struct panel_choice *choice,
                       struct panel_plan *plan)
{
	const struct panel_problem problem = {
		.family = run->call.family, .element = run->call.element, .blas = run->call.blas};
	if (run->copies || family_is_fft(run->call.family) || !panels_takes(run->call.family))
		return false;
	return choice == NULL ? plan_cache_plan(&problem, &run->rates, plan)
	                      : panels_plan_as(&problem, &run->rates, choice, plan);
}

const char *schedule_run_tell_recipe(const struct schedule_run *run)
{
	return family_is_lapack(run->call.family) && !run->copies ? run_account.recipe : "";
}

double schedule_run_once(const struct schedule_run *run, const struct panel_choice *choice)
{
	bool finished = false;
	enum reason reason;
	gpu_panels_set_choice(choice);
	const int64_t begin_ns = schedule_copiers_now_ns();
	if (run->copies)
		reason = schedule_copy_run(run->device, run->wanted.routine[0] == 'l', run->operand,
		                           (uint64_t)run->wanted.m << 10);
	else if (family_is_fft(run->call.family))
		reason = gpu_fft_run(&run->call, run->device);
	else if (family_is_lapack(run->call.family))
		reason = gpu_lapack_run(&run->call, run->device, &run_account, &finished);
	else
		reason = gpu_blas_run(&run->call, NULL, run->device, NULL, &finished);
	if (reason == REASON_NONE)
		return (double)(schedule_copiers_now_ns() - begin_ns);
	fprintf(stderr, "schedule: the call came back: %s\n", reason_sentence(reason));
	return -1;
}
