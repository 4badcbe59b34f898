/* soak_work.h - random products and transforms, checked by sums of the tests' own */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_HOSTILE_SOAK_WORK_H
#define GPUSHIM_TESTS_HOSTILE_SOAK_WORK_H

/*
 * One product or transform of random sizes, on memory of its own. Returns 0 if it is right.
 * *random: the state of the random numbers, advanced. Safe to call from several threads at once.
 */
int soak_work(unsigned long *random);

/* A product: also in a fork child, whose parent may have held the lock of FFTW's planner. */
int soak_product(unsigned long *random);

#endif
