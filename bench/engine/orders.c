/* orders.c - the planner's orders from page-locked memory: measured and predicted times */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/machine_file.h"
#include "bench/common/spawn.h"
#include "measure/device.h"
#include "measure/random.h"
#include "policy/plan/panels.h"

enum { ORDERS_SKIPPED = 77, ROUNDS = 3, OPERANDS = 3 };

/*
 * C := A B of n x n doubles. Operands lie in page-locked memory, so that the times contain no
 * staging.
 */
struct orders {
	struct device device;
	struct machine machine;
	int64_t n;
	char *host[OPERANDS], *arena;
	struct random_print reference;
	void **event[PANEL_KINDS]; /* one per step of each kind */
};

static char *orders_place_of(const struct orders *orders, const struct panel_block *block)
{
	return orders->arena + block->place_bytes;
}

/* Queues the copy of a block between the arena and its operand. */
static void orders_queue_copy(const struct orders *orders, const struct panel_step *step)
{
	const struct panel_block *block = &step->block;
	const size_t pitch = (size_t)orders->n * sizeof(double),
		     ld_bytes = (size_t)block->ld * sizeof(double);
	char *host = orders->host[block->operand] + (size_t)block->column.begin * pitch +
	             (size_t)block->row.begin * sizeof(double);
	const bool up = step->kind == PANEL_LOAD;
	char *place = orders_place_of(orders, block);
	device_check(&orders->device,
	             orders->device.set.api.memcpy_2d_async(
			     up ? place : host, up ? ld_bytes : pitch, up ? host : place,
			     up ? pitch : ld_bytes, (size_t)block->row.count * sizeof(double),
			     (size_t)block->column.count, CUDA_COPY_BY_ADDRESS,
			     orders->device.stream[step->kind]),
	             "cudaMemcpy2DAsync");
}

static void orders_queue_work(const struct orders *orders, const struct panel_work *work)
{
	static const double scalar[] = {0, 1, -1, 1, 1};
	const struct cuda_api *api = &orders->device.set.api;
	device_check(&orders->device,
	             api->dgemm(orders->device.blas, CUBLAS_OPERATION_N, CUBLAS_OPERATION_N,
	                        (int)work->z.row.count, (int)work->z.column.count,
	                        (int)work->x.column.count, &scalar[work->alpha],
	                        orders_place_of(orders, &work->x), (int)work->x.ld,
	                        orders_place_of(orders, &work->y), (int)work->y.ld,
	                        &scalar[work->beta], orders_place_of(orders, &work->z),
	                        (int)work->z.ld),
	             "cublasDgemm");
}

/*
 * Each kind of step has its stream. A step waits for the last step of each other kind that it
 * names.
 */
static double orders_run_plan(const struct orders *orders, const struct panel_plan *plan)
{
	const struct device *device = &orders->device;
	const struct cuda_api *api = &device->set.api;
	uint32_t queued[PANEL_KINDS] = {0};
	const double begin = device_seconds();
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct panel_step *step = &plan->steps[i];
		for (int kind = 0; kind < PANEL_KINDS; kind++)
			if (kind != (int)step->kind && step->after[kind] > 0)
				device_check(device,
				             api->stream_wait_event(
						     device->stream[step->kind],
						     orders->event[kind][step->after[kind] - 1], 0),
				             "cudaStreamWaitEvent");
		if (step->kind == PANEL_WORK)
			orders_queue_work(orders, &step->work);
		else
			orders_queue_copy(orders, step);
		device_check(device,
		             api->event_record(orders->event[step->kind][queued[step->kind]++],
		                               device->stream[step->kind]),
		             "cudaEventRecord");
	}
	for (int kind = 0; kind < PANEL_KINDS; kind++)
		device_wait(device, device->stream[kind]);
	return device_seconds() - begin;
}

static void orders_make_events(struct orders *orders, const struct panel_plan *plan, bool make)
{
	const struct cuda_api *api = &orders->device.set.api;
	for (int kind = 0; kind < PANEL_KINDS; kind++) {
		if (make)
			orders->event[kind] = calloc(plan->kind_count[kind] + 1, sizeof(void *));
		if (orders->event[kind] == NULL)
			exit(1);
		for (uint32_t i = 0; i < plan->kind_count[kind]; i++)
			device_check(&orders->device,
			             make ? api->event_create(&orders->event[kind][i],
			                                      CUDA_EVENT_UNTIMED)
			                  : api->event_destroy(orders->event[kind][i]),
			             "cudaEvent");
		if (!make)
			free(orders->event[kind]);
	}
}

/*
 * Whether C is finite and equals the first plan's result. 64 elements are compared with plain sums.
 */
static bool orders_check_result(struct orders *orders)
{
	const int64_t n = orders->n;
	const double *a = (double *)(void *)orders->host[0], *b = (double *)(void *)orders->host[1];
	const double *c = (double *)(void *)orders->host[2];
	for (uint64_t i = 0; i < 64; i++) {
		const int64_t row = (int64_t)(random_bits(8, i) % (uint64_t)n);
		const int64_t column = (int64_t)(random_bits(9, i) % (uint64_t)n);
		double sum = 0;
		for (int64_t k = 0; k < n; k++)
			sum += a[k * n + row] * b[column * n + k];
		if (!(fabs(sum - c[column * n + row]) <= 1e-10 * (double)n))
			return false;
	}
	const struct random_print print = random_take_print(c, 1, n * n, 1, false, false);
	if (orders->reference.squares == 0)
		orders->reference = print;
	return random_distance(&print, &orders->reference) <= 1e-10;
}

static bool orders_run_row(struct orders *orders, const char *what, const struct panel_plan *plan)
{
	double seconds[ROUNDS];
	orders_make_events(orders, plan, true);
	memset(orders->host[2], 0xff, (size_t)(orders->n * orders->n) * sizeof(double));
	orders_run_plan(orders, plan);
	const bool right = orders_check_result(orders);
	for (int round = 0; round < ROUNDS; round++)
		seconds[round] = orders_run_plan(orders, plan);
	orders_make_events(orders, plan, false);
	const struct spread spread = spread_of(seconds, ROUNDS);
	printf("   %-18s %-8s %6ld %6ld %6ld %6u  %9.2f  %9.2f [%.2f..%.2f]  %6.2f%s\n", what,
	       panel_plan_name_order(plan->choice.order), (long)plan->choice.group,
	       (long)plan->choice.width, (long)plan->choice.slice, plan->count, plan->time_ns / 1e6,
	       spread.median * 1e3, spread.least * 1e3, spread.most * 1e3,
	       spread.median * 1e9 / plan->time_ns, right ? "" : "  WRONG");
	fflush(stdout);
	return right;
}

/* The planner's own choice, then choices of which theory says that one is best. */
static bool orders_run_size(struct orders *orders, bool quick)
{
	const int64_t n = orders->n, width = quick ? 128 : 512, slice = quick ? 128 : 1024;
	const int64_t last = width / 4;
	const struct {
		const char *what;
		struct panel_choice choice;
	} rows[] = {
		{"A resident", {PANEL_ORDER_COLUMNS, width, width, width, n, n, n, 0}},
		{"A in slices", {PANEL_ORDER_COLUMNS, width, width, last, slice, n, n, 0}},
		{"hybrid, 0.5 of C", {PANEL_ORDER_COLUMNS, n / 2, width, last, slice, n, n, 0}},
		{"hybrid, 0.7 of C",
	         {PANEL_ORDER_COLUMNS, n * 7 / 10, width, last, slice, n, n, 0}},
		{"slices, all of C", {PANEL_ORDER_COLUMNS, n, width, last, slice, n, n, 0}},
		{"growing square", {PANEL_ORDER_RINGS, width, width, width, n, n, n, 0}},
	};
	const struct cuda_device *gpu = &orders->device.set.devices[0];
	struct panel_problem problem = {.family = FAMILY_GEMM, .element = ELEMENT_D};
	problem.blas.m = problem.blas.n = problem.blas.k = n;
	problem.blas.alpha[0] = 1;
	struct panel_rates rates = panel_rates_find(&orders->machine, ELEMENT_D, gpu->capability,
	                                            gpu->multiprocessors);
	rates.copy_bytes = 4 << 20;
	rates.memory_bytes = device_free_bytes(&orders->device) / 10 * 8;
	struct panel_plan plan;
	bool right = true;
	orders->reference.squares = 0;
	printf("dgemm %ld, no shorter than any of these, ms: up %.2f, down %.2f, arithmetic %.2f\n",
	       (long)n, 16e3 * (double)(n * n) / rates.up_bytes_s,
	       8e3 * (double)(n * n) / rates.down_bytes_s,
	       2e3 * pow((double)n, 3) / rates.work_flops_s);
	printf("   %-18s %-8s %6s %6s %6s %6s  %9s  %9s [least..most] median/expected\n", "",
	       "order", "group", "width", "slice", "steps", "expected", "median ms");
	for (int i = -1; i < (int)(sizeof rows / sizeof rows[0]); i++) {
		if (!(i < 0 ? panels_plan(&problem, &rates, &plan)
		            : panels_plan_as(&problem, &rates, &rows[i].choice, &plan))) {
			printf("   %-18s NOT RUN: there is no such plan\n",
			       i < 0 ? "planned" : rows[i].what);
			right = right && i >= 0;
			continue;
		}
		orders->arena = device_take(&orders->device, plan.arena_bytes);
		right = orders_run_row(orders, i < 0 ? "planned" : rows[i].what, &plan) && right;
		device_free(&orders->device, orders->arena);
		panel_plan_free(&plan);
	}
	printf("\n");
	return right;
}

static bool orders_run_sizes(struct orders *orders, bool quick)
{
	static const int64_t sizes[] = {8000, 10000, 16000, 0}, quick_sizes[] = {300, 0};
	bool right = true;
	for (const int64_t *n = quick ? quick_sizes : sizes; *n > 0; n++) {
		const size_t numbers = (size_t)(*n * *n);
		orders->n = *n;
		for (int i = 0; i < OPERANDS; i++) {
			orders->host[i] =
				device_take_pinned(&orders->device, numbers * sizeof(double));
			random_fill(orders->host[i], numbers, false, (uint64_t)i + 1, 0);
		}
		right = orders_run_size(orders, quick) && right;
		for (int i = 0; i < OPERANDS; i++)
			device_free_pinned(&orders->device, orders->host[i]);
	}
	return right;
}

/* The planner knows one rate each way: here that of page-locked memory. */
static void orders_expect_pinned(struct machine *machine)
{
	if (machine->link_up_pinned_bytes > 0)
		machine->link_up_bytes = machine->link_up_pinned_bytes;
	if (machine->link_down_pinned_bytes > 0)
		machine->link_down_bytes = machine->link_down_pinned_bytes;
}

int main(int argc, char **argv)
{
	static struct orders orders;
	char sentence[CUDA_SENTENCE_BYTES];
	setvbuf(stdout, NULL, _IOLBF, 0);
	const bool quick = argc == 3 && strcmp(argv[2], "--quick") == 0;
	if (argc < 2 || argc > 3 || (argc == 3 && !quick)) {
		fprintf(stderr, "usage: orders PROFILE [--quick]    PROFILE: what link wrote\n");
		return 2;
	}
	if (!machine_file_read(argv[1], &orders.machine))
		return 1;
	orders_expect_pinned(&orders.machine);
	if (!device_open(&orders.device, sentence)) {
		printf("orders: skipped, %s\n", sentence);
		return ORDERS_SKIPPED;
	}
	if (orders.device.simulated)
		printf("SIMULATED: this is the CUDA of the tests; no time below is a speed\n");
	device_check(&orders.device,
	             orders.device.set.api.blas_set_stream(orders.device.blas,
	                                                   orders.device.stream[PANEL_WORK]),
	             "cublasSetStream");
	printf("the planner's orders from page-locked memory, without staging\n");
	return orders_run_sizes(&orders, quick) ? 0 : 1;
}
