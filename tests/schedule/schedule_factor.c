/* schedule_factor.c - bytes, kernels and bound of a factorization */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_check.h"

#include <string.h>

static const char lu[] = "getrf", cholesky[] = "potrf";

/*
 * CONTROL: the most bytes of a copy of pivots and infos. PIVOT: those of each column, as cuSOLVER
 * finds it, and as it is sent back. Each panel has an info besides.
 */
enum { CONTROL_BYTES = 512 * 1024, PIVOT_BYTES = 16, INFO_BYTES = 16 };

bool schedule_factor_takes(const char *routine)
{
	return strcmp(routine, lu) == 0 || strcmp(routine, cholesky) == 0;
}

static bool factor_is_lu(const struct schedule_check *check)
{
	return strcmp(check->call.routine, lu) == 0;
}

static double factor_rate(const struct schedule_check *check)
{
	return check->clock.gemm_tflops_s[1] * 1e3;
}

static double factor_larger(double a, double b)
{
	return a > b ? a : b;
}

bool schedule_factor_is_control(const struct schedule_check *check,
                                const struct schedule_event *copy)
{
	return schedule_factor_takes(check->call.routine) && copy->bytes <= CONTROL_BYTES;
}

/*
 * What crosses the link, what is computed, and the columns one after the other, each alone. Rows of
 * LU return when all columns have arrived, so that both ways add up; of Cholesky half is copied,
 * both ways at once.
 */
double schedule_factor_bound_ns(const struct schedule_check *check)
{
	const struct schedule_clock *clock = &check->clock;
	const double n = (double)check->call.n, square = 8 * n * n;
	const double up_ns = square / clock->up_gbytes_s, down_ns = square / clock->down_gbytes_s;
	const bool is_lu = factor_is_lu(check);
	const double link_ns =
		is_lu ? up_ns + down_ns : factor_larger(up_ns, down_ns) / 2 / clock->duplex;
	const double flops = (is_lu ? 2 : 1) * n * n * n / 3;
	const double column_ns = 1e3 * (is_lu ? clock->solver_lu_us : clock->solver_cholesky_us);
	return factor_larger(link_ns, flops / factor_rate(check) + n * column_ns);
}

/* A panel: its operations and its columns. The exchange of rows does not say how many they are. */
double schedule_factor_work_ns(const struct schedule_check *check,
                               const struct schedule_event *kernel)
{
	const struct event_area *panel = &kernel->write[0];
	const bool is_lu = strcmp(kernel->name, "cusolverDnXgetrf") == 0;
	if (!is_lu && strcmp(kernel->name, "cusolverDnXpotrf") != 0)
		return -1;
	const double rows = (double)panel->width / 8, columns = (double)panel->height;
	const double least = rows < columns ? rows : columns;
	return kernel->flops / factor_rate(check) +
	       1e3 * least * (is_lu ? check->clock.solver_lu_us : check->clock.solver_cholesky_us);
}

static void factor_extend_area(struct event_area *area, uint64_t matrix)
{
	if (area->pitch > area->width && area->begin >= matrix)
		area->width = area->pitch - (area->begin - matrix) % area->pitch;
}

/*
 * An exchange of rows names those of the pivots. The rows that they are exchanged with are any
 * below.
 */
void schedule_factor_extend(struct schedule_check *check)
{
	uint64_t matrix = UINT64_MAX;
	if (!factor_is_lu(check) || strcmp(check->call.order, "streamed") == 0)
		return;
	for (size_t i = 0; i < check->events.count; i++) {
		const struct schedule_event *event = &check->events.event[i];
		if (event->kind == EVENT_UP && !schedule_factor_is_control(check, event) &&
		    event->write[0].begin < matrix)
			matrix = event->write[0].begin;
	}
	for (size_t i = 0; i < check->events.count; i++) {
		struct schedule_event *event = &check->events.event[i];
		if (event->kind != EVENT_KERNEL || strstr(event->name, "laswp") == NULL)
			continue;
		factor_extend_area(&event->read[0], matrix);
		factor_extend_area(&event->write[0], matrix);
	}
}

static void factor_expect(struct schedule_check *check, const char *way, double bytes,
                          double panels)
{
	const double n = (double)check->call.n;
	const bool streamed = strcmp(check->call.order, "streamed") == 0;
	const double least = factor_is_lu(check) ? 8 * n * n : 4 * n * (n + 1);
	/* Rectangles that cover a triangle hold at most half as much again. */
	double most = factor_is_lu(check) ? least : 1.5 * least;
	most += PIVOT_BYTES * n + INFO_BYTES * (panels + 1);
	if (bytes < least || (!streamed && bytes > most))
		schedule_check_refuse(check, "bytes %s: %.0f instead of %.0f to %.0f", way, bytes,
		                      least, most);
}

void schedule_factor_check(struct schedule_check *check)
{
	double up = 0, down = 0, panels = 0, flops = 0;
	const double n = (double)check->call.n;
	for (size_t i = 0; i < check->events.count; i++) {
		const struct schedule_event *event = &check->events.event[i];
		up += event->kind == EVENT_UP ? (double)event->bytes : 0;
		down += event->kind == EVENT_DOWN ? (double)event->bytes : 0;
		if (event->kind != EVENT_KERNEL)
			continue;
		panels += schedule_factor_work_ns(check, event) >= 0;
		flops += event->flops;
	}
	factor_expect(check, "up", up, panels);
	factor_expect(check, "down", down, panels);
	const double wanted = (factor_is_lu(check) ? 2 : 1) * n * n * n / 3;
	if (flops < wanted * (1 - 3 / n) || panels < 1)
		schedule_check_refuse(check, "operations: %.0f instead of %.0f", flops, wanted);
}
