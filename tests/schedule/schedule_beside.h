/* schedule_beside.h - the CPU's part of a shared call, in virtual time */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_BESIDE_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_BESIDE_H

/* What the CPU library computes from now on takes its flops / flops_s. */
void schedule_beside_start(double flops_s);

/* The virtual time of the CPU's part of the last call, in ns. */
double schedule_beside_cpu_ns(void);

#endif
