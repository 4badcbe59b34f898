/* machine_rate.c - the rate of a routine at a size and number of threads, from curves or flat */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <string.h>

#include "policy/machine/machine.h"

/* Bounds of every rate, so that times of any work are finite and can be added. */
static const double rate_least = 1, rate_most = 1e60;

/*
 * Cores up to which transforms scale, and the share of the others that counts: see
 * machine_count_threads.
 */
static const double rate_fft_cores = 4, rate_fft_share = 0.25;

/*
 * trsm on the CPU relative to gemm: 33.2 of 48.6 and 48.1 of 52.7 Gflop/s in two runs of calibrate,
 * OpenBLAS 0.3.21 on one core of an EPYC, order 2048. symm, syrk and trmm reached 0.83 to 1.05 of
 * gemm there.
 */
static const double rate_cpu_trsm = 0.8;

static double machine_rate_larger(double a, double b)
{
	return a > b ? a : b;
}

static double machine_rate_bound(double value, double least, double most)
{
	return value < most ? machine_rate_larger(value, least) : most;
}

/*
 * The work that time grows with at a constant rate: the cube of the size; of a transform the size
 * itself (the logarithm is left out).
 */
static double machine_rate_count_work(enum family family, double size)
{
	return family_is_fft(family) ? size : size * size * size;
}

/* Inserts the curve at this place into the list of its routine, which is sorted by threads. */
static void machine_rate_link_curve(struct machine *machine, int place)
{
	struct machine_curve *curve = &machine->curve[place];
	uint8_t *link = curve->side == MACHINE_CPU && curve->rigour == FFT_ESTIMATED
	                        ? &machine->first_estimated[curve->family][curve->element]
	                        : &machine->first[curve->side][curve->family][curve->element];
	while (*link != 0 && machine->curve[*link - 1].threads <= curve->threads)
		link = &machine->curve[*link - 1].next;
	curve->next = *link;
	*link = (uint8_t)(place + 1);
}

bool machine_add_curve(struct machine *machine, const struct machine_curve *curve)
{
	double longest = 0;
	if (curve->count < 1 || machine->curve_count == MACHINE_CURVES)
		return false;
	struct machine_curve *added = &machine->curve[machine->curve_count];
	*added = *curve;
	for (int i = 0; i < added->count; i++) {
		longest = machine_rate_larger(
			longest, machine_rate_count_work(added->family, added->point[i].size) /
					 added->point[i].rate);
		added->point[i].longest = longest;
	}
	machine_rate_link_curve(machine, machine->curve_count++);
	return true;
}

void machine_drop_curves(struct machine *machine, enum machine_side side)
{
	const int count = machine->curve_count;
	machine->curve_count = 0;
	memset(machine->first, 0, sizeof machine->first);
	memset(machine->first_estimated, 0, sizeof machine->first_estimated);
	for (int i = 0; i < count; i++)
		if (machine->curve[i].side != side)
			machine_add_curve(machine, &machine->curve[i]);
}

/*
 * Between two points time grows linearly with work. A size takes at least as long as every smaller
 * one, so that a point measured too fast or too slow does not break the order.
 */
static double machine_rate_of_curve(const struct machine_curve *curve, double size, double work)
{
	double before_work = 0, before_time = 0, longest = 0;
	int i = 0;
	while (i < curve->count && curve->point[i].size < size)
		i++;
	if (i > 0) {
		before_work = machine_rate_count_work(curve->family, curve->point[i - 1].size);
		before_time = before_work / curve->point[i - 1].rate;
		longest = curve->point[i - 1].longest;
	}
	if (i == curve->count)
		return work / machine_rate_larger(longest, work / curve->point[i - 1].rate);
	const double point_work = machine_rate_count_work(curve->family, curve->point[i].size);
	const double share = (work - before_work) / (point_work - before_work);
	return work /
	       machine_rate_larger(longest,
	                           before_time + (point_work / curve->point[i].rate - before_time) *
	                                                 share);
}

/*
 * The rate from all curves of a routine: what fewer threads reach, more threads reach too; between
 * two thread counts linear, below the least in proportion. 0 without a curve.
 */
static double machine_rate_of_curves(const struct machine *machine, uint8_t first, double size,
                                     double work, int threads)
{
	double below = 0, above = 0;
	int below_threads = 0, above_threads = INT_MAX;
	for (uint8_t at = first; at != 0 && above_threads == INT_MAX;
	     at = machine->curve[at - 1].next) {
		const struct machine_curve *curve = &machine->curve[at - 1];
		const double rate = machine_rate_of_curve(curve, size, work);
		if (curve->threads <= threads) {
			below = machine_rate_larger(below, rate);
			below_threads = curve->threads;
		} else {
			above = rate;
			above_threads = curve->threads;
		}
	}
	if (above <= below)
		return below;
	return below +
	       (above - below) * (threads - below_threads) / (above_threads - below_threads);
}

double machine_count_threads(enum family family, double threads)
{
	if (!family_is_fft(family) || threads <= rate_fft_cores)
		return threads;
	return rate_fft_cores + (threads - rate_fft_cores) * rate_fft_share;
}

/* A flat rate of the CPU for this number of threads. */
static double machine_rate_scale(const struct machine *machine, enum family family, double rate,
                                 double threads)
{
	if (!(threads < machine->cpu_threads))
		return rate;
	return rate * (machine_count_threads(family, threads) /
	               machine_count_threads(family, machine->cpu_threads));
}

static double machine_rate_of_machine(const struct machine *machine, enum machine_side side,
                                      enum family family, enum element element, double threads)
{
	const double *gemm =
		side == MACHINE_CPU ? machine->cpu_gemm_flops : machine->gpu_gemm_flops;
	const double *fft = side == MACHINE_CPU ? machine->cpu_fft_flops : machine->gpu_fft_flops;
	const double rate = family_is_fft(family) ? fft[element] : gemm[element];
	return side == MACHINE_GPU ? rate : machine_rate_scale(machine, family, rate, threads);
}

static enum family machine_rate_find_general(enum family family)
{
	return family_is_fft(family) ? FAMILY_FFT_C2C : FAMILY_GEMM;
}

static double machine_rate_finish(double rate)
{
	return rate > 0 ? machine_rate_bound(rate, rate_least, rate_most) : 0;
}

double machine_find_rate(const struct machine *machine, enum machine_side side, enum family family,
                         enum element element, double size, int threads)
{
	const enum family general = machine_rate_find_general(family);
	const int used = side == MACHINE_GPU ? 0 : threads > 1 ? threads : 1;
	const double bounded = machine_rate_bound(size, 1, MACHINE_SIZE_MOST);
	const double work = machine_rate_count_work(family, bounded);
	double rate = machine_rate_of_curves(machine, machine->first[side][family][element],
	                                     bounded, work, used);
	if (rate > 0)
		return machine_rate_finish(rate);
	rate = machine_rate_of_curves(machine, machine->first[side][general][element], bounded,
	                              work, used);
	if (!(rate > 0))
		rate = machine_rate_of_machine(machine, side, family, element, used);
	if (side == MACHINE_CPU && family == FAMILY_TRSM)
		rate *= rate_cpu_trsm;
	return machine_rate_finish(rate);
}

double machine_find_fft_rate(const struct machine *machine, enum fft_rigour rigour,
                             enum family family, enum element element, double size, int threads)
{
	const int used = threads > 1 ? threads : 1;
	const double bounded = machine_rate_bound(size, 1, MACHINE_SIZE_MOST);
	double rate = 0;
	if (rigour == FFT_ESTIMATED) {
		const uint8_t own = machine->first_estimated[family][element],
			      general = machine->first_estimated[FAMILY_FFT_C2C][element];
		rate = machine_rate_of_curves(machine, own != 0 ? own : general, bounded, bounded,
		                              used);
		if (!(rate > 0))
			rate = machine_rate_scale(machine, family,
			                          machine->cpu_fft_estimate_flops[element], used);
	}
	return rate > 0 ? machine_rate_finish(rate)
	                : machine_find_rate(machine, MACHINE_CPU, family, element, size, threads);
}

double machine_find_memory(const struct machine *machine, enum machine_side side, int threads)
{
	return machine_rate_finish(side == MACHINE_GPU
	                                   ? machine->gpu_memory_bytes
	                                   : machine_rate_scale(machine, FAMILY_FFT_C2C,
	                                                        machine->cpu_memory_bytes,
	                                                        threads > 1 ? threads : 1));
}

bool machine_borrows_rate(const struct machine *machine, enum family family, enum element element)
{
	return family != machine_rate_find_general(family) &&
	       machine->first[MACHINE_GPU][family][element] == 0;
}
