/* survey.h - the surroundings of a call that the GPU's side knows: sharers, work before it, operands, plans */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SURVEY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_SURVEY_H

#include "policy/decide/decide.h"

/*
 * For a described call of a situation that session_describe has filled: fills setting.gpu_sharers,
 * and once the GPU is ready setting.queue_ns, setting.place, device_only, and setting.setup_ns,
 * which is plan_ns (what making a cuFFT plan costs) where the call would make one first. Before it
 * is ready every cuFFT plan would be made first. Costs about a microsecond, from any thread, which
 * is left as it was; starts nothing.
 */
void survey_call(const struct call *call, double plan_ns, struct situation *situation);

#endif
