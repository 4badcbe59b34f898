/* log_ranks.h - sums by rank of MPI and by GPU, and of products with a small inner size */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_LOG_LOG_RANKS_H
#define GPUSHIM_CLI_LOG_LOG_RANKS_H

#include "cli/log/log_tally.h"
#include "cli/log/row_index.h"

enum {
	LOG_PLACES = 4096, /* hosts and launches */
	LOG_USES = 65536,  /* processes and GPUs */
	LOG_PLACE_BYTES = 64,
	LOG_CARD_BYTES = 24,
	/* Inner sizes of products that update a larger matrix by blocks. */
	LOG_BLOCK_LEAST = 16,
	LOG_BLOCK_END = 256,
	LOG_BLOCK_ASPECT = 4
};

/* The host and the launch of a process; launcher, job and step are empty where it has none. */
struct log_place {
	char host[LOG_PLACE_BYTES], launcher[LOG_PLACE_BYTES];
	char job[LOG_PLACE_BYTES], step[LOG_PLACE_BYTES];
};

/* The calls of a process on a GPU. card: its PCI bus id; empty where no record says it. */
struct log_use {
	size_t process;
	int device;
	char card[LOG_CARD_BYTES];
	int64_t first_ns, last_ns; /* as in struct log_process */
	struct log_tally tally;
};

/* A rank of a launch. card: the GPU that it used most; empty where none is known. */
struct log_rank {
	int rank, size, place;
	size_t processes;
	char card[LOG_CARD_BYTES];
	struct log_sides sides;
};

/* A GPU of a host; and the processes that used it. place: of one of them. */
struct log_card {
	int place;
	size_t processes;
	char card[LOG_CARD_BYTES];
	int64_t first_ns, last_ns;
	struct log_tally tally;
};

/*
 * ranks, sorted by launch and number, and cards, sorted by host and bus id, are made at the end of
 * the log. full: a table was too small, so that some ranks or GPUs are missing. block_ns: the time
 * of products by their inner size, where the other sizes are at least LOG_BLOCK_ASPECT times as
 * large.
 */
struct log_ranks {
	size_t place_count, use_count, rank_count, card_count;
	struct log_place *places;
	struct log_use *uses;
	struct log_rank *ranks;
	struct log_card *cards;
	bool full;
	uint64_t block_calls;
	double block_ns[LOG_BLOCK_END];
	struct row_index use_index;
	size_t use_room;
};

/* Ends the tool where there is no memory. */
void log_ranks_make(struct log_ranks *ranks);
void log_ranks_free(struct log_ranks *ranks);

/* Adds a record, whose tally is one, of the process, which has the number row. */
void log_ranks_add(struct log_ranks *ranks, struct log_process *process, size_t row,
                   const struct log_record *record, const struct log_tally *one);

/* Makes ranks and cards of the processes, which are in the order of their numbers. */
void log_ranks_end(struct log_ranks *ranks, struct log_process *processes, size_t count);

#endif
