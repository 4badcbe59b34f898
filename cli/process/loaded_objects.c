/* loaded_objects.c - parses the output of the loader under LD_TRACE_LOADED_OBJECTS */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/loaded_objects.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/environment.h"
#include "cli/common/say.h"
#include "cli/process/child.h"
#include "cli/process/child_output.h"

static void loaded_objects_add(char ***list, size_t *count, const char *text, size_t length)
{
	*list = say_need(realloc(*list, (*count + 1) * sizeof **list));
	(*list)[(*count)++] = say_need(strndup(text, length));
}

/*
 * Lines: "\tlibm.so.6 => /lib/libm.so.6 (0x...)", "\tlibx.so => not found",
 * "\t/lib64/ld-linux-x86-64.so.2 (0x...)".
 */
static void loaded_objects_read_line(struct loaded_objects *objects, const char *line)
{
	const char *arrow = strstr(line, " => "), *name = line + strspn(line, " \t");
	const char *path = arrow != NULL ? arrow + 4 : name, *end = strstr(path, " (0x");
	if (arrow != NULL && strncmp(path, "not found", 9) == 0)
		loaded_objects_add(&objects->missing, &objects->missing_count, name,
		                   (size_t)(arrow - name));
	else if (path[0] == '/' && end != NULL)
		loaded_objects_add(&objects->paths, &objects->path_count, path,
		                   (size_t)(end - path));
}

static void loaded_objects_read(struct loaded_objects *objects, int fd)
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
		loaded_objects_read_line(objects, line);
	free(line);
	fclose(file);
}

int loaded_objects_list(struct loaded_objects *objects, const char *loader, const char *program)
{
	char *words[] = {(char *)loader, (char *)program, NULL};
	struct environment environment;
	struct child_outcome outcome;
	const int list = child_output_make_file(), nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	*objects = (struct loaded_objects){0};
	if (list < 0 || nowhere < 0)
		return EIO;
	environment_copy(&environment, environ);
	environment_remove(&environment, "LD_PRELOAD");
	environment_set(&environment, "LD_TRACE_LOADED_OBJECTS", "1");
	const struct child launch = {words, &environment, nowhere, list, nowhere};
	child_run(&launch, &outcome);
	environment_free(&environment);
	close(nowhere);
	loaded_objects_read(objects, list);
	return outcome.start_error;
}

void loaded_objects_free(struct loaded_objects *objects)
{
	for (size_t i = 0; i < objects->path_count; i++)
		free(objects->paths[i]);
	for (size_t i = 0; i < objects->missing_count; i++)
		free(objects->missing[i]);
	free(objects->paths);
	free(objects->missing);
	*objects = (struct loaded_objects){0};
}
