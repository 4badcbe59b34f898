/* sim_solver_each.h - a template of loops for each of the four elements; that of an element */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Define TEMPLATE as the name of the template before, and struct loops. The template defines
 * NAME(loops).
 */
#ifndef TEMPLATE
#error "sim_solver_each.h needs a template"
#endif

#define REAL float
#define IS_COMPLEX 0
#define NAME(x) x##_s
#include TEMPLATE

#define REAL double
#define IS_COMPLEX 0
#define NAME(x) x##_d
#include TEMPLATE

#define REAL float
#define IS_COMPLEX 1
#define NAME(x) x##_c
#include TEMPLATE

#define REAL double
#define IS_COMPLEX 1
#define NAME(x) x##_z
#include TEMPLATE

#undef TEMPLATE

static const struct loops *loops_of(char element)
{
	switch (element) {
	case 'S': return &loops_s;
	case 'D': return &loops_d;
	case 'C': return &loops_c;
	default: return &loops_z;
	}
}
