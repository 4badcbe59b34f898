/* c11_complex.h - CMPLX and CMPLXL of C11, which glibc defines for gcc but not for clang */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_DRIVER_C11_COMPLEX_H
#define GPUSHIM_TESTS_DRIVER_C11_COMPLEX_H

#include <complex.h>

#ifndef CMPLX
#define CMPLX(real, imaginary) __builtin_complex((double)(real), (double)(imaginary))
#endif
#ifndef CMPLXL
#define CMPLXL(real, imaginary) __builtin_complex((long double)(real), (long double)(imaginary))
#endif

#endif
