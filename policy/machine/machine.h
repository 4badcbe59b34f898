/* machine.h - the machine profile: rates and costs that predictions need; pure */
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
	MACHINE_CURVES = 240,
	MACHINE_POINTS = 12
};

enum machine_side { MACHINE_CPU, MACHINE_GPU, MACHINE_SIDES };

#define MACHINE_SIZE_MOST 1e19 /* more than 2^63 */

/*
 * Rates of one routine by size. Sizes ascend, from 1 to MACHINE_SIZE_MOST. The size of a BLAS call
 * is the cube root of m n k (of one problem of a batch), that of a LAPACK call the order of the
 * square call with all vectors that has as many flops, that of a transform its number of points.
 * threads: threads of the CPU library; 0 on the GPU.
 */
struct machine_curve {
	enum machine_side side;
	enum family family;
	enum element element;
	enum fft_rigour rigour; /* of a transform on the CPU; else FFT_MEASURED */
	int threads, count;
	struct machine_point {
		double size, rate;
		/*
		 * Set by machine_add_curve: the longest time up to this point, as work / rate (work
		 * as in machine_rate.c).
		 */
		double longest;
	} point[MACHINE_POINTS];
	/*
	 * Set by machine_add_curve: the routine's next curve, of more threads; an index as in
	 * machine.first.
	 */
	uint8_t next;
};

/*
 * A profile. Rates are per second: flops for arithmetic, bytes for links. Costs are in nanoseconds.
 * 0 means unknown: machine_assume fills it, or what needs it is not predicted. Texts are empty
 * where nothing is known.
 */
struct machine {
	/*
	 * Of the file that was read: its version (0 if it gives none), and whether its last line
	 * was there.
	 */
	int version;
	bool ended;
	char name[MACHINE_NAME_BYTES];
	/*
	 * Where the profile holds: names of the machine and its parts. A profile without a host is
	 * that of a reference machine, and holds on every machine.
	 */
	char host[MACHINE_NAME_BYTES], cpu[MACHINE_NAME_BYTES], gpu[MACHINE_NAME_BYTES];
	/* the libraries that were measured */
	char cpu_blas[MACHINE_NAME_BYTES], cpu_lapack[MACHINE_NAME_BYTES],
		cpu_fftw[MACHINE_NAME_BYTES], cuda[MACHINE_NAME_BYTES];
	char measured[MACHINE_NAME_BYTES]; /* time of the measurement: RFC 3339, UTC */
	/* threads that the flat rates below hold for: all cores of the machine */
	double cpu_threads;
	double gpu_count;
	/* rates of large square products */
	double cpu_gemm_flops[ELEMENT_COUNT], gpu_gemm_flops[ELEMENT_COUNT];
	/*
	 * Rates of transforms, counted as 5 N log2 N; C and Z only. On the CPU by plans that were
	 * measured and by plans that were estimated (enum fft_rigour).
	 */
	double cpu_fft_flops[ELEMENT_COUNT], gpu_fft_flops[ELEMENT_COUNT];
	double cpu_fft_estimate_flops[ELEMENT_COUNT];
	/* reading memory: by all cpu_threads, and the device its own */
	double cpu_memory_bytes, gpu_memory_bytes;
	/*
	 * host to device and back, for ordinary memory: through the staging rings, or loaded
	 * directly by a device that reads it
	 */
	double link_up_bytes, link_down_bytes;
	double link_up_pinned_bytes, link_down_pinned_bytes; /* the same for page-locked memory */
	/* the same for ordinary memory, by cudaMemcpy */
	double link_up_pageable_bytes, link_down_pageable_bytes;
	double link_duplex; /* share of its rate that each link keeps while both are busy, 0 to 1 */
	/* launch and latency of one copy or kernel, beside its bytes or flops */
	double operation_ns;
	double copy_ns; /* the same of a copy that follows another one of its stream at once */
	/*
	 * The time of a transform on the device beside its flops, by the number of dimensions less
	 * one: launches, and kernels that wait for each other.
	 */
	double gpu_fft_floor_ns[FFT_GPU_RANK];
	/*
	 * The time of trsm on the device beside its flops, for each row of the triangle: rows are
	 * solved one after the other.
	 */
	double gpu_trsm_row_ns;
	double gpu_multiprocessors, gpu_capability; /* 10 major + minor */
	double call_fixed_ns; /* launch, synchronisation and bookkeeping of one call on the GPU */
	double start_ns;      /* start of CUDA: context, handles, staging */
	double fft_plan_ns;   /* creation of one cuFFT plan */
	/* start of cuSOLVER, by the first LAPACK call that goes to the GPU */
	double solver_start_ns;
	/*
	 * Curves, added by machine_add_curve. first: for each routine the curve of the fewest
	 * threads, as index + 1; 0 if there is none.
	 */
	int curve_count;
	struct machine_curve curve[MACHINE_CURVES];
	uint8_t first[MACHINE_SIDES][FAMILY_COUNT][ELEMENT_COUNT];
	uint8_t first_estimated[FAMILY_COUNT][ELEMENT_COUNT]; /* of FFT_ESTIMATED on the CPU */
};
_Static_assert((int)MACHINE_CURVES < UINT8_MAX, "first and next can tell each curve");

/*
 * Adds a copy of a curve behind the others; it may be an element of machine->curve itself, from
 * curve_count on. The curve is not to be changed afterwards. false if it has no points or there is
 * no room.
 */
bool machine_add_curve(struct machine *machine, const struct machine_curve *curve);

/* Removes all curves of one side; the others keep their order. */
void machine_drop_curves(struct machine *machine, enum machine_side side);

/*
 * Reads one line of a profile, "key = value", "# comment" or blank, into machine (zeroed before the
 * first line). false with one sentence in message on an unknown key, a number that is negative,
 * infinite or unreadable, sizes that do not ascend, a routine twice, or too many curves or points.
 * Numbers are plain or scientific, in the units above. Keys are the names of the fields; rates per
 * element are flops_s, flops_d and so on; curves are cpu_<routine>_t<threads>,
 * cpu_<routine>_estimate_t<threads> and gpu_<routine> ("cpu_dgemm_t4", "cpu_fftw_c2c_estimate_t4",
 * "gpu_fftw_c2c") with a list "size:rate size:rate ..." of rates of at least 1.
 * "profile = 1" is the version; a profile with a version ends with "end = true".
 */
bool machine_parse_line(struct machine *machine, const char *line,
                        char message[MACHINE_MESSAGE_BYTES]);

/*
 * Writes the next line of the profile without newline: the version, every known key, the curves,
 * the end. machine_parse_line of all lines gives the same profile (rates to nine digits). *position
 * starts at 0. false after the last line. A line is at most 511 bytes long; size should be 512 or
 * more.
 */
bool machine_write_line(const struct machine *machine, int *position, char *line, size_t size);

/*
 * Whether the profile is complete (one with a version must have its last line) and holds what every
 * prediction needs, both links. If not, false with one sentence in message.
 */
bool machine_is_usable(const struct machine *machine, char message[MACHINE_MESSAGE_BYTES]);

/*
 * Whether a profile that was measured on a host was measured on this one: host, cpu and gpu are
 * compared where both profiles know them. If not, false with one sentence that names the
 * difference. A profile without a host holds everywhere.
 */
bool machine_holds_for(const struct machine *machine, const struct machine *here,
                       char message[MACHINE_MESSAGE_BYTES]);

/* Whether the profile was measured on the machine that it names. */
static inline bool machine_is_measured(const struct machine *machine)
{
	return machine->host[0] != '\0' && machine->measured[0] != '\0';
}

/*
 * The rate of a routine on one side, for a size as in struct machine_curve and a number of threads
 * of the CPU library (at least 1; ignored for the GPU). 0 if unknown, else between 1 and 1e60.
 *
 * Sources, in this order: the curves of the routine, those of gemm (of c2c for transforms) with the
 * same element, the flat rate of gemm (of c2c); a trsm of the CPU reaches a share of a rate that is
 * gemm's. Transforms on the CPU: those of plans that were measured. Between two sizes of a curve
 * time grows linearly
 * with flops; beyond its ends the rate is constant. Between the curves of two thread counts the
 * rate is linear, below the least in proportion to the threads, above the most constant. A flat
 * rate of the CPU is in proportion to machine_count_threads, up to cpu_threads (for any number of
 * threads if cpu_threads is unknown).
 *
 * Monotone: the time that follows, flops of the size / rate, never falls as size grows, and the
 * rate never falls as a rate of the profile or the threads grow.
 */
double machine_find_rate(const struct machine *machine, enum machine_side side, enum family family,
                         enum element element, double size, int threads);

/*
 * The same for a transform on the CPU whose plan was made with this rigour. FFT_ESTIMATED: the
 * curves and the flat rate of estimated plans come first; where a profile has none of them, its
 * rates hold for every plan.
 */
double machine_find_fft_rate(const struct machine *machine, enum fft_rigour rigour,
                             enum family family, enum element element, double size, int threads);

/*
 * Bytes per second at which one side reads operands; threads as for machine_find_rate. 0 if
 * unknown, else between 1 and 1e60.
 */
double machine_find_memory(const struct machine *machine, enum machine_side side, int threads);

/* Whether the rate of the routine on the GPU is that of another routine, gemm or c2c. */
bool machine_borrows_rate(const struct machine *machine, enum family family, enum element element);

/*
 * The factor by which a flat rate of one thread grows: the threads; for transforms, which memory
 * bounds, the first four and a quarter of the others.
 */
double machine_count_threads(enum family family, double threads);

/*
 * Fills unknown fields with the assumptions that docs/tuning.md documents: per core of the CPU; for
 * the GPU by compute capability (10 major + minor; 0: not seen yet, a common server card is
 * assumed) and number of multiprocessors.
 */
void machine_assume(struct machine *machine, int capability, int multiprocessors);

#endif
