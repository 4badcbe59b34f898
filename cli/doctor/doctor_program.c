/* doctor_program.c - the program: whether the shim reaches it, its libraries and its calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_lapack.h"
#include "cli/doctor/doctor_shell.h"
#include "cli/process/elf_file.h"
#include "cli/process/loaded_objects.h"
#include "cli/process/program_file.h"
#include "cli/routines/untaken.h"
#include "policy/text/human.h"
#include "policy/text/sentence.h"
#include "shim/base/input_file.h"
#include "shim/table/symbol.h"

enum {
	DOCTOR_LIST_BYTES = 1024,
	DOCTOR_NAMES_MAX = 3,
	DOCTOR_UNTAKEN_MAX = 8,
	DOCTOR_UNTAKEN_BYTES = 256
};

/*
 * What all files of the program need together. calls: the routines that compute and are seen, each
 * counted once; named: the first of them. unseen: names of the report, "" where there are none.
 */
struct doctor_calls {
	bool opens_libraries, looks_up_names, starts_others, holds_copy;
	enum count_maker maker;
	bool lapack_calls_blas; /* some LAPACK routine is needed that works in calls of level 3 */
	int count, inner_count; /* inner: needed by a LAPACK, and not by its callers */
	char named[DOCTOR_LIST_BYTES], unseen[DOCTOR_LIST_BYTES], missing[DOCTOR_LIST_BYTES];
	bool counted[SYMBOL_COUNT];
};

/*
 * What one file needs and defines. seen: names for the report, cut off after DOCTOR_LIST_BYTES.
 * untaken: for each row of untaken.def how many routines of it are needed, and the first names.
 */
struct doctor_file {
	struct doctor_calls *calls;
	int lapack_count;
	int wanted[SYMBOL_COUNT], wanted_count; /* symbols, in the file's order */
	bool has_blas, has_fftw, opens_libraries, looks_up_names, starts_others;
	int seen_count;
	char seen[DOCTOR_LIST_BYTES];
	struct {
		int count;
		char names[DOCTOR_UNTAKEN_BYTES];
	} untaken[UNTAKEN_COUNT];
};

/* Whether the file is a LAPACK, and not a library that has some of its routines. */
static bool doctor_program_is_lapack(const struct doctor_file *file)
{
	return file->lapack_count >= DOCTOR_LAPACK_LEAST;
}

static void doctor_program_append(char list[DOCTOR_LIST_BYTES], const char *name)
{
	const size_t used = strlen(list);
	struct sentence end = sentence_start(list + used, DOCTOR_LIST_BYTES - used);
	if (used + strlen(name) + 8 > DOCTOR_LIST_BYTES)
		return;
	if (used > 0)
		sentence_add(&end, " ");
	sentence_add(&end, name);
}

/* A library that defines an intercepted routine is a BLAS or an FFTW. */
static void doctor_program_note_defined(struct doctor_file *file, const char *name)
{
	const int symbol = symbol_find(name);
	file->lapack_count += untaken_is_lapack(untaken_find(name, COUNT_MAKER_UNKNOWN));
	if (symbol < 0 || symbol_table[symbol].role != ROLE_COMPUTE)
		return;
	if (symbol_is_of(symbol, LIBRARY_BLAS))
		file->has_blas = true;
	else if (symbol_is_of(symbol, LIBRARY_FFTW))
		file->has_fftw = true;
}

static void doctor_program_count(struct doctor_calls *calls, int symbol)
{
	if (symbol_table[symbol].role != ROLE_COMPUTE || calls->counted[symbol])
		return;
	calls->counted[symbol] = true;
	if (calls->count++ >= DOCTOR_NAMES_MAX)
		return;
	char *name = say_text("%s%s", calls->count > 1 ? ", " : "", symbol_table[symbol].name);
	strncat(calls->named, name, sizeof calls->named - strlen(calls->named) - 1);
	free(name);
}

static void doctor_program_note_untaken(struct doctor_file *file, int row, const char *name)
{
	char *names = file->untaken[row].names;
	const size_t used = strlen(names);
	if (file->untaken[row].count++ < DOCTOR_UNTAKEN_MAX)
		snprintf(names + used, DOCTOR_UNTAKEN_BYTES - used, "%s%s", used > 0 ? " " : "",
		         name);
}

static void doctor_program_note_wanted(struct doctor_file *file, const char *name)
{
	const int symbol = symbol_find(name), row = untaken_find(name, file->calls->maker);
	if (symbol >= 0 &&
	    (!symbol_is_of(symbol, LIBRARY_LAPACK) || symbol_find_defect(symbol) == REASON_NONE)) {
		file->seen_count++;
		doctor_program_append(file->seen, name);
		if (file->wanted_count < SYMBOL_COUNT)
			file->wanted[file->wanted_count++] = symbol;
	} else if (untaken_is_lapack(row) || row == UNTAKEN_MPI) {
		doctor_program_note_untaken(file, row, name);
	} else if (strcmp(name, "dlopen") == 0) {
		file->opens_libraries = true;
	} else if (strcmp(name, "dlsym") == 0 || strcmp(name, "dlmopen") == 0) {
		file->looks_up_names = true;
	} else if (strncmp(name, "exec", 4) == 0 || words_match(words_of("posix_spawn*"), name)) {
		file->starts_others = true;
	}
}

static void doctor_program_note_symbol(void *context, const char *name, bool defined)
{
	if (defined)
		doctor_program_note_defined(context, name);
	else
		doctor_program_note_wanted(context, name);
}

static const char *doctor_program_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL ? slash + 1 : path;
}

/* Routines that the shim does not take, each with the sentence that coverage has for it. */
static void doctor_program_add_untaken(struct doctor *doctor, const struct doctor_file *file,
                                       const char *name)
{
	char more[HUMAN_BYTES];
	for (int row = 0; row < UNTAKEN_COUNT; row++) {
		const int count = file->untaken[row].count, rest = count - DOCTOR_UNTAKEN_MAX;
		if (count == 0)
			continue;
		snprintf(more, sizeof more, " and %d more", rest);
		doctor_report_add(&doctor->report, "%s wants%s, not taken: %s%s", name,
		                  untaken_is_lapack(row) ? " LAPACK" : "", file->untaken[row].names,
		                  rest > 0 ? more : "");
		doctor_report_add(&doctor->report, "  why: %s",
		                  untaken_sentence((enum untaken)row));
		doctor_program_append(file->calls->unseen, file->untaken[row].names);
	}
}

/* is_main: the file is the program itself, which may contain a static BLAS or FFTW. */
static void doctor_program_add_file(struct doctor *doctor, const struct doctor_file *file,
                                    const char *path, bool is_main, bool is_symbolic)
{
	struct doctor_report *report = &doctor->report;
	const char *name = doctor_program_base(path);
	const bool provides = file->has_blas || file->has_fftw;
	if (provides && is_main)
		doctor_report_add(report, "%s holds a copy of %s itself: calls to it are not seen",
		                  name, file->has_blas ? "a BLAS" : "FFTW");
	else if (provides)
		doctor_report_add(report, "%s: %s", file->has_blas ? "BLAS" : "FFTW", path);
	if (is_symbolic && provides && !is_main)
		doctor_report_add(
			report, "%s is linked with -Bsymbolic: calls inside it are not seen", name);
	if (file->seen_count > 0)
		doctor_report_add(report, "%s wants, seen: %s", name, file->seen);
	/* Calls of a BLAS or an FFTW to itself are not reported. */
	if (!provides)
		doctor_program_add_untaken(doctor, file, name);
}

/* The calls of a LAPACK library are the program's only where it calls routines that make them. */
static void doctor_program_count_wanted(struct doctor_calls *calls, const struct doctor_file *file,
                                        bool is_main)
{
	const bool inner = !is_main && doctor_program_is_lapack(file);
	for (int i = 0; i < file->wanted_count; i++)
		if (!inner)
			doctor_program_count(calls, file->wanted[i]);
	calls->inner_count += inner ? file->wanted_count : 0;
	calls->lapack_calls_blas |= !inner && file->untaken[UNTAKEN_LAPACK].count > 0;
}

static void doctor_program_read(struct doctor *doctor, struct doctor_calls *calls, const char *path,
                                bool is_main)
{
	struct elf_file elf;
	struct doctor_file file = {.calls = calls};
	if (elf_file_open(&elf, path) == 0) {
		elf_file_visit_symbols(&elf, is_main, doctor_program_note_symbol, &file);
		doctor_program_count_wanted(calls, &file, is_main);
		doctor_program_add_file(doctor, &file, path, is_main, elf.is_symbolic);
		calls->opens_libraries |= is_main && file.opens_libraries;
		calls->looks_up_names |= is_main && file.looks_up_names;
		calls->starts_others |= is_main && file.starts_others;
		calls->holds_copy |= is_main && (file.has_blas || file.has_fftw);
	}
	elf_file_close(&elf);
}

/* Libraries, names and programs that only a run would show; mostly those of an interpreter. */
static void doctor_program_add_opened(struct doctor *doctor, const struct doctor_calls *calls)
{
	struct doctor_report *report = &doctor->report;
	if (strncmp(doctor_program_base(doctor->program.file), "python", 6) == 0) {
		doctor_report_add(report, "numpy and scipy open their own BLAS when they are "
		                          "imported: their gemm calls are seen, by way of the "
		                          "calling module");
		doctor_report_add(report, "numpy.fft and scipy.fft use pocketfft, which is not "
		                          "FFTW: not seen; pyFFTW is");
	}
	if (calls->starts_others)
		doctor_report_add(report, "it can start other programs, and the shim goes with "
		                          "them; those are not listed here");
	if (calls->opens_libraries)
		doctor_report_add(report, "it opens libraries while it runs (dlopen); those are "
		                          "not listed here");
	if (calls->looks_up_names)
		doctor_report_add(report, "routines that it looks up itself (dlsym; ctypes in "
		                          "Python) are seen with --audit only: gpushim run --audit "
		                          "-- PROGRAM");
	if (calls->count == 0 && calls->inner_count == 0)
		doctor_report_add(report, "neither it nor a library that it is linked with wants "
		                          "an intercepted routine");
}

/*
 * A file may name any program as its loader; only glibc's is known not to run the file. It is told
 * by its name behind all links, and by its owner.
 */
static bool doctor_program_knows_loader(const char *loader)
{
	char real[PATH_MAX];
	struct stat status;
	return realpath(loader, real) != NULL &&
	       strncmp(doctor_program_base(real), "ld-linux", 8) == 0 && stat(real, &status) == 0 &&
	       input_file_find_distrust(&status) == NULL;
}

/* The loader runs audit libraries that a file names: root does not do that for another user. */
static bool doctor_program_is_foreign(const char *file)
{
	struct stat status;
	return geteuid() == 0 && (stat(file, &status) != 0 || status.st_uid != 0);
}

static void doctor_program_list(struct doctor *doctor, struct loaded_objects *objects)
{
	struct elf_file elf;
	const char *file = doctor->program.file;
	elf_file_open(&elf, file);
	const int error = doctor_program_knows_loader(elf.interpreter)
	                          ? loaded_objects_list(objects, elf.interpreter, file)
	                          : ENOEXEC;
	elf_file_close(&elf);
	if (error != 0)
		doctor_report_add(&doctor->report,
		                  "its loader cannot be asked for its libraries: %s",
		                  say_error(error));
}

static void doctor_program_read_objects(struct doctor *doctor, struct doctor_calls *calls)
{
	struct loaded_objects objects = {0};
	if (doctor_program_is_foreign(doctor->program.file))
		doctor_report_add(&doctor->report,
		                  "it belongs to another user, so root does not list its "
		                  "libraries; run the doctor as that user");
	else
		doctor_program_list(doctor, &objects);
	for (size_t i = 0; i < objects.missing_count; i++) {
		doctor_report_add(&doctor->report, "library %s: not found by the loader",
		                  objects.missing[i]);
		doctor_program_append(calls->missing, objects.missing[i]);
	}
	calls->maker = doctor_lapack_find_maker(objects.paths, objects.path_count);
	doctor_program_read(doctor, calls, doctor->program.file, true);
	for (size_t i = 0; i < objects.path_count; i++)
		doctor_program_read(doctor, calls, objects.paths[i], false);
	loaded_objects_free(&objects);
	doctor_program_add_opened(doctor, calls);
}

/* It makes calls that nothing can take, or none at all. */
static void doctor_program_refuse(struct doctor *doctor, const struct doctor_calls *calls)
{
	struct doctor_report *report = &doctor->report;
	const char *name = doctor->name;
	if (calls->holds_copy)
		doctor_report_find(report, DOCTOR_FAILURE, "program",
		                   say_text("%s holds its own copy of the library, whose calls "
		                            "are not seen",
		                            name),
		                   "Link it with the shared BLAS, LAPACK and FFTW, then ask again:",
		                   doctor_shell_call("doctor", doctor->words));
	else if (calls->unseen[0] != '\0')
		doctor_report_find(report, DOCTOR_FAILURE, "program",
		                   say_text("%s calls only routines that are not taken: %s", name,
		                            calls->unseen),
		                   "See how much of its work they are:",
		                   doctor_shell_call("coverage", doctor->words));
	else
		doctor_report_find(report, DOCTOR_FAILURE, "program",
		                   say_text("%s makes no call of BLAS, LAPACK or FFTW", name),
		                   "Nothing is gained with it. To make sure, count its calls:",
		                   doctor_shell_call("coverage", doctor->words));
}

static void doctor_program_judge(struct doctor *doctor, const struct doctor_calls *calls)
{
	struct doctor_report *report = &doctor->report;
	const char *name = doctor->name, *base = doctor_program_base(doctor->program.file);
	const bool shell = words_match(words_of("*sh"), base);
	doctor->program_launches =
		calls->count == 0 && calls->starts_others && (shell || !calls->opens_libraries);
	doctor->program_unknown =
		calls->count == 0 && (calls->starts_others || calls->opens_libraries);
	if (calls->missing[0] != '\0')
		doctor_report_find(
			report, DOCTOR_FAILURE, "program",
			say_text("%s does not start: the loader lacks %s", name, calls->missing),
			"Install these libraries, or name their folder in "
			"LD_LIBRARY_PATH, then ask again:",
			doctor_shell_call("doctor", doctor->words));
	else if (calls->count > DOCTOR_NAMES_MAX)
		doctor_report_pass(report, "program", "%s calls %s and %d more: they are seen",
		                   name, calls->named, calls->count - DOCTOR_NAMES_MAX);
	else if (calls->count > 0)
		doctor_report_pass(report, "program", "%s calls %s: seen", name, calls->named);
	else if (calls->inner_count > 0 && calls->lapack_calls_blas)
		doctor_report_pass(report, "program",
		                   "%s calls LAPACK, whose calls of BLAS are seen", name);
	else if (doctor->program_launches)
		doctor_report_pass(report, "program",
		                   "%s starts other programs, and the shim goes with them", name);
	else if (doctor->program_unknown)
		doctor_report_pass(report, "program",
		                   "%s opens its libraries as it runs: only a run shows its calls",
		                   name);
	else
		doctor_program_refuse(doctor, calls);
}

/* A copy of the file has no set-user-ID bit and no capabilities. */
static char *doctor_program_copy(const struct doctor *doctor)
{
	char *copy = say_text("./%s", doctor_program_base(doctor->program.file));
	char *words[] = {copy, NULL};
	char *file = doctor_shell_quote(doctor->program.file);
	char *call = doctor_shell_call("doctor", words);
	char *command = say_text("cp %s . && %s", file, call);
	free(call);
	free(file);
	free(copy);
	return command;
}

/* Nothing can be preloaded into it. */
static void doctor_program_refuse_preload(struct doctor *doctor)
{
	struct doctor_report *report = &doctor->report;
	const bool raised = strstr(doctor->program.sentence, "ignores LD_PRELOAD") != NULL;
	doctor_report_find(
		report, DOCTOR_FAILURE, "program", say_text("%s", doctor->program.sentence),
		raised ? "A copy of it runs without raised privileges:"
		       : "Get a build of it that is 64-bit and dynamically linked, "
			 "for glibc, then ask about that:",
		raised ? doctor_program_copy(doctor) : doctor_shell_call("doctor", doctor->words));
}

/* A name without a slash was searched on PATH. */
static void doctor_program_refuse_file(struct doctor *doctor)
{
	const int error = doctor->program.error;
	const char *name = doctor->name;
	struct stat status;
	const bool searched = strchr(name, '/') == NULL;
	const bool folder = !searched && stat(name, &status) == 0 && S_ISDIR(status.st_mode);
	const bool closed = !searched && !folder && error == EACCES;
	char *quoted = doctor_shell_quote(name);
	doctor_report_find(&doctor->report, DOCTOR_FAILURE, "program",
	                   say_text("'%s' cannot be run: %s%s", name,
	                            folder ? "it is a folder" : say_error(error),
	                            searched ? " on PATH" : ""),
	                   closed ? "Make it executable:"
	                          : "Name a program that can be run. See where it may be:",
	                   say_text("%s %s",
	                            closed     ? "chmod +x"
	                            : searched ? "whereis"
	                                       : "ls -l",
	                            quoted));
	free(quoted);
}

void doctor_program_examine(struct doctor *doctor)
{
	static struct doctor_calls calls;
	struct program_file *program = &doctor->program;
	struct doctor_report *report = &doctor->report;
	doctor_report_begin(report, "program");
	program_file_inspect(program, doctor->name);
	if (program->error != 0) {
		doctor_report_add(report, "'%s' cannot be run: %s", doctor->name,
		                  say_error(program->error));
		doctor_program_refuse_file(doctor);
		return;
	}
	doctor_report_add(report, "file: %s", program->path);
	if (program->is_script)
		doctor_report_add(report, "a script for %s", program->file);
	if (program->sentence[0] != '\0') {
		doctor_report_add(report, "%s", program->sentence);
		doctor_program_refuse_preload(doctor);
		return;
	}
	doctor_report_add(report, "a dynamic 64-bit program for glibc: the shim can be preloaded");
	doctor_program_read_objects(doctor, &calls);
	doctor_program_judge(doctor, &calls);
}
