/* coverage_time.c - where the time of a program goes, and how much of it the shim could save */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "audit/count/count_names.h"
#include "cli/coverage/coverage.h"
#include "policy/text/words.h"

_Static_assert((int)COVERAGE_MATMUL == (int)COUNT_KIND_MATMUL &&
                       (int)COVERAGE_LINPACK == (int)COUNT_KIND_LINPACK &&
                       (int)COVERAGE_R_FFT == (int)COUNT_KIND_R_FFT,
               "coverage_outside.def begins with the kinds of count_outside.def");

static const struct time_outside {
	const char *objects, *name, *advice;
} time_outside[COVERAGE_OUTSIDES] = {
#define OUTSIDE_ROW(id, objects, name, advice) {objects, name, advice},
#include "cli/coverage/coverage_outside.def"
};

const char *coverage_time_name(enum coverage_outside outside)
{
	return time_outside[outside].name;
}

const char *coverage_time_advise(enum coverage_outside outside)
{
	return time_outside[outside].advice;
}

/* Nanoseconds in a unit of the file, by the two clocks at its start and at the program's end. */
static double coverage_time_find_unit(const struct coverage_files *files,
                                      const struct count_file *file)
{
	const double units = (double)(1 << COUNT_TICKS_SHIFT);
	const double ns = (double)(files->end.monotonic_ns - file->start.monotonic_ns);
	const double ticks = (double)(files->end.ticks - file->start.ticks);
	return file->ticks_are_ns != 0 || ticks <= 0 || ns <= 0 ? units : units * ns / ticks;
}

/* When the program ended, in units of the file. */
static uint64_t coverage_time_find_end(const struct coverage_files *files,
                                       const struct count_file *file)
{
	const int64_t ns = files->end.monotonic_ns - file->start.monotonic_ns;
	const uint64_t ticks = files->end.ticks - file->start.ticks;
	return (file->ticks_are_ns != 0 ? (uint64_t)ns : ticks) >> COUNT_TICKS_SHIFT;
}

static uint64_t coverage_time_clamp(uint64_t time_ns, int64_t limit_ns)
{
	const uint64_t limit = limit_ns > 0 ? (uint64_t)limit_ns : 0;
	return time_ns < limit ? time_ns : limit;
}

struct coverage_spent coverage_time_read(const struct count_time *time,
                                         const struct coverage_files *files,
                                         const struct count_file *file)
{
	const double unit_ns = coverage_time_find_unit(files, file);
	const uint64_t thread = atomic_load_explicit(&time->thread, memory_order_relaxed);
	uint64_t wall = atomic_load_explicit(&time->wall, memory_order_relaxed);
	if ((wall & ((1 << COUNT_ACTIVE_BITS) - 1)) != 0)
		wall += coverage_time_find_end(files, file) << COUNT_ACTIVE_BITS;
	wall >>= COUNT_ACTIVE_BITS;
	const uint64_t wall_ns =
		coverage_time_clamp((uint64_t)((double)wall * unit_ns), files->wall_ns);
	const uint64_t thread_ns = (uint64_t)((double)thread * unit_ns);
	/* Of calls that never ended, the threads' time is not known. */
	return (struct coverage_spent){thread_ns > wall_ns ? thread_ns : wall_ns, wall_ns};
}

static void coverage_time_add(struct coverage_spent *sum, struct coverage_spent spent,
                              const struct coverage_files *files)
{
	sum->thread_ns += spent.thread_ns;
	sum->wall_ns = coverage_time_clamp(sum->wall_ns + spent.wall_ns, files->wall_ns);
}

static void coverage_time_add_outside(struct coverage_times *times,
                                      const struct coverage_files *files,
                                      const struct count_file *file, const struct count_cell *cell)
{
	struct count_name name;
	if (atomic_load_explicit(&cell->ready, memory_order_relaxed) == 0 ||
	    !count_names_parse(cell->symbol, &name) || name.routine->library != COUNT_OUTSIDE)
		return;
	const int kind = name.routine->form;
	times->outside_calls[kind] += atomic_load_explicit(&cell->calls, memory_order_relaxed);
	coverage_time_add(&times->outside[kind], coverage_time_read(&cell->time, files, file),
	                  files);
}

static void coverage_time_add_samples(struct coverage_times *times,
                                      const struct coverage_files *files,
                                      const struct count_object *object)
{
	char name[COUNT_PATH_BYTES];
	const struct coverage_spent spent = {
		atomic_load_explicit(&object->samples.thread_ns, memory_order_relaxed),
		atomic_load_explicit(&object->samples.wall_ns, memory_order_relaxed)};
	coverage_clean_name(name, sizeof name, object->path);
	for (int i = 0; i < COVERAGE_OUTSIDES && spent.thread_ns > 0; i++)
		if (time_outside[i].objects[0] != '\0' &&
		    words_match(words_of(time_outside[i].objects), name))
			coverage_time_add(&times->outside[i], spent, files);
}

/* The part of the group's time that the share of its threads' time makes. */
static struct coverage_spent coverage_time_divide(const struct coverage_spent *group,
                                                  uint64_t part_ns, uint64_t whole_ns)
{
	const double share = whole_ns > 0 ? (double)part_ns / (double)whole_ns : 0;
	return (struct coverage_spent){part_ns, (uint64_t)((double)group->wall_ns * share)};
}

/*
 * What of the group of the GPU the shim can take is known by row, and by when at least one thread
 * was in any of its calls.
 */
static void coverage_time_divide_gpu(struct coverage_times *times,
                                     const struct coverage_spent *group,
                                     const struct coverage_rows *rows)
{
	uint64_t all_ns = 0, taken_ns = 0, audit_ns = 0;
	for (size_t i = 0; i < rows->count; i++) {
		const struct coverage_row *row = &rows->rows[i];
		if (!row->on_gpu) {
			times->other.thread_ns += row->spent.thread_ns;
			continue;
		}
		all_ns += row->spent.thread_ns;
		taken_ns += row->reason == NULL ? row->spent.thread_ns : 0;
		audit_ns += row->needs_audit ? row->spent.thread_ns : 0;
	}
	times->taken = coverage_time_divide(group, taken_ns, all_ns);
	times->audit = coverage_time_divide(group, audit_ns, all_ns);
	const struct coverage_spent rest =
		coverage_time_divide(group, all_ns - taken_ns - audit_ns, all_ns);
	times->other.thread_ns += rest.thread_ns;
	times->other.wall_ns += rest.wall_ns;
}

struct coverage_spent coverage_time_add_up(const struct coverage_files *files,
                                           enum count_group group)
{
	struct coverage_spent sum = {0, 0};
	for (size_t i = 0; i < files->count; i++) {
		const struct count_file *file = files->files[i];
		coverage_time_add(&sum, coverage_time_read(&file->group_time[group], files, file),
		                  files);
	}
	return sum;
}

void coverage_time_sum(struct coverage_times *times, const struct coverage_files *files,
                       const struct coverage_rows *rows)
{
	const struct coverage_spent gpu = coverage_time_add_up(files, COUNT_GROUP_GPU);
	*times = (struct coverage_times){0};
	for (size_t i = 0; i < files->count; i++) {
		const struct count_file *file = files->files[i];
		for (int cell = 0; cell < COUNT_CELLS; cell++)
			coverage_time_add_outside(times, files, file, &file->cells[cell]);
		for (int object = 0; object < COUNT_OBJECTS; object++)
			coverage_time_add_samples(times, files, &file->objects[object]);
	}
	times->other.wall_ns = coverage_time_add_up(files, COUNT_GROUP_CPU).wall_ns;
	coverage_time_divide_gpu(times, &gpu, rows);
	times->other.wall_ns = coverage_time_clamp(times->other.wall_ns, files->wall_ns);
}

double coverage_time_bound(const struct coverage_files *files, uint64_t spent_ns)
{
	const double wall_ns = (double)files->wall_ns, rest_ns = wall_ns - (double)spent_ns;
	return rest_ns > 0 ? wall_ns / rest_ns : INFINITY;
}
