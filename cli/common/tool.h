/* tool.h - the exit statuses of the tool */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_TOOL_H
#define GPUSHIM_CLI_COMMON_TOOL_H

enum tool_status {
	TOOL_FINE = 0,
	TOOL_DIFFERENT = 1, /* also: the GPU cannot be used; logs without a record */
	TOOL_USAGE = 2,
	TOOL_NOT_RUN = 3,
	TOOL_SLOWER = 4, /* of compare --fail-if-slower */
	TOOL_FAILED = 5, /* of compare: the program fails */
	TOOL_WARNED = 6  /* of doctor: the GPU can be used, but not all is as it was meant */
};

#endif
