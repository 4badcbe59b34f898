/* coverage_gather.c - reads the files of the library that counts, and checks what it reads */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/coverage/coverage.h"
#include "cli/process/counters_read.h"
#include "policy/text/words.h"

/* Terminates every text, and drops cells with the number of an object that the file cannot have. */
static void coverage_gather_repair(struct count_file *file)
{
	file->libc[COUNT_LIBC_BYTES - 1] = '\0';
	for (int i = 0; i < COUNT_OBJECTS; i++) {
		file->objects[i].path[COUNT_PATH_BYTES - 1] = '\0';
		file->objects[i].data_names[COUNT_LIST_BYTES - 1] = '\0';
	}
	for (int i = 0; i < COUNT_CELLS; i++) {
		struct count_cell *cell = &file->cells[i];
		cell->symbol[COUNT_SYMBOL_BYTES - 1] = '\0';
		if (cell->caller >= COUNT_OBJECTS || cell->provider >= COUNT_OBJECTS)
			atomic_store_explicit(&cell->ready, 0, memory_order_relaxed);
	}
}

static struct count_file *coverage_gather_load(int folder, const char *name)
{
	struct count_file *file = say_need(aligned_alloc(COUNT_PAGE_BYTES, sizeof *file));
	const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const char *fault = NULL;
	if (fd < 0)
		fault = say_error(errno);
	else if (counters_read_bytes(fd, file, sizeof *file) < sizeof *file)
		fault = "it is cut short";
	else if (memcmp(file->magic, COUNT_MAGIC, sizeof file->magic) != 0 ||
	         file->version != COUNT_VERSION)
		fault = "another version made it";
	if (fd >= 0)
		close(fd);
	if (fault == NULL) {
		coverage_gather_repair(file);
		return file;
	}
	say("the counts '%s' cannot be used: %s; they are left out", name, fault);
	free(file);
	return NULL;
}

static int coverage_gather_compare(const void *a, const void *b)
{
	const struct count_file *const *left = a, *const *right = b;
	return ((*left)->start_realtime_ns > (*right)->start_realtime_ns) -
	       ((*left)->start_realtime_ns < (*right)->start_realtime_ns);
}

void coverage_gather(struct coverage_files *files, const char *folder)
{
	DIR *list = opendir(folder);
	for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
		if (!words_match(words_of("gpushim-*.coverage"), entry->d_name))
			continue;
		struct count_file *file = coverage_gather_load(dirfd(list), entry->d_name);
		if (file == NULL) {
			files->refused++;
			continue;
		}
		const size_t size = (files->count + 1) * sizeof(struct count_file *);
		files->files = say_need(realloc(files->files, size));
		files->files[files->count++] = file;
	}
	if (list != NULL)
		closedir(list);
	if (files->count > 1)
		qsort(files->files, files->count, sizeof(struct count_file *),
		      coverage_gather_compare);
}

void coverage_gather_free(struct coverage_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->files[i]);
	free(files->files);
	*files = (struct coverage_files){0};
}
