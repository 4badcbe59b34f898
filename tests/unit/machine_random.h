/* machine_random.h - random profiles, the same in each run, within all that the reader accepts */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_UNIT_MACHINE_RANDOM_H
#define GPUSHIM_TESTS_UNIT_MACHINE_RANDOM_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "policy/machine/machine.h"

/* xorshift64; start it with any number but 0. */
struct machine_random {
	uint64_t state;
};

static inline uint64_t machine_random_below(struct machine_random *random, uint64_t limit)
{
	random->state ^= random->state << 13;
	random->state ^= random->state >> 7;
	random->state ^= random->state << 17;
	return random->state % limit;
}

/* Logarithmically uniform. 1 <= least <= most. */
static inline double machine_random_real(struct machine_random *random, double least, double most)
{
	const double share = (double)machine_random_below(random, 1000001) / 1e6;
	return fmin(most, least * pow(2, share * (log2(most) - log2(least))));
}

/* Sometimes the ends of the allowed range. */
static inline double machine_random_rate(struct machine_random *random)
{
	switch (machine_random_below(random, 8)) {
	case 0: return machine_random_real(random, 1, 1e300);
	case 1: return 1;
	default: return machine_random_real(random, 1e9, 1e14);
	}
}

static inline void machine_random_points(struct machine_random *random, struct machine_curve *curve)
{
	const int wanted = 1 + (int)machine_random_below(random, MACHINE_POINTS);
	double size = machine_random_real(random, 1, 1e4);
	curve->count = 0;
	while (curve->count < wanted && size <= MACHINE_SIZE_MOST) {
		curve->point[curve->count].size = size;
		curve->point[curve->count++].rate = machine_random_rate(random);
		size *= machine_random_real(random, 1.00001,
		                            machine_random_below(random, 4) == 0 ? 1e6 : 8);
	}
}

static inline bool machine_random_has(const struct machine *machine,
                                      const struct machine_curve *wanted)
{
	for (int i = 0; i < machine->curve_count; i++) {
		const struct machine_curve *curve = &machine->curve[i];
		if (curve->side == wanted->side && curve->family == wanted->family &&
		    curve->element == wanted->element && curve->rigour == wanted->rigour &&
		    curve->threads == wanted->threads)
			return true;
	}
	return false;
}

/* Curves of few routines, so that a routine has several numbers of threads. */
static inline void machine_random_curves(struct machine_random *random, struct machine *machine,
                                         int count)
{
	static const enum family families[] = {FAMILY_GEMM, FAMILY_TRSM, FAMILY_FFT_C2C,
	                                       FAMILY_FFT_R2C};
	for (int i = 0; i < count; i++) {
		struct machine_curve curve = {
			.side = (enum machine_side)machine_random_below(random, MACHINE_SIDES),
			.family = families[machine_random_below(random, 4)],
			.element = (enum element)(ELEMENT_C + machine_random_below(random, 2))};
		if (curve.side == MACHINE_CPU && family_is_fft(curve.family))
			curve.rigour = (enum fft_rigour)machine_random_below(random, FFT_RIGOURS);
		if (curve.side == MACHINE_CPU)
			curve.threads = (int)machine_random_real(random, 1, 256);
		machine_random_points(random, &curve);
		if (!machine_random_has(machine, &curve))
			machine_add_curve(machine, &curve);
	}
}

/* Complete and measured, in the version that is written. */
static inline void machine_random_make(struct machine_random *random, struct machine *machine)
{
	*machine = (struct machine){.version = 1, .ended = true};
#define MACHINE_TEXT(field)                                                                        \
	snprintf(machine->field, MACHINE_NAME_BYTES, "%s \"%u\"", #field,                          \
	         (unsigned)machine_random_below(random, 1000));
#define MACHINE_NUMBER(key, field) machine->field = machine_random_rate(random);
#include "policy/machine/machine.def"
	machine->cpu_threads = (double)(1 + machine_random_below(random, 512));
	machine->link_duplex = (double)machine_random_below(random, 101) / 100;
	machine_random_curves(random, machine, (int)machine_random_below(random, 24));
}

#endif
