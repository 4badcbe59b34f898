/* aside.c - keeps errno, cancellation and the pending error around work on a stack that suffices */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/aside.h"

#include <errno.h>

#include "shim/base/pending_error.h"
#include "shim/shield/cancellation.h"

struct aside {
	void (*work)(void *argument);
	void *argument;
};

static void aside_work(void *context)
{
	const struct aside *aside = context;
	const int saved_errno = errno;
	struct cancellation cancellation;
	cancellation_hold(&cancellation);
	void *error = pending_error_begin();
	aside->work(aside->argument);
	pending_error_end(error);
	cancellation_release(&cancellation);
	errno = saved_errno;
}

bool aside_run(enum stack_need need, void (*work)(void *argument), void *argument)
{
	struct aside aside = {work, argument};
	return stack_run(need, aside_work, &aside);
}

void aside_run_anyway(enum stack_need need, void (*work)(void *argument), void *argument)
{
	struct aside aside = {work, argument};
	if (!stack_run(need, aside_work, &aside))
		aside_work(&aside);
}
