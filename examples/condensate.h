/* condensate.h - a Bose-Einstein condensate in a trap, advanced in time and observed; the physics is in condensate.c */
/* SPDX-License-Identifier: Apache-2.0 */

#ifndef GPUSHIM_EXAMPLES_CONDENSATE_H
#define GPUSHIM_EXAMPLES_CONDENSATE_H

#include <complex.h>
#include <fftw3.h>

/* Everything in the units of the trap: hbar = m = omega = 1. */
struct setup {
	int size;  /* grid points per axis, even */
	int modes; /* oscillator modes per axis, at most size / 2: higher ones do not fit the grid */
	double step;         /* of time */
	double coupling;     /* g */
	double displacement; /* of the start along x */
};

enum part { PART_SETUP, PART_FFT, PART_GEMM, PART_OTHER, PART_COUNT };

/* Matrices are row-major, x runs down the rows. */
struct condensate {
	struct setup setup;
	double spacing;
	double *position, *wavenumber; /* [size]; wavenumbers in FFTW's order */
	double *trap;                  /* [size], one axis' share of the trap's potential */
	double complex *
		kinetic; /* [size], one axis' factor of a kinetic step, with FFTW's missing 1/size */
	double complex *psi, *spectrum; /* [size][size] */
	double *basis;                  /* [size][modes], Hermite functions times the spacing */
	double *split;               /* [2][size][size], the real above the imaginary part of psi */
	double *half;                /* [2][size][modes], projected along y */
	double *coefficient;         /* [2][modes][modes], projected along both axes */
	fftw_plan forward, backward; /* psi in place */
	fftw_plan analyse;           /* psi to spectrum */
	double seconds[PART_COUNT];  /* spent so far in each part */
	double mark;                 /* when the running part began */
};

struct observed {
	double norm, energy;
	double x, px, r2;   /* means per particle */
	double mode_energy; /* kinetic energy and trap, summed over the modes */
	double grid_energy; /* the same, from Fourier space and the grid */
	double ground;      /* population of the lowest mode */
	double outside;     /* population that the modes do not hold */
};

/* Ends the program with a sentence on stderr and status 1 where memory or a plan cannot be had. */
void condensate_open(struct condensate *s, const struct setup *setup);
void condensate_close(struct condensate *s);

void condensate_advance(struct condensate *s, int steps);

/* Leaves psi as it is. */
struct observed condensate_observe(struct condensate *s);

#endif
