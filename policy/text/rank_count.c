/* rank_count.c - how many ranks of a job were counted, in words */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/text/rank_count.h"

#include "policy/text/human.h"
#include "policy/text/sentence.h"

void rank_count_name(const struct rank_count *ranks, char out[RANK_COUNT_BYTES])
{
	char count[HUMAN_BYTES];
	struct sentence text = sentence_start(out, RANK_COUNT_BYTES);
	if (ranks->reported < ranks->started) {
		human_format_count(ranks->reported, count);
		sentence_add(&text, count);
		sentence_add(&text, " of ");
	}
	human_format_count(ranks->started, count);
	sentence_add(&text, count);
	sentence_add(&text, ranks->started == 1 ? " rank" : " ranks");
}
