/* log_ranks.c - adds up processes by rank and their calls by GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/log/log_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"

void log_ranks_make(struct log_ranks *ranks)
{
	*ranks = (struct log_ranks){.place_count = 0};
	ranks->places = say_need(calloc(LOG_PLACES, sizeof *ranks->places));
	row_index_make(&ranks->use_index, LOG_USES);
}

void log_ranks_free(struct log_ranks *ranks)
{
	row_index_free(&ranks->use_index);
	free(ranks->places);
	free(ranks->uses);
	free(ranks->ranks);
	free(ranks->cards);
}

/* -- the launch of a process ----------------------------------------------------------------- */

static void log_ranks_copy_head(const struct log_record *record, enum log_head key,
                                char out[LOG_PLACE_BYTES])
{
	if (record->head[key].text != NULL)
		log_text_decode(record->head[key], out, LOG_PLACE_BYTES);
}

/* A number that is not negative, or -1. */
static int log_ranks_read_number(struct words words)
{
	int64_t number = 0;
	if (words.length == 0 || words.length > 9)
		return -1;
	for (size_t i = 0; i < words.length; i++) {
		if (words.text[i] < '0' || words.text[i] > '9')
			return -1;
		number = number * 10 + (words.text[i] - '0');
	}
	return (int)number;
}

/* Processes of one place mostly follow each other. */
static int log_ranks_find_place(struct log_ranks *ranks, const struct log_place *wanted)
{
	for (size_t i = ranks->place_count; i > 0; i--)
		if (memcmp(&ranks->places[i - 1], wanted, sizeof *wanted) == 0)
			return (int)i - 1;
	if (ranks->place_count == LOG_PLACES) {
		ranks->full = true;
		return -1;
	}
	ranks->places[ranks->place_count] = *wanted;
	return (int)ranks->place_count++;
}

static void log_ranks_note_launch(struct log_ranks *ranks, struct log_process *process,
                                  const struct log_record *record)
{
	struct log_place place;
	const int rank = log_ranks_read_number(record->head[LOG_HEAD_rank]),
		  size = log_ranks_read_number(record->head[LOG_HEAD_size]);
	memset(&place, 0, sizeof place);
	log_ranks_copy_head(record, LOG_HEAD_host, place.host);
	log_ranks_copy_head(record, LOG_HEAD_launcher, place.launcher);
	log_ranks_copy_head(record, LOG_HEAD_job, place.job);
	log_ranks_copy_head(record, LOG_HEAD_step, place.step);
	process->place = log_ranks_find_place(ranks, &place);
	process->rank = rank < size ? rank : -1;
	process->size = rank < size ? size : 0;
	process->local_rank = log_ranks_read_number(record->head[LOG_HEAD_local_rank]);
}

/* -- uses of GPUs ---------------------------------------------------------------------------- */

static bool log_ranks_is_use(const void *rows, size_t row, const void *key)
{
	const struct log_use *use = (const struct log_use *)rows + row, *wanted = key;
	return use->process == wanted->process && use->device == wanted->device;
}

/* NULL where the table is full. */
static struct log_use *log_ranks_find_use(struct log_ranks *ranks, size_t process, int device)
{
	const struct log_use wanted = {
		.process = process, .device = device, .first_ns = -1, .last_ns = -1};
	const struct row_query query = {(uint64_t)process * 64 + (uint64_t)device, &wanted,
	                                ranks->uses, log_ranks_is_use};
	bool fresh;
	const size_t row = row_index_find(&ranks->use_index, &query, &fresh);
	if (row == ROW_INDEX_FULL) {
		ranks->full = true;
		return NULL;
	}
	if (fresh && row >= ranks->use_room) {
		ranks->use_room = ranks->use_room > 0 ? ranks->use_room * 2 : 64;
		ranks->uses = say_resize(ranks->uses, ranks->use_room, sizeof *ranks->uses);
	}
	if (fresh)
		ranks->uses[ranks->use_count++] = wanted;
	return &ranks->uses[row];
}

static void log_ranks_add_use(struct log_ranks *ranks, size_t process,
                              const struct log_record *record, const struct log_tally *one)
{
	struct log_use *use = log_ranks_find_use(ranks, process, record->device);
	if (use == NULL)
		return;
	log_sum_add_tally(&use->tally, one);
	log_sum_stretch(&use->first_ns, &use->last_ns, record);
	if (record->pci.text != NULL)
		log_text_decode(record->pci, use->card, LOG_CARD_BYTES);
}

static bool log_ranks_is_update(const struct log_record *record)
{
	return record->family == FAMILY_GEMM && record->problems < 0 &&
	       record->k >= LOG_BLOCK_LEAST && record->k < LOG_BLOCK_END &&
	       record->m >= LOG_BLOCK_ASPECT * record->k &&
	       record->n >= LOG_BLOCK_ASPECT * record->k;
}

void log_ranks_add(struct log_ranks *ranks, struct log_process *process, size_t row,
                   const struct log_record *record, const struct log_tally *one)
{
	if (record->head[LOG_HEAD_host].text != NULL)
		log_ranks_note_launch(ranks, process, record);
	if (record->target == TARGET_GPU && record->device >= 0)
		log_ranks_add_use(ranks, row, record, one);
	if (log_ranks_is_update(record)) {
		ranks->block_calls++;
		ranks->block_ns[record->k] += one->elapsed_ns;
	}
}

/* -- the end --------------------------------------------------------------------------------- */

static const struct log_ranks *log_ranks_sorted; /* of qsort */

static int log_ranks_compare_launch(int left, int right)
{
	const struct log_place *a = &log_ranks_sorted->places[left],
			       *b = &log_ranks_sorted->places[right];
	const int order = strcmp(a->job, b->job);
	return order != 0 ? order : strcmp(a->step, b->step);
}

static int log_ranks_compare_ranks(const void *left, const void *right)
{
	const struct log_rank *a = left, *b = right;
	const int order = log_ranks_compare_launch(a->place, b->place);
	return order != 0 ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

static int log_ranks_compare_cards(const void *left, const void *right)
{
	const struct log_card *a = left, *b = right;
	const int order = strcmp(log_ranks_sorted->places[a->place].host,
	                         log_ranks_sorted->places[b->place].host);
	return order != 0 ? order : strcmp(a->card, b->card);
}

/* Each process gets the use with the longest time on the GPU. */
static void log_ranks_settle_uses(const struct log_ranks *ranks, struct log_process *processes)
{
	for (size_t i = 0; i < ranks->use_count; i++) {
		struct log_process *process = &processes[ranks->uses[i].process];
		if (process->use == 0 || ranks->uses[i].tally.elapsed_ns >
		                                 ranks->uses[process->use - 1].tally.elapsed_ns)
			process->use = i + 1;
	}
}

static void log_ranks_list_ranks(struct log_ranks *ranks, const struct log_process *processes,
                                 size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct log_process *process = &processes[i];
		if (process->rank < 0 || process->place < 0)
			continue;
		struct log_rank *row = &ranks->ranks[ranks->rank_count++];
		*row = (struct log_rank){.rank = process->rank,
		                         .size = process->size,
		                         .place = process->place,
		                         .processes = 1,
		                         .sides = process->sides};
		if (process->use > 0)
			strcpy(row->card, ranks->uses[process->use - 1].card);
	}
}

static void log_ranks_merge_ranks(struct log_ranks *ranks)
{
	size_t kept = 0;
	qsort(ranks->ranks, ranks->rank_count, sizeof *ranks->ranks, log_ranks_compare_ranks);
	for (size_t i = 0; i < ranks->rank_count; i++) {
		const struct log_rank *row = &ranks->ranks[i];
		struct log_rank *last = kept > 0 ? &ranks->ranks[kept - 1] : NULL;
		if (last == NULL || log_ranks_compare_ranks(last, row) != 0) {
			ranks->ranks[kept++] = *row;
			continue;
		}
		last->processes += row->processes;
		log_sum_add_sides(&last->sides, &row->sides);
		if (last->card[0] == '\0')
			strcpy(last->card, row->card);
	}
	ranks->rank_count = kept;
}

static void log_ranks_list_cards(struct log_ranks *ranks, const struct log_process *processes)
{
	for (size_t i = 0; i < ranks->use_count; i++) {
		const struct log_use *use = &ranks->uses[i];
		struct log_card *row = &ranks->cards[ranks->card_count];
		const int place = processes[use->process].place;
		if (place < 0 || use->card[0] == '\0')
			continue;
		*row = (struct log_card){.place = place,
		                         .processes = 1,
		                         .first_ns = use->first_ns,
		                         .last_ns = use->last_ns,
		                         .tally = use->tally};
		strcpy(row->card, use->card);
		ranks->card_count++;
	}
}

static void log_ranks_merge_card(struct log_card *into, const struct log_card *row)
{
	into->processes += row->processes;
	if (row->first_ns >= 0 && (into->first_ns < 0 || row->first_ns < into->first_ns))
		into->first_ns = row->first_ns;
	if (row->last_ns > into->last_ns)
		into->last_ns = row->last_ns;
	log_sum_add_tally(&into->tally, &row->tally);
}

static void log_ranks_merge_cards(struct log_ranks *ranks)
{
	size_t kept = 0;
	qsort(ranks->cards, ranks->card_count, sizeof *ranks->cards, log_ranks_compare_cards);
	for (size_t i = 0; i < ranks->card_count; i++) {
		struct log_card *last = kept > 0 ? &ranks->cards[kept - 1] : NULL;
		if (last != NULL && log_ranks_compare_cards(last, &ranks->cards[i]) == 0)
			log_ranks_merge_card(last, &ranks->cards[i]);
		else
			ranks->cards[kept++] = ranks->cards[i];
	}
	ranks->card_count = kept;
}

void log_ranks_end(struct log_ranks *ranks, struct log_process *processes, size_t count)
{
	log_ranks_sorted = ranks;
	ranks->ranks = say_need(calloc(count + 1, sizeof *ranks->ranks));
	ranks->cards = say_need(calloc(ranks->use_count + 1, sizeof *ranks->cards));
	log_ranks_settle_uses(ranks, processes);
	log_ranks_list_ranks(ranks, processes, count);
	log_ranks_list_cards(ranks, processes);
	log_ranks_merge_ranks(ranks);
	log_ranks_merge_cards(ranks);
}
