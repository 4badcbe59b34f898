/* openmp_watch.h - how many threads of a program run, and which threads it has */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_PROVIDERS_OPENMP_WATCH_H
#define GPUSHIM_TESTS_PROVIDERS_OPENMP_WATCH_H

/*
 * A thread looks at the others from begin, which waits until all of them sleep, to end. That prints
 * to stderr: looks; looks at which more than most threads ran; threads that the program had at a
 * third of the looks or more; threads that it had at all. A thread has its maker's name until it
 * gives itself one. Threads of the simulated device do not count, nor do the shim's among the
 * program's.
 */
void watch_begin(int most);
void watch_end(void);

#endif
