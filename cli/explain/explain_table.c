/* explain_table.c - from which size on each routine is faster on the GPU: formula, rows, JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/units.h"
#include "cli/explain/explain.h"
#include "cli/explain/explain_smallest.h"
#include "shim/table/symbol.h"

enum { TABLE_RANKS = 3, TABLE_BATCH = 100, TABLE_LARGE = 16384 };

/* A routine and where it breaks even; problem.size is meant for the rank alone. */
struct table_row {
	struct call_problem problem;
	int64_t smallest; /* 0: never */
	uint64_t size_bytes;
	struct cost cost; /* at the smallest size */
};

/* The rates with which a large product runs. */
struct table_formula {
	double link_bytes, cpu_flops, gpu_flops, break_even;
};

static bool explain_table_has_routine(enum family family, enum element element)
{
	for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++)
		if (symbol_table[symbol].role == ROLE_COMPUTE &&
		    symbol_table[symbol].family == family &&
		    symbol_table[symbol].element == element)
			return family != FAMILY_FFT_R2R;
	return false;
}

/* Row by row: families, elements, and of transforms one to three dimensions. */
static bool explain_table_next(int *position, struct call_problem *problem)
{
	for (; *position < FAMILY_COUNT * ELEMENT_BLAS_COUNT * TABLE_RANKS; ++*position) {
		const int rank = *position % TABLE_RANKS + 1;
		const enum element element =
			(enum element)(*position / TABLE_RANKS % ELEMENT_BLAS_COUNT);
		const enum family family =
			(enum family)(*position / TABLE_RANKS / ELEMENT_BLAS_COUNT);
		if (!explain_table_has_routine(family, element) ||
		    (!family_is_fft(family) && rank > 1))
			continue;
		*problem = (struct call_problem){
			.family = family,
			.element = element,
			.sizes = family_is_fft(family) ? rank
		                                       : (int)strlen(call_problem_sizes(family)),
			.count = family_is_batch(family) ? TABLE_BATCH : 1};
		++*position;
		return true;
	}
	return false;
}

static void explain_table_weigh(const struct machine *machine, const struct cost_setting *setting,
                                struct table_row *row)
{
	struct explain_call built;
	row->smallest = explain_smallest_find(machine, setting, &row->problem);
	if (row->smallest == 0 || !call_problem_build_square(&row->problem, row->smallest, &built))
		return;
	row->size_bytes = built.call.size_bytes;
	cost_predict(machine, setting, &built.call, &row->cost);
}

static struct table_formula explain_table_find_formula(const struct machine *machine,
                                                       const struct cost_setting *setting)
{
	const struct call_problem product = {
		.family = FAMILY_GEMM, .element = ELEMENT_D, .sizes = 3, .count = 1};
	struct table_formula formula = {.break_even = DBL_MAX};
	struct explain_call built;
	struct cost cost;
	if (!call_problem_build_square(&product, TABLE_LARGE, &built))
		return formula;
	cost_predict(machine, setting, &built.call, &cost);
	const double work = built.call.work_flops,
		     bytes = work / cost_find_intensity(setting, &built.call);
	formula.link_bytes = bytes / (cost.gpu.in_ns + cost.gpu.out_ns) * 1e9;
	formula.cpu_flops = work / cost.cpu.work_ns * 1e9;
	formula.gpu_flops = work / cost.gpu.work_ns * 1e9;
	formula.break_even =
		cost_break_even(formula.link_bytes, formula.cpu_flops, formula.gpu_flops);
	return formula;
}

static void explain_table_print_formula(const struct table_formula *formula)
{
	char link[HUMAN_BYTES], cpu[HUMAN_BYTES], gpu[HUMAN_BYTES], even[HUMAN_BYTES];
	units_amount(formula->link_bytes, "B/s", link);
	units_amount(formula->cpu_flops, "flop/s", cpu);
	units_amount(formula->gpu_flops, "flop/s", gpu);
	units_ratio(formula->break_even, even);
	printf("\nflop per byte moved from which a large dgemm pays without overlap:\n"
	       "(1 / link) / (1 / cpu - 1 / gpu)");
	if (formula->break_even == DBL_MAX)
		printf(" has no answer\nwith link %s, cpu %s, gpu %s\n", link, cpu, gpu);
	else
		printf(" = %s\nwith link %s, cpu %s, gpu %s\n", even, link, cpu, gpu);
}

static const char *explain_table_describe_shape(const struct call_problem *problem)
{
	static const char *const transform[] = {"", "n", "n x n", "n x n x n"};
	if (family_is_fft(problem->family))
		return transform[problem->sizes];
	return family_is_batch(problem->family) ? "100 squares" : "square";
}

static void explain_table_print_row(const struct table_row *row)
{
	char name[EXPLAIN_NAME_BYTES], count[HUMAN_BYTES], size[HUMAN_BYTES], cpu[HUMAN_BYTES],
		gpu[HUMAN_BYTES];
	call_problem_name(&row->problem, name);
	printf("%-20s %-12s", name, explain_table_describe_shape(&row->problem));
	if (row->smallest == 0) {
		printf(" %13s\n", "never");
		return;
	}
	human_format_count((uint64_t)row->smallest, count);
	human_format_size(row->size_bytes, size);
	units_time(row->cost.cpu.whole_ns, cpu);
	units_time(row->cost.gpu.whole_ns, gpu);
	printf(" %13s %9s %10s %10s\n", count, size, cpu, gpu);
}

void explain_table_print(const struct known_machine *machine, const struct cost_setting *setting)
{
	const struct table_formula formula =
		explain_table_find_formula(&machine->complete, setting);
	struct table_row row = {.smallest = 0};
	int position = 0;
	explain_print_machine(machine, setting);
	explain_table_print_formula(&formula);
	printf("\n%-20s %-12s %13s %9s %10s %10s\n", "routine", "shape",
	       "pays from n =", "operands", "CPU", "GPU");
	while (explain_table_next(&position, &row.problem)) {
		explain_table_weigh(&machine->complete, setting, &row);
		explain_table_print_row(&row);
	}
}

static void explain_table_print_json_row(struct json *json, const struct table_row *row)
{
	char name[EXPLAIN_NAME_BYTES];
	call_problem_name(&row->problem, name);
	json_open_object(json, NULL);
	json_put_text(json, "routine", name);
	json_put_text(json, "shape", explain_table_describe_shape(&row->problem));
	json_put_number(json, "smallest", row->smallest > 0 ? (double)row->smallest : -1);
	if (row->smallest > 0) {
		json_put_count(json, "bytes", row->size_bytes);
		json_put_number(json, "cpu_ns", row->cost.cpu.whole_ns);
		json_put_number(json, "gpu_ns", row->cost.gpu.whole_ns);
	}
	json_close_object(json);
}

void explain_table_print_json(const struct known_machine *machine,
                              const struct cost_setting *setting)
{
	const struct table_formula formula =
		explain_table_find_formula(&machine->complete, setting);
	struct json json = {.file = stdout};
	struct table_row row = {.smallest = 0};
	int position = 0;
	json_open_object(&json, NULL);
	explain_json_machine(&json, machine, setting);
	json_open_object(&json, "formula");
	json_put_number(&json, "link_bytes_s", formula.link_bytes);
	json_put_number(&json, "cpu_flops_s", formula.cpu_flops);
	json_put_number(&json, "gpu_flops_s", formula.gpu_flops);
	json_put_number(&json, "break_even_flops_per_byte", formula.break_even);
	json_close_object(&json);
	json_open_list(&json, "routines");
	while (explain_table_next(&position, &row.problem)) {
		explain_table_weigh(&machine->complete, setting, &row);
		explain_table_print_json_row(&json, &row);
	}
	json_close_list(&json);
	json_end(&json);
}
