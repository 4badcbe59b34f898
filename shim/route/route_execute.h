/* route_execute.h - a decided call's way over the GPU, verified where that is asked for */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_EXECUTE_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_EXECUTE_H

#include "shim/route/visit.h"

/*
 * Runs the call on the device of its decision. *finished: it is done, if not by the GPU then by the
 * CPU from where the GPU left it. visit->verify_ns: what comparing it with the CPU took, which is
 * no part of the call.
 */
enum reason route_execute_on_gpu(struct visit *visit, bool *finished);

#endif
