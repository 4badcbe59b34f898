/* route_execute.h - runs a decided call on the GPU, verified if the option verify asks for it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_EXECUTE_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_EXECUTE_H

#include "shim/route/visit.h"

/*
 * Runs the call on the device of its decision. *finished: the result is complete, because the GPU
 * or, after an error, the CPU computed it (also where verification failed: then C is the CPU's). Of
 * LAPACK visit->unsettled may be left: a verification for which the CPU library has to compute the
 * call once more, whose arguments are as before.
 * Adds the time of verification, which is no part of the call's, to visit->verify_ns.
 */
enum reason route_execute_on_gpu(struct visit *visit, bool *finished);

/*
 * Where visit->unsettled is not NULL, after the CPU library computed the call, too: ends the
 * verification, and writes its outcome to the decision. The time since the GPU was done is no part
 * of the call's.
 */
void route_execute_settle(struct visit *visit);

#endif
