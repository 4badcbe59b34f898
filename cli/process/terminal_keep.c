/* terminal_keep.c - the mode and the foreground group of the controlling terminal */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/terminal_keep.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

void terminal_keep_begin(struct terminal_keep *keep)
{
	keep->terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (keep->terminal >= 0 &&
	    (tcgetpgrp(keep->terminal) != getpgrp() || tcgetattr(keep->terminal, &keep->mode) != 0))
		terminal_keep_end(keep);
}

/* Whether the tool is in the foreground, which it becomes if nobody else is. */
static bool terminal_keep_is_foreground(const struct terminal_keep *keep)
{
	const pid_t foreground = tcgetpgrp(keep->terminal);
	if (foreground == getpgrp())
		return true;
	if (foreground > 0 && (kill(-foreground, 0) == 0 || errno != ESRCH))
		return false;
	return tcsetpgrp(keep->terminal, getpgrp()) == 0;
}

/* SIGTTOU would stop the tool at tcsetpgrp and tcsetattr. */
void terminal_keep_restore(const struct terminal_keep *keep)
{
	sigset_t output, before;
	if (keep->terminal < 0)
		return;
	sigemptyset(&output);
	sigaddset(&output, SIGTTOU);
	sigprocmask(SIG_BLOCK, &output, &before);
	if (terminal_keep_is_foreground(keep))
		tcsetattr(keep->terminal, TCSANOW, &keep->mode);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void terminal_keep_end(struct terminal_keep *keep)
{
	if (keep->terminal >= 0)
		close(keep->terminal);
	keep->terminal = -1;
}
