/* cli_objects.c - reads what the loader lists with LD_TRACE_LOADED_OBJECTS */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_objects.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_capture.h"
#include "cli/cli_environment.h"
#include "cli/cli_launch.h"
#include "cli/cli_say.h"

static void cli_objects_add(char ***list, size_t *count, const char *text, size_t length)
{
	*list = cli_say_need(realloc(*list, (*count + 1) * sizeof **list));
	(*list)[(*count)++] = cli_say_need(strndup(text, length));
}

/* "\tlibm.so.6 => /lib/libm.so.6 (0x...)", "\tlibx.so => not found", "\t/lib64/ld-linux-x86-64.so.2 (0x...)". */
static void cli_objects_read_line(struct cli_objects *objects, const char *line)
{
	const char *arrow = strstr(line, " => "), *name = line + strspn(line, " \t");
	const char *path = arrow != NULL ? arrow + 4 : name, *end = strstr(path, " (0x");
	if (arrow != NULL && strncmp(path, "not found", 9) == 0)
		cli_objects_add(&objects->missing, &objects->missing_count, name, (size_t)(arrow - name));
	else if (path[0] == '/' && end != NULL)
		cli_objects_add(&objects->paths, &objects->path_count, path, (size_t)(end - path));
}

static void cli_objects_read(struct cli_objects *objects, int fd)
{
	char *line = NULL;
	size_t room = 0;
	FILE *file = fdopen(fd, "r");
	if (file == NULL) {
		close(fd);
		return;
	}
	rewind(file);
	while (getline(&line, &room, file) >= 0)
		cli_objects_read_line(objects, line);
	free(line);
	fclose(file);
}

int cli_objects_list(struct cli_objects *objects, const char *loader, const char *program)
{
	char *words[] = {(char *)loader, (char *)program, NULL};
	struct cli_environment environment;
	struct cli_outcome outcome;
	const int list = cli_capture_make_file(), nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	*objects = (struct cli_objects){0};
	if (list < 0 || nowhere < 0)
		return EIO;
	cli_environment_copy(&environment, environ);
	cli_environment_remove(&environment, "LD_PRELOAD");
	cli_environment_set(&environment, "LD_TRACE_LOADED_OBJECTS", "1");
	const struct cli_launch launch = {words, &environment, nowhere, list, nowhere};
	cli_launch_program(&launch, &outcome);
	cli_environment_free(&environment);
	close(nowhere);
	cli_objects_read(objects, list);
	return outcome.start_error;
}

void cli_objects_free(struct cli_objects *objects)
{
	for (size_t i = 0; i < objects->path_count; i++)
		free(objects->paths[i]);
	for (size_t i = 0; i < objects->missing_count; i++)
		free(objects->missing[i]);
	free(objects->paths);
	free(objects->missing);
	*objects = (struct cli_objects){0};
}
