/* simulation.c - runs a condensate in a trap, and prints conserved quantities */
/* SPDX-License-Identifier: Apache-2.0 */

#define _GNU_SOURCE

#include "condensate.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] =
	"usage: simulation [OPTION]...\n"
	"A Bose-Einstein condensate swings and breathes in a two-dimensional harmonic trap: "
	"Gross-Pitaevskii equation,\n"
	"split-step Fourier method, populations of the oscillator's modes by dense projection. "
	"Units of the trap.\n"
	"Conserved quantities and observables go to stdout, times to stderr.\n"
	"\n"
	"  --size N           grid points per axis, even, 16 to 16384 (1024)\n"
	"  --modes M          oscillator modes per axis, 1 to N/2 (N/2)\n"
	"  --steps K          time steps, 0 to 100000000 (8)\n"
	"  --every E          steps between two observations, from 1 (1)\n"
	"  --dt T             length of a time step, above 0, at most 1 (0.005)\n"
	"  --coupling G       strength of the interaction, 0 to 100000 (100)\n"
	"  --displacement X   where the condensate starts, from the trap's centre, -10 to 10 (2)\n"
	"  --help             this text\n"
	"\n"
	"simulation --size 64 takes a few milliseconds; time grows with N^3, memory is 64 N^2 "
	"bytes.\n";

struct simulation_arguments {
	struct setup setup;
	int steps, every;
};

static void refuse(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

static void refuse(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	fputs("simulation: ", stderr);
	vfprintf(stderr, format, list);
	fputs("; see simulation --help\n", stderr);
	va_end(list);
	exit(2);
}

static double parse_real(const char *name, const char *text, double least, double most)
{
	char *end;
	double value = strtod(text, &end);
	if (end == text || *end || !(value >= least && value <= most)) {
		refuse("--%s takes a number from %g to %g, not '%s'", name, least, most, text);
	}
	return value;
}

static int parse_count(const char *name, const char *text, long least, long most)
{
	char *end;
	errno = 0;
	long value = strtol(text, &end, 10);
	if (end == text || *end || errno || value < least || value > most) {
		refuse("--%s takes a whole number from %ld to %ld, not '%s'", name, least, most,
		       text);
	}
	return (int)value;
}

static void parse_option(struct simulation_arguments *a, int option, const char *name,
                         const char *text)
{
	switch (option) {
	case 's': a->setup.size = parse_count(name, text, 16, 16384); break;
	case 'm': a->setup.modes = parse_count(name, text, 1, 8192); break;
	case 'k': a->steps = parse_count(name, text, 0, 100000000); break;
	case 'e': a->every = parse_count(name, text, 1, 100000000); break;
	case 't': a->setup.step = parse_real(name, text, 1e-9, 1.0); break;
	case 'g': a->setup.coupling = parse_real(name, text, 0.0, 1e5); break;
	case 'x': a->setup.displacement = parse_real(name, text, -10.0, 10.0); break;
	default: fputs(help, stdout); exit(0);
	}
}

/* Checks values that depend on two options, when all are read. */
static void settle_arguments(struct simulation_arguments *a)
{
	if (a->setup.size % 2) {
		refuse("--size takes an even number, not '%d'", a->setup.size);
	}
	if (!a->setup.modes) {
		a->setup.modes = a->setup.size / 2;
	}
	if (a->setup.modes > a->setup.size / 2) {
		refuse("--modes takes at most half of --size, here %d, not '%d'", a->setup.size / 2,
		       a->setup.modes);
	}
}

static struct simulation_arguments parse_arguments(int argc, char **argv)
{
	static const struct option table[] = {
		{"size", required_argument, NULL, 's'},
		{"modes", required_argument, NULL, 'm'},
		{"steps", required_argument, NULL, 'k'},
		{"every", required_argument, NULL, 'e'},
		{"dt", required_argument, NULL, 't'},
		{"coupling", required_argument, NULL, 'g'},
		{"displacement", required_argument, NULL, 'x'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	struct simulation_arguments a = {
		.setup = {.size = 1024,
	                  .modes = 0,
	                  .step = 0.005,
	                  .coupling = 100.0,
	                  .displacement = 2.0},
		.steps = 8,
		.every = 1,
	};
	int option, index = 0;
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":", table, &index)) != -1) {
		if (option == ':') {
			refuse("%s needs a value", argv[optind - 1]);
		}
		if (option == '?') {
			refuse("there is no option '%s'", argv[optind - 1]);
		}
		parse_option(&a, option, table[index].name, optarg);
	}
	if (optind < argc) {
		refuse("'%s' is no option", argv[optind]);
	}
	settle_arguments(&a);
	return a;
}

/*
 * Rounds to the digits that are printed, and never to -0: the sign of a value that is 0 by symmetry
 * is a rounding error.
 */
static double settle(double value, double digit)
{
	return round(value / digit) * digit + 0.0;
}

static void print_head(const struct simulation_arguments *a)
{
	printf("# condensate: %d x %d points, %d x %d modes, dt %g, g %g, start at x %g\n",
	       a->setup.size, a->setup.size, a->setup.modes, a->setup.modes, a->setup.step,
	       a->setup.coupling, a->setup.displacement);
	printf("# %8s %15s %13s %12s %12s %12s %12s %12s %12s %12s\n", "time", "norm", "energy",
	       "x", "p_x", "r^2", "ground", "outside", "E_modes", "E_grid");
}

static void print_observed(double time, const struct observed *o)
{
	printf("%10.4f %15.12f %13.8f %12.8f %12.8f %12.8f %12.8f %12.8f %12.7f %12.7f\n", time,
	       o->norm, o->energy, settle(o->x, 1e-8), settle(o->px, 1e-8), o->r2, o->ground,
	       settle(o->outside, 1e-8), o->mode_energy, o->grid_energy);
}

static void print_times(const struct condensate *s)
{
	double all = 0.0;
	for (int part = 0; part < PART_COUNT; part++) {
		all += s->seconds[part];
	}
	fprintf(stderr,
	        "simulation: %.3f s: setup %.3f, fftw_execute %.3f, cblas_dgemm %.3f, "
	        "everything else %.3f\n",
	        all, s->seconds[PART_SETUP], s->seconds[PART_FFT], s->seconds[PART_GEMM],
	        s->seconds[PART_OTHER]);
}

static void run(const struct simulation_arguments *a)
{
	struct condensate s;
	condensate_open(&s, &a->setup);
	print_head(a);
	for (int done = 0, next; done <= a->steps; done = next) {
		struct observed o = condensate_observe(&s);
		print_observed(done * a->setup.step, &o);
		next = done < a->steps && a->steps - done < a->every ? a->steps : done + a->every;
		if (next <= a->steps) {
			condensate_advance(&s, next - done);
		}
	}
	print_times(&s);
	condensate_close(&s);
}

int main(int argc, char **argv)
{
	struct simulation_arguments a = parse_arguments(argc, argv);
	run(&a);
	if (fflush(stdout) || ferror(stdout)) {
		fputs("simulation: the results could not be written to stdout\n", stderr);
		return 1;
	}
	return 0;
}
