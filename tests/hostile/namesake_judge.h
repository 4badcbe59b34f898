/* namesake_judge.h - the program's functions with libc's names: who called them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_HOSTILE_NAMESAKE_JUDGE_H
#define GPUSHIM_TESTS_HOSTILE_NAMESAKE_JUDGE_H

/* Ends the process with status 9 and a word on stderr if no function was called by anybody. */
void namesake_report(void);

#endif
