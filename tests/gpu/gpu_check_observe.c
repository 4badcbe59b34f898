/* gpu_check_observe.c - an observer of operations alone */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_observe.h"

static int64_t check_begin(const char *name)
{
	(void)name;
	return 1;
}

static void check_end(const char *name, int64_t begin_ns, uint64_t size_bytes, uint64_t call)
{
	(void)name, (void)begin_ns, (void)size_bytes, (void)call;
}

static void check_span(const char *name, int64_t begin_ns, int64_t end_ns)
{
	(void)name, (void)begin_ns, (void)end_ns;
}

static uint64_t check_find_call(void)
{
	return 0;
}

void gpu_check_observe(void (*operate)(const struct observe_operation *operation))
{
	static struct observer listener = {check_begin, check_end, check_span, NULL,
	                                   check_find_call};
	listener.operate = operate;
	observe_set(&listener);
}
