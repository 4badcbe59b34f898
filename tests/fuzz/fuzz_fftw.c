/* fuzz_fftw.c - FFTW planners with arbitrary sizes and strides: described, mapped and cut */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/call/fft_extent.h"
#include "policy/fft/fft_cut.h"
#include "shim/describe/describe_fftw.h"
#include "tests/fuzz/fuzz.h"

/* One more than is described, and negative ranks. */
enum { DIMENSIONS_MOST = FFT_RANK_MAX + 2, COPIED_MOST_BYTES = 1 << 16 };

static struct fft_request request;

static int take_rank(struct fuzz_input *input)
{
	const unsigned byte = fuzz_take_byte(input);
	return byte < 240 ? (int)(byte % 5) : (int)(byte % (DIMENSIONS_MOST + 1)) - 1;
}

static void take_ints(struct fuzz_input *input, int *into, int count)
{
	for (int i = 0; i < count; i++)
		into[i] = (int)fuzz_take_number(input);
}

static void describe_basic(struct fuzz_input *input)
{
	int n[DIMENSIONS_MOST];
	const int rank = take_rank(input);
	const bool reversed = (fuzz_take_byte(input) & 1) != 0;
	take_ints(input, n, DIMENSIONS_MOST);
	describe_fftw_basic(&request, rank, n, reversed);
}

static void describe_many(struct fuzz_input *input)
{
	int n[DIMENSIONS_MOST], inembed[DIMENSIONS_MOST], onembed[DIMENSIONS_MOST], rest[5];
	struct fft_many many = {.rank = take_rank(input), .n = n};
	const unsigned choice = fuzz_take_byte(input);
	take_ints(input, n, DIMENSIONS_MOST);
	take_ints(input, inembed, DIMENSIONS_MOST);
	take_ints(input, onembed, DIMENSIONS_MOST);
	take_ints(input, rest, 5);
	many.howmany = rest[0];
	many.istride = rest[1];
	many.idist = rest[2];
	many.ostride = rest[3];
	many.odist = rest[4];
	many.inembed = (choice & 1) != 0 ? inembed : NULL;
	many.onembed = (choice & 2) != 0 ? onembed : NULL;
	many.reversed = (choice & 4) != 0;
	describe_fftw_many(&request, &many);
}

/* {n, is, os} of ptrdiff_t or int. */
static void take_dims(struct fuzz_input *input, bool wide, ptrdiff_t *into)
{
	for (int i = 0; i < 3 * DIMENSIONS_MOST; i++) {
		const int64_t number = fuzz_take_number(input);
		const int narrow = (int)number;
		if (wide)
			into[i] = (ptrdiff_t)number;
		else
			memcpy((char *)into + sizeof narrow * (size_t)i, &narrow, sizeof narrow);
	}
}

static void describe_guru(struct fuzz_input *input)
{
	ptrdiff_t dims[3 * DIMENSIONS_MOST], loop_dims[3 * DIMENSIONS_MOST];
	struct fft_guru guru = {.rank = take_rank(input), .dims = dims};
	guru.loops = take_rank(input);
	guru.loop_dims = loop_dims;
	guru.wide = (fuzz_take_byte(input) & 1) != 0;
	take_dims(input, guru.wide, dims);
	take_dims(input, guru.wide, loop_dims);
	describe_fftw_guru(&request, &guru);
}

static void describe_axes(struct fuzz_input *input)
{
	int list[6][DIMENSIONS_MOST];
	struct fft_axes axes = {.rank = take_rank(input)};
	axes.loops = take_rank(input);
	for (int i = 0; i < 6; i++)
		take_ints(input, list[i], DIMENSIONS_MOST);
	axes.n = list[0];
	axes.is = list[1];
	axes.os = list[2];
	axes.loop_n = list[3];
	axes.loop_is = list[4];
	axes.loop_os = list[5];
	describe_fftw_axes(&request, &axes);
}

static void check_problem(const struct fft_problem *problem)
{
	FUZZ_CHECK(problem->rank >= 0 && problem->rank <= FFT_RANK_MAX);
	FUZZ_CHECK(problem->loops >= 0 && problem->loops <= FFT_LOOPS_MAX);
	for (int i = 0; i < problem->rank; i++)
		FUZZ_CHECK(problem->dims[i].n >= 1);
	for (int i = 0; i < problem->loops; i++)
		FUZZ_CHECK(problem->loop[i].n >= 1);
	FUZZ_CHECK(problem->howmany >= 1);
}

/* The elements of a side, counted from the problem in integers that hold the product. */
static unsigned __int128 count_elements(const struct fft_problem *problem, bool output)
{
	const bool halved = problem->family == (output ? FAMILY_FFT_R2C : FAMILY_FFT_C2R);
	unsigned __int128 count = (unsigned __int128)problem->howmany;
	for (int i = 0; i < problem->rank; i++) {
		const int64_t n = problem->dims[i].n;
		const int64_t length = halved && i == problem->rank - 1 ? n / 2 + 1 : n;
		if (count > (unsigned __int128)1 << 64)
			return count;
		count *= (unsigned __int128)length;
	}
	return count;
}

/* No element lies outside of the extent: gathered from a block of just that size. */
static void check_copies(const struct fft_problem *problem, const struct fft_layout *layout,
                         bool output)
{
	struct fft_extent extent;
	/* Beyond 63 bits no memory holds it. */
	if (!fft_extent_find(problem, output, FFT_EXTENT_ALL, &extent))
		return;
	const uint64_t span = (uint64_t)(extent.end - extent.begin);
	const uint64_t tight = fft_layout_size_bytes(layout);
	if (span > COPIED_MOST_BYTES || tight > COPIED_MOST_BYTES)
		return;
	char *const memory = calloc(1, span), *const device = calloc(1, tight);
	FUZZ_CHECK(memory != NULL && device != NULL);
	fft_layout_gather(layout, device, memory - extent.begin);
	memset(device, 1, tight);
	fft_layout_scatter(layout, memory - extent.begin, device);
	free(memory);
	free(device);
}

static void check_side(const struct fft_problem *problem, const struct fft_layout *layout,
                       bool output)
{
	FUZZ_CHECK(layout->axes >= 0 && layout->axes <= FFT_LAYOUT_AXES);
	FUZZ_CHECK(layout->count == count_elements(problem, output));
	check_copies(problem, layout, output);
}

static void check_map(const struct fft_problem *problem)
{
	struct fft_map map;
	struct fft_map_place place = {0};
	if (!fft_map_describe(problem, &map))
		return;
	FUZZ_CHECK(map.steps >= 0 && map.steps <= FFT_LOOPS_MAX && map.shape.batch >= 1);
	FUZZ_CHECK(map.shape.rank >= 1 && map.shape.rank <= FFT_GPU_RANK);
	check_side(problem, &map.input, false);
	check_side(problem, &map.output, true);
	for (int i = 0; i < 1000 && fft_map_advance(&map, &place); i++)
		FUZZ_CHECK((uint64_t)place.input_bytes < fft_layout_size_bytes(&map.input) &&
		           (uint64_t)place.output_bytes < fft_layout_size_bytes(&map.output));
}

/* The groups of a cut are the whole. */
static void check_cut(const struct call *call)
{
	struct fft_cut cut;
	struct fft_map map;
	const bool shares = fft_extent_overlap(&call->fft);
	if (!fft_cut_find(&call->fft, shares, &cut))
		return;
	FUZZ_CHECK(cut.count >= 1 && cut.least >= 1 && cut.least <= cut.count);
	check_problem(&cut.problem);
	if (!fft_cut_describe(&cut, 1, &map))
		return;
	FUZZ_CHECK(map.input.count * (uint64_t)cut.count == cut.whole.input.count);
	FUZZ_CHECK(map.output.count * (uint64_t)cut.count == cut.whole.output.count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const describe[])(struct fuzz_input *) = {describe_basic, describe_many,
	                                                        describe_guru, describe_axes};
	struct fuzz_input input = {data, size};
	struct call call = {0};
	const unsigned choice = fuzz_take_byte(&input), which = fuzz_take_byte(&input);
	const uintptr_t first = (uintptr_t)fuzz_take_word(&input, 2) << 16;
	const uintptr_t second = first + (uintptr_t)fuzz_take_word(&input, 4);
	void *const in = (void *)first, *const out = (choice & 1) != 0 ? in : (void *)second;
	memset(&request, 0, sizeof request);
	request.problem.family = (enum family)(FAMILY_FFT_C2C + choice / 2 % 3);
	request.problem.element = (choice & 8) != 0 ? ELEMENT_C : ELEMENT_Z;
	if ((choice & 16) != 0)
		describe_fftw_split(&request, in, out, which);
	else
		describe_fftw_arrays(&request, in, out, (choice & 32) != 0 ? 1 : -1, which);
	describe[which % 4](&input);
	describe_fftw_call(&call, &request, in, out, &request);
	FUZZ_CHECK(request.defect >= REASON_NONE && request.defect < REASON_COUNT);
	if (request.defect != REASON_NONE)
		return 0;
	check_problem(&request.problem);
	check_map(&request.problem);
	check_cut(&call);
	return 0;
}
