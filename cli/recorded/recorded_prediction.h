/* recorded_prediction.h - what policy auto would do with the calls of logs, for all commands */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_RECORDED_RECORDED_PREDICTION_H
#define GPUSHIM_CLI_RECORDED_RECORDED_PREDICTION_H

#include "cli/recorded/recorded_replay.h"

/*
 * The machine of a prediction: the profile that named stands for; where it is NULL the one that the
 * logs name, if it is known here, else as known_machine_load finds it. false after a message.
 */
bool recorded_prediction_load(struct known_machine *machine, const char *named,
                              const char *const *paths, size_t count,
                              const struct options *options);

/* Whether all paths are regular files: others cannot be read twice. */
bool recorded_prediction_can_repeat(const char *const *paths, size_t count);

/*
 * Asked of each record that can be replayed: records that were added to a file since it was read
 * first are left out. first: the log that was read to its end.
 */
bool recorded_prediction_was_read(struct log *log, const struct log_record *record,
                                  const struct log *first);

/* Called for each record with its decision; see recorded_replay_add. */
struct recorded_listener {
	void (*hear)(void *context, const struct log_record *record,
	             const struct recorded_view *view, const struct decision *decision);
	void *context;
};

/*
 * Reads the logs twice, and replays policy auto with the other options as they are. listener may be
 * NULL. What is wrong with the files is not told here. All 0 where there is no record.
 */
struct predict_totals recorded_prediction_find(const char *const *paths, size_t count,
                                               const struct known_machine *machine,
                                               const struct options *options,
                                               const struct recorded_listener *listener);

#endif
