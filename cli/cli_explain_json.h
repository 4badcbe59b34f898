/* cli_explain_json.h - members of JSON objects, on stdout */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_EXPLAIN_JSON_H
#define GPUSHIM_CLI_CLI_EXPLAIN_JSON_H

#include "cli/cli_explain_machine.h"

/* Each prints "key":value. A number below 0 or without bound is null. */
void cli_explain_json_text(const char *key, const char *text);
void cli_explain_json_number(const char *key, double value);
void cli_explain_json_machine(const struct cli_explain_machine *machine, const struct cost_setting *setting);

#endif
