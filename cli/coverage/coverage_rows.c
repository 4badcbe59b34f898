/* coverage_rows.c - adds up the cells of all processes and finds what the shim can take */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "audit/count/count_names.h"
#include "cli/common/say.h"
#include "cli/coverage/coverage.h"
#include "cli/routines/untaken.h"
#include "shim/table/symbol.h"

/* A cell, the objects that its numbers stand for, and the routine that its name stands for. */
struct rows_view {
	const struct coverage_files *files;
	const struct count_file *file;
	const struct count_cell *cell;
	const struct count_object *caller, *provider;
	struct count_name name;
	bool is_inner; /* the caller is the provider: a library calls its own function */
};

void coverage_clean_name(char *name, size_t size, const char *path)
{
	const char *slash = strrchr(path, '/');
	snprintf(name, size, "%s", slash != NULL ? slash + 1 : path);
	/* "_flapack.cpython-310-x86_64-linux-gnu.so" becomes "_flapack.so". */
	char *python = strstr(name, ".cpython-");
	if (python != NULL)
		snprintf(python, size - (size_t)(python - name), ".so");
	for (; *name != '\0'; name++)
		if ((unsigned char)*name < ' ' || *name == 0x7f)
			*name = '?';
}

/* Whether calls of BLAS by this object were counted. */
static bool coverage_rows_calls_blas(const struct count_file *file, uint16_t object)
{
	struct count_name name;
	for (int i = 0; i < COUNT_CELLS; i++) {
		const struct count_cell *cell = &file->cells[i];
		if (cell->caller == object &&
		    atomic_load_explicit(&cell->calls, memory_order_relaxed) > 0 &&
		    count_names_parse(cell->symbol, &name) && name.routine->library == COUNT_BLAS)
			return true;
	}
	return false;
}

/* Why no BLAS calls of this LAPACK routine are counted; NULL if they are. */
static const char *coverage_rows_find_inside(const struct rows_view *view)
{
	if (view->name.is_lapacke)
		return NULL;
	const int row = untaken_find(view->cell->symbol, (enum count_maker)view->provider->maker);
	if (row == UNTAKEN_MKL || row == UNTAKEN_OPENBLAS)
		return untaken_sentence((enum untaken)row);
	if (view->is_inner || coverage_rows_calls_blas(view->file, view->cell->provider))
		return NULL;
	return untaken_sentence(UNTAKEN_SILENT);
}

static const char *coverage_rows_judge_row(const struct rows_view *view, int symbol)
{
	if ((view->cell->way & COUNT_WAY_NAMESPACE) != 0)
		return untaken_sentence(UNTAKEN_NAMESPACE);
	if ((view->cell->way & COUNT_WAY_DLSYM) != 0)
		return untaken_sentence(UNTAKEN_DLSYM);
	if (symbol_table[symbol].abi == ABI_BARE && view->name.convention == COUNT_BARE &&
	    atomic_load_explicit(&view->cell->unsized, memory_order_relaxed) > 0)
		return untaken_sentence(UNTAKEN_BARE);
	const enum reason defect = symbol_find_defect(symbol);
	return defect != REASON_NONE ? reason_sentence(defect) : NULL;
}

/* Why the shim does not take the cell's calls, by the shim's own table; NULL if it can. */
static const char *coverage_rows_judge(const struct rows_view *view)
{
	const struct count_routine *routine = view->name.routine;
	const int symbol = symbol_find(view->cell->symbol);
	if (symbol >= 0 &&
	    (!symbol_is_of(symbol, LIBRARY_LAPACK) || symbol_find_defect(symbol) == REASON_NONE))
		return coverage_rows_judge_row(view, symbol);
	if (routine->library == COUNT_LAPACK) {
		const char *inside = coverage_rows_find_inside(view);
		return inside != NULL ? inside : untaken_sentence(UNTAKEN_LAPACK);
	}
	const int row = untaken_find(view->cell->symbol, (enum count_maker)view->provider->maker);
	return untaken_sentence(row != UNTAKEN_NONE ? (enum untaken)row : UNTAKEN_NO_ROW);
}

/*
 * Whether the flops are part of the total: not for a LAPACK routine whose BLAS calls are counted.
 */
static bool coverage_rows_counts(const struct rows_view *view)
{
	const struct count_routine *routine = view->name.routine;
	if (routine->library == COUNT_LAPACK)
		return coverage_rows_find_inside(view) != NULL;
	return routine->library == COUNT_BLAS || routine->form == COUNT_FORM_EXECUTE;
}

/*
 * Fills the view; false for a cell without calls. Inner calls of planners, and of LAPACK that does
 * its work in BLAS, are left out: they are part of outer calls.
 */
static bool coverage_rows_view(struct rows_view *view, const struct coverage_files *files,
                               const struct count_file *file, int number)
{
	const struct count_cell *cell = &file->cells[number];
	if (atomic_load_explicit(&cell->ready, memory_order_relaxed) == 0 ||
	    atomic_load_explicit(&cell->calls, memory_order_relaxed) == 0)
		return false;
	*view = (struct rows_view){
		files, file, cell, &file->objects[cell->caller], &file->objects[cell->provider],
		{0},   false};
	if (!count_names_parse(cell->symbol, &view->name) ||
	    view->name.routine->library == COUNT_OUTSIDE)
		return false;
	view->is_inner = cell->caller == cell->provider;
	return !view->is_inner || coverage_rows_counts(view);
}

static struct coverage_row *coverage_rows_find(struct coverage_rows *rows, const char *label,
                                               const char *provider, const char *reason)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct coverage_row *row = &rows->rows[i];
		if (strcmp(row->label, label) == 0 && strcmp(row->provider, provider) == 0 &&
		    row->reason == reason)
			return row;
	}
	const size_t size = (rows->count + 1) * sizeof *rows->rows;
	rows->rows = say_need(realloc(rows->rows, size));
	struct coverage_row *row = &rows->rows[rows->count++];
	*row = (struct coverage_row){.reason = reason};
	snprintf(row->label, sizeof row->label, "%s", label);
	snprintf(row->provider, sizeof row->provider, "%s", provider);
	return row;
}

static void coverage_rows_add(struct coverage_row *row, const struct rows_view *view, bool counts)
{
	const struct count_cell *cell = view->cell;
	const uint64_t largest = atomic_load_explicit(&cell->largest, memory_order_relaxed);
	const bool is_unknown = view->name.routine->library == COUNT_LAPACK &&
	                        view->name.routine->form == COUNT_FORM_NONE;
	const struct coverage_spent spent =
		coverage_time_read(&cell->time, view->files, view->file);
	row->counts |= counts;
	row->spent.thread_ns += spent.thread_ns;
	row->spent.wall_ns += spent.wall_ns;
	row->calls += atomic_load_explicit(&cell->calls, memory_order_relaxed);
	if (counts) {
		row->unsized += atomic_load_explicit(is_unknown ? &cell->calls : &cell->unsized,
		                                     memory_order_relaxed);
		row->flops += atomic_load_explicit(&cell->flops, memory_order_relaxed);
		row->large_calls += atomic_load_explicit(&cell->large_calls, memory_order_relaxed);
		row->large_flops += atomic_load_explicit(&cell->large_flops, memory_order_relaxed);
	}
	if (largest < row->largest)
		return;
	row->largest = largest;
	for (int i = 0; i < COUNT_SIZES; i++)
		row->sizes[i] = atomic_load_explicit(&cell->sizes[i], memory_order_relaxed);
}

/* The time of executions is not known by plan: it is divided as their work is. */
static void coverage_rows_split_time(struct coverage_row *from, struct coverage_row *row,
                                     uint64_t flops)
{
	const double share = from->flops > 0 ? (double)flops / (double)from->flops : 0;
	const struct coverage_spent part = {(uint64_t)((double)from->spent.thread_ns * share),
	                                    (uint64_t)((double)from->spent.wall_ns * share)};
	row->on_gpu = true;
	row->spent.thread_ns += part.thread_ns;
	row->spent.wall_ns += part.wall_ns;
	from->spent.thread_ns -= part.thread_ns;
	from->spent.wall_ns -= part.wall_ns;
}

/*
 * Moves executions of plans that have no form on the GPU to a row of their own: they have a name
 * that the shim takes.
 */
static void coverage_rows_split(struct coverage_rows *rows, size_t from,
                                const struct count_cell *cell, enum count_barred barred)
{
	static const struct {
		const char *label;
		enum reason reason;
	} kind[COUNT_BARRED] = {
		[COUNT_BARRED_REAL] = {"r2r", REASON_REAL_TO_REAL},
		[COUNT_BARRED_SPLIT] = {"split", REASON_SPLIT_ARRAYS},
		[COUNT_BARRED_RANK] = {"> 3-D", REASON_UNSUPPORTED_RANK},
		[COUNT_BARRED_LOOPS] = {"loops", REASON_UNSUPPORTED_LAYOUT},
	};
	char label[COVERAGE_LABEL_BYTES], provider[COUNT_PATH_BYTES];
	const uint64_t calls =
		atomic_load_explicit(&cell->barred_calls[barred], memory_order_relaxed);
	const uint64_t flops =
		atomic_load_explicit(&cell->barred_flops[barred], memory_order_relaxed);
	if (calls == 0)
		return;
	snprintf(label, sizeof label, "%s %s", cell->symbol, kind[barred].label);
	memcpy(provider, rows->rows[from].provider, sizeof provider);
	struct coverage_row *row =
		coverage_rows_find(rows, label, provider, reason_sentence(kind[barred].reason));
	row->counts = true;
	row->calls += calls;
	row->flops += flops;
	rows->rows[from].calls -= calls;
	coverage_rows_split_time(&rows->rows[from], row, flops);
	rows->rows[from].flops -= flops;
}

/* All routines of level 1 have one row together, and so have those of level 2. */
static void coverage_rows_add_view(struct coverage_rows *rows, const struct rows_view *view)
{
	static const char *const level[] = {"", "level 1", "level 2"};
	char provider[COUNT_PATH_BYTES];
	const char *reason = coverage_rows_judge(view);
	const int number = view->name.routine->level;
	const bool is_plain = view->name.routine->library == COUNT_BLAS && number < 3;
	coverage_clean_name(provider, sizeof provider, view->provider->path);
	struct coverage_row *row = coverage_rows_find(
		rows, is_plain ? level[number] : view->cell->symbol, provider, reason);
	coverage_rows_add(row, view, coverage_rows_counts(view));
	row->needs_audit = reason == untaken_sentence(UNTAKEN_DLSYM) ||
	                   reason == untaken_sentence(UNTAKEN_NAMESPACE);
	const bool solved = view->name.routine->library == COUNT_LAPACK && reason == NULL;
	row->on_gpu |= (view->name.routine->library == COUNT_BLAS && number == 3) || solved ||
	               view->name.routine->form == COUNT_FORM_EXECUTE;
	row->is_elsewhere = view->name.routine->library == COUNT_LAPACK && !solved && !row->counts;
	if (is_plain)
		memset(row->sizes, 0, sizeof row->sizes);
	const size_t from = (size_t)(row - rows->rows);
	for (int barred = 0; barred < COUNT_BARRED && reason == NULL; barred++)
		coverage_rows_split(rows, from, view->cell, (enum count_barred)barred);
}

/*
 * Order of the rows: those that the shim can take first, then those that count, then by time, work,
 * calls and label.
 */
static int coverage_rows_compare(const void *a, const void *b)
{
	const struct coverage_row *left = a, *right = b;
	const int left_out = left->reason != NULL, right_out = right->reason != NULL;
	if (left_out != right_out)
		return left_out - right_out;
	if (left->counts != right->counts)
		return left->counts ? -1 : 1;
	if (left->spent.wall_ns != right->spent.wall_ns)
		return left->spent.wall_ns > right->spent.wall_ns ? -1 : 1;
	if (left->flops != right->flops)
		return left->flops > right->flops ? -1 : 1;
	if (left->calls != right->calls)
		return left->calls > right->calls ? -1 : 1;
	return strcmp(left->label, right->label);
}

static void coverage_rows_visit(struct coverage_rows *rows, const struct coverage_files *files,
                                void (*visit)(struct coverage_rows *rows,
                                              const struct rows_view *view))
{
	struct rows_view view;
	for (size_t i = 0; i < files->count; i++)
		for (int cell = 0; cell < COUNT_CELLS; cell++)
			if (coverage_rows_view(&view, files, files->files[i], cell))
				visit(rows, &view);
	if (rows->count > 1)
		qsort(rows->rows, rows->count, sizeof *rows->rows, coverage_rows_compare);
}

/*
 * A routine that several objects call, or that several threads bound at once, has several cells, in
 * which threads may be at the same time: their sum is at most the time in any such routine.
 */
static void coverage_rows_limit(struct coverage_rows *rows, const struct coverage_files *files)
{
	const uint64_t gpu_ns = coverage_time_add_up(files, COUNT_GROUP_GPU).wall_ns;
	const uint64_t cpu_ns = coverage_time_add_up(files, COUNT_GROUP_CPU).wall_ns;
	for (size_t i = 0; i < rows->count; i++) {
		struct coverage_spent *spent = &rows->rows[i].spent;
		const uint64_t limit_ns = rows->rows[i].on_gpu ? gpu_ns : cpu_ns;
		spent->wall_ns = spent->wall_ns < limit_ns ? spent->wall_ns : limit_ns;
	}
}

void coverage_rows_make(struct coverage_rows *rows, const struct coverage_files *files)
{
	*rows = (struct coverage_rows){0};
	coverage_rows_visit(rows, files, coverage_rows_add_view);
	coverage_rows_limit(rows, files);
}

static void coverage_rows_add_caller(struct coverage_rows *rows, const struct rows_view *view)
{
	char name[COUNT_PATH_BYTES], label[COVERAGE_LABEL_BYTES];
	if (!coverage_rows_counts(view))
		return;
	coverage_clean_name(name, sizeof name, view->caller->path);
	snprintf(label, sizeof label, "%s%s", name,
	         view->caller->provides != 0 ? ", inside LAPACK" : "");
	coverage_rows_add(coverage_rows_find(rows, label, "", NULL), view, true);
}

void coverage_rows_make_callers(struct coverage_rows *rows, const struct coverage_files *files)
{
	*rows = (struct coverage_rows){0};
	coverage_rows_visit(rows, files, coverage_rows_add_caller);
}

void coverage_rows_free(struct coverage_rows *rows)
{
	free(rows->rows);
	*rows = (struct coverage_rows){0};
}
