/* share_bound.c - the least time of a product that devices and a CPU share, from rates alone */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/share_bound.h"

static const double element_bytes = 8;

/*
 * A card has a multiple of STEP columns, at most STEPS of them; its panels are whole tiles wide.
 * RINGS: steps of a square. GRID: shares of the bound of bytes.
 */
enum { SHARE_TILE = 128, SHARE_STEP = 32, SHARE_STEPS = 512, SHARE_RINGS = 256, SHARE_GRID = 400 };

/* A card's time for each number of steps of columns. */
struct share_times {
	double pipeline_ns[SHARE_STEPS + 1];
};

static double share_larger(double a, double b)
{
	return a > b ? a : b;
}

static double share_smaller(double a, double b)
{
	return a < b ? a : b;
}

static double share_up_ns(const struct share_card *card, double elements)
{
	return elements * element_bytes / card->up;
}

static double share_down_ns(const struct share_card *card, double elements)
{
	return elements * element_bytes / card->down;
}

/* Whole waves of tiles, k of order. */
static double share_work_ns(const struct share_card *card, int order, double columns)
{
	const int down = (order - 1) / SHARE_TILE + 1,
		  across = ((int)columns + SHARE_TILE - 1) / SHARE_TILE;
	const int waves = across > 0 ? (down * across - 1) / card->units + 1 : 0;
	return (double)waves * card->units * SHARE_TILE * SHARE_TILE * 2 * order / card->tflops /
	       1e3;
}

/* What is lost while both links are busy for so long. */
static double share_both_ns(const struct share_host *host, double up_ns, double down_ns)
{
	return share_larger(share_smaller(up_ns, down_ns), 0) * (1 / host->duplex - 1);
}

/* A group of so many columns, then panels of `width`, of `columns` in all. */
static double share_panels_ns(const struct share_host *host, const struct share_card *card,
                              int order, double columns, double group, double width)
{
	const double k = order, left = columns - group,
		     panels = left > 0 ? (double)(int)((left - 1) / width) + 1 : 0,
		     last = panels > 0 ? left - (panels - 1) * width : 0;
	const double first_ns = share_up_ns(card, SHARE_TILE * (k + group)),
		     in_ns = share_up_ns(card, k * (k + group)),
		     rest_ns = share_up_ns(card, k * left),
		     group_ns = share_work_ns(card, order, group),
		     grouped_ns =
			     share_larger(in_ns + group_ns * SHARE_TILE / k, first_ns + group_ns);
	const double last_ns = share_work_ns(card, order, last),
		     work_ns = panels > 0
	                               ? (panels - 1) * share_work_ns(card, order, width) + last_ns
	                               : 0;
	const double end_ns = share_down_ns(card, k * last),
		     down_ns = share_down_ns(card, k * columns);
	const double by_work_ns = grouped_ns + work_ns + end_ns,
		     by_up_ns = in_ns + rest_ns + last_ns + end_ns +
	                        share_both_ns(host, in_ns, down_ns - last_ns - end_ns),
		     by_down_ns = grouped_ns + down_ns + share_both_ns(host, rest_ns, down_ns);
	return share_larger(by_work_ns, share_larger(by_up_ns, by_down_ns));
}

/* At x of both dimensions: what comes after is the work, or the results, outside of the square. */
static double share_rings_ns(const struct share_host *host, const struct share_card *card,
                             int order, double columns)
{
	const double k = order, up_ns = share_up_ns(card, k * (k + columns)),
		     work_ns = share_work_ns(card, order, columns),
		     down_ns = share_down_ns(card, k * columns);
	double most_ns = share_larger(up_ns * SHARE_TILE / k + work_ns,
	                              up_ns + share_both_ns(host, up_ns, down_ns));
	for (int i = 1; i <= SHARE_RINGS; i++) {
		const double x = (double)i / SHARE_RINGS,
			     rest_ns = share_larger(work_ns, down_ns) * (1 - x * x);
		most_ns = share_larger(most_ns, up_ns * x + rest_ns);
	}
	return most_ns + share_work_ns(card, order, SHARE_TILE) +
	       share_down_ns(card, k * SHARE_TILE);
}

static double share_pipeline_ns(const struct share_host *host, const struct share_card *card,
                                int order, double columns)
{
	double least_ns = share_rings_ns(host, card, order, columns);
	for (double group = SHARE_TILE; group < columns + SHARE_TILE; group += SHARE_TILE)
		for (double width = SHARE_TILE; width < columns + SHARE_TILE; width += SHARE_TILE)
			least_ns = share_smaller(
				least_ns, share_panels_ns(host, card, order, columns,
			                                  share_smaller(group, columns), width));
	return least_ns + 3 * host->operation_ns;
}

static double share_bytes_ns(const struct share_card *card, int order, double columns)
{
	const double k = order;
	return share_larger(2 * k * k * columns / card->tflops / 1e3,
	                    share_larger(share_up_ns(card, k * (k + columns)),
	                                 share_down_ns(card, k * columns)));
}

static struct share_times share_find_times(const struct share_host *host,
                                           const struct share_card *card, int order, bool shared)
{
	struct share_times times = {.pipeline_ns = {0}};
	const int all = (order - 1) / SHARE_STEP + 1;
	for (int i = shared || host->cards > 1 ? 1 : all; i <= all && i <= SHARE_STEPS; i++)
		times.pipeline_ns[i] =
			share_pipeline_ns(host, card, order, share_smaller(i * SHARE_STEP, order));
	return times;
}

/* What the host needs beside cards that have so many columns: copies, and the CPU's part. */
static double share_host_ns(const struct share_host *host, int order, int cards, double columns)
{
	const double k = order, copied = (cards * k + 2 * columns) * k * element_bytes;
	const int threads = columns < k ? host->copy_threads : host->all_copy_threads;
	return share_larger(copied / host->copy_gbytes_s / threads,
	                    2 * k * k * (k - columns) / host->cpu_tflops / 1e3);
}

static double share_find_pipeline_ns(const struct share_host *host, int order, bool shared)
{
	static struct share_times times[SHARE_CARDS];
	const int all = (order - 1) / SHARE_STEP + 1;
	double least_ns = 2.0 * order * order * order / host->cpu_tflops / 1e3;
	for (int i = 0; i < host->cards; i++)
		times[i] = share_find_times(host, &host->card[i], order, shared);
	for (int sum = shared ? 1 : all; sum <= all; sum++)
		for (int second = 0; second <= (host->cards > 1 ? sum : 0); second++) {
			const int first = sum - second;
			const double cards_ns = share_larger(times[0].pipeline_ns[first],
			                                     times[1].pipeline_ns[second]);
			const double host_ns =
				share_host_ns(host, order, (first > 0) + (second > 0),
			                      share_smaller(sum * SHARE_STEP, order));
			least_ns = share_smaller(least_ns, share_larger(cards_ns, host_ns));
		}
	return least_ns;
}

static double share_find_bytes_ns(const struct share_host *host, int order, bool shared)
{
	double least_ns = 2.0 * order * order * order / host->cpu_tflops / 1e3;
	for (int sum = shared ? 1 : SHARE_GRID; sum <= SHARE_GRID; sum++)
		for (int second = 0; second <= (host->cards > 1 ? sum : 0); second++) {
			const double one = (double)order / SHARE_GRID;
			const int cards = (sum > second) + (second > 0);
			double part_ns = share_host_ns(host, order, cards, sum * one);
			if (sum > second)
				part_ns =
					share_larger(part_ns, share_bytes_ns(&host->card[0], order,
				                                             (sum - second) * one));
			if (second > 0)
				part_ns =
					share_larger(part_ns, share_bytes_ns(&host->card[1], order,
				                                             second * one));
			least_ns = share_smaller(least_ns, part_ns);
		}
	return least_ns;
}

struct share_bound share_bound_find(const struct share_host *host, int order, bool shared)
{
	return (struct share_bound){share_find_bytes_ns(host, order, shared),
	                            share_find_pipeline_ns(host, order, shared)};
}
