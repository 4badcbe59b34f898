/* sim_trace.c - SIMCUDA_TRACE: one line per ended operation, for tests of order and races */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_engine.h"

static FILE *trace;
static pthread_once_t trace_once = PTHREAD_ONCE_INIT;

/*
 * Line buffered: a fork child inherits no part of a line, and a killed process leaves whole lines.
 */
static void trace_open(void)
{
	const char *path = getenv("SIMCUDA_TRACE");
	if (!path || !*path)
		return;
	trace = fopen(path, "ae");
	if (trace)
		setvbuf(trace, NULL, _IOLBF, 1 << 16);
	else
		fprintf(stderr, "simcuda: SIMCUDA_TRACE: cannot write to '%s'; there is no trace\n",
		        path);
}

static const char *trace_kind(const struct sim_op *op)
{
	switch (op->kind) {
	case SIM_OP_KERNEL: return "kernel";
	case SIM_OP_RECORD: return "record";
	case SIM_OP_WAIT: return "wait";
	default: return sim_copy_describe(op->copy).kind;
	}
}

static void trace_area(const char *before, const struct simcuda_area *area)
{
	if (area->height)
		fprintf(trace, "%s%" PRIxPTR ":%zu:%zu:%zu", before, (uintptr_t)area->first,
		        area->pitch, area->width, area->height);
}

static void trace_copy(const struct sim_op *op)
{
	struct sim_copy_view view = sim_copy_describe(op->copy);
	fprintf(trace, " bytes=%.0f", op->bytes);
	trace_area(" reads=", &view.read);
	trace_area(" writes=", &view.written);
	trace_area(" host=", &view.host);
}

static double trace_result_area(const struct simcuda_result *result)
{
	double area = result->triangle ? result->rows * (result->rows + 1) / 2
	                               : result->rows * result->columns;
	return area * result->count;
}

static void trace_kernel(const struct simcuda_kernel *kernel)
{
	const char *before = " reads=";
	fprintf(trace, " flops=%.0f area=%.0f name=%s", kernel->work_flops,
	        trace_result_area(&kernel->result), sim_hooks_name(kernel->call));
	for (int i = 0; i < SIMCUDA_MAX_READS; i++) {
		trace_area(before, &kernel->reads[i]);
		if (kernel->reads[i].height)
			before = ",";
	}
	trace_area(" writes=", &kernel->written);
}

void sim_trace_write(const struct sim_stream *stream, int error)
{
	static const char *const engines[] = {"up", "down", "work", "none"};
	const struct sim_op *op = stream->head;
	pthread_once(&trace_once, trace_open);
	if (!trace || op->kind == SIM_OP_KERNEL_START)
		return;
	fprintf(trace, "op=%" PRIu64 " kind=%s device=%d stream=%lu engine=%s", op->sequence,
	        trace_kind(op), stream->device->index, stream->number, engines[op->engine]);
	fprintf(trace, " issue_ns=%" PRIu64 " start_ns=%" PRIu64 " end_ns=%" PRIu64, op->issue_ns,
	        op->start_ns, op->end_ns);
	if (op->kind == SIM_OP_COPY)
		trace_copy(op);
	else if (op->kind == SIM_OP_KERNEL)
		trace_kernel(&op->kernel);
	else
		fprintf(trace, " mark=%" PRIu64, op->mark->number);
	if (error)
		fprintf(trace, " error=%d", error);
	fputc('\n', trace);
}

__attribute__((destructor)) static void trace_flush(void)
{
	if (trace)
		fflush(trace);
}
