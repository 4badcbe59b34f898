/* coverage_gaps.c - what is not counted: copies in the program, other libraries, some bindings */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "audit/count/count_names.h"
#include "cli/common/say.h"
#include "cli/coverage/coverage.h"
#include "cli/process/elf_file.h"

enum { GAPS_LIST_BYTES = 72, GAPS_SENTENCES = 64 };

/* The sentences printed so far: each is printed once. */
struct gaps_page {
	FILE *out;
	char *said[GAPS_SENTENCES];
	size_t count;
};

__attribute__((format(printf, 2, 3))) static void coverage_gaps_say(struct gaps_page *page,
                                                                    const char *format, ...)
{
	char *sentence = NULL;
	va_list arguments;
	va_start(arguments, format);
	const int length = vasprintf(&sentence, format, arguments);
	va_end(arguments);
	sentence = say_need(length >= 0 ? sentence : NULL);
	for (size_t i = 0; i < page->count; i++)
		if (strcmp(page->said[i], sentence) == 0) {
			free(sentence);
			return;
		}
	if (page->count == 0)
		fprintf(page->out, "\nnot counted\n");
	coverage_print_lines(page->out, 2, "  ", sentence);
	if (page->count < GAPS_SENTENCES)
		page->said[page->count++] = sentence;
	else
		free(sentence);
}

/* The routines that the program's file defines: how many, and the first names. */
struct gaps_copies {
	int count;
	char names[GAPS_LIST_BYTES];
};

static void coverage_gaps_note_copy(void *context, const char *symbol, bool defined)
{
	struct gaps_copies *copies = context;
	struct count_name name;
	const size_t used = strlen(copies->names);
	if (!defined || !count_names_parse(symbol, &name) || name.convention == COUNT_BARE)
		return;
	copies->count++;
	if (used + strlen(symbol) + 2 < sizeof copies->names)
		snprintf(copies->names + used, sizeof copies->names - used, "%s%s",
		         used > 0 ? " " : "", symbol);
}

static void coverage_gaps_print_copies(struct gaps_page *page, const char *file)
{
	struct gaps_copies copies = {0};
	struct elf_file elf;
	char name[COUNT_PATH_BYTES];
	if (file[0] != '\0' && elf_file_open(&elf, file) == 0) {
		elf_file_visit_symbols(&elf, true, coverage_gaps_note_copy, &copies);
		elf_file_close(&elf);
	}
	coverage_clean_name(name, sizeof name, file);
	if (copies.count > 0)
		coverage_gaps_say(
			page,
			"%s holds routines itself (%s%s): its calls to them are bound in its "
			"file, and the shim does not see them either; link it with a shared "
			"library",
			name, copies.names,
			strlen(copies.names) > GAPS_LIST_BYTES - 24 ? " ..." : "");
}

static void coverage_gaps_print_object(struct gaps_page *page, const struct count_file *file,
                                       const struct count_object *object)
{
	char name[COUNT_PATH_BYTES];
	coverage_clean_name(name, sizeof name, object->path);
	if (object->provides != 0 && object->is_symbolic != 0)
		coverage_gaps_say(
			page,
			"%s is linked with -Bsymbolic: its calls of its own routines are not "
			"counted, and the shim does not see them either",
			name);
	if (object->data > 0)
		coverage_gaps_say(
			page,
			"%s takes %u address%s of routines as data (%s%s): calls by way of "
			"them are not counted, but the shim sees them",
			name, object->data, object->data == 1 ? "" : "es", object->data_names,
			strlen(object->data_names) > COUNT_LIST_BYTES - 24 ? " ..." : "");
	if (object->unreported > 0)
		coverage_gaps_say(
			page,
			"%s binds %u routine%s when it is loaded, of which glibc %s does not "
			"tell (2.35 does): calls of them are not counted, but the shim sees "
			"them",
			name, object->unreported, object->unreported == 1 ? "" : "s", file->libc);
}

static void coverage_gaps_print_samples(struct gaps_page *page, const struct count_file *file)
{
	static const char *const because[] = {"",
	                                      "the program handles SIGURG, which the samples need",
	                                      "the system refuses timers for threads"};
	const uint32_t why = atomic_load_explicit(&file->no_samples, memory_order_relaxed);
	if (why > 0 && why < sizeof because / sizeof because[0])
		coverage_gaps_say(page,
		                  "%s: the time of libraries whose calls cannot be seen "
		                  "(pocketfft) is not known",
		                  because[why]);
}

static void coverage_gaps_print_file(struct gaps_page *page, const struct count_file *file)
{
	const uint32_t cells = atomic_load_explicit(&file->cell_count, memory_order_relaxed);
	const uint32_t objects = atomic_load_explicit(&file->object_count, memory_order_relaxed);
	for (int i = 0; i < COUNT_OBJECTS; i++)
		if (atomic_load_explicit(&file->objects[i].ready, memory_order_relaxed) != 0)
			coverage_gaps_print_object(page, file, &file->objects[i]);
	coverage_gaps_print_samples(page, file);
	if (cells > COUNT_CELLS)
		coverage_gaps_say(page,
		                  "%u bindings of process %d are more than the table of %d holds",
		                  cells - COUNT_CELLS, file->pid, COUNT_CELLS);
	if (objects > COUNT_OBJECTS)
		coverage_gaps_say(page,
		                  "%u libraries of process %d are more than the table of %d holds",
		                  objects - COUNT_OBJECTS, file->pid, COUNT_OBJECTS);
}

void coverage_gaps_print(FILE *out, const struct coverage_files *files, const char *file)
{
	struct gaps_page page = {.out = out};
	coverage_gaps_print_copies(&page, file);
	for (size_t i = 0; i < files->count; i++)
		coverage_gaps_print_file(&page, files->files[i]);
	for (size_t i = 0; i < page.count; i++)
		free(page.said[i]);
}
