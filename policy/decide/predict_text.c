/* predict_text.c - writes the sums of a prediction as a clause */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/predict_text.h"

#include "policy/text/human.h"
#include "policy/text/sentence.h"

static void predict_text_add_count(struct sentence *sentence, uint64_t count, const char *one,
                                   const char *many)
{
	char text[HUMAN_BYTES];
	human_format_count(count, text);
	sentence_add(sentence, text);
	sentence_add(sentence, count == 1 ? one : many);
}

static void predict_text_add_time(struct sentence *sentence, double time_ns)
{
	const double too_large = 1.8e19;
	char text[HUMAN_BYTES];
	const double limited = !(time_ns > 0) ? 0 : time_ns < too_large ? time_ns : too_large;
	human_format_time((uint64_t)(limited + 0.5), text);
	sentence_add(sentence, text);
}

static void predict_text_write_calls(const struct predict_totals *totals, struct sentence *sentence)
{
	if (totals->gpu_calls == 0)
		sentence_add(sentence, "none of ");
	else
		predict_text_add_count(sentence, totals->gpu_calls, " of ", " of ");
	predict_text_add_count(sentence, totals->calls, " call on the GPU, ",
	                       " calls on the GPU, ");
	predict_text_add_time(sentence, totals->cpu_ns);
	sentence_add(sentence, " in calls -> ");
	predict_text_add_time(sentence, totals->auto_ns);
}

static void predict_text_write_gate(uint64_t gate, struct sentence *calls, struct sentence *why)
{
	char bytes[HUMAN_BYTES];
	if (gate == PREDICT_GATE_OPTIONS) {
		sentence_add(calls, "no call is decided on:");
		sentence_add(why, "options keep them on the CPU, or they are too small");
		return;
	}
	sentence_add(calls, "no call is large enough for the GPU:");
	if (gate == PREDICT_GATE_SEVERAL) {
		sentence_add(why, "each is below a threshold, or expected to take less than ");
		predict_text_add_time(why, DECIDE_LEAST_NS);
	} else if (gate == PREDICT_GATE_TIME) {
		sentence_add(why, "each is expected to take less than ");
		predict_text_add_time(why, DECIDE_LEAST_NS);
		sentence_add(why, " on the CPU");
	} else {
		human_format_size(gate, bytes);
		sentence_add(why, "each has less than ");
		sentence_add(why, bytes);
		sentence_add(why, " of operands, the workload_threshold");
	}
}

void predict_text_write(const struct predict_totals *totals, double start_ns, uint64_t gate,
                        struct predict_text *text)
{
	struct sentence calls = sentence_start(text->calls, sizeof text->calls),
			setups = sentence_start(text->setups, sizeof text->setups);
	if (totals->calls == 0) {
		predict_text_write_gate(gate, &calls, &setups);
		return;
	}
	predict_text_write_calls(totals, &calls);
	if (totals->starts == 0)
		return;
	sentence_add(&setups, "included: ");
	if (totals->starts == 1)
		sentence_add(&setups, "CUDA's start, ");
	else
		predict_text_add_count(&setups, totals->starts, "", " starts of CUDA, each ");
	predict_text_add_time(&setups, start_ns);
	sentence_add(&setups, totals->waited_ns > 0 ? " waited for" : " in the background");
	if (totals->solvers == 1)
		sentence_add(&setups, ", and cuSOLVER's");
	if (totals->solvers > 1) {
		sentence_add(&setups, ", and ");
		predict_text_add_count(&setups, totals->solvers, "", " of cuSOLVER");
	}
	if (totals->plans == 0)
		return;
	sentence_add(&setups, "; ");
	predict_text_add_count(&setups, totals->plans, " cuFFT plan", " cuFFT plans");
}
