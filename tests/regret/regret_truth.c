/* regret_truth.c - the real times of calls on a machine; nothing of policy/ is asked for them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/regret/regret_truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "policy/call/operand.h"
#include "tests/regret/regret_machine.h"

/*
 * The deviation of a machine from all that is written here: by routine, side and work, and again by
 * the shape of the call.
 */
static const double truth_sigma = 0.25, truth_shape_sigma = 0.15;

/* The sum of this many uniform numbers is nearly normal, with a deviation of 1. */
enum { TRUTH_UNIFORMS = 12, TRUTH_KNOTS = 64, TRUTH_SHAPES = 9, TRUTH_SHAPE_SEED = 501 };

/* A kernel works on tiles of the result; the engine sends pieces of this size. */
static const double truth_tile = 96, truth_piece_bytes = 4e6, truth_most_pieces = 32;

/* What a multiprocessor needs of the inner dimension to work at full speed. */
static const double truth_inner = 64;

/* Least time of a kernel of cuFFT, in one dimension and in more. */
static const double truth_fft_least_ns = 20e3, truth_fft_least_nd_ns = 40e3;

/* Each pass of a transform reads and writes its data once. */
static const double truth_fft_passes = 2;

/* The fault "dear trsm". */
static const double truth_trsm_share = 3, truth_trsm_row_ns = 1500;

static double truth_larger(double a, double b)
{
	return a > b ? a : b;
}

static double truth_smaller(double a, double b)
{
	return a < b ? a : b;
}

/* -- deviations -- */

static double truth_normal(uint64_t seed, uint64_t index)
{
	double sum = 0;
	for (uint64_t i = 0; i < TRUTH_UNIFORMS; i++)
		sum += random_number(seed, index * TRUTH_UNIFORMS + i);
	return sum;
}

/* 0 to 8: wide, square or tall; with a short, equal or long inner dimension. Transforms by rank. */
static uint64_t truth_find_shape(const struct call *call)
{
	static const double apart = 4;
	const double m = (double)call->blas.m, n = (double)call->blas.n, k = (double)call->blas.k;
	if (family_is_fft(call->family))
		return (uint64_t)call->fft.problem->rank % TRUTH_SHAPES;
	const uint64_t side = m > apart * n ? 0 : n > apart * m ? 2 : 1;
	return side + (k > apart * sqrt(m * n) ? 0 : apart * k < sqrt(m * n) ? 6 : 3);
}

static double truth_factor(const struct call *call, enum machine_side side, uint64_t seed)
{
	const double place = log2(call->work_flops > 1 ? call->work_flops : 1) / 2 + 0.5,
		     knot = floor(place);
	const uint64_t routine =
		((uint64_t)call->family * ELEMENT_COUNT + call->element) * MACHINE_SIDES + side;
	const uint64_t index = routine * TRUTH_KNOTS + (uint64_t)knot % (TRUTH_KNOTS - 1);
	const double part = place - knot;
	const double by_work =
		(1 - part) * truth_normal(seed, index) + part * truth_normal(seed, index + 1);
	const double by_shape = truth_normal(seed + TRUTH_SHAPE_SEED,
	                                     routine * TRUTH_SHAPES + truth_find_shape(call));
	return exp(truth_sigma * by_work + truth_shape_sigma * by_shape);
}

/* -- the CPU, in ns -- */

static bool truth_is_single(const struct call *call)
{
	return call->element == ELEMENT_S || call->element == ELEMENT_C;
}

static double truth_bytes(const struct call *call)
{
	return (double)call->input_bytes + (double)call->output_bytes;
}

/* Small products leave cores idle, the more so the more cores there are; thin ones read memory. */
static double truth_product_cpu(const struct regret_row *row, const struct call *call)
{
	const double m = (double)call->blas.m, n = (double)call->blas.n, k = (double)call->blas.k;
	const double side = cbrt(m * n * k),
		     all = row->core_gflops * (truth_is_single(call) ? 2 : 1) * row->threads;
	const double rate = all * side / (side + 20 + 6.0 * (row->threads - 1));
	const double beyond_cache = truth_bytes(call) > 4e6 ? truth_bytes(call) : 0;
	return truth_larger(call->work_flops / rate, beyond_cache / row->memory_gb);
}

/* In the cache cores limit the rate, beyond it memory does; short ones cost overhead. */
static double truth_transform_cpu(const struct regret_row *row, const struct call *call)
{
	double points = 1;
	for (int i = 0; i < call->fft.problem->rank; i++)
		points *= (double)call->fft.problem->dims[i].n;
	const double twice = truth_is_single(call) ? 2 : 1;
	const double all = row->core_fft_gflops * twice * row->threads,
		     memory = row->memory_fft_gflops * twice;
	const double share = points < 16 ? 0.4 : truth_smaller(1, 0.3 + 0.07 * log2(points));
	const double bound = points < 3e5 ? 2 * memory : memory;
	return call->work_flops / truth_smaller(all * share, bound);
}

/* -- the GPU, in ns -- */

/* Tiles that do not fill the device leave a part of it idle, unless the inner sums are split. */
static double truth_product_kernel(const struct regret_row *row, const struct call *call)
{
	const double m = (double)call->blas.m, n = (double)call->blas.n, k = (double)call->blas.k;
	const double tiles = ceil(m / truth_tile) * ceil(n / truth_tile) *
	                     truth_larger(1, floor(k / (16 * truth_inner)));
	const double waves = ceil(tiles / row->multiprocessors);
	const double used =
		truth_smaller(1, tiles / (waves * row->multiprocessors)) * k / (k + truth_inner);
	const double rate =
		(truth_is_single(call) ? row->gpu_tflops_s : row->gpu_tflops_d) * 1e3 * used;
	return truth_larger(call->work_flops / rate, truth_bytes(call) / row->gpu_memory_gb);
}

static double truth_transform_kernel(const struct regret_row *row, const struct call *call)
{
	const double rate = row->gpu_fft_gflops * (truth_is_single(call) ? 2 : 1);
	const double least_ns =
		call->fft.problem->rank > 1 ? truth_fft_least_nd_ns : truth_fft_least_ns;
	return least_ns + truth_larger(call->work_flops / rate,
	                               truth_fft_passes * truth_bytes(call) / row->gpu_memory_gb);
}

/* Copies and kernels of all pieces but one overlap, on two links and a device. */
static double truth_pipeline(const struct regret_row *row, const struct call *call,
                             double kernel_ns, double pieces)
{
	const double up_ns = (double)call->input_bytes / row->link_up_gb,
		     down_ns = (double)call->output_bytes / row->link_down_gb,
		     operation_ns = row->operation_us * 1e3;
	const double longest_ns = truth_larger(kernel_ns, truth_larger(up_ns, down_ns)),
		     whole_ns = up_ns + down_ns + kernel_ns;
	const double both_ns =
		pieces > 1 ? truth_smaller(up_ns, down_ns) * (1 / row->duplex - 1) : 0;
	return row->fixed_us * 1e3 + 3 * operation_ns + longest_ns +
	       (whole_ns - longest_ns) / pieces + both_ns;
}

static double truth_product_gpu(const struct regret_row *row, const struct call *call, bool dear)
{
	double kernel_ns = truth_product_kernel(row, call);
	const double pieces = truth_smaller(
		truth_most_pieces, truth_larger(1, floor(truth_bytes(call) / truth_piece_bytes)));
	if (dear && call->family == FAMILY_TRSM)
		kernel_ns = kernel_ns * truth_trsm_share + truth_trsm_row_ns * (double)call->blas.k;
	return truth_pipeline(row, call, kernel_ns, pieces);
}

static double truth_transform_gpu(const struct regret_row *row, const struct call *call)
{
	const double many = (double)call->fft.problem->howmany;
	return truth_pipeline(row, call, truth_transform_kernel(row, call),
	                      truth_smaller(truth_most_pieces, many));
}

static void truth_fill(const struct regret_row *row, const struct call *call,
                       const struct regret_trial *trial, double *cpu_ns, double *gpu_ns)
{
	const bool fft = family_is_fft(call->family);
	*cpu_ns = fft ? truth_transform_cpu(row, call) : truth_product_cpu(row, call);
	*gpu_ns = fft ? truth_transform_gpu(row, call)
	              : truth_product_gpu(row, call, trial->fault->dear_trsm);
	*cpu_ns *= truth_factor(call, MACHINE_CPU, trial->seed) *
	           regret_fault_mean(trial->fault, call, 0);
	*gpu_ns *= truth_factor(call, MACHINE_GPU, trial->seed) *
	           regret_fault_mean(trial->fault, call, 1);
}

bool regret_truth_make(const struct call_trace *trace, const struct regret_call *calls,
                       const struct regret_trial *trial, struct regret_truth *truth)
{
	const struct regret_row *row = regret_machine_find(trial->machine);
	*truth = (struct regret_truth){.start_ns = row->start_ms * 1e6,
	                               .plan_ns = row->plan_ms * 1e6};
	truth->cpu_ns = calloc((size_t)trace->shape_count, sizeof *truth->cpu_ns);
	truth->gpu_ns = calloc((size_t)trace->shape_count, sizeof *truth->gpu_ns);
	if (truth->cpu_ns == NULL || truth->gpu_ns == NULL) {
		regret_truth_free(truth);
		return false;
	}
	for (int i = 0; i < trace->shape_count; i++)
		truth_fill(row, &calls[i].call, trial, &truth->cpu_ns[i], &truth->gpu_ns[i]);
	return true;
}

void regret_truth_free(struct regret_truth *truth)
{
	free(truth->cpu_ns);
	free(truth->gpu_ns);
	memset(truth, 0, sizeof *truth);
}
