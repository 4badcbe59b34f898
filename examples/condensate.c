/* condensate.c - a Bose-Einstein condensate in a trap, by the split-step Fourier method */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The equation is the two-dimensional Gross-Pitaevskii (nonlinear Schroedinger) equation in a
 * harmonic trap,
 *
 *     i d(psi)/dt = [ -(d2/dx2 + d2/dy2)/2 + (x^2 + y^2)/2 + g |psi|^2 ] psi
 *     integral |psi|^2 = 1,
 *
 * in the units of the trap, hbar = m = omega = 1: lengths in sqrt(hbar/(m omega)), times in
 * 1/omega, energies in hbar omega. Pitaevskii and Stringari, "Bose-Einstein Condensation" (2003),
 * chapter 5; Pethick and Smith, "Bose-Einstein Condensation in Dilute Gases" (2nd edition, 2008),
 * chapter 7.
 *
 * Time: Strang splitting, half a step of trap and interaction, a kinetic step in Fourier space,
 * half a step of trap and interaction (Bao and Cai, Kinetic and Related Models 6, 1 (2013), section
 * 4). Every factor is a pure phase: the norm is kept to rounding, the energy to second order in the
 * step.
 *
 * Every few steps the state is projected on the oscillator modes of the trap, c = Phi^T psi Phi
 * with a dense matrix Phi of Hermite functions, the projector of the projected Gross-Pitaevskii
 * equation (Blakie et al., Adv. Phys. 57, 363 (2008)). The projection gives the populations
 * |c_nm|^2 and, without a derivative, the single-particle energy a second time.
 *
 * Properties that are exact at any g, which the test checks: the centre of mass swings at the
 * frequency of the trap (Dobson, Phys. Rev. Lett. 73, 2244 (1994)), and <r^2> oscillates at twice
 * that frequency about the energy (Pitaevskii and Rosch, Phys. Rev. A 55, R853 (1997)). At g = 0
 * the start is a coherent state, whose populations stay Poissonian.
 */

#define _POSIX_C_SOURCE 200809L

#include "condensate.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef CMPLX /* C11 has it; clang leaves it to the C library, and glibc gives it to gcc alone */
#define CMPLX(real, imaginary) __builtin_complex((double)(real), (double)(imaginary))
#endif

static void condensate_fail(const char *sentence)
{
	fprintf(stderr, "simulation: %s\n", sentence);
	exit(1);
}

static double *new_array(size_t count)
{
	double *array = fftw_malloc(count * sizeof *array);
	if (!array) {
		condensate_fail(
			"not enough memory for this grid; choose a smaller --size or --modes");
	}
	return memset(array, 0, count * sizeof *array);
}

/* Adds the time since the last call to PART. */
static void charge(struct condensate *s, enum part part)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
	s->seconds[part] += seconds - s->mark;
	s->mark = seconds;
}

/*
 * C's complex product checks for infinities in a library call. A wave function of norm 1 has none.
 */
static double complex times(double complex a, double complex b)
{
	return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b),
	             creal(a) * cimag(b) + cimag(a) * creal(b));
}

static double weight(double complex a)
{
	return creal(a) * creal(a) + cimag(a) * cimag(a);
}

/*
 * A row of the normalised Hermite functions at x, by their three-term recurrence. Where x is large
 * the common factor exp(-x^2/2) underflows although high modes are not small there: it is kept as a
 * logarithm.
 */
static void fill_modes(double *row, int modes, double x, double scale)
{
	const double huge = 1e100;
	double previous = 0.0, current = pow(acos(-1.0), -0.25), exponent = -0.5 * x * x;
	for (int n = 0; n < modes; n++) {
		row[n] = scale * current * exp(exponent);
		double next =
			sqrt(2.0 / (n + 1)) * x * current - sqrt((double)n / (n + 1)) * previous;
		previous = current;
		current = next;
		if (fabs(current) > huge) {
			current /= huge;
			previous /= huge;
			exponent += log(huge);
		}
	}
}

/*
 * The box is sqrt(2 pi size) wide, so that position and wavenumber have the same range, as the
 * modes of the oscillator need.
 */
static void fill_grid(struct condensate *s)
{
	int size = s->setup.size;
	double width = sqrt(2.0 * acos(-1.0) * size), step = s->setup.step;
	s->spacing = width / size;
	for (int i = 0; i < size; i++) {
		double x = (i - size / 2) * s->spacing;
		double k = 2.0 * acos(-1.0) / width * (i < size / 2 ? i : i - size);
		s->position[i] = x;
		s->wavenumber[i] = k;
		s->trap[i] = 0.5 * x * x;
		s->kinetic[i] = cexp(-0.5 * I * k * k * step) / size;
		fill_modes(s->basis + (size_t)i * s->setup.modes, s->setup.modes, x, s->spacing);
	}
}

/* The oscillator's ground state, moved along x: a coherent state. */
static void fill_start(struct condensate *s)
{
	int size = s->setup.size;
	for (int i = 0; i < size; i++) {
		double x = s->position[i] - s->setup.displacement;
		for (int j = 0; j < size; j++) {
			double y = s->position[j];
			s->psi[(size_t)i * size + j] =
				exp(-0.5 * (x * x + y * y)) / sqrt(acos(-1.0));
		}
	}
}

void condensate_open(struct condensate *s, const struct setup *setup)
{
	size_t n = (size_t)setup->size, modes = (size_t)setup->modes;
	int size = setup->size;
	*s = (struct condensate){.setup = *setup};
	charge(s, PART_SETUP);
	s->seconds[PART_SETUP] = 0.0;
	s->position = new_array(n);
	s->wavenumber = new_array(n);
	s->trap = new_array(n);
	s->kinetic = (double complex *)new_array(2 * n);
	s->psi = (double complex *)new_array(2 * n * n);
	s->spectrum = (double complex *)new_array(2 * n * n);
	s->basis = new_array(n * modes);
	s->split = new_array(2 * n * n);
	s->half = new_array(2 * n * modes);
	s->coefficient = new_array(2 * modes * modes);
	/*
	 * FFTW_ESTIMATE: measuring takes longer than a short run, and may choose another algorithm
	 * in the next run, whose results differ in the last digits.
	 */
	s->forward = fftw_plan_dft_2d(size, size, s->psi, s->psi, FFTW_FORWARD, FFTW_ESTIMATE);
	s->backward = fftw_plan_dft_2d(size, size, s->psi, s->psi, FFTW_BACKWARD, FFTW_ESTIMATE);
	s->analyse = fftw_plan_dft_2d(size, size, s->psi, s->spectrum, FFTW_FORWARD, FFTW_ESTIMATE);
	if (!s->forward || !s->backward || !s->analyse) {
		condensate_fail("FFTW has no plan for this grid");
	}
	fill_grid(s);
	fill_start(s);
	charge(s, PART_SETUP);
}

void condensate_close(struct condensate *s)
{
	fftw_destroy_plan(s->forward);
	fftw_destroy_plan(s->backward);
	fftw_destroy_plan(s->analyse);
	void *arrays[] = {s->position, s->wavenumber, s->trap,  s->kinetic, s->psi,
	                  s->spectrum, s->basis,      s->split, s->half,    s->coefficient};
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		fftw_free(arrays[i]);
	}
}

/* Multiplies by exp(-i STEP (trap + g |psi|^2)); exact, since this does not change |psi|^2. */
static void step_potential(struct condensate *s, double step)
{
	int size = s->setup.size;
	for (int i = 0; i < size; i++) {
		double complex *row = s->psi + (size_t)i * size;
		for (int j = 0; j < size; j++) {
			double angle = step * (s->trap[i] + s->trap[j] +
			                       s->setup.coupling * weight(row[j]));
			row[j] = times(row[j], CMPLX(cos(angle), -sin(angle)));
		}
	}
	charge(s, PART_OTHER);
}

static void step_kinetic(struct condensate *s)
{
	int size = s->setup.size;
	fftw_execute(s->forward);
	charge(s, PART_FFT);
	for (int i = 0; i < size; i++) {
		double complex *row = s->psi + (size_t)i * size;
		for (int j = 0; j < size; j++) {
			row[j] = times(row[j], times(s->kinetic[i], s->kinetic[j]));
		}
	}
	charge(s, PART_OTHER);
	fftw_execute(s->backward);
	charge(s, PART_FFT);
}

/* The last half step of a time step and the first of the next are done together. */
void condensate_advance(struct condensate *s, int steps)
{
	double step = s->setup.step;
	step_potential(s, 0.5 * step);
	for (int i = 0; i < steps; i++) {
		step_kinetic(s);
		step_potential(s, i + 1 < steps ? step : 0.5 * step);
	}
}

/* Sums over the grid. Returns the interaction's part of the energy. */
static double observe_grid(struct condensate *s, struct observed *o)
{
	int size = s->setup.size;
	double cell = s->spacing * s->spacing, interaction = 0.0;
	for (int i = 0; i < size; i++) {
		for (int j = 0; j < size; j++) {
			double density = weight(s->psi[(size_t)i * size + j]);
			o->norm += cell * density;
			o->x += cell * density * s->position[i];
			o->r2 += 2.0 * cell * density * (s->trap[i] + s->trap[j]);
			interaction += 0.5 * cell * s->setup.coupling * density * density;
		}
	}
	charge(s, PART_OTHER);
	return interaction;
}

/* Sums over Fourier space. Returns the kinetic energy. */
static double observe_spectrum(struct condensate *s, struct observed *o)
{
	int size = s->setup.size;
	double cell = s->spacing * s->spacing / size / size, kinetic = 0.0;
	fftw_execute(s->analyse);
	charge(s, PART_FFT);
	for (int i = 0; i < size; i++) {
		double k = s->wavenumber[i];
		for (int j = 0; j < size; j++) {
			double density = cell * weight(s->spectrum[(size_t)i * size + j]);
			o->px += density * k;
			kinetic += 0.5 * density * (k * k + s->wavenumber[j] * s->wavenumber[j]);
		}
	}
	charge(s, PART_OTHER);
	return kinetic;
}

/*
 * The real part above the imaginary part is one matrix for the first product and two for the
 * second.
 */
static void project(struct condensate *s)
{
	int size = s->setup.size, modes = s->setup.modes;
	size_t cells = (size_t)size * size;
	for (size_t i = 0; i < cells; i++) {
		s->split[i] = creal(s->psi[i]);
		s->split[cells + i] = cimag(s->psi[i]);
	}
	charge(s, PART_OTHER);
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2 * size, modes, size, 1.0, s->split,
	            size, s->basis, modes, 0.0, s->half, modes);
	for (size_t part = 0; part < 2; part++) {
		cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, modes, modes, size, 1.0,
		            s->basis, modes, s->half + part * size * modes, modes, 0.0,
		            s->coefficient + part * modes * modes, modes);
	}
	charge(s, PART_GEMM);
}

/* Sums over the modes. Returns their population. */
static double observe_modes(struct condensate *s, struct observed *o)
{
	int modes = s->setup.modes;
	const double *real = s->coefficient, *imaginary = real + (size_t)modes * modes;
	double held = 0.0;
	project(s);
	for (int n = 0; n < modes; n++) {
		for (int m = 0; m < modes; m++) {
			size_t at = (size_t)n * modes + m;
			double population = real[at] * real[at] + imaginary[at] * imaginary[at];
			held += population;
			o->mode_energy += (n + m + 1) * population;
		}
	}
	o->ground = real[0] * real[0] + imaginary[0] * imaginary[0];
	charge(s, PART_OTHER);
	return held;
}

struct observed condensate_observe(struct condensate *s)
{
	struct observed o = {0};
	double interaction = observe_grid(s, &o);
	o.grid_energy = observe_spectrum(s, &o) + 0.5 * o.r2;
	o.energy = o.grid_energy + interaction;
	o.outside = o.norm - observe_modes(s, &o);
	o.x /= o.norm;
	o.px /= o.norm;
	o.r2 /= o.norm;
	return o;
}
