/* summary.c - formats the summary as plain text */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/summary/summary.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "policy/decide/predict_text.h"
#include "policy/text/human.h"
#include "policy/text/number.h"
#include "policy/text/sentence.h"
#include "policy/text/words.h"
#include "shim/base/clock.h"
#include "shim/record/summary/children.h"
#include "shim/record/summary/summary_traffic.h"
#include "shim/record/summary/summary_write.h"
#include "shim/record/summary/text_columns.h"

enum { SUMMARY_PROGRAM_COLUMNS = 40, SUMMARY_BYTES = 32768 };

/* The columns of the table: those of words are aligned left, those of numbers right. */
enum summary_column {
	COLUMN_SYMBOL,
	COLUMN_TARGET,
	COLUMN_REASON,
	COLUMN_CALLS,
	COLUMN_TIME,
	COLUMN_WORKLOAD,
	COLUMN_COUNT
};

/* Blanks between columns; the least width of each. */
enum { COLUMN_GAP = 2 };
static const struct {
	const char *title;
	int least;
} summary_columns[COLUMN_COUNT] = {{"symbol", 18}, {"target", 6}, {"reason", 17},
                                   {"calls", 9},   {"time", 8},   {"workload", 8}};

struct summary_sum {
	uint64_t calls, elapsed_ns, size_bytes;
};

/*
 * Sums that are taken while the rows are written. width: of each column; first the rows are walked
 * to find the widths, then to write them.
 */
struct summary_table {
	const struct counters_file *const *files;
	size_t file_count;
	struct rank_count ranks;
	struct text_columns columns;
	struct summary_sum total;
	bool occurred[REASON_COUNT], measuring;
	int width[COLUMN_COUNT];
};

static void summary_add_cell(struct summary_sum *sum, const struct counters_cell *cell)
{
	sum->calls += atomic_load_explicit(&cell->calls, memory_order_relaxed);
	sum->elapsed_ns += atomic_load_explicit(&cell->elapsed_ns, memory_order_relaxed);
	sum->size_bytes += atomic_load_explicit(&cell->size_bytes, memory_order_relaxed);
}

static struct summary_sum summary_sum_up(const struct summary_table *table, int symbol,
                                         enum reason reason)
{
	struct summary_sum sum = {0};
	for (size_t i = 0; i < table->file_count; i++) {
		const struct counters_file *file = table->files[i];
		summary_add_cell(&sum, counters_find_cell(file, symbol, reason));
		if (counters_find_gate_reason(file, symbol) == reason)
			sum.calls += counters_count_forwarded(file, symbol);
	}
	return sum;
}

static void summary_widen(struct summary_table *table, const char *const cells[COLUMN_COUNT])
{
	for (int i = 0; i < COLUMN_COUNT; i++) {
		const int length = (int)strlen(cells[i]);
		if (length > table->width[i])
			table->width[i] = length;
	}
}

/* A symbol that is wider than its column has a line of its own. */
static void summary_write_row(struct summary_table *table, const char *const cells[COLUMN_COUNT])
{
	struct text_columns_line line = {.used = 0};
	const bool alone = (int)strlen(cells[COLUMN_SYMBOL]) > table->width[COLUMN_SYMBOL];
	if (alone) {
		text_columns_put(&line, cells[COLUMN_SYMBOL]);
		text_columns_end_line(&table->columns, &line);
	}
	for (int i = 0; i < COLUMN_COUNT; i++) {
		const int width = i < COLUMN_CALLS ? table->width[i] : -table->width[i];
		text_columns_put_column(&line, i == COLUMN_SYMBOL && alone ? "" : cells[i], width);
		text_columns_put_column(&line, "", i + 1 < COLUMN_COUNT ? COLUMN_GAP : 0);
	}
	text_columns_end_line(&table->columns, &line);
}

static void summary_put_row(struct summary_table *table, const char *const cells[COLUMN_COUNT])
{
	if (table->measuring)
		summary_widen(table, cells);
	else
		summary_write_row(table, cells);
}

/* Writes a row with its words and numbers, and adds these to the total. */
static void summary_put_sum(struct summary_table *table, const char *symbol, const char *target,
                            const char *reason, const struct summary_sum *sum)
{
	char calls[HUMAN_BYTES], time[HUMAN_BYTES], size[HUMAN_BYTES];
	human_format_count(sum->calls, calls);
	human_format_time(sum->elapsed_ns, time);
	human_format_size(sum->size_bytes, size);
	summary_put_row(table, (const char *const[COLUMN_COUNT]){symbol, target, reason, calls,
	                                                         sum->elapsed_ns > 0 ? time : "-",
	                                                         sum->size_bytes > 0 ? size : "-"});
	table->total.calls += sum->calls;
	table->total.elapsed_ns += sum->elapsed_ns;
	table->total.size_bytes += sum->size_bytes;
}

/* Planning and releasing are counted, but not decided on. */
static void summary_add_row(struct summary_table *table, int symbol, enum reason reason)
{
	const bool computes = symbol_table[symbol].role == ROLE_COMPUTE;
	const char *target = reason_outcome(reason) == OUTCOME_GPU ? "gpu" : "cpu";
	const struct summary_sum sum = summary_sum_up(table, symbol, reason);
	if (sum.calls == 0)
		return;
	summary_put_sum(table, symbol_table[symbol].name, computes ? target : "-",
	                computes ? reason_name(reason) : "-", &sum);
	table->occurred[reason] |= computes;
}

/* Calls for which the files had no free row. */
static void summary_add_undecided(struct summary_table *table)
{
	struct summary_sum sum = {0};
	for (size_t i = 0; i < table->file_count; i++)
		summary_add_cell(&sum, &table->files[i]->undecided);
	if (sum.calls > 0)
		summary_put_sum(table, "(all others)", "", "", &sum);
}

static void summary_walk_rows(struct summary_table *table)
{
	const char *titles[COLUMN_COUNT];
	for (int i = 0; i < COLUMN_COUNT; i++)
		titles[i] = summary_columns[i].title;
	table->total = (struct summary_sum){0};
	summary_put_row(table, titles);
	for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++)
		for (int reason = 0; reason < REASON_COUNT; reason++)
			summary_add_row(table, symbol, (enum reason)reason);
	summary_add_undecided(table);
	const struct summary_sum total = table->total;
	summary_put_sum(table, "total", "", "", &total);
}

/* The symbols have what the other columns leave of a line. */
static void summary_find_widths(struct summary_table *table)
{
	int rest = TEXT_COLUMNS_WIDTH;
	for (int i = 0; i < COLUMN_COUNT; i++)
		table->width[i] = summary_columns[i].least;
	table->measuring = true;
	summary_walk_rows(table);
	table->measuring = false;
	for (int i = COLUMN_SYMBOL + 1; i < COLUMN_COUNT; i++)
		rest -= COLUMN_GAP + table->width[i];
	if (table->width[COLUMN_SYMBOL] > rest)
		table->width[COLUMN_SYMBOL] = rest > 0 ? rest : 0;
}

static void summary_add_rows(struct summary_table *table)
{
	struct text_columns_line line = {.used = 0};
	summary_find_widths(table);
	text_columns_end_line(&table->columns, &line);
	summary_walk_rows(table);
}

static void summary_add_sentences(struct summary_table *table)
{
	struct text_columns_line line = {.used = 0};
	const enum reason failure = counters_find_failed_start(table->files, table->file_count);
	text_columns_end_line(&table->columns, &line);
	for (int reason = 0; reason < REASON_COUNT; reason++) {
		if (!table->occurred[reason])
			continue;
		line.used = 0;
		text_columns_put(&line, reason_name((enum reason)reason), ": ");
		if (reason == REASON_WARMING_UP && failure != REASON_NONE)
			text_columns_put(
				&line, "CUDA was starting, and failed: ", reason_sentence(failure));
		else
			text_columns_put(&line, reason_sentence((enum reason)reason));
		text_columns_end_line(&table->columns, &line);
	}
}

static void summary_add_children(struct summary_table *table)
{
	struct text_columns_line line = {.used = 0};
	if (children_describe(table->files, table->file_count, &line))
		text_columns_end_line(&table->columns, &line);
}

/* The largest of the processes' peaks. */
static void summary_add_memory(struct summary_table *table)
{
	struct text_columns_line line = {.used = 0};
	char text[HUMAN_BYTES];
	int64_t peak = 0;
	for (size_t i = 0; i < table->file_count; i++) {
		const int64_t bytes = atomic_load_explicit(&table->files[i]->device_bytes_peak,
		                                           memory_order_relaxed);
		peak = bytes > peak ? bytes : peak;
	}
	if (peak <= 0)
		return;
	human_format_size((uint64_t)peak, text);
	text_columns_put(&line, "GPU memory requested at most: ", text,
	                 table->file_count > 1 ? " by one process" : "");
	text_columns_end_line(&table->columns, &line);
}

/* -- savings, trial calls, dry run, verification ---------------------------------------------- */

/* Sums of struct counters_totals over the files. */
struct summary_totals {
	uint64_t looks, offloads, verified, disagreed;
	int64_t gain_ns, look_loss_ns;
};

static struct summary_totals summary_add_totals(const struct summary_table *table)
{
	struct summary_totals sum = {0};
	for (size_t i = 0; i < table->file_count; i++) {
		const struct counters_totals *totals = &table->files[i]->totals;
#define ADD(member) sum.member += atomic_load_explicit(&totals->member, memory_order_relaxed)
		ADD(looks);
		ADD(offloads);
		ADD(verified);
		ADD(disagreed);
		ADD(gain_ns);
		ADD(look_loss_ns);
#undef ADD
	}
	return sum;
}

static const char *summary_format_ns(int64_t time_ns, char text[HUMAN_BYTES])
{
	human_format_time((uint64_t)(time_ns < 0 ? -time_ns : time_ns), text);
	return text;
}

static const char *summary_format_calls(uint64_t calls, char text[HUMAN_BYTES])
{
	human_format_count(calls, text);
	return text;
}

/* The largest difference of the calls that agreed, over all files. */
static struct counters_worst summary_find_worst(const struct summary_table *table)
{
	struct counters_worst worst = {.symbol = -1};
	for (size_t i = 0; i < table->file_count; i++) {
		const struct counters_worst one = counters_read_worst(table->files[i]);
		if (one.symbol >= 0 && (worst.symbol < 0 || one.ratio > worst.ratio))
			worst = one;
	}
	return worst;
}

static void summary_add_verified(struct summary_table *table, const struct summary_totals *sum)
{
	const struct counters_worst worst = summary_find_worst(table);
	struct text_columns_line line = {.used = 0};
	char calls[HUMAN_BYTES], share[HUMAN_BYTES];
	text_columns_put(&line, "verified on the CPU: ", summary_format_calls(sum->verified, calls),
	                 sum->verified == 1 ? " call on the GPU, " : " calls on the GPU, ");
	if (sum->disagreed == 0)
		text_columns_put(&line, sum->verified == 1 ? "which agrees" : "which all agree");
	else if (sum->verified == 1)
		text_columns_put(&line, "which disagrees (verify_failed)");
	else
		text_columns_put(&line, summary_format_calls(sum->disagreed, calls),
		                 sum->disagreed == 1 ? " of which disagrees (verify_failed)"
		                                     : " of which disagree (verify_failed)");
	text_columns_end_line(&table->columns, &line);
	if (worst.symbol < 0)
		return;
	line.used = 0;
	human_format_share((uint64_t)(worst.ratio * 1e9), 1000000000, share);
	text_columns_put(&line, "  largest difference", sum->disagreed > 0 ? " of the others" : "",
	                 ": ", share, " of what rounding explains, in ",
	                 symbol_table[worst.symbol].name);
	text_columns_end_line(&table->columns, &line);
}

/* gain_ns is the expected time on the CPU minus the measured time of calls on the GPU. */
static void summary_add_times(struct summary_table *table)
{
	const struct summary_totals sum = summary_add_totals(table);
	struct text_columns_line line = {.used = 0};
	char first[HUMAN_BYTES], second[HUMAN_BYTES];
	if (sum.offloads > 0) {
		text_columns_put(&line,
		                 sum.gain_ns < 0 ? "lost on the GPU: " : "saved by the GPU: ",
		                 summary_format_ns(sum.gain_ns, first),
		                 ", by the expected CPU times of its calls");
		text_columns_end_line(&table->columns, &line);
	}
	if (sum.looks > 0) {
		text_columns_put(&line, summary_format_calls(sum.looks, first),
		                 sum.looks == 1 ? " call" : " calls",
		                 " tried on the other processor, at a cost of ",
		                 summary_format_ns(sum.look_loss_ns, second));
		text_columns_end_line(&table->columns, &line);
	}
	if (sum.verified > 0)
		summary_add_verified(table, &sum);
}

/* All calls that compute, or only those that the GPU computed. */
static uint64_t summary_count_calls(const struct summary_table *table, bool gpu_only)
{
	uint64_t calls = 0;
	for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++)
		for (int reason = 0; reason < REASON_COUNT; reason++)
			if (symbol_table[symbol].role == ROLE_COMPUTE &&
			    (!gpu_only || reason_outcome((enum reason)reason) == OUTCOME_GPU))
				calls += summary_sum_up(table, symbol, (enum reason)reason).calls;
	return calls;
}

static void summary_add_line(struct summary_table *table, const char *before, const char *text,
                             const char *after)
{
	struct text_columns_line line = {.used = 0};
	if (text[0] == '\0')
		return;
	text_columns_put(&line, before, text, after);
	text_columns_end_line(&table->columns, &line);
}

static void summary_add_prediction(struct summary_table *table)
{
	struct predict_totals sum = {.calls = 0};
	struct predict_text text;
	char machine[COUNTERS_MACHINE_BYTES];
	uint64_t gate = PREDICT_GATE_TIME;
	const struct counters_dry *dry =
		counters_sum_dry(table->files, table->file_count, &sum, &gate);
	if (dry == NULL || summary_count_calls(table, false) == 0)
		return;
	/* A file of counters may be of another program: its text need not end. */
	struct sentence sentence = sentence_start(machine, sizeof machine);
	sentence_add_words(&sentence,
	                   words_make(dry->machine, strnlen(dry->machine, sizeof machine - 1)));
	predict_text_write(&sum, (double)atomic_load_explicit(&dry->start_ns, memory_order_relaxed),
	                   gate, &text);
	summary_add_line(table, "", machine, ":");
	summary_add_line(table, "  ", text.calls, "");
	summary_add_line(table, "  ", text.setups, "");
}

/* -- the headline ----------------------------------------------------------------------------- */

/* The file's name without its folder; control characters become question marks. */
static void summary_put_program(struct text_columns_line *line, const char *program)
{
	const char *slash = strrchr(program, '/');
	const char *name = slash != NULL ? slash + 1 : program;
	for (int i = 0; i < SUMMARY_PROGRAM_COLUMNS && name[i] != '\0'; i++) {
		const unsigned char letter = (unsigned char)name[i];
		const char shown[2] = {letter < ' ' || letter == 0x7f ? '?' : name[i], '\0'};
		text_columns_put(line, shown);
	}
	if (name[0] == '\0')
		text_columns_put(line, "unknown program");
}

static int64_t summary_find_end(const struct counters_file *file)
{
	const int64_t end_ns = atomic_load_explicit(&file->end_realtime_ns, memory_order_relaxed);
	return end_ns == 0 && file->pid == getpid() ? clock_realtime_ns() : end_ns;
}

/* From the first start to the last end; 0 if a process has no end recorded. */
static uint64_t summary_find_wall_ns(const struct summary_table *table)
{
	int64_t start_ns = INT64_MAX, end_ns = 0;
	for (size_t i = 0; i < table->file_count; i++) {
		const int64_t file_end_ns = summary_find_end(table->files[i]);
		if (file_end_ns == 0)
			return 0;
		if (file_end_ns > end_ns)
			end_ns = file_end_ns;
		if (table->files[i]->start_realtime_ns < start_ns)
			start_ns = table->files[i]->start_realtime_ns;
	}
	return end_ns > start_ns ? (uint64_t)(end_ns - start_ns) : 0;
}

static void summary_put_processes(struct text_columns_line *line, const struct summary_table *table)
{
	char text[HUMAN_BYTES];
	text_columns_put(line, "gpushim: ");
	summary_put_program(line, table->files[0]->program);
	if (table->file_count == 1 && table->ranks.started <= 1) {
		number_format_count((uint64_t)table->files[0]->pid, text);
		text_columns_put(line, " (pid ", text, ")");
		return;
	}
	if (table->ranks.started > 1) {
		char ranks[RANK_COUNT_BYTES];
		rank_count_name(&table->ranks, ranks);
		text_columns_put(line, ", ", ranks);
		return;
	}
	human_format_count(table->file_count - 1, text);
	text_columns_put(line, " and ", text,
	                 table->file_count == 2 ? " more process" : " more processes");
}

static void summary_add_headline(struct summary_table *table)
{
	struct text_columns_line line = {.used = 0};
	char time[HUMAN_BYTES], count[HUMAN_BYTES], share[HUMAN_BYTES];
	const uint64_t calls = summary_count_calls(table, false);
	const uint64_t wall_ns = summary_find_wall_ns(table);
	human_format_time(wall_ns, time);
	human_format_share(summary_count_calls(table, true), calls, share);
	summary_put_processes(&line, table);
	if (wall_ns > 0)
		text_columns_put(&line, ", ", time);
	text_columns_put(&line, ": ", summary_format_calls(calls, count),
	                 calls == 1 ? " call, " : " calls, ", share, " on the GPU");
	text_columns_end_line(&table->columns, &line);
}

size_t summary_format(const struct counters_file *const files[], size_t file_count, char *out,
                      size_t size)
{
	return summary_format_job(files, file_count, &(const struct rank_count){0}, out, size);
}

size_t summary_format_job(const struct counters_file *const files[], size_t file_count,
                          const struct rank_count *ranks, char *out, size_t size)
{
	struct summary_table table = {.files = files,
	                              .file_count = file_count,
	                              .ranks = *ranks,
	                              .columns = {out, size, 0, false}};
	if (size == 0)
		return 0;
	out[0] = '\0';
	if (file_count == 0)
		return 0;
	summary_add_headline(&table);
	summary_add_rows(&table);
	summary_add_sentences(&table);
	summary_add_children(&table);
	summary_add_memory(&table);
	summary_traffic_add(table.files, table.file_count, &table.columns);
	summary_add_times(&table);
	summary_add_prediction(&table);
	return table.columns.used;
}

void summary_print(const struct options *options)
{
	static char text[SUMMARY_BYTES];
	const char *where = options->summary;
	const struct counters_file *const file = counters_view();
	const struct summary_table table = {.files = &file, .file_count = 1};
	const int saved_errno = errno;
	if (where[0] == '\0' || words_equal(words_of(where), words_of("off")))
		return;
	/* After a fork that ran no handlers the counts are the parent's. */
	if (file->pid == getpid() && summary_count_calls(&table, false) > 0)
		summary_write_text(where, text, summary_format(&file, 1, text, sizeof(text)));
	errno = saved_errno;
}
