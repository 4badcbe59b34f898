/* regret_fault.c - the faults, and the times that they make longer */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/regret/regret_fault.h"

#include <stddef.h>
#include <string.h>

#include "measure/random.h"

static const struct regret_fault regret_faults[] = {
	{.name = "none"},
	{.name = "first 10 ms", .first_ns = 10e6},
	{.name = "first 20 ms", .first_ns = 20e6},
	{.name = "first 60 ms", .first_ns = 60e6},
	{.name = "kernels 5 ms", .kernel_ns = 5e6},
	{.name = "cpu bursts", .burst = {6, 1}},
	{.name = "gpu bursts", .burst = {1, 6}},
	{.name = "fast cpu fft", .cpu_fft = 0.4},
	{.name = "dear trsm", .dear_trsm = true},
	{.name = "cpu tails", .tail = {10, 1}, .most = 2},
	{.name = "gpu tails", .tail = {1, 10}, .most = 2},
	{.name = "cpu faster late", .late = {0.25, 1}},
	{.name = "cpu slower late", .late = {4, 1}},
	{.name = "gpu slower late", .late = {1, 4}},
	{.name = "28 processes", .sharers = 27, .most = 2},
	{.name = "all", .first_ns = 60e6, .burst = {6, 6}, .cpu_fft = 0.4, .dear_trsm = true},
};

enum {
	FAULT_COUNT = sizeof regret_faults / sizeof regret_faults[0],
	FAULT_BURST = 50,
	FAULT_BURST_EACH = 10,
	FAULT_TAIL_EACH = 20,
	FAULT_SHARED = 200,
	FAULT_SHARED_EACH = 4
};

/* Streams of random bits, apart from each other and from the noise. */
enum { FAULT_STREAM_BURST = 3000, FAULT_STREAM_TAIL = 4000, FAULT_STREAM_SHARE = 5000 };

const struct regret_fault *regret_fault_find(int index)
{
	return index >= 0 && index < FAULT_COUNT ? &regret_faults[index] : NULL;
}

int regret_fault_name(const char *name)
{
	for (int i = 0; i < FAULT_COUNT; i++)
		if (strcmp(regret_faults[i].name, name) == 0)
			return i;
	return -1;
}

static bool fault_draws(uint64_t stream, uint64_t seed, uint64_t index, unsigned each)
{
	return random_bits(seed + stream, index) % each == 0;
}

/*
 * Calls are served in turn with those of the others that use the GPU now; in parts of the mean.
 */
static double fault_share(int sharers, const struct regret_place *place)
{
	int active = 1;
	for (int i = 0; i < sharers; i++)
		active += fault_draws(FAULT_STREAM_SHARE + (uint64_t)i, place->seed,
		                      place->number / FAULT_SHARED, FAULT_SHARED_EACH);
	return active / (1 + (double)sharers / FAULT_SHARED_EACH);
}

double regret_fault_factor(const struct regret_fault *fault, unsigned side,
                           const struct regret_place *place)
{
	double factor = 1;
	if (fault == regret_faults)
		return 1;
	if (fault->burst[side] > 0 && fault_draws(FAULT_STREAM_BURST + side, place->seed,
	                                          place->number / FAULT_BURST, FAULT_BURST_EACH))
		factor *= fault->burst[side];
	if (fault->tail[side] > 0 &&
	    fault_draws(FAULT_STREAM_TAIL + side, place->seed, place->number, FAULT_TAIL_EACH))
		factor *= fault->tail[side];
	if (fault->late[side] > 0 && place->late)
		factor *= fault->late[side];
	return side == 1 && fault->sharers > 0 ? factor * fault_share(fault->sharers, place)
	                                       : factor;
}

double regret_fault_mean(const struct regret_fault *fault, const struct call *call, unsigned side)
{
	if (side == 0)
		return fault->cpu_fft > 0 && family_is_fft(call->family) ? fault->cpu_fft : 1;
	return 1 + (double)fault->sharers / FAULT_SHARED_EACH;
}
