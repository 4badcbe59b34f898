/* schedule_contents.c - follows the contents of device memory through all operations */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tests/schedule/schedule_check.h"
#include "tests/schedule/schedule_kernel.h"
#include "tests/schedule/schedule_memory.h"

enum { CONTENTS_DEVICES = 16 };

/*
 * triangle: the result is one triangle; bytes beside it that are stored with it may hold anything.
 * depth: of a final result; 0 where elements differ in it. final_bytes: stored so far.
 */
struct contents {
	struct schedule_check *check;
	bool triangle;
	double depth;
	uint64_t final_bytes;
	struct schedule_memory memory[CONTENTS_DEVICES];
};

/* One operation. depth: of its kernel. told: it was refused already, once is enough. */
struct contents_visit {
	struct contents *contents;
	const struct schedule_event *event;
	double depth;
	bool told;
};

static void contents_refuse(struct contents_visit *visit, const char *what, uint64_t address)
{
	if (!visit->told)
		schedule_check_refuse(visit->contents->check,
		                      "operation %" PRIu64 " %s at %" PRIx64, visit->event->number,
		                      what, address);
	visit->told = true;
}

static void contents_visit_read(void *self, const struct memory_segment *piece,
                                struct memory_content *content)
{
	if (content->origin == MEMORY_UNKNOWN)
		contents_refuse(self, "reads what nothing wrote", piece->begin);
}

static bool contents_is_final(const struct contents *contents, const struct memory_content *content)
{
	return content->origin == MEMORY_COMPUTED &&
	       (contents->depth == 0 ||
	        fabs(content->depth - contents->depth) <= 1e-9 * contents->depth);
}

/* Whether a result must still be stored. Beside a triangle only final elements can be results. */
static bool contents_is_owed(const struct contents *contents, const struct memory_content *content)
{
	return content->origin == MEMORY_COMPUTED && !content->stored &&
	       (!contents->triangle || contents_is_final(contents, content));
}

static void contents_expect_no_loss(struct contents_visit *visit,
                                    const struct memory_segment *piece)
{
	if (contents_is_owed(visit->contents, &piece->content))
		contents_refuse(visit, "overwrites a result that was not stored", piece->begin);
}

static void contents_visit_load(void *self, const struct memory_segment *piece,
                                struct memory_content *content)
{
	contents_expect_no_loss(self, piece);
	*content = (struct memory_content){.origin = MEMORY_LOADED};
}

/* A kernel's result that does not depend on the old contents. */
static void contents_visit_result(void *self, const struct memory_segment *piece,
                                  struct memory_content *content)
{
	const struct contents_visit *visit = self;
	contents_expect_no_loss(self, piece);
	*content = (struct memory_content){.origin = MEMORY_COMPUTED, .depth = visit->depth};
}

/* A kernel's result that is added to the old contents, or (a solution) replaces them. */
static void contents_visit_sum(void *self, const struct memory_segment *piece,
                               struct memory_content *content)
{
	const struct contents_visit *visit = self;
	if (content->stored)
		contents_refuse(self, "changes what was stored already", piece->begin);
	content->depth = (content->origin == MEMORY_COMPUTED ? content->depth : 0) + visit->depth;
	content->origin = MEMORY_COMPUTED;
	content->stored = false;
}

static void contents_visit_store(void *self, const struct memory_segment *piece,
                                 struct memory_content *content)
{
	struct contents_visit *visit = self;
	const bool final = contents_is_final(visit->contents, content);
	if (visit->contents->triangle && (!final || content->stored))
		return;
	if (content->origin != MEMORY_COMPUTED)
		contents_refuse(self, "stores what no kernel computed", piece->begin);
	else if (content->stored)
		contents_refuse(self, "stores a result a second time", piece->begin);
	else if (!final)
		contents_refuse(self, "stores a result that is not final", piece->begin);
	else
		visit->contents->final_bytes += piece->end - piece->begin;
	content->stored = true;
}

/*
 * Number of products that the call adds up in each element; 0 where elements differ in it. For an
 * fft the number of times that an element is transformed.
 */
static double contents_call_depth(const struct schedule_call *call)
{
	if (strcmp(call->routine, "syr2k") == 0 || strcmp(call->routine, "her2k") == 0)
		return 2 * (double)call->k;
	if (strcmp(call->routine, "trmm") == 0 || strcmp(call->routine, "trsm") == 0)
		return 0;
	if (strcmp(call->routine, "fft") == 0)
		return 1;
	return (double)call->k;
}

static bool contents_is_same(const struct event_area *x, const struct event_area *y)
{
	return x->begin == y->begin && x->width == y->width && x->height == y->height &&
	       (x->height == 1 || x->pitch == y->pitch);
}

/* The call's triangle of an area, or the whole area. */
static struct memory_view contents_view(const struct contents *contents,
                                        const struct event_area *area, bool triangle,
                                        double element_bytes)
{
	struct memory_view view = {.area = *area, .element_bytes = (uint64_t)element_bytes};
	if (triangle)
		view.part = contents->check->call.uplo[0] == 'U' ? MEMORY_UPPER : MEMORY_LOWER;
	return view;
}

/*
 * Triangular and symmetric operands need only their triangle. Beside a triangle that is added to
 * memory may hold anything: an element of the triangle that is missing never becomes final.
 */
static void contents_run_kernel(struct contents_visit *visit, struct schedule_memory *memory)
{
	const struct schedule_event *event = visit->event;
	const struct memory_visitor reader = {visit, contents_visit_read};
	struct schedule_kernel kernel = {.depth = 1};
	bool adds = false;
	schedule_kernel_read(event, &kernel);
	visit->depth = kernel.depth;
	for (int i = 0; i < event->reads; i++) {
		const bool result = contents_is_same(&event->read[i], &event->write[0]);
		const bool triangle = result ? kernel.triangle : i == 0 && kernel.in_triangle;
		const struct memory_view view = contents_view(visit->contents, &event->read[i],
		                                              triangle, kernel.element_bytes);
		if (!result || !visit->contents->triangle)
			schedule_memory_read(memory, &view, &reader);
		adds = adds || result;
	}
	const struct memory_view view = contents_view(visit->contents, &event->write[0],
	                                              kernel.triangle, kernel.element_bytes);
	const struct memory_visitor writer = {visit,
	                                      adds ? contents_visit_sum : contents_visit_result};
	schedule_memory_change(memory, &view, &writer);
}

static void contents_run(struct contents *contents, const struct schedule_event *event)
{
	struct contents_visit visit = {.contents = contents, .event = event};
	struct schedule_memory *memory = &contents->memory[event->device];
	if (event->kind == EVENT_KERNEL) {
		contents_run_kernel(&visit, memory);
	} else if (event->kind == EVENT_UP || event->kind == EVENT_DOWN) {
		const bool up = event->kind == EVENT_UP;
		const struct memory_view view = {.area = up ? event->write[0] : event->read[0]};
		const struct memory_visitor visitor = {&visit, up ? contents_visit_load
		                                                  : contents_visit_store};
		schedule_memory_change(memory, &view, &visitor);
	}
}

/* Whether the operation has the areas of device memory that its kind needs. */
static bool contents_is_whole(const struct schedule_event *event)
{
	uint64_t bytes = 0;
	if (event->kind == EVENT_UP && event->writes == 1)
		bytes = event->write[0].width * event->write[0].height;
	if (event->kind == EVENT_DOWN && event->reads == 1)
		bytes = event->read[0].width * event->read[0].height;
	if (event->kind == EVENT_KERNEL)
		return event->reads > 0 && event->writes == 1;
	return event->kind == EVENT_RECORD || event->kind == EVENT_WAIT ||
	       (bytes > 0 && bytes == event->bytes);
}

static void contents_expect_all_stored(const struct contents *contents)
{
	uint64_t bytes = 0;
	for (int device = 0; device < CONTENTS_DEVICES; device++)
		for (size_t i = 0; i < contents->memory[device].count; i++) {
			const struct memory_segment *segment = &contents->memory[device].segment[i];
			bytes += contents_is_owed(contents, &segment->content)
			                 ? segment->end - segment->begin
			                 : 0;
		}
	if (bytes > 0)
		schedule_check_refuse(contents->check,
		                      "%" PRIu64 " bytes of results were never stored", bytes);
	const double wanted =
		contents->triangle ? schedule_totals_result_bytes(contents->check) : 0;
	if ((double)contents->final_bytes < wanted)
		schedule_check_refuse(contents->check,
		                      "%" PRIu64 " final bytes of the triangle's %.0f were stored",
		                      contents->final_bytes, wanted);
}

void schedule_contents_check(struct schedule_check *check)
{
	static struct contents contents;
	contents.check = check;
	contents.triangle = schedule_totals_is_triangle(check);
	contents.depth = contents_call_depth(&check->call);
	for (size_t i = 0; i < check->events.count; i++) {
		const struct schedule_event *event = &check->events.event[i];
		if (!contents_is_whole(event) || event->device >= CONTENTS_DEVICES)
			schedule_check_refuse(check,
			                      "operation %" PRIu64
			                      " does not say what it uses, or copies within",
			                      event->number);
		else
			contents_run(&contents, event);
	}
	contents_expect_all_stored(&contents);
	for (int device = 0; device < CONTENTS_DEVICES; device++)
		schedule_memory_free(&contents.memory[device]);
}
