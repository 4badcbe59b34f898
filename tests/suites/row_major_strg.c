/* row_major_strg.c - a variable that CBLAS testers expect and only the reference has */
/* SPDX-License-Identifier: Apache-2.0 */

extern int RowMajorStrg;
int RowMajorStrg;
