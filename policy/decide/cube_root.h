/* cube_root.h - the cube root without libm, which policy/ has not */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_CUBE_ROOT_H
#define GPUSHIM_POLICY_DECIDE_CUBE_ROOT_H

/* The cube root to about a part in 10^12, at least 1; 1 of what is not finite. */
double cube_root_find(double cube);

#endif
