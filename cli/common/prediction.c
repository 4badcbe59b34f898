/* prediction.c - the sums of a replay beside the name of its machine, as lines and as JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/prediction.h"

struct prediction prediction_make(const struct known_machine *machine,
                                  const struct predict_totals *totals,
                                  const struct options *options)
{
	static struct options of_auto;
	predict_set_options(options, &of_auto);
	return (struct prediction){machine, *totals, predict_gate_find(&of_auto)};
}

void prediction_describe(const struct prediction *prediction, struct prediction_words *words)
{
	const struct known_machine *machine = prediction->machine;
	machine_phrase(&machine->profile, &machine->here, words->machine);
	predict_text_write(&prediction->totals, machine->complete.start_ns, prediction->gate,
	                   &words->text);
}

static void prediction_put_machine(struct json *json, const struct known_machine *machine)
{
	const struct machine *profile = &machine->profile;
	const char *absence = machine->here.absence;
	json_put_text(json, "here", absence != NULL ? "cpu" : "gpu");
	if (absence != NULL)
		json_put_text(json, "absence", absence);
	else
		json_put_null(json, "absence");
	json_put_text(json, "machine", profile->name);
	json_put_text(json, "gpu", profile->gpu);
	json_put_text(json, "source", machine_phrase_source(profile));
	json_put_text(json, "measured", profile->measured);
}

/* All digits. */
static void prediction_put_ns(struct json *json, const char *key, double time_ns)
{
	const double whole_ns = predict_round(time_ns);
	json_put_integer(json, key, whole_ns < (double)INT64_MAX ? (int64_t)whole_ns : INT64_MAX);
}

void prediction_put(struct json *json, const struct prediction *prediction)
{
	const struct predict_totals *totals = &prediction->totals;
	json_open_object(json, "prediction");
	prediction_put_machine(json, prediction->machine);
	json_put_count(json, "calls", totals->calls);
	json_put_count(json, "gpu_calls", totals->gpu_calls);
	prediction_put_ns(json, "cpu_ns", totals->cpu_ns);
	prediction_put_ns(json, "auto_ns", totals->auto_ns);
	json_put_count(json, "starts", totals->starts);
	prediction_put_ns(json, "start_ns", prediction->machine->complete.start_ns);
	prediction_put_ns(json, "waited_ns", totals->waited_ns);
	json_put_count(json, "plans", totals->plans);
	json_put_count(json, "solver_starts", totals->solvers);
	prediction_put_ns(json, "solver_start_ns", prediction->machine->complete.solver_start_ns);
	json_close_object(json);
}

void prediction_emit(struct emit *emit, const struct prediction *prediction)
{
	struct prediction_words words;
	if (emit->is_json) {
		prediction_put(&emit->json, prediction);
		return;
	}
	prediction_describe(prediction, &words);
	emit_print(emit, "%s:\n", words.machine);
	emit_print(emit, "  %s\n", words.text.calls);
	if (words.text.setups[0] != '\0')
		emit_print(emit, "  %s\n", words.text.setups);
}
