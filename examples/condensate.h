/* condensate.h - a Bose-Einstein condensate in a trap, advanced in time and observed */
/* SPDX-License-Identifier: Apache-2.0 */

#ifndef GPUSHIM_EXAMPLES_CONDENSATE_H
#define GPUSHIM_EXAMPLES_CONDENSATE_H

#include <complex.h>
#include <fftw3.h>

/* All values are in the units of the trap: hbar = m = omega = 1. */
struct setup {
	int size; /* grid points per axis, even */
	/* oscillator modes per axis, at most size / 2: the grid cannot resolve higher ones */
	int modes;
	double step;         /* of time */
	double coupling;     /* g */
	double displacement; /* of the start, along x */
};

enum part { PART_SETUP, PART_FFT, PART_GEMM, PART_OTHER, PART_COUNT };

/* Matrices are row-major, x runs down the rows. */
struct condensate {
	struct setup setup;
	double spacing;
	double *position, *wavenumber; /* [size]; wavenumbers in FFTW's order */
	double *trap;                  /* [size], one axis' part of the trap's potential */
	/* [size], one axis' factor of a kinetic step, with the 1/size that FFTW leaves out */
	double complex *kinetic;
	double complex *psi, *spectrum; /* [size][size] */
	double *basis;                  /* [size][modes], Hermite functions times the spacing */
	double *split;               /* [2][size][size], the real above the imaginary part of psi */
	double *half;                /* [2][size][modes], projected along y */
	double *coefficient;         /* [2][modes][modes], projected along both axes */
	fftw_plan forward, backward; /* psi in place */
	fftw_plan analyse;           /* psi to spectrum */
	double seconds[PART_COUNT];  /* spent so far in each part */
	double mark;                 /* when the present part began */
};

struct observed {
	double norm, energy;
	double x, px, r2;   /* means per particle */
	double mode_energy; /* kinetic energy and trap, summed over the modes */
	double grid_energy; /* the same, from Fourier space and the grid */
	double ground;      /* population of the lowest mode */
	double outside;     /* population outside the modes */
};

/* Ends the program with a message on stderr and status 1 where there is no memory or no plan. */
void condensate_open(struct condensate *s, const struct setup *setup);
void condensate_close(struct condensate *s);

void condensate_advance(struct condensate *s, int steps);

/* Does not change psi. */
struct observed condensate_observe(struct condensate *s);

#endif
