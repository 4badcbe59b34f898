/* machine_assume_test.c - assumed values of a machine; known values are not overwritten */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/plan/panels.h"
#include "tests/unit/machine_random.h"

static struct machine machine;

static void start(void)
{
	memset(&machine, 0, sizeof machine);
}

TestSuite(machine_assume, .init = start);

static double cpu_rate(enum family family, enum element element, int threads)
{
	return machine_find_rate(&machine, MACHINE_CPU, family, element, 1000, threads);
}

static double estimated_rate(enum element element, int threads)
{
	return machine_find_fft_rate(&machine, FFT_ESTIMATED, FAMILY_FFT_C2C, element, 1000,
	                             threads);
}

static void expect_near(double value, double wanted)
{
	cr_expect_float_eq(value, wanted, 1e-9 * wanted, "%g instead of %g", value, wanted);
}

/* Texts are never assumed, nor is the number of threads where rates are known. */
static void expect_complete(void)
{
	char message[MACHINE_MESSAGE_BYTES];
#define MACHINE_TEXT(field)
#define MACHINE_NUMBER(key, field)                                                                 \
	cr_expect(machine.field > 0 || strcmp(key, "cpu_threads") == 0, "%s is not assumed", key);
#include "policy/machine/machine.def"
	cr_expect(machine_is_usable(&machine, message), "%s", message);
	for (int element = 0; element < ELEMENT_BLAS_COUNT; element++)
		cr_expect_gt(cpu_rate(FAMILY_TRSM, (enum element)element, 1), 0);
}

Test(machine_assume, knows_each_core_and_an_ordinary_card)
{
	machine_assume(&machine, 0, 0);
	expect_complete();
	expect_near(cpu_rate(FAMILY_GEMM, ELEMENT_D, 1), 30e9);
	expect_near(cpu_rate(FAMILY_GEMM, ELEMENT_C, 1), 60e9);
	expect_near(cpu_rate(FAMILY_HERK, ELEMENT_Z, 64), 64 * 30e9);
	expect_near(cpu_rate(FAMILY_FFT_C2C, ELEMENT_Z, 1), 4e9);
	expect_near(cpu_rate(FAMILY_FFT_C2C, ELEMENT_C, 1), 8e9);
	expect_near(cpu_rate(FAMILY_FFT_R2C, ELEMENT_Z, 4), 4 * 4e9);
	expect_near(cpu_rate(FAMILY_FFT_R2C, ELEMENT_Z, 16), 7 * 4e9);
	expect_near(estimated_rate(ELEMENT_Z, 16), 7 * 2e9);
	expect_near(estimated_rate(ELEMENT_C, 1), 4e9);
	expect_near(machine_find_memory(&machine, MACHINE_CPU, 1), 12e9);
	expect_near(machine_find_memory(&machine, MACHINE_CPU, 16), 7 * 12e9);
	cr_expect(machine.gpu_gemm_flops[ELEMENT_D] > 14e12 &&
	          machine.gpu_gemm_flops[ELEMENT_D] < 19.5e12);
	expect_near(machine.link_up_bytes, 20e9);
	expect_near(machine.link_up_pinned_bytes, 25e9);
	expect_near(machine.link_up_pageable_bytes, 10e9);
	cr_expect_eq(machine.start_ns, 500e6);
	cr_expect_eq(machine.gpu_count, 1);
}

Test(machine_assume, knows_the_card)
{
	static const struct {
		int capability, units;
		double dgemm_least, dgemm_most, fft_least, fft_most, link_least, link_most;
	} cards[] = {
		{70, 80, 5e12, 7.8e12, 0.5e12, 1.2e12, 9e9, 12e9},
		{80, 108, 14e12, 19.5e12, 1e12, 2e12, 18e9, 25e9},
		{89, 128, 0.5e12, 1.3e12, 0.2e12, 0.65e12, 18e9, 25e9},
		{90, 132, 50e12, 60e12, 2e12, 4.5e12, 40e9, 55e9},
	};
	for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++) {
		start();
		machine_assume(&machine, cards[i].capability, cards[i].units);
		expect_complete();
		const double dgemm = machine.gpu_gemm_flops[ELEMENT_D],
			     fft = machine.gpu_fft_flops[ELEMENT_Z];
		cr_expect(dgemm > cards[i].dgemm_least && dgemm < cards[i].dgemm_most, "%d: %g",
		          cards[i].capability, dgemm);
		cr_expect(fft > cards[i].fft_least && fft < cards[i].fft_most, "%d: %g",
		          cards[i].capability, fft);
		cr_expect(machine.link_up_bytes > cards[i].link_least &&
		          machine.link_up_bytes < cards[i].link_most);
		cr_expect_eq(machine.gpu_multiprocessors, cards[i].units);
	}
}

/* The planner and the cost model assume the same card. */
Test(machine_assume, agrees_with_the_planner)
{
	const struct panel_rates card = panel_rates_find(NULL, ELEMENT_S, 86, 84);
	machine_assume(&machine, 86, 84);
	const struct panel_rates rates = panel_rates_find(&machine, ELEMENT_S, 0, 0);
	expect_near(rates.work_flops_s, card.work_flops_s);
	expect_near(machine.link_down_pinned_bytes, card.down_bytes_s);
	expect_near(rates.operation_ns, card.operation_ns);
	expect_near(rates.duplex, card.duplex);
	cr_expect_eq(rates.units, 84);
}

Test(machine_assume, changes_nothing_that_is_known)
{
	static struct machine before;
	struct machine_random random = {UINT64_C(0x5851f42d4c957f2d)};
	for (int i = 0; i < 200; i++) {
		machine_random_make(&random, &machine);
		before = machine;
		machine_assume(&machine, (int)machine_random_below(&random, 130), 10);
#define MACHINE_TEXT(field) cr_assert_str_eq(machine.field, before.field);
#define MACHINE_NUMBER(key, field)                                                                 \
	cr_assert(before.field == 0 || machine.field == before.field, "%s", key);
#include "policy/machine/machine.def"
		cr_assert_eq(machine.curve_count, before.curve_count);
		cr_assert_eq(memcmp(machine.curve, before.curve, sizeof before.curve), 0);
	}
}

Test(machine_assume, goes_by_what_is_known_of_other_elements)
{
	machine.cpu_threads = 8;
	machine.cpu_gemm_flops[ELEMENT_S] = 1e12;
	machine.cpu_fft_flops[ELEMENT_C] = 80e9;
	machine_assume(&machine, 90, 132);
	expect_complete();
	expect_near(machine.cpu_gemm_flops[ELEMENT_D], 0.5e12);
	expect_near(machine.cpu_gemm_flops[ELEMENT_C], 1e12);
	expect_near(machine.cpu_fft_flops[ELEMENT_Z], 40e9);
	cr_expect_eq(machine.cpu_threads, 8);
}

/* A profile that does not tell measured plans and estimated ones apart holds for both. */
Test(machine_assume, rates_without_rigour_hold_for_every_plan)
{
	char message[MACHINE_MESSAGE_BYTES];
	machine.cpu_threads = 1;
	cr_assert(machine_parse_line(&machine, "cpu_fftw_c2c_t1 = 1024:6e9 1e6:3e9", message));
	machine_assume(&machine, 90, 132);
	expect_near(estimated_rate(ELEMENT_Z, 1), 3e9);
	expect_near(cpu_rate(FAMILY_FFT_C2C, ELEMENT_Z, 1), 6e9);
	start();
	machine.cpu_threads = 1;
	cr_assert(machine_parse_line(&machine, "cpu_fftw_c2c_t1 = 1024:6e9 1e6:3e9", message));
	cr_assert(machine_parse_line(&machine, "cpu_fftwf_c2c_estimate_t1 = 1024:8e9 1e6:5e9",
	                             message));
	machine_assume(&machine, 90, 132);
	expect_near(estimated_rate(ELEMENT_C, 1), 8e9);
	expect_near(estimated_rate(ELEMENT_Z, 1), 2.5e9);
}

Test(machine_assume, goes_by_curves)
{
	char message[MACHINE_MESSAGE_BYTES];
	machine.cpu_threads = 8;
	cr_assert(machine_parse_line(&machine, "cpu_dgemm_t8 = 100:50e9 5000:200e9", message), "%s",
	          message);
	cr_assert(machine_parse_line(&machine, "cpu_cgemm_t4 = 5000:150e9", message), "%s",
	          message);
	cr_assert(machine_parse_line(&machine, "gpu_sgemm = 100:50e9 5000:7e12", message), "%s",
	          message);
	machine_assume(&machine, 90, 132);
	expect_near(machine.cpu_gemm_flops[ELEMENT_S], 400e9);
	expect_near(machine.cpu_gemm_flops[ELEMENT_Z], 200e9);
	expect_near(machine.cpu_gemm_flops[ELEMENT_C], 150e9);
	expect_near(machine.gpu_gemm_flops[ELEMENT_S], 7e12);
	expect_near(machine.cpu_fft_flops[ELEMENT_Z], 5 * 4e9);
}

/* A rate without a number of threads is taken for all threads. */
Test(machine_assume, leaves_rates_of_unknown_threads_level)
{
	machine.cpu_gemm_flops[ELEMENT_D] = 300e9;
	machine_assume(&machine, 0, 0);
	cr_expect_eq(machine.cpu_threads, 0);
	expect_near(cpu_rate(FAMILY_GEMM, ELEMENT_D, 1), 300e9);
	expect_near(cpu_rate(FAMILY_GEMM, ELEMENT_S, 10), 600e9);
	expect_near(cpu_rate(FAMILY_FFT_C2C, ELEMENT_Z, 10), (4 + 6 * 0.25) * 4e9);
}

Test(machine_assume, reckons_links_from_each_other)
{
	machine.link_up_pinned_bytes = 10e9;
	machine.link_down_bytes = 100e9;
	machine_assume(&machine, 60, 56);
	expect_near(machine.link_up_bytes, 8e9);
	expect_near(machine.link_up_pageable_bytes, 5e9);
	expect_near(machine.link_down_pinned_bytes, 100e9);
	expect_near(machine.link_down_pageable_bytes, 10e9);
}
