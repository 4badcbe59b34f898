/* sim_fft_test.c - the stand-in's transforms against the definition, summed in long double */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_rules.h"

enum { MOST = 1 << 14 };
static const double canary = -12345.5;

/* The layout of one side, as a program passes it. NULL embed: the basic layout. */
struct side {
	int *embed, stride, dist;
	bool real;
	int row; /* elements of the innermost dimension */
};

struct transform {
	int rank, n[3], batch, type, direction;
	bool in_place, wide;
	struct side in, out;
};

static uint64_t random_state = 362436069;

static int random_below(int bound)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (int)(random_state % (uint64_t)bound);
}

static double random_value(void)
{
	return (double)(float)(random_below(20001) / 10000.0 - 1.0);
}

static bool type_is(int type, int single, int wide)
{
	return type == single || type == wide;
}

static int total(const struct transform *t)
{
	int product = 1;
	for (int i = 0; i < t->rank; i++)
		product *= t->n[i];
	return product;
}

/* The position, in elements, of element number `index` of `batch` on this side. */
static size_t position(const struct transform *t, const struct side *s, int batch, int index)
{
	int at[3] = {0}, last = t->rank - 1;
	for (int i = last; i >= 0; i--) {
		int size = i == last ? s->row : t->n[i];
		at[i] = index % size;
		index /= size;
	}
	bool padded = !s->embed && s->real && t->in_place;
	int row = padded ? 2 * (t->n[last] / 2 + 1) : s->row;
	size_t place = (size_t)at[0], all = t->rank > 1 ? (size_t)t->n[0] : (size_t)row;
	for (int i = 1; i < t->rank; i++) {
		place = place * (size_t)(s->embed    ? s->embed[i]
		                         : i == last ? row
		                                     : t->n[i]) +
		        (size_t)at[i];
		all *= (size_t)(i == last ? row : t->n[i]);
	}
	return s->embed ? place * (size_t)s->stride + (size_t)batch * (size_t)s->dist
	                : place + (size_t)batch * all;
}

static int side_count(const struct transform *t, const struct side *s)
{
	return total(t) / t->n[t->rank - 1] * s->row;
}

static void put(const struct transform *t, const struct side *s, void *bytes, size_t at,
                double complex value)
{
	for (size_t part = 0; part < (s->real ? 1 : 2); part++) {
		size_t word = s->real ? at : 2 * at + part;
		double one = part ? cimag(value) : creal(value);
		if (t->wide)
			((double *)bytes)[word] = one;
		else
			((float *)bytes)[word] = (float)one;
	}
}

static double complex get(const struct transform *t, const struct side *s, const void *bytes,
                          size_t at)
{
	double parts[2] = {0, 0};
	for (size_t part = 0; part < (s->real ? 1 : 2); part++) {
		size_t word = s->real ? at : 2 * at + part;
		parts[part] = t->wide ? ((const double *)bytes)[word]
		                      : (double)((const float *)bytes)[word];
	}
	return parts[0] + parts[1] * I;
}

/* Sums the definition for one output, over the tight complex input of one batch. */
static double complex definition(const struct transform *t, const double complex *input,
                                 const int *frequency, const long double complex *const roots[3])
{
	long double complex sum = 0;
	int count = total(t);
	for (int index = 0; index < count; index++) {
		long double complex factor = 1;
		for (int i = t->rank - 1, rest = index; i >= 0; rest /= t->n[i], i--)
			factor *= roots[i][(long)(rest % t->n[i]) * frequency[i] % t->n[i]];
		sum += factor * input[index];
	}
	return (double complex)sum;
}

/*
 * The tight complex signal of one batch: with Hermitian symmetry for real output, without imaginary
 * part for real input.
 */
static void signal_new(const struct transform *t, double complex *signal)
{
	int count = total(t);
	for (int i = 0; i < count; i++)
		signal[i] = random_value() + (t->in.real ? 0 : random_value()) * I;
	for (int index = 0; t->out.real && index < count; index++) {
		int mirror = 0;
		for (int i = 0, rest = index, step = count; i < t->rank; i++) {
			step /= t->n[i];
			mirror = mirror * t->n[i] + (t->n[i] - rest / step) % t->n[i];
			rest %= step;
		}
		signal[mirror] = mirror == index ? creal(signal[index]) : conj(signal[index]);
	}
}

/* Converts a number within a half or whole side to the number within the tight whole array. */
static int whole_index(const struct transform *t, const struct side *s, int index)
{
	int n = t->n[t->rank - 1];
	return index / s->row * n + index % s->row;
}

static double worst_error(const struct transform *t, const double complex *signal,
                          const void *output, int batch)
{
	long double complex *roots[3] = {NULL, NULL, NULL};
	double worst = 0, norm = 0;
	int count = total(t);
	for (int i = 0; i < t->rank; i++) {
		roots[i] = malloc((size_t)t->n[i] * sizeof *roots[i]);
		for (int j = 0; j < t->n[i]; j++)
			roots[i][j] = cexpl(t->direction * 2 * M_PIl * I * j / t->n[i]);
	}
	for (int i = 0; i < count; i++)
		norm += creal(signal[i] * conj(signal[i]));
	for (int index = 0; index < side_count(t, &t->out); index++) {
		int frequency[3];
		for (int i = t->rank - 1, rest = whole_index(t, &t->out, index); i >= 0;
		     rest /= t->n[i], i--)
			frequency[i] = rest % t->n[i];
		double complex want =
			definition(t, signal, frequency, (const long double complex *const *)roots);
		double error =
			cabs(want - get(t, &t->out, output, position(t, &t->out, batch, index)));
		/* NaN must not pass for the smallest error. */
		worst = error > worst || isnan(error) ? (isnan(error) ? INFINITY : error) : worst;
	}
	for (int i = 0; i < 3; i++)
		free(roots[i]);
	return worst / sqrt(norm);
}

static int execute(const struct transform *t, int plan, void *in, void *out)
{
	switch (t->type) {
	case SIM_CUFFT_C2C: return cuda.cufftExecC2C(plan, in, out, t->direction);
	case SIM_CUFFT_Z2Z: return cuda.cufftExecZ2Z(plan, in, out, t->direction);
	case SIM_CUFFT_R2C: return cuda.cufftExecR2C(plan, in, out);
	case SIM_CUFFT_D2Z: return cuda.cufftExecD2Z(plan, in, out);
	case SIM_CUFFT_C2R: return cuda.cufftExecC2R(plan, in, out);
	default: return cuda.cufftExecZ2D(plan, in, out);
	}
}

/*
 * Words of the output buffer outside all elements must keep the canary. Complex elements cover two
 * words.
 */
static int trampled_words(const struct transform *t, const void *output, size_t words)
{
	char *covered = calloc(words, 1);
	int trampled = 0;
	for (int batch = 0; batch < t->batch; batch++)
		for (int index = 0; index < side_count(t, &t->out); index++) {
			size_t at = position(t, &t->out, batch, index);
			covered[t->out.real ? at : 2 * at] = 1;
			covered[t->out.real ? at : 2 * at + 1] = 1;
		}
	for (size_t word = 0; word < words; word++) {
		double value = t->wide ? ((const double *)output)[word]
		                       : (double)((const float *)output)[word];
		trampled += !covered[word] && value != canary;
	}
	free(covered);
	return trampled;
}

static void run_on_device(const struct transform *t, const void *input, void *output, size_t bytes)
{
	int plan = 0, n[3] = {t->n[0], t->n[1], t->n[2]};
	CHECK_IS(cuda.cufftPlanMany(&plan, t->rank, n, t->in.embed, t->in.stride, t->in.dist,
	                            t->out.embed, t->out.stride, t->out.dist, t->type, t->batch),
	         0);
	void *in = rules_device_copy(input, bytes),
	     *out = t->in_place ? in : rules_device_copy(output, bytes);
	CHECK_IS(execute(t, plan, in, out), 0);
	rules_read_back(output, out, bytes);
	CHECK_IS(cuda.cudaFree(in), 0);
	CHECK(t->in_place || !cuda.cudaFree(out));
	CHECK_IS(cuda.cufftDestroy(plan), 0);
}

static void describe(const struct transform *t, double error)
{
	printf("    type %x, rank %d, %d x %d x %d, batch %d, direction %d, %s, "
	       "embeds %d %d: error %.2e\n",
	       (unsigned)t->type, t->rank, t->n[0], t->n[1], t->n[2], t->batch, t->direction,
	       t->in_place ? "in place" : "out of place", t->in.embed != NULL, t->out.embed != NULL,
	       error);
}

static void transform_run(const struct transform *t)
{
	static double input[MOST], output[MOST];
	static double complex signals[4][MOST];
	size_t bytes = t->wide ? sizeof input : sizeof input / 2;
	for (size_t i = 0; i < MOST; i++)
		put(t, &(struct side){.real = true}, input, i, canary),
			put(t, &(struct side){.real = true}, output, i, canary);
	for (int batch = 0; batch < t->batch; batch++) {
		signal_new(t, signals[batch]);
		for (int index = 0; index < side_count(t, &t->in); index++)
			put(t, &t->in, input, position(t, &t->in, batch, index),
			    signals[batch][whole_index(t, &t->in, index)]);
	}
	run_on_device(t, input, output, bytes);
	double error = 0,
	       allowed = (t->wide ? DBL_EPSILON : FLT_EPSILON) * (4 + 2 * log2(total(t)));
	for (int batch = 0; batch < t->batch; batch++)
		error = fmax(error, worst_error(t, signals[batch], output, batch));
	bool fine = CHECK(error < allowed);
	if (!t->in_place)
		fine &= CHECK_IS(trampled_words(t, output, MOST), 0);
	if (!fine)
		describe(t, error);
}

/* Derives the other fields from the sizes and the type. */
static struct transform transform_of(int type, int rank, const int *n, int batch, int direction)
{
	struct transform t = {
		.rank = rank, .n = {1, 1, 1}, .batch = batch, .type = type, .direction = direction};
	memcpy(t.n, n, (size_t)rank * sizeof *n);
	t.in.real = type_is(type, SIM_CUFFT_R2C, SIM_CUFFT_D2Z);
	t.out.real = type_is(type, SIM_CUFFT_C2R, SIM_CUFFT_Z2D);
	t.wide = type == SIM_CUFFT_Z2Z || type == SIM_CUFFT_D2Z || type == SIM_CUFFT_Z2D;
	t.direction = t.in.real ? -1 : t.out.real ? 1 : direction;
	int last = t.n[rank - 1];
	t.in.row = t.out.real ? last / 2 + 1 : last;
	t.out.row = t.in.real ? last / 2 + 1 : last;
	t.in.stride = t.out.stride = 1;
	return t;
}

static const int types[] = {SIM_CUFFT_C2C, SIM_CUFFT_Z2Z, SIM_CUFFT_R2C,
                            SIM_CUFFT_D2Z, SIM_CUFFT_C2R, SIM_CUFFT_Z2D};

static void every_small_length(void)
{
	for (int n = 1; n <= 64; n++)
		for (size_t i = 0; i < 6; i++) {
			struct transform t =
				transform_of(types[i], 1, &n, 1 + n % 3, n % 2 ? 1 : -1);
			transform_run(&t);
		}
}

static void longer_lengths(void)
{
	static const int lengths[] = {67,  97,  101, 127, 128,  243,  251,
	                              360, 521, 625, 961, 1009, 1024, 1331};
	for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++)
		for (size_t i = 0; i < 6; i++) {
			struct transform t = transform_of(types[i], 1, &lengths[l], 1, 1);
			transform_run(&t);
		}
}

static void two_and_three_dimensions(void)
{
	static const int sizes[][3] = {{4, 6, 1}, {7, 5, 1}, {1, 9, 1},  {16, 8, 1},
	                               {3, 4, 5}, {6, 5, 4}, {2, 37, 3}, {8, 1, 7}};
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (size_t i = 0; i < 6; i++)
			for (int in_place = 0; in_place < 2; in_place++) {
				struct transform t = transform_of(types[i], s < 4 ? 2 : 3, sizes[s],
				                                  1 + (int)s % 3, -1);
				t.in_place = in_place;
				transform_run(&t);
			}
}

/*
 * A random layout that holds the batches without overlap, either one after the other or
 * interleaved.
 */
static void side_scatter(const struct transform *t, struct side *s, int embed[3])
{
	size_t space = 1;
	for (int i = 0; i < t->rank; i++) {
		embed[i] = (i == t->rank - 1 ? s->row : t->n[i]) + random_below(3);
		space *= (size_t)embed[i];
	}
	s->embed = embed;
	bool interleaved = random_below(2);
	s->stride = interleaved ? t->batch + random_below(2) : 1 + random_below(3);
	s->dist = interleaved ? 1 : (int)space * s->stride + random_below(4);
}

static void any_layout(void)
{
	for (int round = 0; round < 300; round++) {
		int n[3] = {1 + random_below(6), 1 + random_below(6), 1 + random_below(9)},
		    embeds[2][3];
		struct transform t = transform_of(types[round % 6], 1 + random_below(3), n,
		                                  1 + random_below(3), random_below(2) ? 1 : -1);
		if (random_below(4))
			side_scatter(&t, &t.in, embeds[0]);
		if (random_below(4))
			side_scatter(&t, &t.out, embeds[1]);
		transform_run(&t);
	}
}

int main(int count, char **arguments)
{
	static const struct rule fft_rules[] = {
		{"fft: every length to 64", RULE_ANYWHERE, NULL, every_small_length},
		{"fft: longer lengths", RULE_ANYWHERE, NULL, longer_lengths},
		{"fft: two and three dimensions", RULE_ANYWHERE, NULL, two_and_three_dimensions},
		/* One side embedded and the other not: the vendor's text leaves this case open. */
		{"fft: any layout", RULE_SIM_ONLY, NULL, any_layout},
		{0},
	};
	static const struct rule *const lists[] = {fft_rules, NULL};
	const char *folder = count > 1 && strcmp(arguments[1], "-") ? arguments[1] : NULL;
	return rules_run(folder, count > 2 ? atoi(arguments[2]) : 0, lists);
}
