/* sim_solver_element.h - names of one element for a template: define REAL, IS_COMPLEX and NAME */
/* SPDX-License-Identifier: Apache-2.0 */

/* Included once for each element, and undone by sim_solver_element_end.h. */
#if !defined(REAL) || !defined(IS_COMPLEX) || !defined(NAME)
#error "sim_solver_element.h is the beginning of a template"
#endif

#if IS_COMPLEX
#define ELEMENT REAL complex
#define CONJUGATE(x) ((ELEMENT)conj(x))
#define REAL_PART(x) ((REAL)creal(x))
#define SIZE_OF(x) ((REAL)(fabs(creal(x)) + fabs(cimag(x))))
#define MODULUS(x) hypot((double)creal(x), (double)cimag(x))
#define SQUARE_OF(x) ((double)creal(x) * (double)creal(x) + (double)cimag(x) * (double)cimag(x))
#else
#define ELEMENT REAL
#define CONJUGATE(x) (x)
#define REAL_PART(x) (x)
#define SIZE_OF(x) ((REAL)fabs(x))
#define MODULUS(x) fabs((double)(x))
#define SQUARE_OF(x) ((double)(x) * (double)(x))
#endif

/* x 2^power in two steps, of which neither overflows. */
#define SCALED(x, power)                                                                           \
	((x) * (REAL)ldexp(1.0, (power) / 2) * (REAL)ldexp(1.0, (power) - (power) / 2))
