/* residency_bound.c - pipelines of equal panels, with the latencies of one */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/residency/residency_bound.h"

#include "policy/call/element.h"

static const double element_bytes = sizeof(double);

static double bound_larger(double a, double b)
{
	return a > b ? a : b;
}

static double bound_rate(const struct schedule_clock *clock)
{
	return clock->gemm_tflops_s[ELEMENT_D] * 1e3;
}

static double bound_up_ns(const struct schedule_clock *clock, double elements)
{
	return elements * element_bytes / clock->up_gbytes_s;
}

static double bound_down_ns(const struct schedule_clock *clock, double elements)
{
	return elements * element_bytes / clock->down_gbytes_s;
}

/* Whole waves of tiles for n columns. */
static double bound_work_ns(const struct schedule_clock *clock,
                            const struct residency_product *product, int64_t n)
{
	const int64_t tile = (int64_t)clock->tile, units = (int64_t)clock->units;
	const int64_t tiles = ((product->m - 1) / tile + 1) * ((n - 1) / tile + 1);
	const double waves = (double)((tiles - 1) / units + 1);
	return waves * clock->units * clock->tile * clock->tile * 2 * (double)product->k /
	       bound_rate(clock);
}

double residency_bound_of_bytes(const struct schedule_clock *clock,
                                const struct residency_product *product)
{
	const double m = (double)product->m, n = (double)product->n, k = (double)product->k;
	const double up = (product->sends_a ? m * k : 0) + (product->sends_b ? k * n : 0);
	return bound_larger(bound_work_ns(clock, product, product->n),
	                    bound_larger(bound_up_ns(clock, up), bound_down_ns(clock, m * n)));
}

/* Latencies: of a kernel and the copy of its result, and of that of its input, if there is one. */
static double bound_chain_ns(const struct schedule_clock *clock, bool sends)
{
	return (sends ? 3 : 2) * clock->operation_us * 1e3;
}

/*
 * Both links from the moment on at which the first result is there: what is left to go up, and all
 * that comes down. While both move, each has duplex times its rate, and that is still sooner than
 * one after the other.
 */
struct bound_links {
	double up_ns, down_ns; /* at the full rates */
};

static struct bound_links bound_end_of_links(const struct schedule_clock *clock,
                                             struct bound_links left)
{
	const double shorter_ns = left.up_ns < left.down_ns ? left.up_ns : left.down_ns;
	const double slowed_ns = shorter_ns / clock->duplex - shorter_ns;
	return (struct bound_links){left.up_ns + slowed_ns, left.down_ns + slowed_ns};
}

/* Panels of the width: the first one up, its kernel, the others behind it, the last one down. */
static double bound_panels_ns(const struct schedule_clock *clock,
                              const struct residency_product *product, int64_t width)
{
	const double k = product->sends_b ? (double)product->k : 0, m = (double)product->m;
	const int64_t panels = (product->n - 1) / width + 1,
		      last = product->n - (panels - 1) * width;
	const double kernel_ns = bound_work_ns(clock, product, width),
		     last_kernel_ns = bound_work_ns(clock, product, last),
		     first_ns = bound_up_ns(clock, k * (double)width),
		     end_ns = bound_down_ns(clock, m * (double)last),
		     ready_ns = first_ns + kernel_ns,
		     up_ns = bound_up_ns(clock, k * (double)product->n);
	const struct bound_links left = {bound_larger(up_ns - ready_ns, 0),
	                                 bound_down_ns(clock, m * (double)product->n)};
	const struct bound_links links = bound_end_of_links(clock, left);
	const double by_work_ns =
		first_ns + (double)(panels - 1) * kernel_ns + last_kernel_ns + end_ns;
	const double by_up_ns = bound_larger(up_ns, left.up_ns > 0 ? ready_ns + links.up_ns : 0) +
	                        last_kernel_ns + end_ns;
	const double by_down_ns = ready_ns + links.down_ns;
	return bound_larger(by_work_ns, bound_larger(by_up_ns, by_down_ns)) +
	       bound_chain_ns(clock, product->sends_b);
}

double residency_bound_of_product(const struct schedule_clock *clock,
                                  const struct residency_product *product)
{
	const int64_t tile = (int64_t)clock->tile;
	if (product->sends_a)
		return residency_bound_of_bytes(clock, product);
	double least_ns = bound_panels_ns(clock, product, product->n);
	for (int64_t width = tile; width < product->n; width += tile) {
		const double panels_ns = bound_panels_ns(clock, product, width);
		least_ns = panels_ns < least_ns ? panels_ns : least_ns;
	}
	return least_ns;
}

double residency_bound_of_complex(const struct schedule_clock *clock, int64_t m, int64_t n,
                                  int64_t k, int64_t up_bytes)
{
	const struct residency_product product = {m, n, k, false, true};
	const double rates = clock->gemm_tflops_s[ELEMENT_D] / clock->gemm_tflops_s[ELEMENT_Z];
	const double work_ns = 4 * rates * bound_work_ns(clock, &product, n);
	const double up_ns = (double)up_bytes / clock->up_gbytes_s,
		     down_ns = 2 * bound_down_ns(clock, (double)m * (double)n);
	return bound_larger(work_ns, bound_larger(up_ns, down_ns)) +
	       bound_chain_ns(clock, up_bytes > 0);
}

double residency_bound_of_lu(const struct schedule_clock *clock, int64_t n)
{
	const double order = (double)n, square = order * order;
	const double link_ns = bound_up_ns(clock, square) + bound_down_ns(clock, square);
	return bound_larger(link_ns, 2 * square * order / 3 / bound_rate(clock) +
	                                     order * clock->solver_lu_us * 1e3);
}

double residency_bound_of_solve(const struct schedule_clock *clock, int64_t n, int64_t columns)
{
	const double order = (double)n, sent = order * (double)columns;
	const double work_ns = 2 * order * sent / bound_rate(clock) +
	                       order * order * element_bytes / clock->memory_gbytes_s;
	return bound_up_ns(clock, sent) + work_ns + bound_down_ns(clock, sent) +
	       bound_chain_ns(clock, true);
}
