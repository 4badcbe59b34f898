/* tune_print.c - the settings as a table, and what to change */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/tune/tune.h"
#include "policy/text/human.h"
#include "policy/text/number.h"
#include "policy/text/sentence.h"

enum { PRINT_SAVING_BYTES = HUMAN_BYTES + 8, PRINT_ENVIRONMENT_BYTES = TUNE_LINE_BYTES + 16 };

static uint64_t tune_print_ns(double time_ns)
{
	return time_ns > 0 && time_ns < 9e18 ? (uint64_t)(time_ns + 0.5) : 0;
}

/* "saves 1.20 s", "loses 300 ms". What is less than a thousandth is nothing. */
static void tune_print_saving(double saved_ns, double whole_ns, char text[PRINT_SAVING_BYTES])
{
	char time[HUMAN_BYTES];
	const double size_ns = saved_ns < 0 ? -saved_ns : saved_ns;
	human_format_time(tune_print_ns(size_ns), time);
	if (size_ns * 1000 <= whole_ns)
		snprintf(text, PRINT_SAVING_BYTES, "the same");
	else
		snprintf(text, PRINT_SAVING_BYTES, "%s %s", saved_ns < 0 ? "loses" : "saves", time);
}

static void tune_print_row(const struct tune_result *result, enum tune_setting setting)
{
	char time[HUMAN_BYTES], calls[HUMAN_BYTES], log[PRINT_SAVING_BYTES],
		cpu[PRINT_SAVING_BYTES];
	const struct tune_row *row = &result->row[setting], *rows = result->row;
	if (!row->tried)
		return;
	human_format_time(tune_print_ns(row->time_ns), time);
	human_format_count(row->gpu_calls, calls);
	tune_print_saving(rows[TUNE_LOGGED].time_ns - row->time_ns, rows[TUNE_LOGGED].time_ns, log);
	tune_print_saving(rows[TUNE_CPU].time_ns - row->time_ns, rows[TUNE_CPU].time_ns, cpu);
	printf("%-18s %10s  %-15s %-15s %12s\n", tune_name(setting), time,
	       setting == TUNE_LOGGED ? "-" : log, setting == TUNE_CPU ? "-" : cpu, calls);
}

static void tune_print_rows(const struct tune_result *result)
{
	printf("\n%-18s %10s  %-15s %-15s %12s\n", "setting", "in calls", "against the log",
	       "against all-CPU", "on the GPU");
	for (int setting = 0; setting < TUNE_SETTINGS; setting++)
		tune_print_row(result, (enum tune_setting)setting);
	printf("  (all on the GPU, waits, and both thresholds: what starts CUDA waits for it, as with warmup wait)\n");
	if (result->choice.gpu_calls > 0)
		printf("best threshold: EPOCHLY_GPU_WORKLOAD_THRESHOLD=%" PRIu64
		       ", with EPOCHLY_GPU_POLICY=threshold\n",
		       result->choice.bytes);
	else
		printf("best threshold: none, which is EPOCHLY_GPU_POLICY=never\n");
}

static void tune_print_head(const struct tune_result *result)
{
	char calls[HUMAN_BYTES], processes[HUMAN_BYTES], time[HUMAN_BYTES], start[HUMAN_BYTES];
	const struct tune_sum *sum = result->sum;
	const struct machine *machine = &sum->machine->complete;
	human_format_count(sum->all.calls, calls);
	human_format_count(sum->process_count, processes);
	human_format_time(tune_print_ns(sum->all.elapsed_ns), time);
	human_format_time(tune_print_ns(machine->start_ns), start);
	printf("log        %s calls of %s%s process%s, %s in them\n", calls,
	       sum->more_processes ? "more than " : "", processes,
	       sum->process_count == 1 ? "" : "es", time);
	printf("machine    %s, %d thread%s; CUDA's start takes %s, and each process that uses the GPU pays it\n",
	       machine->name[0] != '\0' ? machine->name : "not measured, assumptions",
	       sum->cpu_threads, sum->cpu_threads == 1 ? "" : "s", start);
}

/* Where the times of the other side come from. */
static void tune_print_source(const struct tune_sum *sum)
{
	char count[HUMAN_BYTES];
	const uint64_t movable = sum->all.calls - sum->bound.calls - sum->blurred.calls;
	const uint64_t reckoned = sum->by_model ? movable : sum->reckoned;
	human_format_count(reckoned, count);
	if (reckoned == 0)
		printf("times      what calls took; on the other side what the log expected of it\n");
	else if (reckoned == movable)
		printf("times      what calls took; on the other side what this machine is expected to take\n");
	else
		printf("times      what calls took; on the other side what the log expected of it, of %s calls this "
		       "machine\n",
		       count);
	human_format_count(sum->bound.calls, count);
	if (sum->bound.calls > 0)
		printf("           %s calls can run on one side only, and stay\n", count);
	human_format_count(sum->blurred.calls, count);
	if (sum->blurred.calls > 0)
		printf("           %s calls are left where they were: their records do not tell enough of them\n",
		       count);
}

static void tune_print_routines(const struct tune_result *result)
{
	char name[CALL_NAME_BYTES], calls[HUMAN_BYTES], gpu[HUMAN_BYTES], cpu[HUMAN_BYTES],
		best[HUMAN_BYTES], threshold[NUMBER_DIGITS_BYTES];
	if (result->routine_count < 2)
		return;
	printf("\n%-17s %10s  %10s  %10s  %10s %12s\n", "routine", "calls", "all-CPU", "threshold",
	       "with it", "on the GPU");
	for (int i = 0; i < result->routine_count; i++) {
		const struct tune_routine *routine = &result->routines[i];
		struct sentence sentence = sentence_start(name, sizeof name);
		routine_threshold_add_name(&sentence, routine->family, routine->element);
		human_format_count(routine->calls, calls);
		human_format_count(routine->choice.gpu_calls, gpu);
		human_format_time(tune_print_ns(routine->cpu_ns), cpu);
		human_format_time(tune_print_ns(routine->choice.time_ns), best);
		number_format_count(routine->choice.bytes, threshold);
		printf("%-18s %10s  %10s  %12s  %10s %12s\n", name, calls, cpu,
		       routine->choice.gpu_calls > 0 ? threshold : "none", best, gpu);
	}
	printf("  (CUDA's start is not in these times)\n");
}

/* Calls that no record tells of. */
static void tune_print_unseen(const struct tune_result *result)
{
	char size[HUMAN_BYTES];
	if (result->sum->all_sizes || result->sum->least_bytes == UINT64_MAX)
		return;
	human_format_size(result->sum->least_bytes, size);
	printf("\nThe smallest recorded call has %s. Smaller ones, if there were any, are not in a log of level decision,\n"
	       "and no threshold below can be judged. To record them: EPOCHLY_GPU_LOG_LEVEL=call, or\n"
	       "EPOCHLY_GPU_POLICY=dry EPOCHLY_GPU_WORKLOAD_THRESHOLD=0.\n",
	       size);
}

/* key = value -> EPOCHLY_GPU_<KEY>=value */
static void tune_print_option(const char *line)
{
	char text[PRINT_ENVIRONMENT_BYTES];
	const size_t key = strcspn(line, " ");
	snprintf(text, sizeof text, "%.*s=%s", (int)key, line, line + key + strlen(" = "));
	for (char *letter = text; *letter != '=' && *letter != '\0'; letter++)
		if (*letter >= 'a' && *letter <= 'z')
			*letter = (char)(*letter - 'a' + 'A');
	printf("  EPOCHLY_GPU_%s\n", text);
}

static void tune_print_best(const struct tune_result *result)
{
	char line[TUNE_LINE_BYTES], saved[HUMAN_BYTES], share[HUMAN_BYTES];
	int position = 0;
	const enum tune_setting base = tune_find_base(result);
	const double base_ns = result->row[base].time_ns,
		     saved_ns = base_ns - result->row[result->best].time_ns;
	human_format_time(tune_print_ns(saved_ns), saved);
	human_format_share(tune_print_ns(saved_ns), tune_print_ns(base_ns), share);
	printf("\nproposed: %s, which saves %s (%s) against %s\n", tune_name(result->best), saved,
	       share, base == TUNE_PRESENT ? "the present settings" : "the log");
	while (tune_next_line(result, &position, line))
		tune_print_option(line);
	if ((result->best == TUNE_AUTO || result->best == TUNE_WAIT) &&
	    (result->request->options.workload_threshold_given ||
	     result->request->options.deterministic))
		printf("  without the workload_threshold, policies of routines, and deterministic that are set now\n");
}

static void tune_print_nothing(const struct tune_result *result)
{
	const enum tune_setting base = tune_find_base(result);
	enum tune_setting next = base;
	char share[HUMAN_BYTES];
	for (int i = TUNE_CPU; i < TUNE_SETTINGS; i++)
		if (result->row[i].tried && result->row[i].time_ns < result->row[next].time_ns)
			next = (enum tune_setting)i;
	const double base_ns = result->row[base].time_ns;
	human_format_share(tune_print_ns(base_ns - result->row[next].time_ns),
	                   tune_print_ns(base_ns), share);
	if (next == base)
		printf("\nNothing is worth changing: no other setting would take less.\n");
	else
		printf("\nNothing is worth changing: the best other setting, %s, would save %s.\n",
		       tune_name(next), share);
}

void tune_print(const struct tune_result *result)
{
	tune_print_head(result);
	tune_print_source(result->sum);
	tune_print_rows(result);
	if (!result->row[TUNE_PRESENT].tried)
		printf("  (a pipe cannot be read twice: policy auto and the present settings need the order of calls)\n");
	tune_print_routines(result);
	tune_plot(result);
	if (result->sum->cell_count == 0)
		printf("\nNothing can be told: no call of these logs has sizes and a time, and could run elsewhere.\n");
	else if (result->best == tune_find_base(result))
		tune_print_nothing(result);
	else
		tune_print_best(result);
	tune_print_unseen(result);
}
