/* sim_general_links.c - whether a static LAPACK can be linked in: built when CMake configures */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_solver.h"

int main(void)
{
	struct sim_solver none = {.element = 'Z'};
	return !sim_solver_geev(&none);
}
