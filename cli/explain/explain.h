/* explain.h - what `gpushim explain` prints */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_H

#include "cli/common/json.h"
#include "cli/explain/explain_facts.h"

/* One call: for people, and as one line of JSON. */
void explain_print(const struct explain_facts *facts);
void explain_print_json(const struct explain_facts *facts);

/*
 * Where each routine breaks even: formula, table and plot, or one line of JSON. setting: without
 * places.
 */
void explain_table_print(const struct known_machine *machine, const struct cost_setting *setting);
void explain_table_print_json(const struct known_machine *machine,
                              const struct cost_setting *setting);

/* Speedup against size, 80 columns by 22 lines. */
void explain_plot_print(const struct known_machine *machine, const struct cost_setting *setting);

/* "machine" and what holds for it, in the form of the text report. */
void explain_print_machine(const struct known_machine *machine, const struct cost_setting *setting);

/* The same as a member of an object of JSON. */
void explain_json_machine(struct json *json, const struct known_machine *machine,
                          const struct cost_setting *setting);

#endif
