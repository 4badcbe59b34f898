/* machine_file.c - reads a machine profile that bench/link wrote */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/common/machine_file.h"

#include <stdio.h>
#include <string.h>

bool machine_file_read(const char *path, struct machine *machine)
{
	char line[1024], message[MACHINE_MESSAGE_BYTES] = "";
	FILE *file = fopen(path, "re");
	if (file == NULL) {
		perror(path);
		return false;
	}
	while (fgets(line, sizeof line, file) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (!machine_parse_line(machine, line, message))
			fprintf(stderr, "%s: %s\n", path, message);
	}
	fclose(file);
	if (machine_is_usable(machine, message))
		return true;
	fprintf(stderr, "%s: %s\n", path, message);
	return false;
}
