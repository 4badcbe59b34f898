/* fft_trial.h - one FFTW plan of the differential test: its planner, arrays and executions */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_FFT_TRIAL_H
#define GPUSHIM_TESTS_NUMERIC_FFT_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FFT_TRIAL_RANK = 4,
	FFT_TRIAL_LOOPS = 9,
	FFT_TRIAL_AXES = FFT_TRIAL_RANK + FFT_TRIAL_LOOPS,
	FFT_TRIAL_EXECUTIONS = 3,
	FFT_TRIAL_POINTS = 4096
};

enum fft_precision { FFT_DOUBLE, FFT_SINGLE, FFT_LONG, FFT_QUAD, FFT_PRECISIONS };
enum fft_kind { FFT_C2C, FFT_R2C, FFT_C2R, FFT_R2R, FFT_KINDS };

/* BASIC: by one integer per length; MANY, GURU and GURU64 as FFTW calls them. */
enum fft_form { FFT_BASIC, FFT_ND, FFT_MANY, FFT_GURU, FFT_GURU64, FFT_FORMS };

/* Fortran's names end in one underscore or in two. */
enum fft_language { FFT_C, FFT_FORTRAN, FFT_FORTRAN_TWICE, FFT_LANGUAGES };

enum fft_side { FFT_IN, FFT_OUT, FFT_SIDES };

/*
 * PLANNED: the arrays that the plan was made for. OTHERS: the new arrays of a new-array execution.
 */
enum fft_arrays { FFT_PLANNED, FFT_OTHERS, FFT_ARRAYS };

/* FAULT_NONE: arguments that FFTW takes. Else what it does not take. */
enum fft_fault { FFT_FAULT_NONE, FFT_FAULT_RANK, FFT_FAULT_LENGTH, FFT_FAULT_LOOP, FFT_FAULTS };

enum fft_filler { FFT_FILL_NAN, FFT_FILL_INFINITY, FFT_FILL_NUMBERS, FFT_FILLERS };

/*
 * The length in numbers of the transform, and the distance of neighbours in elements of each array.
 */
struct fft_axis {
	int64_t n, stride[FFT_SIDES];
};

struct fft_execution {
	bool by_arrays; /* the execution that names arrays, be it those of the plan */
	enum fft_arrays arrays;
	enum fft_language language;
};

struct fft_trial {
	enum fft_precision precision;
	enum fft_kind kind;
	enum fft_form form;
	enum fft_language language, destroyed_by;
	bool split;    /* real and imaginary parts in arrays of their own */
	bool in_place; /* out is in */
	bool unseen;   /* planned by the library itself, around the shim */
	int rank, loops;
	struct fft_axis axis[FFT_TRIAL_AXES]; /* the dimensions, and then the loops */
	bool has_embed[FFT_SIDES];
	int embed[FFT_SIDES][FFT_TRIAL_RANK];
	int stride[FFT_SIDES], distance[FFT_SIDES]; /* of FFT_MANY, which has one loop */
	int r2r[FFT_TRIAL_RANK];                    /* enum fftw_r2r_kind_do_not_use_me */
	int sign;
	unsigned flags;
	bool is_prepared; /* what is asked for with FFTW_WISDOM_ONLY has been planned before */
	enum fft_fault fault;
	int executions;
	struct fft_execution execution[FFT_TRIAL_EXECUTIONS];

	size_t offset[FFT_ARRAYS]
		     [FFT_SIDES]; /* of element 0, in bytes from the start of an arena */
	size_t begin[FFT_ARRAYS][FFT_SIDES],
		end[FFT_ARRAYS][FFT_SIDES]; /* what is watched around each array */
	int64_t apart_bytes[FFT_SIDES];     /* from the real to the imaginary array, where split */
	enum fft_filler filler;
};

/* Of one precision; quadruple precision only where the compiler has such numbers. */
struct fft_precision_row {
	const char *prefix, *fortran, *soname;
	size_t real_bytes;
	long double epsilon;
};
extern const struct fft_precision_row fft_precisions[FFT_PRECISIONS];

/* Of one array. A real transform keeps half of the last dimension in its complex array. */
bool fft_trial_is_complex(const struct fft_trial *t, enum fft_side side);
int64_t fft_trial_count(const struct fft_trial *t, enum fft_side side, int axis);
size_t fft_trial_element_bytes(const struct fft_trial *t, enum fft_side side);

/* Points of one transform, and of all. */
int64_t fft_trial_points(const struct fft_trial *t);
int64_t fft_trial_howmany(const struct fft_trial *t);

/*
 * The first and the last element, 0 being the one that the program points to. Nothing is as long as
 * one element.
 */
void fft_trial_range(const struct fft_trial *t, enum fft_side side, int64_t *first, int64_t *last);

/* In elements, from the one that the program points to. */
int64_t fft_trial_index(const struct fft_trial *t, enum fft_side side, const int64_t *at);

/*
 * The next element of this array along axes first to end - 1, the last one first; false, at the
 * first, after all.
 */
bool fft_trial_step(const struct fft_trial *t, enum fft_side side, int first, int end, int64_t *at);

/* What the planner is told: not what t says where there is a fault. */
int fft_trial_asked_rank(const struct fft_trial *t);
int fft_trial_asked_length(const struct fft_trial *t, int axis);

/* Whether FFTW promises to leave the input as it was. */
bool fft_trial_keeps_input(const struct fft_trial *t);

/* Whether planning leaves the arrays alone. */
bool fft_trial_plans_blindly(const struct fft_trial *t);

/* Of an execution under policy always: "policy_always" on the GPU, or why it stays on the CPU. */
const char *fft_trial_reason(const struct fft_trial *t);

/* What it is, on a few lines of stdout. */
void fft_trial_tell(const struct fft_trial *t);

#endif
