/* scratch.h - a temporary folder for a test */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_UNIT_SCRATCH_H
#define GPUSHIM_TESTS_UNIT_SCRATCH_H

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Makes the folder and writes its path, which is shorter than 150 bytes, to out. */
static inline void scratch_make(char *out, size_t size_bytes, const char *name)
{
	const char *temporary = getenv("TMPDIR");
	const int length = snprintf(out, size_bytes, "%s/%s.XXXXXX",
	                            temporary != NULL ? temporary : "/tmp", name);
	cr_assert(length < 150 && (size_t)length < size_bytes, "TMPDIR is too long");
	cr_assert_not_null(mkdtemp(out));
}

static inline int scratch_remove_one(const char *path, const struct stat *status, int type,
                                     struct FTW *walk)
{
	(void)status, (void)type, (void)walk;
	return remove(path);
}

/* Removes the folder and its contents. */
static inline void scratch_remove(const char *folder)
{
	nftw(folder, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Skips a test, for which Criterion does not call .fini; the rest is as of printf. */
#define SCRATCH_SKIP(folder, ...)                                                                  \
	do {                                                                                       \
		scratch_remove(folder);                                                            \
		cr_skip_test(__VA_ARGS__);                                                         \
	} while (0)

static inline void scratch_write_bytes(const char *path, const char *bytes, size_t length)
{
	FILE *file = fopen(path, "w");
	cr_assert_not_null(file, "%s", path);
	cr_assert_eq(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

static inline void scratch_write_file(const char *path, const char *text)
{
	scratch_write_bytes(path, text, strlen(text));
}

#endif
