/* terminal_keep.h - gives the terminal back as it was before a program ran */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_TERMINAL_KEEP_H
#define GPUSHIM_CLI_PROCESS_TERMINAL_KEEP_H

#include <stdbool.h>
#include <termios.h>

/* terminal: a descriptor; -1 where the tool has none or runs in the background of its terminal. */
struct terminal_keep {
	int terminal;
	struct termios mode;
};

/* Opens the terminal, and remembers its mode: echo, line editing, flow control. */
void terminal_keep_begin(struct terminal_keep *keep);

/*
 * After a program: sets the mode that was remembered, and makes the tool the foreground again where
 * the program left a foreground group that no longer exists. Nothing while the tool is in the
 * background.
 */
void terminal_keep_restore(const struct terminal_keep *keep);

void terminal_keep_end(struct terminal_keep *keep);

#endif
