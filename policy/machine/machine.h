/* machine.h - what a machine can do, as far as predictions need it; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_MACHINE_MACHINE_H
#define GPUSHIM_POLICY_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/call/call.h"

enum {
	MACHINE_NAME_BYTES = 128,
	MACHINE_MESSAGE_BYTES = 256,
	MACHINE_CURVES = 96,
	MACHINE_POINTS = 12
};

enum machine_side { MACHINE_CPU, MACHINE_GPU, MACHINE_SIDES };

#define MACHINE_SIZE_MOST 1e19 /* more than 2^63 */

/*
 * Rates of one routine by size, sizes ascending, from 1 to MACHINE_SIZE_MOST. The size of a BLAS
 * call is the cube root of m n k (of q problems: of one of them), that of a transform the number of
 * its points. threads: of the CPU library; 0 on the GPU.
 */
struct machine_curve {
	enum machine_side side;
	enum family family;
	enum element element;
	int threads, count;
	struct machine_point {
		double size, rate;
		double longest; /* made by machine_add_curve: what it or one before it takes, in the curve's own unit */
	} point[MACHINE_POINTS];
	uint8_t next; /* made by it, too: the routine's next curve, of more threads, as machine.first has it */
};

/*
 * A profile. Rates are in units per second: flops for arithmetic, bytes for links; costs in
 * nanoseconds. 0 means
 * unknown: machine_assume fills it, or whatever would need it is not predicted. Texts are empty
 * where nothing is known.
 */
struct machine {
	/* Of the file that it was read from: its version (0 where it does not say), and whether its last line was
	 * there. */
	int version;
	bool ended;
	char name[MACHINE_NAME_BYTES];
	/*
	 * What it holds for. A profile without a host is a reference machine's: it holds wherever
	 * it is asked for.
	 */
	char host[MACHINE_NAME_BYTES], cpu[MACHINE_NAME_BYTES],
		gpu[MACHINE_NAME_BYTES]; /* names of the machine and parts */
	char cpu_blas[MACHINE_NAME_BYTES], cpu_fftw[MACHINE_NAME_BYTES],
		cuda[MACHINE_NAME_BYTES];  /* libraries measured */
	char measured[MACHINE_NAME_BYTES]; /* when: RFC 3339, UTC */
	double cpu_threads; /* with which the flat rates below hold: all of the machine's cores */
	double gpu_count;
	double cpu_gemm_flops[ELEMENT_COUNT],
		gpu_gemm_flops[ELEMENT_COUNT]; /* large square multiplications */
	double cpu_fft_flops[ELEMENT_COUNT],
		gpu_fft_flops[ELEMENT_COUNT]; /* 5 N log2 N counting; C and Z only */
	double link_up_bytes,
		link_down_bytes; /* host to device, device to host, as the shim moves operands: staged */
	double link_up_pinned_bytes, link_down_pinned_bytes; /* from and to page-locked memory */
	double link_up_pageable_bytes,
		link_down_pageable_bytes; /* by cudaMemcpy from and to ordinary memory */
	double link_duplex; /* the part of its rate that each link keeps while both move, 0 to 1 */
	double operation_ns; /* of one copy or kernel beside its bytes or flops: launch and latency */
	double gpu_multiprocessors, gpu_capability; /* 10 major + minor */
	double call_fixed_ns; /* launch, synchronisation and bookkeeping of one offloaded call */
	double start_ns; /* from nothing to a device that takes calls: context, handles, staging */
	double fft_plan_ns; /* making one cuFFT plan */
	/*
	 * Added by machine_add_curve. first: of each routine the curve of the fewest threads, 1 for
	 * curve[0], or 0.
	 */
	int curve_count;
	struct machine_curve curve[MACHINE_CURVES];
	uint8_t first[MACHINE_SIDES][FAMILY_COUNT][ELEMENT_COUNT];
};
_Static_assert((int)MACHINE_CURVES < UINT8_MAX, "first and next can tell each curve");

/*
 * Adds a curve, which may be one of the machine's own array from curve_count on, behind the others.
 * What it says must not change afterwards. False where it has no points or there is no room.
 */
bool machine_add_curve(struct machine *machine, const struct machine_curve *curve);

/* Takes all curves of one side away; the others stay in their order. */
void machine_drop_curves(struct machine *machine, enum machine_side side);

/*
 * Reads one line of a profile, "key = value" or "# comment" or blank, into machine (start from a
 * zeroed struct). Returns false with one sentence in message on an unknown key, a negative,
 * infinite or unreadable number, sizes that do not ascend, a routine twice, or more curves or
 * points than there is room for. Rates are plain or scientific numbers in the units above. Keys are
 * the fields' names; of rates per element flops_s, flops_d ...; of curves cpu_<routine>_t<threads>
 * and gpu_<routine> ("cpu_dgemm_t4", "gpu_fftw_c2c"), whose value is a list "size:rate size:rate
 * ..." with rates of 1 and more. "profile = 1" is the version, and "end = true" the last line of a
 * profile that has one.
 */
bool machine_parse_line(struct machine *machine, const char *line,
                        char message[MACHINE_MESSAGE_BYTES]);

/*
 * The next line of the profile as text, without newline: every key that is known, in an order that
 * reads well, so that machine_parse_line of all of them gives the same profile (rates to nine
 * digits). The first is the version, the last the end. *position starts at 0. False after the last;
 * lines that do not fit into size bytes do not occur with 512 or more.
 */
bool machine_write_line(const struct machine *machine, int *position, char *line, size_t size);

/*
 * Whether the profile is whole, which one with a version tells by its last line, and holds what any
 * prediction needs: both links. false with one sentence in message otherwise.
 */
bool machine_is_usable(const struct machine *machine, char message[MACHINE_MESSAGE_BYTES]);

/*
 * Whether a profile that was measured on a host was measured on this one: host and cpu are compared
 * where both know them, and gpu likewise. false with one sentence that names what differs. A
 * profile without a host holds everywhere.
 */
bool machine_holds_for(const struct machine *machine, const struct machine *here,
                       char message[MACHINE_MESSAGE_BYTES]);

/* Whether it was measured, on the machine that it names. */
static inline bool machine_is_measured(const struct machine *machine)
{
	return machine->host[0] != '\0' && machine->measured[0] != '\0';
}

/*
 * The rate of a routine on one side at a size (as of struct machine_curve), with so many threads of
 * the CPU library (at least 1; not used for the GPU): from its curves, between two sizes as if time
 * grew linearly with flops, level beyond their ends; between two thread counts linearly, below the
 * least in proportion, level beyond the most. Else from the family's flat rate, which of the CPU is
 * in proportion to the threads that count, up to cpu_threads (where these are unknown, for any
 * threads). 0 where neither is known, else between 1 and 1e60. Routines without curves of their own
 * have those of gemm (of c2c) with the same element. The time that it gives, flops of the size /
 * rate, never falls as size grows, and the rate never falls as a rate of the profile or the threads
 * grow.
 */
double machine_find_rate(const struct machine *machine, enum machine_side side, enum family family,
                         enum element element, double size, int threads);

/*
 * How many threads' worth so many threads are for a family's flat rate: all of them, but of a
 * transform, which memory bounds, four and a quarter of the others.
 */
double machine_count_threads(enum family family, double threads);

/*
 * Fills what is unknown by documented assumptions (docs/tuning.md): per core of the CPU, and for
 * the GPU by its compute capability (10 major + minor; 0: not seen yet, an ordinary card of a
 * server) and multiprocessors.
 */
void machine_assume(struct machine *machine, int capability, int multiprocessors);

#endif
