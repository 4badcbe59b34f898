/* explain_share.h - the call with a part of it on the CPU, beside the GPU's part */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_SHARE_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_SHARE_H

#include "cli/common/emit.h"
#include "cli/explain/explain_facts.h"

/*
 * Prints the parts and their times, where the decision shares the call and the model knows them; in
 * JSON "share", null where it does not.
 */
void explain_share_print(struct emit *emit, const struct explain_facts *facts);

#endif
