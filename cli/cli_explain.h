/* cli_explain.h - what `gpushim explain` prints */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_EXPLAIN_H
#define GPUSHIM_CLI_CLI_EXPLAIN_H

#include "cli/cli_explain_facts.h"
#include "cli/cli_json.h"

/* One call: for people, and as one line of JSON. */
void cli_explain_print(const struct cli_explain_facts *facts);
void cli_explain_print_json(const struct cli_explain_facts *facts);

/* Where each routine breaks even: formula, table and plot, or one line of JSON. setting: without places. */
void cli_explain_table_print(const struct cli_explain_machine *machine, const struct cost_setting *setting);
void cli_explain_table_print_json(const struct cli_explain_machine *machine, const struct cost_setting *setting);

/* Speedup against size, 80 columns by 22 lines. */
void cli_explain_plot_print(const struct cli_explain_machine *machine, const struct cost_setting *setting);

/* "machine" and what holds for it, in the form of the text report. */
void cli_explain_print_machine(const struct cli_explain_machine *machine, const struct cost_setting *setting);

/* The same as a member of an object of JSON. */
void cli_explain_json_machine(struct cli_json *json, const struct cli_explain_machine *machine,
                              const struct cost_setting *setting);

#endif
