/* panel_rates.c - rates for the planner: from a profile, else from a table of cards */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/machine/panel_rates.h"

#include <stddef.h>
#include <string.h>

/*
 * By compute capability: fused multiplications and additions per clock cycle of one multiprocessor
 * in single and in double precision (CUDA C++ Programming Guide, "Throughput of Native Arithmetic
 * Instructions"; from 8.0 on the double ones of the data centre's GPUs are those of the tensor
 * cores, which cuBLAS uses: data sheets of A100, H100 and B200), the boost clock of a usual card
 * (data sheets, in GHz), and what a pinned copy reaches on 16 lanes of its PCI Express generation,
 * up and down (GB/s: 3: 12.4 and 12.8, 4: 25, both nvbandwidth's usual figures; 5: DeepSpeed pull
 * request 8283 on an H200), and the GB/s of the card's memory for each of its multiprocessors (data
 * sheets). complex: CGEMM relative to SGEMM, where it is slower: 20 Tflop/s on an RTX 5080 from n =
 * 4096 on, of a peak of 56 (UCHINO-Yuki/GEMMul8_numerical_results, runs of December 2025), assumed
 * of all cards for graphics since Ampere. A row holds up to the next one.
 */
static const struct rates_row {
	int capability;
	double single, twice, clock_ghz, up_gb_s, down_gb_s, memory_gb_s, complex;
} rates_rows[] = {
	{0, 64, 2, 1.2, 12.4, 12.8, 9, 1},       /* before Pascal */
	{60, 64, 32, 1.48, 12.4, 12.8, 13.1, 1}, /* P100: 732 GB/s */
	{61, 128, 4, 1.7, 12.4, 12.8, 16, 1},    /* GeForce 10: 1/32; GTX 1080: 320 GB/s */
	{70, 64, 32, 1.53, 12.4, 12.8, 11.2, 1}, /* V100: 900 GB/s */
	{75, 64, 2, 1.7, 12.4, 12.8, 8, 1},      /* T4, GeForce 20: 1/32; T4: 320 GB/s */
	{80, 64, 64, 1.41, 25, 25, 14.4, 1},     /* A100: 1,555 GB/s */
	{86, 128, 2, 1.7, 25, 25, 8.3, 0.5},     /* A40, GeForce 30: 1/64; A40: 696 GB/s */
	{87, 128, 2, 1.3, 25, 25, 12.8, 0.5},    /* Orin: 205 GB/s */
	{89, 128, 2, 2.5, 25, 25, 6.1, 0.5},     /* L40, GeForce 40: 1/64; L40: 864 GB/s */
	{90, 128, 128, 1.98, 55.3, 53, 25.4, 1}, /* H100, H200; H100: 3,350 GB/s */
	{100, 128, 64, 1.96, 55.3, 53, 52, 1},   /* B200: 37 TF, 7,700 GB/s */
	{103, 128, 2, 1.96, 55.3, 53, 50, 1},    /* B300: 1.2 TF, 8,000 GB/s */
	{120, 128, 2, 2.4, 55.3, 53, 10.5, 0.5}, /* GeForce 50: 1/64; RTX 5090: 1,792 GB/s */
};
enum { RATES_ROWS = sizeof rates_rows / sizeof rates_rows[0] };

/* 55 Tflop/s of DGEMM where the data sheet of the H200 has 67. */
static const double rates_sustained = 0.82;

/*
 * Cards whose power limit lowers the clock in a product of singles that lasts: the share that they
 * sustain of what multiprocessors and the boost clock of their row give. name: a word of CUDA's
 * name of the device; where no name is known, the number of multiprocessors tells the card.
 *   P4: 4.2 Tflop/s of SGEMM at n = 10240, zzc0721/torch-performance-test-data, issue 9
 *   T4: 24 of 65 Tflop/s of half precision at n = 4096, power capping at 70 W (NVIDIA's forum,
 *     "About GPU peak performance"); single precision is assumed to be capped a little less
 *   A10: 12.5 Tflop/s of SGEMM, NVIDIA/cutlass, issue 941
 *   L4: 10.7 to 11.1 Tflop/s of SGEMM from n = 8192 on, zzc0721, issue 120
 */
static const struct rates_capped {
	const char *name;
	int capability, units;
	double sustained;
} rates_capped[] = {
	{"P4", 61, 20, 0.48},
	{"T4", 75, 40, 0.45},
	{"A10", 86, 72, 0.40},
	{"L4", 89, 58, 0.30},
};
enum { RATES_CAPPED = sizeof rates_capped / sizeof rates_capped[0] };

/*
 * Assumed: both links of an H200 keep 92 % of their rate while both are busy; an operation begins 8
 * us after its call. A copy that is queued behind another one costs less: the H200 above copies 4
 * MiB at 53 of 54.9 GB/s, which is 2.7 us beside its bytes.
 */
static const double rates_duplex = 0.92, rates_operation_ns = 8000, rates_copy_ns = 3000;

/* The usual tile of cuBLAS. Multiprocessors of a small card, where the number is unknown. */
enum { RATES_TILE = 128, RATES_UNITS = 16 };

static const struct rates_row *panel_rates_find_row(int capability)
{
	const struct rates_row *row = rates_rows;
	for (int i = 1; i < RATES_ROWS && rates_rows[i].capability <= capability; i++)
		row = &rates_rows[i];
	return row;
}

static double panel_rates_choose(double known, double reckoned)
{
	return known > 0 ? known : reckoned;
}

/* Whether word stands in text by itself. */
static bool panel_rates_has_word(const char *text, const char *word)
{
	const size_t length = strlen(word);
	for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
		if ((at == text || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
			return true;
	return false;
}

/* The share of the boost clock's rate that the card sustains. */
static double panel_rates_find_sustained(const char *name, int capability, int units)
{
	for (int i = 0; i < RATES_CAPPED; i++) {
		const struct rates_capped *card = &rates_capped[i];
		if (card->capability == capability && card->units == units &&
		    (name[0] == '\0' || panel_rates_has_word(name, card->name)))
			return card->sustained;
	}
	return rates_sustained;
}

static double panel_rates_derive_flops(const struct machine *known, const struct rates_row *row,
                                       enum element element, int capability, int units)
{
	const bool twice = element == ELEMENT_D || element == ELEMENT_Z;
	const double cycle_flops =
		2 * (twice ? row->twice : row->single) * (units > 0 ? units : RATES_UNITS);
	return cycle_flops * row->clock_ghz * 1e9 *
	       (twice ? rates_sustained
	              : panel_rates_find_sustained(known->gpu, capability, units)) *
	       (element == ELEMENT_C ? row->complex : 1);
}

void panel_rates_limit_look(struct machine *found)
{
	const int capability = found->gpu_capability <= INT16_MAX ? (int)found->gpu_capability : 0,
		  units = found->gpu_multiprocessors <= INT16_MAX ? (int)found->gpu_multiprocessors
	                                                          : 0;
	const struct rates_row *row = panel_rates_find_row(capability);
	if (!(panel_rates_find_sustained(found->gpu, capability, units) < rates_sustained))
		return;
	for (int element = ELEMENT_S; element <= ELEMENT_C; element += ELEMENT_C - ELEMENT_S) {
		const double most = panel_rates_derive_flops(found, row, (enum element)element,
		                                             capability, units);
		if (found->gpu_gemm_flops[element] > most)
			found->gpu_gemm_flops[element] = most;
	}
}

struct panel_rates panel_rates_find(const struct machine *machine, enum element element,
                                    int capability, int units)
{
	static const struct machine nothing;
	const struct machine *known = machine != NULL ? machine : &nothing;
	const struct rates_row *row = panel_rates_find_row(capability);
	struct panel_rates rates = {.tile = RATES_TILE, .units = units > 0 ? units : 0};
	if (known->gpu_multiprocessors >= 1 && known->gpu_multiprocessors <= INT16_MAX)
		rates.units = (int)known->gpu_multiprocessors;
	rates.up_bytes_s = panel_rates_choose(known->link_up_bytes, row->up_gb_s * 1e9);
	rates.down_bytes_s = panel_rates_choose(known->link_down_bytes, row->down_gb_s * 1e9);
	rates.duplex =
		panel_rates_choose(known->link_duplex <= 1 ? known->link_duplex : 1, rates_duplex);
	rates.work_flops_s = panel_rates_choose(
		known->gpu_gemm_flops[element],
		panel_rates_derive_flops(known, row, element, capability, rates.units));
	rates.operation_ns = panel_rates_choose(known->operation_ns, rates_operation_ns);
	rates.copy_ns = panel_rates_choose(known->copy_ns, rates_copy_ns);
	if (rates.copy_ns > rates.operation_ns)
		rates.copy_ns = rates.operation_ns;
	return rates;
}

double panel_rates_find_memory(int capability, int units)
{
	return panel_rates_find_row(capability)->memory_gb_s * 1e9 *
	       (units > 0 ? units : RATES_UNITS);
}

double panel_rates_find_clock(int capability)
{
	return panel_rates_find_row(capability)->clock_ghz;
}
