/* program_file.c - finds a program's file, follows #! lines, examines the ELF file */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/program_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "cli/process/elf_file.h"
#include "policy/text/words.h"

enum { PROGRAM_SCRIPT_DEPTH = 5, PROGRAM_LINE_BYTES = 256 };

static int program_file_check(const char *path)
{
	struct stat status;
	if (stat(path, &status) != 0)
		return errno;
	if (!S_ISREG(status.st_mode))
		return EACCES;
	return access(path, X_OK) == 0 ? 0 : errno;
}

/* Finds the first executable file of that name on PATH. EACCES wins over ENOENT as the error. */
static int program_file_search(const char *name, char path[PATH_MAX])
{
	const char *list = getenv("PATH");
	struct words rest = words_of(list != NULL ? list : "/bin:/usr/bin");
	int error = ENOENT;
	while (rest.text != NULL) {
		const struct words folder = words_next(&rest, ':');
		const char *dot = folder.length == 0 ? "." : "";
		const int length = snprintf(path, PATH_MAX, "%.*s%s/%s", (int)folder.length,
		                            folder.text, dot, name);
		const int found = length < PATH_MAX ? program_file_check(path) : ENAMETOOLONG;
		if (found == 0)
			return 0;
		if (found == EACCES)
			error = EACCES;
	}
	return error;
}

static int program_file_find(const char *name, char path[PATH_MAX])
{
	if (strchr(name, '/') == NULL)
		return name[0] != '\0' ? program_file_search(name, path) : ENOENT;
	if (snprintf(path, PATH_MAX, "%s", name) >= PATH_MAX)
		return ENAMETOOLONG;
	return program_file_check(path);
}

/* Reads the first line of a script behind its #!; false if the file is no script. */
static bool program_file_read_script(const char *path, char line[PROGRAM_LINE_BYTES])
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const ssize_t got = fd >= 0 ? read(fd, line, PROGRAM_LINE_BYTES - 1) : -1;
	if (fd >= 0)
		close(fd);
	if (got < 2 || memcmp(line, "#!", 2) != 0)
		return false;
	line[got] = '\0';
	line[strcspn(line, "\r\n")] = '\0';
	memmove(line, line + 2, strlen(line + 2) + 1);
	return true;
}

/*
 * The interpreter that a #! line names. If that is env, it is the first word behind env's options
 * and assignments.
 */
static int program_file_find_interpreter(char *line, char file[PATH_MAX])
{
	char *state = NULL, *word = strtok_r(line, " \t", &state);
	if (word == NULL)
		return ENOEXEC;
	const char *slash = strrchr(word, '/');
	if (strcmp(slash != NULL ? slash + 1 : word, "env") != 0)
		return program_file_find(word, file);
	char *next;
	do
		next = strtok_r(NULL, " \t", &state);
	while (next != NULL && (next[0] == '-' || strchr(next, '=') != NULL));
	return program_file_find(next != NULL ? next : word, file);
}

static void program_file_follow_scripts(struct program_file *program)
{
	char line[PROGRAM_LINE_BYTES];
	memcpy(program->file, program->path, sizeof program->file);
	for (int depth = 0;
	     depth < PROGRAM_SCRIPT_DEPTH && program_file_read_script(program->file, line);
	     depth++) {
		program->is_script = true;
		program->error = program_file_find_interpreter(line, program->file);
		if (program->error != 0)
			return;
	}
}

/* Whether the program gets raised privileges, so that the kernel sets AT_SECURE for its loader. */
static bool program_file_is_raised(const char *path, const char **how)
{
	struct stat status;
	if (stat(path, &status) != 0)
		return false;
	*how = "setuid";
	if ((status.st_mode & S_ISUID) != 0 && status.st_uid != getuid())
		return true;
	*how = "setgid";
	if ((status.st_mode & S_ISGID) != 0 && (status.st_mode & S_IXGRP) != 0 &&
	    status.st_gid != getgid())
		return true;
	*how = "given capabilities";
	return getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0;
}

static void program_file_refuse(struct program_file *program, enum program_file_kind kind,
                                const char *why)
{
	program->kind = kind;
	snprintf(program->sentence, sizeof program->sentence,
	         "the shim cannot be preloaded into '%.300s': %s", program->file, why);
}

static void program_file_judge(struct program_file *program, const struct elf_file *elf)
{
	const char *how = "";
	char why[128];
	program->is_static = elf->interpreter[0] == '\0';
	if (elf->is_32bit)
		program_file_refuse(program, PROGRAM_FILE_FOREIGN,
		                    "it is a 32-bit program, and the shim is a 64-bit library");
	else if (!elf->is_native)
		program_file_refuse(program, PROGRAM_FILE_FOREIGN,
		                    "it is a program for another processor");
	else if (program->is_static)
		program_file_refuse(program, PROGRAM_FILE_UNREACHABLE,
		                    "it is statically linked, so no loader reads LD_PRELOAD");
	else if (strstr(elf->interpreter, "ld-musl") != NULL)
		program_file_refuse(program, PROGRAM_FILE_FOREIGN,
		                    "it uses the C library musl, and the shim needs glibc");
	else if (program_file_is_raised(program->file, &how)) {
		snprintf(why, sizeof why,
		         "it is %s, and for such programs the loader ignores LD_PRELOAD", how);
		program_file_refuse(program, PROGRAM_FILE_UNREACHABLE, why);
	}
}

void program_file_inspect(struct program_file *program, const char *name)
{
	struct elf_file elf;
	*program = (struct program_file){.kind = PROGRAM_FILE_FINE};
	program->error = program_file_find(name, program->path);
	if (program->error != 0)
		return;
	program_file_follow_scripts(program);
	if (program->error != 0)
		return;
	int error = elf_file_open(&elf, program->file);
	if (error == 0 && !elf.is_elf) {
		/* Shells and execvp run a file of unknown format with the shell. */
		program->is_script = true;
		snprintf(program->file, sizeof program->file, "/bin/sh");
		elf_file_close(&elf);
		error = elf_file_open(&elf, program->file);
	}
	/*
	 * A file that may be run but not read stays PROGRAM_FILE_FINE: nothing is known about it.
	 */
	if (error == 0 && elf.is_elf)
		program_file_judge(program, &elf);
	elf_file_close(&elf);
}
