/* schedule_totals.c - bytes and operations of a call from its sizes, and the bound of its time */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tests/schedule/schedule_check.h"
#include "tests/schedule/schedule_kernel.h"

/*
 * Elements and products, as ranges. Rectangles that cover a triangle hold more than the triangle,
 * the more the wider they are.
 */
struct totals_range {
	double least, most;
};

struct totals {
	struct totals_range in, out, products;
};

static const struct {
	const char *routine;
	/* A is square, one triangle of it is read; else A is multiplied by B or by itself */
	bool square;
	bool second;     /* it has a B */
	bool triangle;   /* C is a triangle */
	bool in_place;   /* C is an input too */
	double products; /* for each m n k */
} totals_routine[] = {
	{"gemm", false, true, false, false, 1},  {"gemm3m", false, true, false, false, 1},
	{"gemmt", false, true, true, false, 1},  {"symm", true, true, false, false, 1},
	{"hemm", true, true, false, false, 1},   {"syrk", false, false, true, false, 1},
	{"herk", false, false, true, false, 1},  {"syr2k", false, true, true, false, 2},
	{"her2k", false, true, true, false, 2},  {"trmm", true, false, false, true, 0.5},
	{"trsm", true, false, false, true, 0.5},
};

static double totals_element_bytes(const struct schedule_call *call)
{
	switch (call->element[0]) {
	case 'S': return 4;
	case 'Z': return 16;
	default: return 8;
	}
}

/* A triangle of n x n, covered by strips of at most width. */
static struct totals_range totals_cover(int64_t n, int64_t width)
{
	const double order = (double)n, strip = fmin((double)width, order);
	return (struct totals_range){order * (order + 1) / 2, order * (order + strip) / 2};
}

static struct totals_range totals_exactly(double value)
{
	return (struct totals_range){value, value};
}

static struct totals_range totals_add(struct totals_range x, struct totals_range y)
{
	return (struct totals_range){x.least + y.least, x.most + y.most};
}

static int64_t totals_widest(const struct schedule_call *call)
{
	int64_t widest = call->slice > call->width ? call->slice : call->width;
	widest = call->group > widest ? call->group : widest;
	return widest;
}

static int totals_find_routine(const struct schedule_call *call)
{
	const int count = sizeof totals_routine / sizeof totals_routine[0];
	for (int i = 0; i < count; i++)
		if (strcmp(call->routine, totals_routine[i].routine) == 0)
			return i;
	return -1;
}

static bool totals_find(const struct schedule_call *call, struct totals *totals)
{
	const double m = (double)call->m, n = (double)call->n, k = (double)call->k;
	const int i = totals_find_routine(call);
	if (strcmp(call->routine, "fft") == 0) {
		const double points = pow(n, call->rank > 1 ? (double)call->rank : 1);
		totals->in = totals->out = totals_exactly(points * (double)call->howmany);
		totals->products = totals_exactly(0);
		return true;
	}
	if (i < 0)
		return false;
	const int64_t widest = totals_widest(call);
	totals->in =
		totals_routine[i].square ? totals_cover(call->k, widest) : totals_exactly(m * k);
	if (totals_routine[i].second)
		totals->in = totals_add(totals->in,
		                        totals_exactly(totals_routine[i].square ? m * n : k * n));
	if (totals_routine[i].in_place)
		totals->in = totals_add(totals->in, totals_exactly(m * n));
	totals->out =
		totals_routine[i].triangle ? totals_cover(call->n, widest) : totals_exactly(m * n);
	const double area = totals_routine[i].triangle ? n * (n + 1) / 2 : m * n;
	totals->products = totals_exactly(totals_routine[i].products * area * k);
	if (totals_routine[i].triangle) /* squares on the diagonal may be multiplied whole */
		totals->products.most = totals_routine[i].products * totals->out.most * k;
	return true;
}

bool schedule_totals_is_triangle(const struct schedule_check *check)
{
	const int i = totals_find_routine(&check->call);
	return i >= 0 && totals_routine[i].triangle;
}

double schedule_totals_result_bytes(const struct schedule_check *check)
{
	struct totals totals = {.out = {0, 0}};
	totals_find(&check->call, &totals);
	return totals.out.least * totals_element_bytes(&check->call);
}

/*
 * In blocks, operands are copied repeatedly. For a product the number follows from its blocks, with
 * some slices kept; for other routines it is only known that all operands are copied.
 */
static struct totals_range totals_find_up(const struct schedule_call *call,
                                          const struct totals *totals, double up)
{
	const bool product =
		strcmp(call->routine, "gemm") == 0 || strcmp(call->routine, "gemm3m") == 0;
	if (strcmp(call->order, "blocks") != 0)
		return totals->in;
	if (!product)
		return (struct totals_range){totals->in.least, INFINITY};
	for (int kept_a = 1; kept_a <= 3; kept_a++)
		for (int kept_b = 1; kept_b <= 3; kept_b++)
			if (schedule_blocks_count(call, kept_a, kept_b) == up)
				return totals_exactly(up);
	return totals_exactly(schedule_blocks_count(call, 2, 2));
}

/* The operations use no more memory than the limit allows. */
static void totals_expect_memory(struct schedule_check *check)
{
	uint64_t begin = UINT64_MAX, end = 0;
	for (size_t i = 0; i < check->events.count; i++) {
		const struct schedule_event *event = &check->events.event[i];
		for (int j = 0; j < event->writes; j++) {
			const struct event_area *area = &event->write[j];
			const uint64_t area_end =
				area->begin + area->pitch * (area->height - 1) + area->width;
			begin = area->begin < begin ? area->begin : begin;
			end = area_end > end ? area_end : end;
		}
	}
	if (check->call.memory_mb > 0 && end > begin &&
	    end - begin > (uint64_t)check->call.memory_mb * 1000000)
		schedule_check_refuse(check,
		                      "%" PRIu64
		                      " bytes of memory are in use, the limit is %" PRId64 " MB",
		                      end - begin, check->call.memory_mb);
}

static void totals_expect(struct schedule_check *check, const char *what, double value,
                          struct totals_range wanted)
{
	const double rounding = 1e-12 * value;
	if (value >= wanted.least - rounding && value <= wanted.most + rounding)
		return;
	if (wanted.least == wanted.most)
		schedule_check_refuse(check, "%s: %.0f instead of %.0f", what, value, wanted.least);
	else
		schedule_check_refuse(check, "%s: %.0f instead of %.0f to %.0f", what, value,
		                      wanted.least, wanted.most);
}

static struct totals_range totals_scale(struct totals_range range, double factor)
{
	return (struct totals_range){range.least * factor, range.most * factor};
}

void schedule_totals_check(struct schedule_check *check)
{
	struct totals totals;
	double up = 0, down = 0, products = 0;
	if (!totals_find(&check->call, &totals)) {
		schedule_check_refuse(check, "the routine %s is not known", check->call.routine);
		return;
	}
	for (size_t i = 0; i < check->events.count; i++) {
		const struct schedule_event *event = &check->events.event[i];
		struct schedule_kernel kernel;
		up += event->kind == EVENT_UP ? (double)event->bytes : 0;
		down += event->kind == EVENT_DOWN ? (double)event->bytes : 0;
		if (schedule_kernel_read(event, &kernel))
			products += kernel.depth * kernel.area;
	}
	const double element_bytes = totals_element_bytes(&check->call);
	const struct totals_range in = totals_find_up(&check->call, &totals, up / element_bytes);
	totals_expect_memory(check);
	totals_expect(check, "bytes up", up, totals_scale(in, element_bytes));
	totals_expect(check, "bytes down", down, totals_scale(totals.out, element_bytes));
	totals_expect(check, "multiplications", products, totals.products);
}

/* A single transform cannot begin before all of it is there, nor end before it has begun. */
static double totals_add_up_ns(const struct schedule_clock *clock, double bytes)
{
	return bytes / clock->up_gbytes_s + bytes / clock->down_gbytes_s +
	       clock->fft_passes * 2 * bytes / clock->memory_gbytes_s;
}

double schedule_totals_bound_ns(const struct schedule_check *check)
{
	static const char letters[] = "SDCZ";
	const struct schedule_clock *clock = &check->clock;
	const struct schedule_call *call = &check->call;
	const double element_bytes = totals_element_bytes(call);
	const char *letter = strchr(letters, call->element[0]);
	struct totals totals = {.in = {0, 0}};
	totals_find(call, &totals);
	const double in_ns = totals.in.least * element_bytes / (clock->duplex * clock->up_gbytes_s);
	const double out_ns =
		totals.out.least * element_bytes / (clock->duplex * clock->down_gbytes_s);
	if (strcmp(call->routine, "fft") == 0 && call->howmany == 1)
		return totals_add_up_ns(clock, totals.in.least * element_bytes);
	const double complex_times = call->element[0] == 'C' || call->element[0] == 'Z' ? 4 : 1;
	const double three_quarters = strcmp(call->routine, "gemm3m") == 0 ? 0.75 : 1;
	const double flops = 2 * complex_times * three_quarters * totals.products.least;
	const double work_ns = flops > 0 && letter != NULL
	                               ? flops / (clock->gemm_tflops_s[letter - letters] * 1e3)
	                               : 0;
	return fmax(fmax(in_ns, out_ns), work_ns);
}
