/* gpu_check_faults.c - sanitizers whose handlers of faults would change what a shared call does */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With such a handler panels do not move to the CPU, and a part of the CPU needs pages that are
 * there. The sanitizers call these functions of the program when they start.
 */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "handle_segv=0:handle_sigbus=0";
}

__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
	return "handle_segv=0:handle_sigbus=0";
}
