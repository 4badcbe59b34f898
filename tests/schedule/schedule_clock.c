/* schedule_clock.c - reads the clock file of the simulated CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *clock_find(struct schedule_clock *clock, const char *key)
{
	const struct {
		const char *key;
		double *value;
	} keys[] = {
		{"up_gbytes_s", &clock->up_gbytes_s},
		{"down_gbytes_s", &clock->down_gbytes_s},
		{"duplex", &clock->duplex},
		{"operation_us", &clock->operation_us},
		{"copy_us", &clock->copy_us},
		{"sgemm_tflops_s", &clock->gemm_tflops_s[0]},
		{"dgemm_tflops_s", &clock->gemm_tflops_s[1]},
		{"cgemm_tflops_s", &clock->gemm_tflops_s[2]},
		{"zgemm_tflops_s", &clock->gemm_tflops_s[3]},
		{"tile", &clock->tile},
		{"units", &clock->units},
		{"memory_gbytes_s", &clock->memory_gbytes_s},
		{"fft_passes", &clock->fft_passes},
		{"l3_mb", &clock->l3_mb},
		{"solver_lu_us", &clock->solver_lu_us},
		{"solver_cholesky_us", &clock->solver_cholesky_us},
	};
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (strcmp(key, keys[i].key) == 0)
			return keys[i].value;
	return NULL;
}

/*
 * A comment, an empty line, or a key and its value. Keys that are not used here may have any value.
 */
static bool clock_read_line(struct schedule_clock *clock, char *line)
{
	char key[32], text[64], *end;
	line[strcspn(line, "#\n")] = '\0';
	if (line[strspn(line, " \t\r")] == '\0')
		return true;
	if (sscanf(line, " %31[a-z0-9_] = %63s", key, text) != 2)
		return false;
	double *wanted = clock_find(clock, key);
	if (wanted == NULL)
		return true;
	*wanted = strtod(text, &end);
	return end != text && *end == '\0' && *wanted >= 0;
}

bool schedule_clock_read(const char *path, struct schedule_clock *clock)
{
	FILE *file = fopen(path, "r");
	char line[512];
	int number = 0;
	bool good = file != NULL;
	*clock = (struct schedule_clock){.duplex = 1};
	if (!good)
		fprintf(stderr, "schedule_check: %s: %s\n", path, strerror(errno));
	while (good && fgets(line, sizeof line, file) != NULL) {
		number++;
		good = clock_read_line(clock, line);
		if (!good)
			fprintf(stderr, "schedule_check: %s:%d: not understood: %s\n", path, number,
			        line);
	}
	if (file != NULL)
		fclose(file);
	if (clock->copy_us <= 0)
		clock->copy_us = clock->operation_us;
	return good;
}
