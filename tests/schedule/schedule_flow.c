/* schedule_flow.c - what is read was written, what is stored is final: follows the contents of device memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tests/schedule/schedule_check.h"
#include "tests/schedule/schedule_kernel.h"
#include "tests/schedule/schedule_memory.h"

enum { FLOW_DEVICES = 16 };

/*
 * triangle: of the result the call's triangle alone is meant, and what else is stored with it need
 * not be anything.
 * depth: of a result that is final, 0 where that is not known.
 */
struct flow {
	struct schedule_check *check;
	bool triangle;
	double depth;
	uint64_t final_bytes; /* stored */
	struct schedule_memory memory[FLOW_DEVICES];
};

/* An operation on its way through the memory. told: one refusal for each is enough. */
struct flow_visit {
	struct flow *flow;
	const struct trace_operation *operation;
	double depth; /* of the kernel */
	bool told;
};

static void flow_refuse(struct flow_visit *visit, const char *what, uint64_t address)
{
	if (!visit->told)
		schedule_check_refuse(visit->flow->check, "operation %" PRIu64 " %s at %" PRIx64,
		                      visit->operation->number, what, address);
	visit->told = true;
}

static void flow_visit_read(void *self, const struct memory_segment *piece,
                            struct memory_content *content)
{
	if (content->origin == MEMORY_UNKNOWN)
		flow_refuse(self, "reads what nothing wrote", piece->begin);
}

static bool flow_is_final(const struct flow *flow, const struct memory_content *content)
{
	return content->origin == MEMORY_COMPUTED &&
	       (flow->depth == 0 || fabs(content->depth - flow->depth) <= 1e-9 * flow->depth);
}

/*
 * A result that somebody may still want: of a triangle's neighbourhood only what is final can be
 * one.
 */
static bool flow_is_owed(const struct flow *flow, const struct memory_content *content)
{
	return content->origin == MEMORY_COMPUTED && !content->stored &&
	       (!flow->triangle || flow_is_final(flow, content));
}

static void flow_expect_no_loss(struct flow_visit *visit, const struct memory_segment *piece)
{
	if (flow_is_owed(visit->flow, &piece->content))
		flow_refuse(visit, "overwrites a result that was not stored", piece->begin);
}

static void flow_visit_load(void *self, const struct memory_segment *piece,
                            struct memory_content *content)
{
	flow_expect_no_loss(self, piece);
	*content = (struct memory_content){.origin = MEMORY_LOADED};
}

/* A result that does not depend on what was there. */
static void flow_visit_result(void *self, const struct memory_segment *piece,
                              struct memory_content *content)
{
	const struct flow_visit *visit = self;
	flow_expect_no_loss(self, piece);
	*content = (struct memory_content){.origin = MEMORY_COMPUTED, .depth = visit->depth};
}

/* A result that adds to what was there, or (a solution) takes its place. */
static void flow_visit_sum(void *self, const struct memory_segment *piece,
                           struct memory_content *content)
{
	const struct flow_visit *visit = self;
	if (content->stored)
		flow_refuse(self, "changes what was stored already", piece->begin);
	content->depth = (content->origin == MEMORY_COMPUTED ? content->depth : 0) + visit->depth;
	content->origin = MEMORY_COMPUTED;
	content->stored = false;
}

static void flow_visit_store(void *self, const struct memory_segment *piece,
                             struct memory_content *content)
{
	struct flow_visit *visit = self;
	const bool final = flow_is_final(visit->flow, content);
	if (visit->flow->triangle && (!final || content->stored))
		return;
	if (content->origin != MEMORY_COMPUTED)
		flow_refuse(self, "stores what no kernel computed", piece->begin);
	else if (content->stored)
		flow_refuse(self, "stores a result a second time", piece->begin);
	else if (!final)
		flow_refuse(self, "stores a result that is not final", piece->begin);
	else
		visit->flow->final_bytes += piece->end - piece->begin;
	content->stored = true;
}

/*
 * How many products the call adds up in each element, 0 where elements differ in that; how often it
 * transforms them.
 */
static double flow_call_depth(const struct schedule_call *call)
{
	if (strcmp(call->routine, "syr2k") == 0 || strcmp(call->routine, "her2k") == 0)
		return 2 * (double)call->k;
	if (strcmp(call->routine, "trmm") == 0 || strcmp(call->routine, "trsm") == 0)
		return 0;
	if (strcmp(call->routine, "fft") == 0)
		return 1;
	return (double)call->k;
}

static bool flow_is_same(const struct trace_area *x, const struct trace_area *y)
{
	return x->begin == y->begin && x->width == y->width && x->height == y->height &&
	       (x->height == 1 || x->pitch == y->pitch);
}

/* The call's triangle of an area, or all of it. */
static struct memory_view flow_view(const struct flow *flow, const struct trace_area *area,
                                    bool triangle, double element_bytes)
{
	struct memory_view view = {.area = *area, .element_bytes = (uint64_t)element_bytes};
	if (triangle)
		view.part = flow->check->call.uplo[0] == 'U' ? MEMORY_UPPER : MEMORY_LOWER;
	return view;
}

/*
 * Of triangular and symmetric operands the triangle alone need be there. Beside a triangle that is
 * added to there may be anything: what is missing in the triangle itself is never final.
 */
static void flow_run_kernel(struct flow_visit *visit, struct schedule_memory *memory)
{
	const struct trace_operation *operation = visit->operation;
	const struct memory_visitor reader = {visit, flow_visit_read};
	struct schedule_kernel kernel = {.depth = 1};
	bool adds = false;
	schedule_kernel_read(operation, &kernel);
	visit->depth = kernel.depth;
	for (int i = 0; i < operation->reads; i++) {
		const bool result = flow_is_same(&operation->read[i], &operation->write[0]);
		const bool triangle = result ? kernel.triangle : i == 0 && kernel.in_triangle;
		const struct memory_view view =
			flow_view(visit->flow, &operation->read[i], triangle, kernel.element_bytes);
		if (!result || !visit->flow->triangle)
			schedule_memory_read(memory, &view, &reader);
		adds = adds || result;
	}
	const struct memory_view view =
		flow_view(visit->flow, &operation->write[0], kernel.triangle, kernel.element_bytes);
	const struct memory_visitor writer = {visit, adds ? flow_visit_sum : flow_visit_result};
	schedule_memory_change(memory, &view, &writer);
}

static void flow_run(struct flow *flow, const struct trace_operation *operation)
{
	struct flow_visit visit = {.flow = flow, .operation = operation};
	struct schedule_memory *memory = &flow->memory[operation->device];
	if (operation->kind == TRACE_KERNEL) {
		flow_run_kernel(&visit, memory);
	} else if (operation->kind == TRACE_UP || operation->kind == TRACE_DOWN) {
		const bool up = operation->kind == TRACE_UP;
		const struct memory_view view = {.area = up ? operation->write[0]
		                                            : operation->read[0]};
		const struct memory_visitor visitor = {&visit,
		                                       up ? flow_visit_load : flow_visit_store};
		schedule_memory_change(memory, &view, &visitor);
	}
}

/* Whether it says of the device's memory what its kind uses. */
static bool flow_is_whole(const struct trace_operation *operation)
{
	uint64_t bytes = 0;
	if (operation->kind == TRACE_UP && operation->writes == 1)
		bytes = operation->write[0].width * operation->write[0].height;
	if (operation->kind == TRACE_DOWN && operation->reads == 1)
		bytes = operation->read[0].width * operation->read[0].height;
	if (operation->kind == TRACE_KERNEL)
		return operation->reads > 0 && operation->writes == 1;
	return operation->kind == TRACE_RECORD || operation->kind == TRACE_WAIT ||
	       (bytes > 0 && bytes == operation->bytes);
}

static void flow_expect_all_stored(const struct flow *flow)
{
	uint64_t bytes = 0;
	for (int device = 0; device < FLOW_DEVICES; device++)
		for (size_t i = 0; i < flow->memory[device].count; i++) {
			const struct memory_segment *segment = &flow->memory[device].segment[i];
			bytes += flow_is_owed(flow, &segment->content)
			                 ? segment->end - segment->begin
			                 : 0;
		}
	if (bytes > 0)
		schedule_check_refuse(flow->check, "%" PRIu64 " bytes of results were never stored",
		                      bytes);
	const double wanted = flow->triangle ? schedule_totals_result_bytes(flow->check) : 0;
	if ((double)flow->final_bytes < wanted)
		schedule_check_refuse(flow->check,
		                      "%" PRIu64 " final bytes of the triangle's %.0f were stored",
		                      flow->final_bytes, wanted);
}

void schedule_flow_check(struct schedule_check *check)
{
	static struct flow flow;
	flow.check = check;
	flow.triangle = schedule_totals_is_triangle(check);
	flow.depth = flow_call_depth(&check->call);
	for (size_t i = 0; i < check->trace.count; i++) {
		const struct trace_operation *operation = &check->trace.operation[i];
		if (!flow_is_whole(operation) || operation->device >= FLOW_DEVICES)
			schedule_check_refuse(check,
			                      "operation %" PRIu64
			                      " does not say what it uses, or copies within",
			                      operation->number);
		else
			flow_run(&flow, operation);
	}
	flow_expect_all_stored(&flow);
	for (int device = 0; device < FLOW_DEVICES; device++)
		schedule_memory_free(&flow.memory[device]);
}
