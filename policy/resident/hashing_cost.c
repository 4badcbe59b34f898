/* hashing_cost.c - the rate of hashing beside that of the link */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/resident/hashing_cost.h"

/* Of the time to send all of it: about a tenth is sent in any case. */
static const double hashing_saved_share = 0.9;

static double hashing_cost_find_rate(const struct hashing_rates *rates)
{
	const double all = rates->thread_bytes_s * (rates->threads > 1 ? rates->threads : 1);
	return rates->memory_bytes_s > 0 && rates->memory_bytes_s < all ? rates->memory_bytes_s
	                                                                : all;
}

static bool hashing_cost_pays(const struct hashing_rates *rates, int times)
{
	if (rates->thread_bytes_s <= 0 || rates->send_bytes_s <= 0)
		return true;
	return times * rates->send_bytes_s < hashing_saved_share * hashing_cost_find_rate(rates);
}

bool hashing_cost_pays_input(const struct hashing_rates *rates)
{
	return hashing_cost_pays(rates, 1);
}

bool hashing_cost_pays_result(const struct hashing_rates *rates)
{
	return hashing_cost_pays(rates, 2);
}
