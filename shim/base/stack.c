/* stack.c - asks libc for the bounds of the stack */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/stack.h"

#include <pthread.h>
#include <stdint.h>

size_t stack_find_left(void)
{
	pthread_attr_t attributes;
	void *start;
	size_t size_bytes;
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return SIZE_MAX;
	const int error = pthread_attr_getstack(&attributes, &start, &size_bytes);
	pthread_attr_destroy(&attributes);
	if (error != 0)
		return SIZE_MAX;
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0), end = (uintptr_t)start;
	return here > end && here - end <= size_bytes ? here - end : 0;
}
