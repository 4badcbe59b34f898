/* row_major_strg.c - the variable that testers of the C interface look for in the library; only the reference has it */
/* SPDX-License-Identifier: Apache-2.0 */

extern int RowMajorStrg;
int RowMajorStrg;
