/* cli_journal.h - reads records of the log: lines of JSON with the keys of field.def */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_JOURNAL_H
#define GPUSHIM_CLI_CLI_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

enum { CLI_JOURNAL_WORD_BYTES = 64 };

/* What the tool needs of a record. */
struct cli_journal {
	char symbol[CLI_JOURNAL_WORD_BYTES], target[CLI_JOURNAL_WORD_BYTES], reason[CLI_JOURNAL_WORD_BYTES];
	int64_t bytes, predicted_cpu_ns, predicted_gpu_ns, elapsed_ns;
};

/*
 * Reads one line, with or without its newline. false where it is not one whole object of strings, whole numbers and
 * flat objects of them, where a key above is missing, twice there or of another type, or where a word is too long.
 */
bool cli_journal_parse(struct cli_journal *journal, const char *line);

#endif
