/* fft_hermitian.c - c2r of input without Hermitian symmetry, beside FFTW itself; derivatives */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <fftw3.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SINGLE
#define FFT(name) fftwf_##name
#define FFT_LIBRARY "libfftw3f.so.3"
#define FFT_PREFIX "fftwf_"
typedef float real;
static const double fft_unit = 0x1p-23;
#else
#define FFT(name) fftw_##name
#define FFT_LIBRARY "libfftw3.so.3"
#define FFT_PREFIX "fftw_"
typedef double real;
static const double fft_unit = 0x1p-52;
#endif

enum { AXES = 6, TRIALS = 1500, CANARY = 0x35 };

/* FFTW's functions, found in its library: a preloaded library does not see these calls. */
static __typeof__(FFT(plan_guru64_dft_c2r)) *direct_plan;
static __typeof__(FFT(execute)) *direct_execute;
static __typeof__(FFT(destroy_plan)) *direct_destroy;

static long calls_execute, calls_execute_new, failures;

static unsigned long long random_state = 88172645463325252ULL;

static int random_below(int bound)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (int)(random_state % (unsigned long long)bound);
}

static real random_number(void)
{
	return (real)(random_below(20001) / 10000.0 - 1.0);
}

/* A transform: `rank` dimensions, then the loops. The output side counts reals. */
struct trial {
	int rank, loops;
	FFT(iodim64) axis[AXES];
	bool in_place, fresh; /* fresh: executed on other arrays than those of the plan */
	size_t in_bytes, out_bytes;
};

static ptrdiff_t trial_count(const struct trial *t, int axis, bool output)
{
	const ptrdiff_t n = t->axis[axis].n;
	return axis == t->rank - 1 && !output ? n / 2 + 1 : n;
}

/* Strides in a random order of the axes, with gaps now and then; returns the elements used. */
static size_t trial_lay_side(struct trial *t, bool output)
{
	int order[AXES];
	const int axes = t->rank + t->loops;
	ptrdiff_t stride = random_below(4) == 0 ? 2 : 1;
	const bool plain = random_below(2) == 0;
	for (int i = 0; i < axes; i++)
		order[i] = i < t->loops ? t->rank + i : i - t->loops;
	for (int i = axes - 1; i > 0 && !plain; i--) {
		const int other = random_below(i + 1), kept = order[i];
		order[i] = order[other];
		order[other] = kept;
	}
	for (int i = axes - 1; i >= 0; i--) {
		FFT(iodim64) *axis = &t->axis[order[i]];
		*(output ? &axis->os : &axis->is) = stride;
		stride *= trial_count(t, order[i], output) + (random_below(6) == 0);
	}
	return (size_t)stride;
}

/* Rows of the real side are padded to 2 (n / 2 + 1), as FFTW wants them in place. */
static size_t trial_lay_in_place(struct trial *t)
{
	ptrdiff_t stride = 1;
	for (int i = t->rank + t->loops - 1; i >= 0; i--) {
		const int at = i < t->loops ? t->rank + i : i - t->loops;
		t->axis[at].is = stride;
		t->axis[at].os = at == t->rank - 1 ? 1 : 2 * stride;
		stride *= trial_count(t, at, false);
	}
	return (size_t)stride;
}

static void trial_draw(struct trial *t)
{
	static const int most[] = {600, 40, 12};
	*t = (struct trial){.rank = 1 + random_below(3), .loops = random_below(3)};
	t->in_place = random_below(4) == 0;
	t->fresh = random_below(3) == 0;
	for (int i = 0; i < t->rank; i++)
		t->axis[i].n = 1 + random_below(most[t->rank - 1]);
	for (int i = t->rank; i < t->rank + t->loops; i++)
		t->axis[i].n = 1 + random_below(5);
	const size_t complex_bytes = sizeof(FFT(complex));
	if (t->in_place) {
		t->in_bytes = t->out_bytes = trial_lay_in_place(t) * complex_bytes;
		return;
	}
	t->in_bytes = trial_lay_side(t, false) * complex_bytes;
	t->out_bytes = trial_lay_side(t, true) * sizeof(real);
}

static double trial_points(const struct trial *t)
{
	double points = 1;
	for (int i = 0; i < t->rank; i++)
		points *= (double)t->axis[i].n;
	return points;
}

struct arrays {
	FFT(complex) * in;
	real *out;
};

static struct arrays arrays_make(const struct trial *t)
{
	struct arrays arrays = {.in = FFT(malloc)(t->in_bytes)};
	arrays.out = t->in_place ? (real *)arrays.in : FFT(malloc)(t->out_bytes);
	memset(arrays.out, CANARY, t->out_bytes);
	return arrays;
}

static void arrays_free(const struct trial *t, struct arrays *arrays)
{
	FFT(free)(arrays->in);
	if (!t->in_place)
		FFT(free)(arrays->out);
}

/* With FFTW_ESTIMATE the planner leaves the arrays as they are. */
static void trial_run_direct(const struct trial *t, struct arrays *a)
{
	FFT(plan)
	plan = direct_plan(t->rank, t->axis, t->loops, t->axis + t->rank, a->in, a->out,
	                   FFTW_ESTIMATE);
	if (plan == NULL)
		return;
	direct_execute(plan);
	direct_destroy(plan);
}

static void trial_run_linked(const struct trial *t, struct arrays *a)
{
	struct arrays planned = *a;
	if (t->fresh)
		planned = arrays_make(t);
	FFT(plan)
	plan = FFT(plan_guru64_dft_c2r)(t->rank, t->axis, t->loops, t->axis + t->rank, planned.in,
	                                planned.out, FFTW_ESTIMATE);
	if (plan != NULL && t->fresh) {
		FFT(execute_dft_c2r)(plan, a->in, a->out);
		calls_execute_new++;
	} else if (plan != NULL) {
		FFT(execute)(plan);
		calls_execute++;
	}
	FFT(destroy_plan)(plan);
	if (t->fresh)
		arrays_free(t, &planned);
}

/* Offset of an element of the output, counted in the order of the axes. */
static ptrdiff_t trial_place(const struct trial *t, ptrdiff_t index)
{
	ptrdiff_t place = 0;
	for (int i = t->rank + t->loops - 1; i >= 0; i--) {
		place += index % t->axis[i].n * t->axis[i].os;
		index /= t->axis[i].n;
	}
	return place;
}

/*
 * Differences of the results, and out of place of the whole arrays with their gaps; NaN counts as
 * infinite. In place FFTW writes the rows' padding too.
 */
static double arrays_differ(const struct trial *t, const struct arrays *a, const struct arrays *b)
{
	double worst = 0;
	ptrdiff_t count = 1;
	for (int i = 0; i < t->rank + t->loops; i++)
		count *= t->axis[i].n;
	if (!t->in_place)
		count = (ptrdiff_t)(t->out_bytes / sizeof(real));
	for (ptrdiff_t i = 0; i < count; i++) {
		const ptrdiff_t at = t->in_place ? trial_place(t, i) : i;
		const double difference = fabs((double)a->out[at] - (double)b->out[at]);
		if (memcmp(&a->out[at], &b->out[at], sizeof(real)) != 0 && !(difference <= worst))
			worst = difference == difference ? difference : INFINITY;
	}
	return worst;
}

static void trial_tell(const struct trial *t, const char *what, double error)
{
	printf("FAIL %s: error %g, in place %d, new arrays %d, axes", what, error, t->in_place,
	       t->fresh);
	for (int i = 0; i < t->rank + t->loops; i++)
		printf("%s %td (%td, %td)", i == t->rank ? " of" : "", t->axis[i].n, t->axis[i].is,
		       t->axis[i].os);
	printf("\n");
	failures++;
}

static void trial_run(void)
{
	struct trial t;
	trial_draw(&t);
	struct arrays direct = arrays_make(&t), linked = arrays_make(&t);
	for (size_t i = 0; i < t.in_bytes / sizeof(real); i++)
		((real *)direct.in)[i] = random_number();
	memcpy(linked.in, direct.in, t.in_bytes);
	trial_run_direct(&t, &direct);
	trial_run_linked(&t, &linked);
	const double error = arrays_differ(&t, &direct, &linked), points = trial_points(&t);
	if (!(error <= 8 * fft_unit * (4 + log2(points)) * sqrt(2 * points)))
		trial_tell(&t, "c2r", error);
	arrays_free(&t, &direct);
	arrays_free(&t, &linked);
}

/* -- a derivative by multiplication with i k -- */

struct grid {
	int rank, n[3], points, half;
	real *value;
	FFT(complex) * spectrum;
};

static int grid_index(const struct grid *g, int point, int axis)
{
	for (int i = g->rank - 1; i > axis; i--)
		point /= g->n[i];
	return point % g->n[axis];
}

/* wave turns around the axis; the angle is reduced before it is rounded. */
static double grid_angle(const struct grid *g, int at, int axis, int wave)
{
	return 2 * M_PI * (at * wave % g->n[axis]) / g->n[axis];
}

/*
 * Waves along the axis, and one that changes its sign from each point to the next: its derivative
 * at the points is 0.
 */
static double grid_wave(const struct grid *g, int point, int axis, bool derivative)
{
	const int at = grid_index(g, point, axis), wave = g->n[axis] / 3;
	const double fast = grid_angle(g, at, axis, wave), slow = grid_angle(g, at, axis, 2);
	double product = derivative ? wave * cos(fast) - 2 * sin(slow) : sin(fast) + cos(slow);
	for (int i = 0; i < g->rank; i++)
		if (i != axis)
			product *= 1 + 0.5 * cos(grid_angle(g, grid_index(g, point, i), i, 1));
	if (!derivative && g->n[axis] % 2 == 0)
		product += at % 2 == 0 ? 3 : -3;
	return product;
}

static void grid_multiply(struct grid *g, int axis)
{
	const int rows = g->points / g->n[g->rank - 1];
	for (int row = 0; row < rows; row++)
		for (int z = 0; z < g->half; z++) {
			const int last = g->rank - 1,
				  at = axis == last ? z : grid_index(g, row * g->n[last], axis);
			const double k = at <= g->n[axis] / 2 ? at : at - g->n[axis];
			real *c = g->spectrum[row * g->half + z];
			const real re = c[0];
			c[0] = (real)(-k / g->points) * c[1];
			c[1] = (real)(k / g->points) * re;
		}
}

static void grid_run(int rank, const int *n, int axis)
{
	struct grid g = {.rank = rank, .points = 1};
	for (int i = 0; i < rank; i++)
		g.points *= g.n[i] = n[i];
	g.half = n[rank - 1] / 2 + 1;
	g.value = FFT(malloc)((size_t)g.points * sizeof(real));
	g.spectrum = FFT(malloc)((size_t)(g.points / n[rank - 1] * g.half) * sizeof(FFT(complex)));
	FFT(plan)
	there = FFT(plan_dft_r2c)(rank, n, g.value, g.spectrum, FFTW_ESTIMATE),
	back = FFT(plan_dft_c2r)(rank, n, g.spectrum, g.value, FFTW_ESTIMATE);
	for (int i = 0; i < g.points; i++)
		g.value[i] = (real)grid_wave(&g, i, axis, false);
	FFT(execute)(there);
	grid_multiply(&g, axis);
	FFT(execute)(back);
	calls_execute += 2;
	double worst = 0;
	for (int i = 0; i < g.points; i++) {
		const double error = fabs((double)g.value[i] - grid_wave(&g, i, axis, true));
		worst = error <= worst ? worst : error;
	}
	if (!(worst <= 64 * fft_unit * n[axis] * log2(g.points))) {
		printf("FAIL derivative of rank %d along axis %d: error %g\n", rank, axis, worst);
		failures++;
	}
	FFT(destroy_plan)(there);
	FFT(destroy_plan)(back);
	FFT(free)(g.value);
	FFT(free)(g.spectrum);
}

static bool find_library(void)
{
	void *library = dlopen(FFT_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
	if (library == NULL)
		return false;
	*(void **)&direct_plan = dlsym(library, FFT_PREFIX "plan_guru64_dft_c2r");
	*(void **)&direct_execute = dlsym(library, FFT_PREFIX "execute");
	*(void **)&direct_destroy = dlsym(library, FFT_PREFIX "destroy_plan");
	return direct_plan != NULL && direct_execute != NULL && direct_destroy != NULL;
}

int main(void)
{
	static const int sizes[][3] = {{64},    {45},        {8192},    {24, 36},
	                               {9, 16}, {12, 10, 8}, {6, 15, 9}};
	if (!find_library()) {
		printf("the program is not linked with " FFT_LIBRARY "\n");
		return 77;
	}
	for (int i = 0; i < TRIALS; i++)
		trial_run();
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		const int rank = i < 3 ? 1 : i < 5 ? 2 : 3;
		for (int axis = 0; axis < rank; axis++)
			grid_run(rank, sizes[i], axis);
	}
	printf("call " FFT_PREFIX "execute %ld\n", calls_execute);
	printf("call " FFT_PREFIX "execute_dft_c2r %ld\n", calls_execute_new);
	printf("%ld failures\n", failures);
	return failures > 0;
}
