/* whole_file_test.c - files stored whole or not at all: modes, links, names, full disk, signals */
/* SPDX-License-Identifier: Apache-2.0 */
#include "page/whole_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/driver/expect.h"

enum { TEXT_BYTES = 1 << 20, INTERRUPTIONS = 40 };

static char text[TEXT_BYTES], other[TEXT_BYTES];

/* Whether path holds exactly this. */
static bool holds(const char *path, const char *wanted)
{
	static char found[TEXT_BYTES + 1];
	FILE *file = fopen(path, "r");
	const size_t length = file != NULL ? fread(found, 1, sizeof found, file) : 0;
	if (file != NULL)
		fclose(file);
	return length == strlen(wanted) && memcmp(found, wanted, length) == 0;
}

static int count_files(void)
{
	int count = 0;
	DIR *folder = opendir(".");
	for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
		count += entry->d_name[0] != '.';
	if (folder != NULL)
		closedir(folder);
	return count;
}

static mode_t mode_of(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 ? status.st_mode & 07777 : 0;
}

static void test_modes(void)
{
	umask(027);
	expect(whole_file_store("file", text, false) == 0 && holds("file", text), "a new file");
	expect(mode_of("file") == 0640, "has the mode of any new file");
	expect(chmod("file", 0604) == 0 && whole_file_store("file", other, true) == 0,
	       "an old file is replaced");
	expect(holds("file", other) && mode_of("file") == 0604, "and keeps its mode");
	expect(whole_file_store("file", text, false) == EEXIST && holds("file", other),
	       "or is not to be replaced");
	expect(symlink("file", "link") == 0 && whole_file_store("link", text, true) == 0,
	       "through a link");
	expect(holds("file", text) && readlink("link", (char[8]){0}, 8) == 4,
	       "the file is replaced, not the link");
	expect(unlink("file") == 0 && whole_file_store("link", text, false) == EEXIST,
	       "a link to nothing is a name");
	unlink("link");
}

static void test_refusals(void)
{
	char longest[PATH_MAX + 2];
	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	expect(mkdir("folder", 0700) == 0, "there is a folder");
	expect(whole_file_store("folder", text, true) == EISDIR &&
	               whole_file_check("folder") == EISDIR,
	       "a folder");
	expect(whole_file_store("none/file", text, true) == ENOENT, "in no folder");
	expect(whole_file_check("none/file") == ENOENT, "which is known before");
	expect(whole_file_store("", text, true) == ENOENT && whole_file_check("") == ENOENT,
	       "no name");
	expect(whole_file_store(longest, text, true) == ENAMETOOLONG &&
	               whole_file_check(longest) == ENAMETOOLONG,
	       "a name that is too long");
	expect(whole_file_check("folder/file") == 0 && whole_file_check("file") == 0,
	       "names that can be stored");
	if (access("/dev/full", W_OK) == 0)
		expect(whole_file_store("/dev/full", text, true) == ENOSPC &&
		               whole_file_check("/dev/full") == 0,
		       "a device without room");
	rmdir("folder");
}

/*
 * A limit on the file size acts as a full disk. SIGXFSZ, which comes with it, would end the
 * program.
 */
static void test_no_room(void)
{
	struct rlimit before;
	expect(whole_file_store("file", text, true) == 0 && getrlimit(RLIMIT_FSIZE, &before) == 0,
	       "there is a file");
	const struct rlimit tight = {TEXT_BYTES / 2, before.rlim_max};
	setrlimit(RLIMIT_FSIZE, &tight);
	expect(whole_file_store("file", other, true) == EFBIG, "no room");
	expect(whole_file_store("new", other, false) == EFBIG, "no room for a new file");
	setrlimit(RLIMIT_FSIZE, &before);
	expect(holds("file", text) && count_files() == 1,
	       "the old file stays, and nothing beside it");
	unlink("file");
}

/*
 * Stores files in an endless loop and reports the first one. The signal gets its default action,
 * because the process that started the test may ignore it.
 */
static void store_forever(int told, int number)
{
	signal(number, SIG_DFL);
	for (bool first = true;; first = false) {
		if (whole_file_store("file", text, true) != 0 ||
		    whole_file_store("file", other, true) != 0 ||
		    (first && write(told, "", 1) != 1))
			_exit(1);
	}
}

static void test_interruption(int number)
{
	int told[2], status = 0;
	char byte;
	expect(pipe(told) == 0, "there is a pipe");
	const pid_t child = fork();
	if (child == 0)
		store_forever(told[1], number);
	close(told[1]);
	expect(child > 0 && read(told[0], &byte, 1) == 1, "files are stored");
	expect(kill(child, number) == 0 && waitpid(child, &status, 0) == child,
	       "it can be interrupted");
	close(told[0]);
	expect(WIFSIGNALED(status) && WTERMSIG(status) == number, "and ends by the signal");
	expect(holds("file", text) || holds("file", other), "what is there is whole");
	expect(count_files() == 1, "and nothing is left beside it");
	unlink("file");
}

/* usage: whole_file_test FOLDER; FOLDER is for the files of the test. */
int main(int argc, char **argv)
{
	static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
	const struct rlimit no_core = {0, 0};
	if (argc != 2 || chdir(argv[1]) != 0) {
		fprintf(stderr, "usage: whole_file_test FOLDER\n");
		return 2;
	}
	setrlimit(RLIMIT_CORE, &no_core);
	memset(text, 'a', sizeof text - 1);
	memset(other, 'b', sizeof other - 1);
	test_modes();
	test_refusals();
	test_no_room();
	for (int i = 0; i < INTERRUPTIONS; i++)
		test_interruption(ends[i % 4]);
	printf("whole files: %d failures\n", expect_failures);
	return expect_failures == 0 ? 0 : 1;
}
