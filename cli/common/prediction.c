/* prediction.c - the sums of a replay beside the name of its machine */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/prediction.h"

#include "policy/decide/predict_text.h"

static void prediction_emit_machine(struct emit *emit, const struct known_machine *machine)
{
	char phrase[MACHINE_PHRASE_BYTES];
	const struct machine *profile = &machine->profile;
	const char *absence = machine->here.absence;
	machine_phrase(profile, &machine->here, phrase);
	emit_print(emit, "%s:\n", phrase);
	emit_text(emit, "here", NULL, absence != NULL ? "cpu" : "gpu");
	if (absence != NULL)
		emit_text(emit, "absence", NULL, absence);
	else
		emit_null(emit, "absence");
	emit_text(emit, "machine", NULL, profile->name);
	emit_text(emit, "gpu", NULL, profile->gpu);
	emit_text(emit, "source", NULL, machine_phrase_source(profile));
	emit_text(emit, "measured", NULL, profile->measured);
}

/* JSON only, all digits. */
static void prediction_emit_ns(struct emit *emit, const char *key, double time_ns)
{
	const double whole_ns = predict_round(time_ns);
	emit_integer(emit, key, NULL, whole_ns < (double)INT64_MAX ? (int64_t)whole_ns : INT64_MAX);
}

void prediction_emit(struct emit *emit, const struct known_machine *machine,
                     const struct predict_totals *totals)
{
	const double start_ns = machine->complete.start_ns;
	struct predict_text text;
	predict_text_write(totals, start_ns, &text);
	emit_open(emit, "prediction");
	prediction_emit_machine(emit, machine);
	emit_print(emit, "  %s\n", text.calls);
	if (text.setups[0] != '\0')
		emit_print(emit, "  %s\n", text.setups);
	emit_count(emit, "calls", NULL, totals->calls);
	emit_count(emit, "gpu_calls", NULL, totals->gpu_calls);
	prediction_emit_ns(emit, "cpu_ns", totals->cpu_ns);
	prediction_emit_ns(emit, "auto_ns", totals->auto_ns);
	emit_count(emit, "starts", NULL, totals->starts);
	prediction_emit_ns(emit, "start_ns", start_ns);
	prediction_emit_ns(emit, "waited_ns", totals->waited_ns);
	emit_count(emit, "plans", NULL, totals->plans);
	emit_close(emit);
}
