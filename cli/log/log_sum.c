/* log_sum.c - adds records to the rows of tables of limited size */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/log/log_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/log/row_index.h"

/*
 * The sums, and the indexes that find their rows while records are added. The sums come first: a
 * pointer to them is a pointer to this struct.
 */
struct sum_maker {
	struct log_sum sum;
	struct row_index cells, objects, processes;
	size_t process_room;
};

static struct sum_maker *log_sum_maker(struct log_sum *sum)
{
	return (struct sum_maker *)(void *)sum;
}

struct log_sum *log_sum_make(void)
{
	struct sum_maker *maker = say_need(calloc(1, sizeof *maker));
	struct log_sum *sum = &maker->sum;
	sum->cells = say_need(calloc(LOG_CELLS, sizeof *sum->cells));
	row_index_make(&maker->cells, LOG_CELLS);
	row_index_make(&maker->objects, LOG_OBJECTS);
	row_index_make(&maker->processes, LOG_PROCESSES);
	log_ranks_make(&sum->ranks);
	sum->first_ns = sum->last_ns = -1;
	sum->least_gpu_bytes = sum->most_cpu_bytes = -1;
	return sum;
}

void log_sum_free(struct log_sum *sum)
{
	struct sum_maker *maker = log_sum_maker(sum);
	if (sum == NULL)
		return;
	row_index_free(&maker->cells);
	row_index_free(&maker->objects);
	row_index_free(&maker->processes);
	log_ranks_free(&sum->ranks);
	free(sum->cells);
	free(sum->processes);
	free(maker);
}

/* Buckets begin at 1, 2 and 5 times the powers of ten. */
int64_t log_sum_bucket_bytes(int bucket)
{
	static const int step[] = {1, 2, 5};
	int64_t bytes = bucket > 0 ? step[(bucket - 1) % 3] : 0;
	for (int i = 0; i < (bucket - 1) / 3; i++)
		bytes *= 10;
	return bytes;
}

int log_sum_bucket(int64_t size_bytes)
{
	int64_t decade = 1;
	int bucket = 1;
	if (size_bytes <= 0)
		return 0;
	for (; bucket + 3 < LOG_BUCKETS && size_bytes / 10 >= decade; bucket += 3)
		decade *= 10;
	const int steps = (size_bytes / 2 >= decade) + (size_bytes / 5 >= decade);
	return bucket + steps < LOG_BUCKETS ? bucket + steps : LOG_BUCKETS - 1;
}

void log_sum_add_tally(struct log_tally *to, const struct log_tally *from)
{
	to->calls += from->calls;
	to->timed += from->timed;
	to->predicted += from->predicted;
	to->regretted += from->regretted;
	to->elapsed_ns += from->elapsed_ns;
	to->size_bytes += from->size_bytes;
	to->work_flops += from->work_flops;
	to->predicted_cpu_ns += from->predicted_cpu_ns;
	to->predicted_gpu_ns += from->predicted_gpu_ns;
	to->measured_ns += from->measured_ns;
	to->regret_ns += from->regret_ns;
	to->wait_ns += from->wait_ns;
	to->verified += from->verified;
	to->disagreed += from->disagreed;
	if (from->verify_worst > to->verify_worst)
		to->verify_worst = from->verify_worst;
	to->nested += from->nested;
	to->sent_bytes += from->sent_bytes;
	to->kept_bytes += from->kept_bytes;
	if (from->workspace_bytes > to->workspace_bytes)
		to->workspace_bytes = from->workspace_bytes;
}

void log_sum_add_sides(struct log_sides *to, const struct log_sides *from)
{
	for (int target = 0; target < 2; target++)
		log_sum_add_tally(&to->side[target], &from->side[target]);
}

/* The tally of one record. */
static struct log_tally log_sum_count(const struct log_record *record)
{
	const uint64_t calls = record->total_calls > 0 ? (uint64_t)record->total_calls : 1;
	struct log_tally one = {.calls = calls};
	one.size_bytes = record->size_bytes > 0 ? (double)record->size_bytes : 0;
	one.work_flops = record->work_flops > 0 ? (double)record->work_flops : 0;
	one.verified = record->verify_ratio >= 0;
	one.disagreed = record->verify_ratio > 1;
	one.verify_worst = one.verified && !one.disagreed ? record->verify_ratio : 0;
	one.nested = record->nested ? calls : 0;
	one.workspace_bytes = record->workspace_bytes > 0 ? (double)record->workspace_bytes : 0;
	one.sent_bytes = record->sent_bytes > 0 ? (double)record->sent_bytes : 0;
	one.kept_bytes = record->kept_bytes > 0 ? (double)record->kept_bytes : 0;
	if (record->elapsed_ns < 0 || record->nested)
		return one;
	one.timed = calls;
	one.elapsed_ns = (double)record->elapsed_ns;
	if (record->predicted_cpu_ns < 0 || record->predicted_gpu_ns < 0)
		return one;
	one.predicted = 1;
	one.measured_ns = one.elapsed_ns;
	one.predicted_cpu_ns = (double)record->predicted_cpu_ns;
	one.predicted_gpu_ns = (double)record->predicted_gpu_ns;
	const double other_ns =
		record->target == TARGET_GPU ? one.predicted_cpu_ns : one.predicted_gpu_ns;
	const double longer_ns = one.elapsed_ns - one.predicted_gpu_ns;
	one.wait_ns = record->target == TARGET_GPU && longer_ns > 0 ? longer_ns : 0;
	one.regretted = one.elapsed_ns > other_ns;
	one.regret_ns = one.regretted ? one.elapsed_ns - other_ns : 0;
	return one;
}

/* Compares the whole key, since hashes may be equal. */
static bool log_sum_is_cell(const void *rows, size_t row, const void *key)
{
	const struct log_cell *cell = (const struct log_cell *)rows + row, *wanted = key;
	return cell->family == wanted->family && cell->element == wanted->element &&
	       cell->bucket == wanted->bucket && cell->reason == wanted->reason &&
	       cell->target == wanted->target;
}

/* Of totals the mean. */
static int64_t log_sum_find_size(const struct log_record *record)
{
	return record->total_calls > 0 ? record->size_bytes / record->total_calls
	                               : record->size_bytes;
}

static void log_sum_add_cell(struct sum_maker *maker, const struct log_record *record,
                             const struct log_tally *one)
{
	struct log_sum *sum = &maker->sum;
	const struct log_cell wanted = {.family = record->family,
	                                .element = record->element,
	                                .bucket = log_sum_bucket(log_sum_find_size(record)),
	                                .reason = record->reason,
	                                .target = record->target};
	const uint64_t hash =
		(((((uint64_t)(wanted.family + 1) * 16 + (uint64_t)(wanted.element + 1)) * 64 +
	           (uint64_t)wanted.bucket) *
	                  64 +
	          (uint64_t)(wanted.reason + 1)) *
	         2) +
		wanted.target;
	const struct row_query query = {hash, &wanted, sum->cells, log_sum_is_cell};
	bool fresh;
	const size_t row = row_index_find(&maker->cells, &query, &fresh);
	if (row == ROW_INDEX_FULL) {
		log_sum_add_tally(&sum->other_cells.side[record->target], one);
		return;
	}
	if (fresh) {
		sum->cells[row] = wanted;
		sum->cell_count++;
	}
	log_sum_add_tally(&sum->cells[row].tally, one);
}

static bool log_sum_is_object(const void *rows, size_t row, const void *key)
{
	const struct log_object *object = (const struct log_object *)rows + row;
	return strcmp(object->name, key) == 0;
}

/*
 * The shim writes "-" for an unknown caller, and ASCII only: other bytes are damage and become ?.
 */
static void log_sum_name_object(struct words object, char name[LOG_OBJECT_BYTES])
{
	const size_t length =
		object.length < LOG_OBJECT_BYTES ? object.length : LOG_OBJECT_BYTES - 1;
	const bool known = length > 1 || (length == 1 && object.text[0] != '-');
	memset(name, 0, LOG_OBJECT_BYTES);
	for (size_t i = 0; known && i < length; i++)
		name[i] = object.text[i] >= ' ' && object.text[i] <= '~' ? object.text[i] : '?';
}

static void log_sum_add_object(struct sum_maker *maker, const struct log_record *record,
                               const struct log_tally *one)
{
	struct log_sum *sum = &maker->sum;
	char name[LOG_OBJECT_BYTES];
	uint64_t hash = 0;
	bool fresh;
	log_sum_name_object(record->object, name);
	for (const char *at = name; *at != '\0'; at++)
		hash = (hash ^ (unsigned char)*at) * 0x100000001b3;
	const struct row_query query = {hash, name, sum->objects, log_sum_is_object};
	const size_t row = row_index_find(&maker->objects, &query, &fresh);
	struct log_sides *sides = &sum->other_objects;
	if (row != ROW_INDEX_FULL) {
		sides = &sum->objects[row].sides;
		if (fresh)
			memcpy(sum->objects[row].name, name, LOG_OBJECT_BYTES);
		sum->object_count += fresh;
	}
	log_sum_add_tally(&sides->side[record->target], one);
}

static bool log_sum_is_process(const void *rows, size_t row, const void *key)
{
	const struct log_process *process = (const struct log_process *)rows + row, *wanted = key;
	return process->file == wanted->file && process->pid == wanted->pid;
}

/* Longer calls, which only a damaged log has, are cut: sums of times stay below 2^63. */
static const int64_t sum_longest_ns = (int64_t)1 << 60;

/* When the call ended; when it began where it was not timed. */
static int64_t log_sum_find_end(const struct log_record *record)
{
	const int64_t elapsed_ns = record->elapsed_ns > 0 ? record->elapsed_ns : 0;
	return record->time_ns + (elapsed_ns < sum_longest_ns ? elapsed_ns : sum_longest_ns);
}

void log_sum_stretch(int64_t *first_ns, int64_t *last_ns, const struct log_record *record)
{
	const int64_t begin_ns = record->time_ns, end_ns = log_sum_find_end(record);
	if (begin_ns < 0 || record->total_calls > 0)
		return;
	if (*first_ns < 0 || begin_ns < *first_ns)
		*first_ns = begin_ns;
	if (end_ns > *last_ns)
		*last_ns = end_ns;
}

static void log_sum_make_process(struct sum_maker *maker, size_t row,
                                 const struct log_process *wanted)
{
	struct log_sum *sum = &maker->sum;
	if (row >= maker->process_room) {
		maker->process_room = maker->process_room > 0 ? maker->process_room * 2 : 64;
		sum->processes =
			say_resize(sum->processes, maker->process_room, sizeof *sum->processes);
	}
	sum->processes[row] = *wanted;
	sum->process_count++;
}

static void log_sum_add_process(struct sum_maker *maker, const struct log_record *record,
                                const struct log_tally *one)
{
	struct log_sum *sum = &maker->sum;
	const struct log_process wanted = {.file = record->file,
	                                   .pid = record->pid,
	                                   .first_ns = -1,
	                                   .last_ns = -1,
	                                   .rank = -1,
	                                   .place = -1};
	const uint64_t hash = (uint64_t)record->pid * 65599 + record->file;
	const struct row_query query = {hash, &wanted, sum->processes, log_sum_is_process};
	bool fresh;
	const size_t row = row_index_find(&maker->processes, &query, &fresh);
	if (row == ROW_INDEX_FULL) {
		log_sum_add_tally(&sum->other_processes.side[record->target], one);
		return;
	}
	if (fresh)
		log_sum_make_process(maker, row, &wanted);
	struct log_process *process = &sum->processes[row];
	log_sum_stretch(&process->first_ns, &process->last_ns, record);
	log_sum_add_tally(&process->sides.side[record->target], one);
	log_ranks_add(&sum->ranks, process, row, record, one);
}

/* Records without a head add nothing: there is one for each process. */
static void log_sum_add_program(struct log_sum *sum, const struct log_record *record)
{
	struct log_program wanted = {.processes = 1};
	if (record->head[LOG_HEAD_program].text == NULL)
		return;
	for (int i = 0; i < LOG_HEADS_SHARED; i++)
		log_text_decode(record->head[i], wanted.text[i], LOG_HEAD_BYTES);
	for (size_t i = 0; i < sum->program_count; i++) {
		struct log_program *program = &sum->programs[i];
		bool same = true;
		for (int key = 0; key < LOG_HEADS_SHARED; key++)
			same = same && strcmp(program->text[key], wanted.text[key]) == 0;
		program->processes += same;
		if (same)
			return;
	}
	if (sum->program_count < LOG_PROGRAMS)
		sum->programs[sum->program_count++] = wanted;
	else
		sum->other_programs++;
}

static void log_sum_add_ratio(struct log_spread *spread, double measured_ns, double expected_ns)
{
	if (!(measured_ns > 0) || !(expected_ns > 0))
		return;
	const double bin = log2(measured_ns / expected_ns) * LOG_RATIO_OCTAVE + LOG_RATIO_ONE + 0.5;
	spread->count++;
	spread->bin[bin < 0 ? 0 : bin >= LOG_RATIOS ? LOG_RATIOS - 1 : (int)bin]++;
}

double log_sum_find_spread(const struct log_spread *spread, double share)
{
	const double wanted = share * (double)spread->count;
	uint64_t before = 0;
	if (spread->count == 0)
		return 1;
	for (int i = 0; i < LOG_RATIOS; i++) {
		before += spread->bin[i];
		if ((double)before >= wanted && before > 0)
			return exp2((double)(i - LOG_RATIO_ONE) / LOG_RATIO_OCTAVE);
	}
	return exp2((double)LOG_RATIO_ONE / LOG_RATIO_OCTAVE);
}

static void log_sum_note_size(struct log_sum *sum, const struct log_record *record)
{
	const int64_t size_bytes = log_sum_find_size(record);
	if (size_bytes <= 0)
		return;
	if (record->target == TARGET_GPU &&
	    (sum->least_gpu_bytes < 0 || size_bytes < sum->least_gpu_bytes))
		sum->least_gpu_bytes = size_bytes;
	if (record->target == TARGET_CPU && size_bytes > sum->most_cpu_bytes)
		sum->most_cpu_bytes = size_bytes;
}

void log_sum_add(struct log_sum *sum, const struct log_record *record)
{
	struct sum_maker *maker = log_sum_maker(sum);
	const struct log_tally one = log_sum_count(record);
	const int symbol = record->symbol >= 0 ? record->symbol : SYMBOL_COUNT;
	log_sum_add_tally(&sum->total.side[record->target], &one);
	log_sum_add_tally(&sum->symbols[symbol].side[record->target], &one);
	log_sum_add_cell(maker, record, &one);
	log_sum_add_object(maker, record, &one);
	log_sum_add_process(maker, record, &one);
	log_sum_add_program(sum, record);
	log_sum_stretch(&sum->first_ns, &sum->last_ns, record);
	log_sum_note_size(sum, record);
	sum->has_totals |= record->total_calls > 0;
	if (record->time_ns >= 0 && record->total_calls == 0)
		log_timeline_add(&sum->timeline, record->time_ns,
		                 record->nested ? record->time_ns : log_sum_find_end(record),
		                 record->target);
	if (one.predicted > 0)
		log_sum_add_ratio(&sum->spread[record->target], one.measured_ns,
		                  record->target == TARGET_GPU ? one.predicted_gpu_ns
		                                               : one.predicted_cpu_ns);
}

static int log_sum_compare_cells(const void *left, const void *right)
{
	const struct log_cell *a = left, *b = right;
	const int difference[] = {a->family - b->family, a->element - b->element,
	                          a->bucket - b->bucket, (int)a->target - (int)b->target,
	                          a->reason - b->reason};
	for (size_t i = 0; i < sizeof difference / sizeof difference[0]; i++)
		if (difference[i] != 0)
			return difference[i];
	return 0;
}

static int log_sum_compare_sides(const struct log_sides *a, const struct log_sides *b)
{
	const double a_ns = a->side[TARGET_CPU].elapsed_ns + a->side[TARGET_GPU].elapsed_ns;
	const double b_ns = b->side[TARGET_CPU].elapsed_ns + b->side[TARGET_GPU].elapsed_ns;
	return (a_ns < b_ns) - (a_ns > b_ns);
}

static int log_sum_compare_objects(const void *left, const void *right)
{
	const struct log_object *a = left, *b = right;
	const int order = log_sum_compare_sides(&a->sides, &b->sides);
	return order != 0 ? order : strcmp(a->name, b->name);
}

static int log_sum_compare_processes(const void *left, const void *right)
{
	const struct log_process *a = left, *b = right;
	const int order = log_sum_compare_sides(&a->sides, &b->sides);
	if (order != 0)
		return order;
	return a->file != b->file ? (a->file > b->file) - (a->file < b->file)
	                          : (a->pid > b->pid) - (a->pid < b->pid);
}

void log_sum_end(struct log_sum *sum)
{
	qsort(sum->cells, sum->cell_count, sizeof *sum->cells, log_sum_compare_cells);
	qsort(sum->objects, sum->object_count, sizeof *sum->objects, log_sum_compare_objects);
	log_ranks_end(&sum->ranks, sum->processes, sum->process_count);
	if (sum->process_count > 0)
		qsort(sum->processes, sum->process_count, sizeof *sum->processes,
		      log_sum_compare_processes);
}
