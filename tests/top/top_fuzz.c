/* top_fuzz.c - counters files with arbitrary content: `gpushim top` neither fails nor garbles */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/top/top_view.h"
#include "tests/top/top_file.h"

enum { FUZZ_ROUNDS = 1000, FUZZ_START = 12345 };

static struct counters_file file;
static uint64_t fuzz_seed = 1;
static int fuzz_taken, fuzz_refused;

static uint64_t top_fuzz_draw(uint64_t below)
{
	fuzz_seed = fuzz_seed * 6364136223846793005u + 1442695040888963407u;
	return (fuzz_seed >> 24) % below;
}

static void top_fuzz_need(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "top_fuzz: %s\n", what);
	exit(1);
}

/* Random words, most of them behind the head, so that many files are accepted. */
static void top_fuzz_mutate(void)
{
	static const uint64_t words[] = {
		0, 1, UINT64_MAX, INT64_MAX, (uint64_t)INT64_MAX + 1, 999, 1u << 31, 0x1b5b324a};
	char *bytes = (char *)&file;
	const size_t head =
		top_fuzz_draw(4) == 0 ? 0 : offsetof(struct counters_file, end_realtime_ns);
	for (uint64_t changes = 1 + top_fuzz_draw(200); changes > 0; changes--) {
		const bool near = top_fuzz_draw(2) == 0;
		const size_t size = near ? offsetof(struct counters_file, decided) + 4096
		                         : sizeof file - sizeof(uint64_t);
		const size_t at = head + top_fuzz_draw(size - head);
		uint64_t word = top_fuzz_draw(2) == 0
		                        ? words[top_fuzz_draw(sizeof words / sizeof words[0])]
		                        : top_fuzz_draw(UINT64_MAX);
		memcpy(bytes + at, &word, 1 + top_fuzz_draw(sizeof word));
	}
	/* Rows whose symbols and reasons exist, with counts of any size. */
	for (int i = 0; i < 20; i++) {
		struct counters_row *row = &file.decided[top_fuzz_draw(COUNTERS_DECIDED)];
		row->key = 1 + top_fuzz_draw((uint64_t)SYMBOL_COUNT * REASON_COUNT);
		row->cell.calls = top_fuzz_draw(UINT64_MAX);
		row->cell.size_bytes = top_fuzz_draw(UINT64_MAX);
	}
}

static void top_fuzz_store(const char *path, size_t size)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	top_fuzz_need(fd >= 0 && write(fd, &file, size) == (ssize_t)size && close(fd) == 0,
	              "cannot write the file");
}

static void top_fuzz_check_text(const char *text, const struct top_page *page)
{
	int lines = 0;
	for (const char *line = text; *line != '\0'; lines++) {
		const size_t length = strcspn(line, "\n");
		top_fuzz_need(page->lines == 0 || length <= (size_t)page->columns,
		              "a line is too long");
		for (size_t i = 0; i < length; i++)
			top_fuzz_need(line[i] >= ' ' && line[i] <= '~',
			              "a control character is shown");
		line += length + (line[length] == '\n');
	}
	top_fuzz_need(page->lines == 0 || lines <= page->lines, "there are too many lines");
}

static void top_fuzz_print(const struct top_view *view, const struct top_watch *watch,
                           const struct top_page *page, bool is_json)
{
	char *text = NULL;
	size_t size = 0;
	struct emit emit;
	FILE *stream = open_memstream(&text, &size);
	top_fuzz_need(stream != NULL, "there is no memory");
	emit_begin(&emit, stream, is_json);
	top_print(&emit, view, watch, page);
	emit_end(&emit);
	top_fuzz_need(fclose(stream) == 0, "there is no memory");
	if (!is_json)
		top_fuzz_check_text(text, page);
	free(text);
}

static void top_fuzz_show(struct top_watch *watch)
{
	struct top_view view;
	struct top_page page = {.columns = 20 + (int)top_fuzz_draw(150),
	                        .lines = 6 + (int)top_fuzz_draw(40)};
	watch->seconds = (double)top_fuzz_draw(3) / 1e3;
	top_view_make(&view, watch);
	char *note = top_view_note(watch, TOP_FAULTS);
	page.note = note;
	top_fuzz_print(&view, watch, &page, false);
	page.note = NULL;
	page.lines = 0;
	top_fuzz_print(&view, watch, &page, false);
	top_fuzz_print(&view, watch, &page, true);
	free(note);
	top_view_free(&view);
}

static void top_fuzz_round(const char *folder, const char *path, struct top_watch *watch)
{
	const char *const folders[] = {folder, NULL};
	if (top_fuzz_draw(8) == 0)
		top_file_start(&file, getpid(), FUZZ_START, "/opt/bin/simulation");
	top_fuzz_mutate();
	top_fuzz_store(path, top_fuzz_draw(10) == 0 ? top_fuzz_draw(sizeof file) : sizeof file);
	top_watch_look(watch, folders, false);
	fuzz_taken += watch->count > 0;
	for (int fault = 0; fault < TOP_FAULTS; fault++)
		fuzz_refused += watch->left_out[fault].count > 0;
	top_fuzz_show(watch);
	if (top_fuzz_draw(4) == 0)
		top_fuzz_need(unlink(path) == 0, "cannot remove the file");
	top_watch_settle(watch);
	if (top_fuzz_draw(4) == 0)
		top_watch_free(watch);
}

int main(void)
{
	const char *temporary = getenv("TMPDIR");
	char folder[512], path[600];
	struct top_watch watch = {0};
	snprintf(folder, sizeof folder, "%s/top_fuzz_XXXXXX",
	         temporary != NULL ? temporary : "/tmp");
	top_fuzz_need(mkdtemp(folder) != NULL && freopen("/dev/null", "w", stdout) != NULL,
	              "cannot begin");
	snprintf(path, sizeof path, "%s/gpushim-%d-%d.counters", folder, (int)getpid(), FUZZ_START);
	top_file_start(&file, getpid(), FUZZ_START, "/opt/bin/simulation");
	for (int round = 0; round < FUZZ_ROUNDS; round++)
		top_fuzz_round(folder, path, &watch);
	top_watch_free(&watch);
	unlink(path);
	top_fuzz_need(rmdir(folder) == 0, "something is left in the folder");
	fprintf(stderr, "top_fuzz: %d rounds, %d taken, %d refused\n", FUZZ_ROUNDS, fuzz_taken,
	        fuzz_refused);
	top_fuzz_need(fuzz_taken > FUZZ_ROUNDS / 10 && fuzz_refused > FUZZ_ROUNDS / 10,
	              "one side was hardly tried");
	return 0;
}
