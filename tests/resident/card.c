/* card.c - copies the runs that the module names, and compares the whole operand */
/* SPDX-License-Identifier: Apache-2.0 */
#include "card.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chance.h"

struct card_counts card_counts;
card_disturb *card_late;

/* Two threads may send the same operand to one mirror. */
static pthread_mutex_t card_mutex = PTHREAD_MUTEX_INITIALIZER;

struct card_mirror {
	size_t bytes;
	char byte[];
};

bool card_open(void)
{
	const struct resident_settings settings = {
		.limit_bytes = 1 << 24, .tracks_at_once = true, .asks_despite_filter = true};
	const char *fault;
	const enum track_reason reason = resident_open(&settings, &fault);
	if (reason != TRACK_REASON_NONE)
		printf("FAIL not tracked: %s\n", track_reason_sentence(reason));
	return reason == TRACK_REASON_NONE;
}

void card_free_retired(void)
{
	void *mirror;
	while ((mirror = resident_take_retired()) != NULL)
		free(mirror);
}

/* New memory of the device holds anything. */
static struct card_mirror *card_find_mirror(struct resident_operand *operand)
{
	if (operand->mirror == NULL) {
		const size_t bytes = operand->window_span.end - operand->window_span.start;
		struct card_mirror *made = malloc(sizeof *made + bytes);
		if (made == NULL)
			abort();
		made->bytes = bytes;
		memset(made->byte, 0xa5, bytes);
		if (resident_attach(operand, made, 0) != made)
			free(made);
	}
	return operand->mirror;
}

static char *card_place(const struct resident_operand *operand, uintptr_t address)
{
	struct card_mirror *mirror = operand->mirror;
	return mirror->byte + (address - operand->window_span.start);
}

static void card_send(struct resident_operand *operand, bool skips)
{
	for (uint64_t i = 0; i < operand->runs; i++) {
		const struct pages_span run = operand->run[i];
		if (skips && chance_draw() % 2 == 0)
			continue;
		pthread_mutex_lock(&card_mutex);
		memcpy(card_place(operand, run.start), (void *)run.start, run.end - run.start);
		pthread_mutex_unlock(&card_mutex);
		if (card_late == NULL || skips)
			resident_sent(operand, i);
	}
}

static void card_note_late(struct resident_operand *operand, void *self)
{
	if (operand->access == RESIDENT_READ)
		card_late(&operand->view, self);
	for (uint64_t i = 0; i < operand->runs; i++)
		resident_sent(operand, i);
}

static void card_compare(const struct resident_operand *operand)
{
	const struct host_view *view = &operand->view;
	for (uint64_t row = 0; row < view->rows; row++) {
		const struct pages_span span = host_view_row(view, row);
		const char *host = (char *)span.start, *copy = card_place(operand, span.start);
		if (memcmp(host, copy, span.end - span.start) == 0)
			continue;
		uint64_t at = 0;
		while (host[at] == copy[at])
			at++;
		printf("FAIL after %s: byte %llu of row %llu of an operand of %llu rows of %llu "
		       "bytes is stale on the device\n",
		       chance_step, (unsigned long long)at, (unsigned long long)row,
		       (unsigned long long)view->rows, (unsigned long long)view->width_bytes);
		fflush(stdout);
		_Exit(1);
	}
}

static void card_fill(const struct resident_operand *operand)
{
	pthread_mutex_lock(&card_mutex);
	for (uint64_t row = 0; row < operand->view.rows; row++) {
		const struct pages_span span = host_view_row(&operand->view, row);
		chance_fill(card_place(operand, span.start), span.end - span.start);
	}
	pthread_mutex_unlock(&card_mutex);
}

/* A row comes in up to two pieces. What is stored may be armed, as copy threads do. */
static void card_store_row(struct resident_operand *operand, struct pages_span row,
                           card_disturb *disturb, void *self)
{
	const uintptr_t middle = row.start + chance_draw() % (row.end - row.start);
	const struct pages_span pieces[] = {{row.start, middle}, {middle, row.end}};
	for (int i = 0; i < 2; i++) {
		const struct pages_span piece = pieces[i];
		pthread_mutex_lock(&card_mutex);
		memcpy((void *)piece.start, card_place(operand, piece.start),
		       piece.end - piece.start);
		pthread_mutex_unlock(&card_mutex);
		resident_commit(operand, piece.end - piece.start);
		if (chance_draw() % 4 == 0 && disturb != NULL)
			disturb(&operand->view, self);
		if (chance_draw() % 2 == 0)
			resident_arm(operand, piece.end);
	}
}

/* The device computes; then rows are stored into the program's memory. */
static void card_compute(struct resident_operand *operand, enum card_end end, card_disturb *disturb,
                         void *self)
{
	const struct host_view *view = &operand->view;
	const uint64_t stored = end == CARD_FAILS_HALFWAY ? chance_draw() % view->rows : view->rows;
	card_fill(operand);
	for (uint64_t row = 0; row < stored; row++)
		card_store_row(operand, host_view_row(view, row), disturb, self);
}

static void card_count(uint64_t *counter)
{
	pthread_mutex_lock(&card_mutex);
	++*counter;
	pthread_mutex_unlock(&card_mutex);
}

static void card_check(const struct resident_operand *operand)
{
	pthread_mutex_lock(&card_mutex);
	card_compare(operand);
	card_counts.checks++;
	pthread_mutex_unlock(&card_mutex);
}

static void card_run(struct resident_operand *operand, enum card_end end, card_disturb *disturb,
                     void *self)
{
	card_find_mirror(operand);
	if (disturb != NULL)
		disturb(&operand->view, self);
	card_send(operand, end == CARD_SKIPS_RUNS);
	if (disturb != NULL)
		disturb(&operand->view, self);
	if ((operand->access & RESIDENT_READ) != 0 && end != CARD_SKIPS_RUNS)
		card_check(operand);
	if ((operand->access & RESIDENT_WRITE) != 0)
		card_compute(operand, end, disturb, self);
	pthread_mutex_lock(&card_mutex);
	card_counts.tracked++;
	card_counts.asked_bytes += host_view_bytes(&operand->view);
	card_counts.sent_bytes += operand->send_bytes;
	pthread_mutex_unlock(&card_mutex);
	if (card_late != NULL && end != CARD_SKIPS_RUNS)
		card_note_late(operand, self);
}

/* A kernel that reads the mirror before the proof: its rows, as they are now. */
static char *card_read(const struct resident_operand *operand)
{
	const struct host_view *view = &operand->view;
	char *read = malloc(host_view_bytes(view));
	if (read == NULL)
		abort();
	pthread_mutex_lock(&card_mutex);
	for (uint64_t row = 0; row < view->rows; row++)
		memcpy(read + row * view->width_bytes,
		       card_place(operand, host_view_row(view, row).start), view->width_bytes);
	pthread_mutex_unlock(&card_mutex);
	return read;
}

static void card_compare_read(const struct host_view *view, const char *read)
{
	for (uint64_t row = 0; row < view->rows; row++) {
		const char *host = (char *)host_view_row(view, row).start;
		if (memcmp(host, read + row * view->width_bytes, view->width_bytes) == 0)
			continue;
		printf("FAIL after %s: row %llu of an operand of %llu rows of %llu bytes was stale "
		       "when it was read, and proven\n",
		       chance_step, (unsigned long long)row, (unsigned long long)view->rows,
		       (unsigned long long)view->width_bytes);
		fflush(stdout);
		_Exit(1);
	}
}

/* Another call that reads the operand, unless this is one. */
static void card_call_beside(const struct host_view *view)
{
	static _Thread_local bool is_beside;
	if (is_beside)
		return;
	is_beside = true;
	card_call((const void *)view->base, view->width_bytes, view->pitch_bytes, view->rows,
	          RESIDENT_READ, CARD_ENDS, NULL, NULL);
	is_beside = false;
}

/* Others write beside the operand, and up to two calls read it too, unless this one writes it. */
static void card_interrupt(const struct resident_operand *operand, card_disturb *disturb,
                           void *self)
{
	if (disturb != NULL)
		disturb(&operand->view, self);
	for (uint64_t calls = chance_draw() % 8; calls > 5 && operand->access == RESIDENT_READ;
	     calls--)
		card_call_beside(&operand->view);
}

/* The kernel is asked about some parts, as copy threads ask. */
static enum resident_proof card_prove_parts(struct resident_operand *operand, card_disturb *disturb,
                                            void *self)
{
	enum { QUESTIONS = 4 };
	struct resident_question question[QUESTIONS];
	int count = 1 + (int)(chance_draw() % QUESTIONS);
	const enum resident_proof proof = resident_prove_begin(operand, question, &count);
	if (count == 0)
		return proof;
	card_interrupt(operand, disturb, self);
	for (int i = count; i > 0; i--)
		resident_ask(&question[i - 1]);
	card_interrupt(operand, disturb, self);
	return resident_prove_end(operand, question, count);
}

/* Pages of a result that are armed are disarmed, or left as they are: that is slower, and right. */
static void card_disarm(struct resident_operand *operand, card_disturb *disturb, void *self)
{
	enum resident_proof proof = RESIDENT_PENDING;
	card_count(&card_counts.disarmed);
	while (proof == RESIDENT_PENDING && chance_draw() % 16 != 0)
		proof = card_prove_parts(operand, disturb, self);
}

/* The same while the kernel is asked. */
static enum resident_proof card_prove(struct resident_operand *operand, card_disturb *disturb,
                                      void *self)
{
	const struct host_view *view = &operand->view;
	char *read = card_read(operand);
	enum resident_proof proof;
	do {
		card_interrupt(operand, disturb, self);
		proof = chance_draw() % 4 == 0 ? resident_prove(operand)
		                               : card_prove_parts(operand, disturb, self);
	} while (proof == RESIDENT_PENDING);
	if (proof == RESIDENT_PROVEN)
		card_compare_read(view, read);
	free(read);
	return proof;
}

/* The kernel is asked at once, or later. */
static struct resident_operand *card_plan(struct resident_call *call, const struct host_view *view,
                                          enum resident_access access, card_disturb *disturb,
                                          void *self)
{
	resident_begin(call);
	call->defers = chance_draw() % 2 == 0;
	call->announces = chance_draw() % 4 == 0;
	struct resident_operand *operand = resident_plan(call, view, access);
	if (!pages_is_empty(operand->armed))
		card_disarm(operand, disturb, self);
	if (!operand->is_unproven)
		return operand;
	card_count(&card_counts.deferred);
	if (card_prove(operand, disturb, self) == RESIDENT_PROVEN)
		return operand;
	card_count(&card_counts.refuted);
	resident_end(call);
	resident_begin(call);
	return resident_plan(call, view, access);
}

void card_call(const void *base, uint64_t width_bytes, uint64_t pitch_bytes, uint64_t rows,
               enum resident_access access, enum card_end end, card_disturb *disturb, void *self)
{
	struct host_view view;
	struct resident_call call;
	if (!host_view_make(&view, base, width_bytes, pitch_bytes, rows))
		return;
	struct resident_operand *operand = card_plan(&call, &view, access, disturb, self);
	if (operand->is_tracked)
		card_run(operand, end, disturb, self);
	else if ((access & RESIDENT_WRITE) != 0)
		for (uint64_t row = 0; row < view.rows; row++)
			chance_fill((char *)host_view_row(&view, row).start, view.width_bytes);
	if (end == CARD_ABORTS)
		resident_abort(&call);
	else
		resident_end(&call);
	card_free_retired();
}
