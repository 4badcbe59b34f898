/* reach_reload.c - a plug-in that is closed, replaced by another version, and opened again */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * usage: reach_reload STEP...
 *
 * copy:FILE=NAME replaces NAME, in the current folder, by a new file; over:FILE=NAME overwrites it.
 * open:NAME, global:NAME, deep:NAME and space:NAME (a namespace of its own) open it as the plug-in,
 * and tell its version. call, cblas and jump call BLAS in it. close closes it. where tells whether
 * the plug-in is where the last one was. flat:COUNT repeats the steps that follow and tells whether
 * memory maps and descriptors stay as they were; only the last round is shown.
 */
typedef void gemm_function(const char *, const char *, const int *, const int *, const int *,
                           const double *, const double *, const int *, const double *, const int *,
                           const double *, double *, const int *);
static void *plugin, *place;
static int quiet;

static void fail(const char *what)
{
	printf("%s\n", what);
	exit(3);
}

static void write_file(const char *names, int fresh)
{
	static char bytes[1 << 20];
	char from[4096];
	const char *to = strchr(names, '=') + 1;
	snprintf(from, sizeof from, "%.*s", (int)(to - 1 - names), names);
	const int source = open(from, O_RDONLY);
	if (fresh)
		unlink(to);
	const int target = open(to, O_WRONLY | O_CREAT | (fresh ? O_EXCL : O_TRUNC), 0700);
	const ssize_t length = read(source, bytes, sizeof bytes);
	if (length <= 0 || write(target, bytes, (size_t)length) != length)
		fail("a file cannot be copied");
	close(source);
	close(target);
}

static void *look_up(const char *name)
{
	void *found = dlsym(plugin, name);
	if (found == NULL)
		fail(dlerror());
	return found;
}

static void open_plugin(const char *name, int flags, Lmid_t space)
{
	char path[4096];
	snprintf(path, sizeof path, "./%s", name);
	plugin = dlmopen(space, path, RTLD_NOW | flags);
	if (plugin == NULL)
		fail(dlerror());
	if (!quiet)
		printf("version %d, %d calls\n", ((int (*)(void))look_up("plugin_version"))(),
		       ((int (*)(void))look_up("plugin_count"))());
	fflush(stdout);
}

static void call_plugin(const char *name)
{
	double c[4] = {0};
	((void (*)(double *))look_up(name))(c);
	if (!quiet)
		printf("%s: %.0f\n", name, c[0]);
	fflush(stdout);
}

static void jump_plugin(void)
{
	gemm_function *gemm = (gemm_function *)look_up("plugin_jump");
	const int n = 2;
	const double one = 1, zero = 0, a[4] = {1, 0, 0, 1};
	double c[4] = {0};
	gemm("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
	if (!quiet)
		printf("plugin_jump: %.0f\n", c[0]);
	fflush(stdout);
}

static void tell_place(void)
{
	void *found = look_up("plugin_call");
	if (place != NULL && !quiet)
		printf("%s\n", found == place ? "the same place" : "another place");
	place = found;
}

static void take_step(const char *step)
{
	const char *colon = strchr(step, ':'), *argument = colon != NULL ? colon + 1 : "";
	const size_t length = colon != NULL ? (size_t)(colon - step) : strlen(step);
#define IS(word) (length == strlen(word) && strncmp(step, word, length) == 0)
	if (IS("copy") || IS("over"))
		write_file(argument, IS("copy"));
	else if (IS("open"))
		open_plugin(argument, RTLD_LOCAL, LM_ID_BASE);
	else if (IS("global"))
		open_plugin(argument, RTLD_GLOBAL, LM_ID_BASE);
	else if (IS("deep"))
		open_plugin(argument, RTLD_LOCAL | RTLD_DEEPBIND, LM_ID_BASE);
	else if (IS("space"))
		open_plugin(argument, RTLD_LOCAL, LM_ID_NEWLM);
	else if (IS("call"))
		call_plugin("plugin_call");
	else if (IS("cblas"))
		call_plugin("plugin_call_cblas");
	else if (IS("jump"))
		jump_plugin();
	else if (IS("where"))
		tell_place();
	else if (IS("close"))
		dlclose(plugin);
	else
		fail("unknown step");
}

static int count_lines(const char *path)
{
	int lines = 0, byte;
	FILE *file = fopen(path, "r");
	while ((byte = fgetc(file)) != EOF)
		lines += byte == '\n';
	fclose(file);
	return lines;
}

static int count_descriptors(void)
{
	int count = 0;
	DIR *folder = opendir("/proc/self/fd");
	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	return count;
}

/* The first tenth of the rounds may still fill caches. */
static void repeat(int count, char **steps)
{
	int maps = 0, descriptors = 0;
	for (int round = 1; round <= count; round++) {
		quiet = round < count;
		for (char **step = steps; *step != NULL; step++)
			take_step(*step);
		if (round == count / 10) {
			maps = count_lines("/proc/self/maps");
			descriptors = count_descriptors();
		}
	}
	const int more = count_lines("/proc/self/maps") - maps;
	printf("maps %s, descriptors %s\n", more > 2 ? "grow" : "flat",
	       count_descriptors() > descriptors ? "grow" : "flat");
	if (more > 2)
		fprintf(stderr, "%d maps more\n", more);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "flat:", 5) == 0) {
			repeat(atoi(argv[i] + 5), argv + i + 1);
			break;
		}
		take_step(argv[i]);
	}
	printf("end\n");
	return 0;
}
