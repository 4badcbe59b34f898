/* hashing_cost.c - the rate of hashing beside that of the link */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/resident/hashing_cost.h"

enum { HASHING_FEW_BYTES = 1 << 20, HASHING_TRIALS = 3 };
static const int64_t hashing_stale_ns = 4000000000;

/* Of the time to send all of it: about a tenth is sent in any case. */
static const double hashing_saved_share = 0.9;

/* Weight of the last operand in the rate. */
static const double hashing_last_share = 0.25;

void hashing_cost_note(struct hashing_rates *rates, uint64_t bytes, int64_t took_ns, int64_t now_ns)
{
	if (bytes < HASHING_FEW_BYTES || took_ns <= 0)
		return;
	const double last = (double)bytes / (double)took_ns * 1e9;
	if (rates->trials >= HASHING_TRIALS)
		rates->hash_bytes_s += hashing_last_share * (last - rates->hash_bytes_s);
	else if (rates->trials++ == 0 || last > rates->hash_bytes_s)
		rates->hash_bytes_s = last;
	rates->noted_ns = now_ns;
}

void hashing_cost_refresh(struct hashing_rates *rates, int64_t now_ns)
{
	if (now_ns - rates->noted_ns >= hashing_stale_ns)
		rates->trials = 0;
}

static bool hashing_cost_pays(const struct hashing_rates *rates, int times)
{
	if (rates->trials < HASHING_TRIALS || rates->send_bytes_s <= 0)
		return true;
	return times * rates->send_bytes_s < hashing_saved_share * rates->hash_bytes_s;
}

bool hashing_cost_pays_input(const struct hashing_rates *rates)
{
	return hashing_cost_pays(rates, 1);
}

bool hashing_cost_pays_result(const struct hashing_rates *rates)
{
	return hashing_cost_pays(rates, 2);
}
