/* gpu_scenarios.c - each scenario of a test program in a process of its own */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_scenarios.h"

#include <string.h>

#include "gpu_check.h"

static void gpu_scenarios_run_child(const struct gpu_scenario *scenario, size_t row)
{
	struct gpu_child child = {.scenario = scenario->name};
	memcpy(child.setting, scenario->setting, sizeof child.setting);
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, 0), "%s %zu: status %x: %s", scenario->name, row,
	       (unsigned)child.status, child.errors);
	EXPECT(scenario->words == NULL ? gpu_child_messages(&child) == 0
	                               : strstr(child.errors, scenario->words) != NULL,
	       "%s %zu: %s", scenario->name, row, child.errors);
}

int gpu_scenarios_run(const char *test, const struct gpu_scenario *list, size_t count,
                      const char *argument)
{
	for (size_t i = 0; i < count; i++)
		if (argument == NULL)
			gpu_scenarios_run_child(&list[i], i);
		else if (strcmp(list[i].name, argument) == 0)
			return list[i].run();
	return argument == NULL ? gpu_check_end(test) : 1;
}
