/* explain_table.c - the size from which on each routine is faster on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/chart.h"
#include "cli/explain/explain.h"
#include "shim/table/symbol.h"

enum { TABLE_RANKS = 3, TABLE_BATCH = 100, TABLE_LARGE = 16384 };

/* A routine and its smallest size; of problem.size only the number of sizes is used. */
struct explain_row {
	struct call_problem problem;
	struct explain_smallest smallest;
	uint64_t size_bytes; /* of the smallest size that pays */
	struct cost cost;    /* at that size */
};

/* Rates at which a large product runs. */
struct table_formula {
	double link_bytes, cpu_flops, gpu_flops, break_even;
};

static bool explain_table_has_routine(enum family family, enum element element)
{
	for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++)
		if (symbol_table[symbol].role == ROLE_COMPUTE &&
		    symbol_table[symbol].family == family &&
		    symbol_table[symbol].element == element)
			return symbol_find_defect(symbol) == REASON_NONE;
	return false;
}

/* The next routine: by family, element, and for transforms by one to three dimensions. */
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
		if (family_is_lapack(family))
			call_problem_set_vectors(problem, true);
		++*position;
		return true;
	}
	return false;
}

static void explain_table_weigh(const struct explain_view *view, struct explain_row *row)
{
	struct built_call built;
	row->smallest = explain_smallest_find(view, &row->problem);
	if (row->smallest.pays == 0 ||
	    !call_problem_build_square(&row->problem, row->smallest.pays, &built))
		return;
	row->size_bytes = built.call.size_bytes;
	cost_predict(&view->machine->complete, view->setting, &built.call, &row->cost);
}

static struct table_formula explain_table_find_formula(const struct machine *machine,
                                                       const struct cost_setting *setting)
{
	const struct call_problem product = {
		.family = FAMILY_GEMM, .element = ELEMENT_D, .sizes = 3, .count = 1};
	struct table_formula formula = {.break_even = DBL_MAX};
	struct built_call built;
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

static void explain_table_print_formula(struct emit *emit, const struct table_formula *formula)
{
	const bool solved = formula->break_even != DBL_MAX;
	emit_open(emit, "formula");
	emit_print(emit, "\nflop per byte moved from which a large dgemm pays without overlap:\n"
	                 "(1 / link) / (1 / cpu - 1 / gpu)");
	emit_number(emit, EMIT_NO_KEY, solved ? " = %s\n" : " has no answer\n",
	            formula->break_even);
	emit_amount(emit, "link_bytes_s", "with link %s", formula->link_bytes, "B/s");
	emit_amount(emit, "cpu_flops_s", ", cpu %s", formula->cpu_flops, "flop/s");
	emit_amount(emit, "gpu_flops_s", ", gpu %s\n", formula->gpu_flops, "flop/s");
	emit_number(emit, "break_even_flops_per_byte", NULL, formula->break_even);
	emit_close(emit);
}

static const char *explain_table_describe_shape(const struct call_problem *problem)
{
	static const char *const transform[] = {"", "n", "n x n", "n x n x n"};
	if (family_is_fft(problem->family))
		return transform[problem->sizes];
	return family_is_batch(problem->family) ? "100 squares" : "square";
}

static void explain_table_print_row(struct emit *emit, const struct explain_row *row)
{
	char name[CALL_NAME_BYTES];
	call_problem_name(&row->problem, name);
	emit_open(emit, NULL);
	emit_text(emit, "routine", "%-20s", name);
	emit_text(emit, "shape", " %-12s", explain_table_describe_shape(&row->problem));
	if (row->smallest.pays > 0) {
		emit_count(emit, "smallest", " %13s", (uint64_t)row->smallest.pays);
		emit_size(emit, "bytes", " %9s", row->size_bytes);
		emit_time(emit, "cpu_ns", " %10s", row->cost.cpu.whole_ns);
		emit_time(emit, "gpu_ns", " %10s\n", row->cost.gpu.whole_ns);
	} else {
		emit_null(emit, "smallest");
		emit_print(emit, " %13s\n", "never");
	}
	emit_integer(emit, "smallest_by_time", NULL, row->smallest.by_time);
	emit_close(emit);
}

/*
 * The plot: from n = 2^PLOT_FIRST to 2^PLOT_LAST, PLOT_OCTAVE columns to a doubling; speedups from
 * 2^PLOT_LEAST to 2^PLOT_MOST, two rows to a doubling.
 */
enum {
	PLOT_FIRST = 4,
	PLOT_LAST = 15,
	PLOT_OCTAVE = 6,
	PLOT_COLUMNS = (PLOT_LAST - PLOT_FIRST) * PLOT_OCTAVE + 1,
	PLOT_LEAST = -3,
	PLOT_MOST = 5,
	PLOT_ROWS = (PLOT_MOST - PLOT_LEAST) * 2 + 1
};

static const struct plot_curve {
	char mark;
	struct call_problem problem;
} plot_curves[] = {
	{'s', {.family = FAMILY_GEMM, .element = ELEMENT_S, .sizes = 3, .count = 1}},
	{'d', {.family = FAMILY_GEMM, .element = ELEMENT_D, .sizes = 3, .count = 1}},
	{'z', {.family = FAMILY_GEMM, .element = ELEMENT_Z, .sizes = 3, .count = 1}},
	{'f', {.family = FAMILY_FFT_C2C, .element = ELEMENT_Z, .sizes = 2, .count = 1}},
};
enum { PLOT_CURVES = sizeof plot_curves / sizeof plot_curves[0] };

/* Sizes that options keep on the CPU are dots. */
static void explain_table_draw_curve(struct chart *chart, const struct plot_curve *curve,
                                     const struct explain_view *view)
{
	for (int column = 0; column < PLOT_COLUMNS; column++) {
		const double n = exp2(PLOT_FIRST + (double)column / PLOT_OCTAVE);
		const struct explain_size size =
			explain_smallest_look(view, &curve->problem, (int64_t)(n + 0.5));
		if (size.speedup > 0)
			chart_mark(chart, column, size.speedup, size.kept ? '.' : curve->mark, '*');
	}
}

static void explain_table_print_plot(struct emit *emit, const struct explain_view *view)
{
	static struct chart chart = {.rows = PLOT_ROWS,
	                             .columns = PLOT_COLUMNS,
	                             .label_width = 6,
	                             .least = 1.0 / (1 << -PLOT_LEAST),
	                             .most = 1 << PLOT_MOST,
	                             .is_log = true};
	chart_clear(&chart);
	chart_rule(&chart, 1);
	for (int i = 0; i < PLOT_CURVES; i++)
		explain_table_draw_curve(&chart, &plot_curves[i], view);
	for (int power = PLOT_LEAST; power <= PLOT_MOST; power++)
		snprintf(chart.label[(size_t)2 * (size_t)(PLOT_MOST - power)], HUMAN_BYTES, "%s%d",
		         power < 0 ? "1/" : "", 1 << (power < 0 ? -power : power));
	emit_print(emit, "\nspeedup of n x n by the GPU: s sgemm, d dgemm, z zgemm, f fftw_c2c, * "
	                 "several,\n. kept on the CPU by the gate or another option\n");
	chart_print(&chart, emit);
	chart_print_axis(&chart, emit, PLOT_OCTAVE);
	emit_print(emit, "%6s", "n");
	for (int power = PLOT_FIRST; power <= PLOT_LAST; power++)
		emit_print(emit, " %-*d", PLOT_OCTAVE - 1, 1 << power);
	emit_print(emit, "\n");
}

void explain_table_print(struct emit *emit, const struct explain_view *view)
{
	const struct table_formula formula =
		explain_table_find_formula(&view->machine->complete, view->setting);
	struct explain_row row = {.size_bytes = 0};
	int position = 0;
	known_machine_emit(emit, view->machine, view->setting);
	explain_table_print_formula(emit, &formula);
	emit_open_list(emit, "routines");
	emit_print(emit, "\n%-20s %-12s %13s %9s %10s %10s\n", "routine", "shape",
	           "pays from n =", "operands", "CPU", "GPU");
	while (explain_table_next(&position, &row.problem)) {
		explain_table_weigh(view, &row);
		explain_table_print_row(emit, &row);
	}
	emit_close_list(emit);
	if (!emit->is_json)
		explain_table_print_plot(emit, view);
}
