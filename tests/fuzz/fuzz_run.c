/* fuzz_run.c - gives a target its corpus, then inputs made from it by chance, with a fixed seed */
/* SPDX-License-Identifier: Apache-2.0 */
/* usage: fuzz_NAME INPUTS [FILE or FOLDER...]; libFuzzer does long runs: docs/reliability.md */
#include <dirent.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

enum { RUN_MOST_BYTES = 1 << 16, RUN_CHANGES = 8 };

struct run_seed {
	uint8_t *data;
	size_t size;
};

static struct run_seed *run_seeds;
static size_t run_count;
static uint64_t run_state = UINT64_C(0x9e3779b97f4a7c15);
static uint8_t run_bytes[RUN_MOST_BYTES];
static size_t run_size;

/* splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t run_draw(uint64_t below)
{
	uint64_t word = run_state += UINT64_C(0x9e3779b97f4a7c15);
	word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
	return below == 0 ? 0 : (word ^ word >> 31) % below;
}

static void run_keep(const uint8_t *data, size_t size)
{
	run_seeds = realloc(run_seeds, (run_count + 1) * sizeof *run_seeds);
	uint8_t *copy = malloc(size + 1);
	if (run_seeds == NULL || copy == NULL)
		abort();
	memcpy(copy, data, size);
	run_seeds[run_count++] = (struct run_seed){copy, size};
}

static bool run_read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (file == NULL) {
		fprintf(stderr, "fuzz_run: cannot open %s\n", path);
		return false;
	}
	const size_t size = fread(run_bytes, 1, sizeof run_bytes, file);
	fclose(file);
	run_keep(run_bytes, size);
	return true;
}

static bool run_read_folder(const char *path)
{
	struct dirent **names = NULL;
	bool read = true;
	const int count = scandir(path, &names, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		char *name = NULL;
		if (names[i]->d_name[0] != '.' &&
		    (asprintf(&name, "%s/%s", path, names[i]->d_name) < 0 || !run_read_file(name)))
			read = false;
		free(name);
		free(names[i]);
	}
	free(names);
	return read && count > 2;
}

static bool run_read(const char *path)
{
	struct stat found;
	if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
		return run_read_folder(path);
	return run_read_file(path);
}

/* Moves what is behind `at` by difference bytes. */
static bool run_shift(size_t at, size_t difference, bool wider)
{
	if (wider && run_size + difference > sizeof run_bytes)
		return false;
	if (wider) {
		memmove(run_bytes + at + difference, run_bytes + at, run_size - at);
		run_size += difference;
	} else {
		memmove(run_bytes + at, run_bytes + at + difference, run_size - at - difference);
		run_size -= difference;
	}
	return true;
}

/* A part of another input, in place or between. */
static void run_splice(size_t at)
{
	const struct run_seed *seed = &run_seeds[run_draw(run_count)];
	const size_t from = run_draw(seed->size);
	size_t length = 1 + run_draw(64);
	if (length > seed->size - from)
		length = seed->size - from;
	if (run_draw(2) == 0 ? run_shift(at, length, true) : length <= run_size - at)
		memcpy(run_bytes + at, seed->data + from, length);
}

static void run_change(void)
{
	static const uint8_t odd[] = "\0\1\x7f\x80\xff 0129-+.eE=:,\"'#{}[]\\\n\r\t/*%";
	const size_t at = run_draw(run_size + 1);
	const bool inside = at < run_size;
	switch (run_draw(7)) {
	case 0:
		if (inside)
			run_bytes[at] ^= (uint8_t)(1u << run_draw(8));
		break;
	case 1:
		if (inside)
			run_bytes[at] = (uint8_t)run_draw(256);
		break;
	case 2:
		if (inside)
			run_bytes[at] = odd[run_draw(sizeof odd)];
		break;
	case 3:
		if (inside)
			run_shift(at, 1 + run_draw(run_size - at), false);
		break;
	case 4:
		if (run_shift(at, 1, true))
			run_bytes[at] = odd[run_draw(sizeof odd)];
		break;
	default: run_splice(at); break;
	}
}

/* In a block of just its size. */
static void run_once(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size == 0 ? 1 : size);
	if (copy == NULL)
		abort();
	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void run_made(void)
{
	const struct run_seed *seed = &run_seeds[run_draw(run_count)];
	run_size = seed->size;
	memcpy(run_bytes, seed->data, run_size);
	for (uint64_t changes = 1 + run_draw(RUN_CHANGES); changes > 0; changes--)
		run_change();
	run_once(run_bytes, run_size);
}

int main(int argc, char **argv)
{
	const long wanted = argc > 1 ? strtol(argv[1], NULL, 10) : -1;
	if (wanted < 0) {
		fprintf(stderr, "usage: %s INPUTS [FILE or FOLDER...]\n", argv[0]);
		return 2;
	}
	for (int i = 2; i < argc; i++)
		if (!run_read(argv[i]))
			return 2;
	if (run_count == 0)
		run_keep((const uint8_t *)"", 0);
	for (size_t i = 0; i < run_count; i++)
		run_once(run_seeds[i].data, run_seeds[i].size);
	for (long i = 0; i < wanted; i++)
		run_made();
	printf("%zu inputs of the corpus and %ld made from them held\n", run_count, wanted);
	for (size_t i = 0; i < run_count; i++)
		free(run_seeds[i].data);
	free(run_seeds);
	return 0;
}
