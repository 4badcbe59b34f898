/* sim_solver_element_end.h - ends a template that sim_solver_element.h began */
/* SPDX-License-Identifier: Apache-2.0 */
#undef ELEMENT
#undef CONJUGATE
#undef REAL_PART
#undef SIZE_OF
#undef MODULUS
#undef SCALED
#undef SQUARE_OF
#undef REAL
#undef IS_COMPLEX
#undef NAME
