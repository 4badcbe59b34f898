/* observe.c - the observer */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/observe.h"

_Atomic(const struct observer *) observe_listener;

void observe_set(const struct observer *listener)
{
	atomic_store_explicit(&observe_listener, listener, memory_order_release);
}
