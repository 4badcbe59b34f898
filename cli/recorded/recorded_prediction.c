/* recorded_prediction.c - reads logs for their times, and again for their decisions */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/recorded/recorded_prediction.h"

#include <string.h>
#include <sys/stat.h>

#include "cli/common/say.h"

bool recorded_prediction_can_repeat(const char *const *paths, size_t count)
{
	struct stat status;
	for (size_t i = 0; i < count; i++)
		if (strcmp(paths[i], "-") == 0 ||
		    (stat(paths[i], &status) == 0 && !S_ISREG(status.st_mode)))
			return false;
	return true;
}

/* The machine of the first record that names one; an empty text where none does. */
static void recorded_prediction_find_name(const char *const *paths, size_t count,
                                          char name[MACHINE_NAME_BYTES])
{
	struct log_record record;
	name[0] = '\0';
	if (!recorded_prediction_can_repeat(paths, count))
		return;
	struct log *log = log_open(paths, count);
	while (name[0] == '\0' && log_next(log, &record)) {
		const struct words machine = record.dry_machine;
		if (machine.length > 1 && machine.length < MACHINE_NAME_BYTES) {
			memcpy(name, machine.text, machine.length);
			name[machine.length] = '\0';
		}
	}
	log_close(log);
}

bool recorded_prediction_load(struct known_machine *machine, const char *named,
                              const char *const *paths, size_t count, const struct options *options)
{
	char name[MACHINE_NAME_BYTES];
	if (!known_machine_load(machine, named, options))
		return false;
	if (machine->is_named)
		return true;
	recorded_prediction_find_name(paths, count, name);
	if (name[0] == '\0' || strcmp(name, machine->profile.name) == 0 ||
	    known_machine_load_called(machine, words_of(name)))
		return true;
	say("the log expects times of the machine '%s', whose profile is not among those that come "
	    "with the shim: the times are expected anew; --profile FILE names it",
	    name);
	return true;
}

bool recorded_prediction_was_read(struct log *log, const struct log_record *record,
                                  const struct log *first)
{
	return log_file(log, record->file)->records <= log_file(first, record->file)->records;
}

static void recorded_prediction_replay(struct log *log, const struct log *first,
                                       struct recorded_sum *sum, struct recorded_replay *replay,
                                       const struct recorded_listener *listener)
{
	struct log_record record;
	struct recorded_view view;
	recorded_sum_rewind(sum);
	while (log_next(log, &record)) {
		if (record.nested || !recorded_prediction_was_read(log, &record, first))
			continue;
		recorded_sum_view(sum, &record, &view);
		const struct decision decision = recorded_replay_add(replay, &record, &view);
		if (listener != NULL)
			listener->hear(listener->context, &record, &view, &decision);
	}
}

struct predict_totals recorded_prediction_find(const char *const *paths, size_t count,
                                               const struct known_machine *machine,
                                               const struct options *options,
                                               const struct recorded_listener *listener)
{
	static struct options of_auto;
	struct log *first = log_open(paths, count), *again = log_open(paths, count);
	struct recorded_sum *sum = recorded_sum_make(options, machine);
	struct recorded_replay *replay = recorded_replay_make(sum, &of_auto);
	struct log_record record;
	uint64_t gpu_calls;
	predict_set_options(options, &of_auto);
	sum->cpu_threads = known_machine_threads(machine);
	while (log_next(first, &record))
		recorded_sum_add(sum, &record);
	recorded_sum_end(sum);
	recorded_prediction_replay(again, first, sum, replay, listener);
	recorded_replay_time(replay, &gpu_calls);
	const struct predict_totals totals = recorded_replay_get_totals(replay);
	recorded_replay_free(replay);
	recorded_sum_free(sum);
	log_close(again);
	log_close(first);
	return totals;
}
