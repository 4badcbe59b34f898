/* panel_rates.c - what the planner reckons with: a machine's profile, or what its GPU should be capable of */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "policy/panels.h"

/*
 * By compute capability: fused multiplications and additions per clock cycle of one multiprocessor in single and in
 * double precision (CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions"; from 8.0 on the double
 * ones of the data centre's GPUs are those of the tensor cores, which cuBLAS uses: data sheets of A100, H100 and B200),
 * the boost clock of a usual card (data sheets, in GHz), and what a pinned copy reaches on 16 lanes of its PCI Express
 * generation, up and down (GB/s: 3: 12.4 and 12.8, 4: 25, both nvbandwidth's usual figures; 5: DeepSpeed pull request
 * 8283 on an H200). A row holds up to the next one.
 */
static const struct rates_row {
	int capability;
	double single, twice, clock_ghz, up_gb_s, down_gb_s;
} rates_rows[] = {
	{0, 64, 2, 1.2, 12.4, 12.8},    /* before Pascal */
	{60, 64, 32, 1.48, 12.4, 12.8}, /* P100 */
	{61, 128, 4, 1.7, 12.4, 12.8},  /* GeForce 10: 1/32 */
	{70, 64, 32, 1.53, 12.4, 12.8}, /* V100 */
	{75, 64, 2, 1.7, 12.4, 12.8},   /* T4, GeForce 20: 1/32 */
	{80, 64, 64, 1.41, 25, 25},     /* A100 */
	{86, 128, 2, 1.7, 25, 25},      /* A40, GeForce 30: 1/64 */
	{87, 128, 2, 1.3, 25, 25},      /* Orin */
	{89, 128, 2, 2.5, 25, 25},      /* L40, GeForce 40: 1/64 */
	{90, 128, 128, 1.98, 55.3, 53}, /* H100, H200 */
	{100, 128, 64, 1.96, 55.3, 53}, /* B200: 37 TF */
	{103, 128, 2, 1.96, 55.3, 53},  /* B300: 1.2 TF */
	{120, 128, 2, 2.4, 55.3, 53},   /* GeForce 50: 1/64 */
};
enum { RATES_ROWS = sizeof rates_rows / sizeof rates_rows[0] };

/* 55 Tflop/s of DGEMM where the data sheet of the H200 has 67. */
static const double rates_sustained = 0.82;

/* Assumed: both links of an H200 keep 92 % while both move; an operation costs 8 us from the call to its begin. */
static const double rates_duplex = 0.92, rates_operation_ns = 8000;

/* cuBLAS's usual tiles. A small GPU's number of multiprocessors where nobody tells it. */
enum { RATES_TILE = 128, RATES_UNITS = 16 };

static const struct rates_row *rates_find_row(int capability)
{
	const struct rates_row *row = rates_rows;
	for (int i = 1; i < RATES_ROWS && rates_rows[i].capability <= capability; i++)
		row = &rates_rows[i];
	return row;
}

static double rates_choose(double known, double reckoned)
{
	return known > 0 ? known : reckoned;
}

struct panel_rates panels_rates(const struct machine *machine, enum element element, int capability, int units)
{
	static const struct machine nothing;
	const struct machine *known = machine != NULL ? machine : &nothing;
	const struct rates_row *row = rates_find_row(capability);
	const bool twice = element == ELEMENT_D || element == ELEMENT_Z;
	struct panel_rates rates = {.tile = RATES_TILE, .units = units > 0 ? units : 0};
	if (known->gpu_multiprocessors >= 1 && known->gpu_multiprocessors <= INT16_MAX)
		rates.units = (int)known->gpu_multiprocessors;
	const double cycle_flops =
		2 * (twice ? row->twice : row->single) * (rates.units > 0 ? rates.units : RATES_UNITS);
	rates.up_bytes_s = rates_choose(known->link_up_bytes, row->up_gb_s * 1e9);
	rates.down_bytes_s = rates_choose(known->link_down_bytes, row->down_gb_s * 1e9);
	rates.duplex = rates_choose(known->link_duplex <= 1 ? known->link_duplex : 1, rates_duplex);
	rates.work_flops_s =
		rates_choose(known->gpu_gemm_flops[element], cycle_flops * row->clock_ghz * 1e9 * rates_sustained);
	rates.operation_ns = rates_choose(known->operation_ns, rates_operation_ns);
	return rates;
}
