/* doctor_program.c - the doctor's section on a program: its libraries and its calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/doctor_hints.h"
#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "cli/process/elf_file.h"
#include "cli/process/loaded_objects.h"
#include "cli/process/program_file.h"
#include "policy/text/sentence.h"
#include "shim/base/input_file.h"
#include "shim/table/symbol.h"

enum { DOCTOR_LIST_BYTES = 1024 };

/*
 * What one file needs and defines. seen, unseen_names: names for the report, cut off after
 * DOCTOR_LIST_BYTES. unseen: for each row of doctor_hints.def whether the routine is needed.
 */
struct doctor_file {
	bool has_blas, has_fftw, opens_libraries, looks_up_names, starts_others;
	int seen_count;
	char seen[DOCTOR_LIST_BYTES];
	unsigned char *unseen;
	char unseen_names[DOCTOR_LIST_BYTES];
};

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
	if (symbol < 0 || symbol_table[symbol].role != ROLE_COMPUTE)
		return;
	if (symbol_is_of(symbol, LIBRARY_BLAS))
		file->has_blas = true;
	else
		file->has_fftw = true;
}

static void doctor_program_note_wanted(struct doctor_file *file, const char *name)
{
	const int row = doctor_hints_find(name);
	if (symbol_find(name) >= 0) {
		file->seen_count++;
		doctor_program_append(file->seen, name);
	} else if (row >= 0) {
		file->unseen[row] = 1;
		doctor_program_append(file->unseen_names, name);
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

static void doctor_program_print_unseen(const struct doctor_file *file, const char *name)
{
	const char *before = "";
	if (file->unseen_names[0] == '\0')
		return;
	say_fact("%s wants, not seen: %s", name, file->unseen_names);
	for (int row = 0; row < doctor_hints_count(); row++) {
		if (file->unseen[row] && strcmp(before, doctor_hints_sentence(row)) != 0) {
			before = doctor_hints_sentence(row);
			say_fact("  why: %s", before);
		}
	}
}

/* is_main: the file is the program itself, which may contain a static BLAS or FFTW. */
static void doctor_program_print_file(struct doctor *doctor, const struct doctor_file *file,
                                      const char *path, bool is_main, bool is_symbolic)
{
	const char *name = doctor_program_base(path);
	if ((file->has_blas || file->has_fftw) && is_main)
		say_fact("%s holds a copy of %s itself: calls to it are not seen", name,
		         file->has_blas ? "a BLAS" : "FFTW");
	else if (file->has_blas || file->has_fftw)
		say_fact("%s: %s", file->has_blas ? "BLAS" : "FFTW", path);
	if (is_symbolic && (file->has_blas || file->has_fftw) && !is_main)
		say_fact("%s is linked with -Bsymbolic: calls inside it are not seen", name);
	if (file->seen_count > 0)
		say_fact("%s wants, seen: %s", name, file->seen);
	/* Calls of a BLAS or an FFTW to itself are not reported. */
	if (!file->has_blas && !file->has_fftw)
		doctor_program_print_unseen(file, name);
	doctor->program_sees_calls |= file->seen_count > 0;
}

static void doctor_program_examine(struct doctor *doctor, const char *path, bool is_main)
{
	struct elf_file elf;
	struct doctor_file file = {.unseen = say_need(calloc((size_t)doctor_hints_count(), 1))};
	if (elf_file_open(&elf, path) == 0) {
		elf_file_visit_symbols(&elf, is_main, doctor_program_note_symbol, &file);
		doctor_program_print_file(doctor, &file, path, is_main, elf.is_symbolic);
		doctor->program_opens_libraries |= is_main && file.opens_libraries;
		doctor->program_looks_up_names |= is_main && file.looks_up_names;
		doctor->program_starts_others |= is_main && file.starts_others;
	}
	elf_file_close(&elf);
	free(file.unseen);
}

/* Libraries, names and programs that only a run would show; mostly those of an interpreter. */
static void doctor_program_print_opened(const struct doctor *doctor, const char *file)
{
	if (strncmp(doctor_program_base(file), "python", 6) == 0) {
		say_fact("numpy and scipy open their own BLAS when they are imported: their gemm "
		         "calls are seen, by way of the calling module");
		say_fact("numpy.fft and scipy.fft use pocketfft, which is not FFTW: not seen; "
		         "pyFFTW is");
	}
	if (doctor->program_starts_others)
		say_fact("it can start other programs, and the shim goes with them; those are not "
		         "listed here");
	if (doctor->program_opens_libraries)
		say_fact("it opens libraries while it runs (dlopen); those are not listed here");
	if (doctor->program_looks_up_names)
		say_fact("routines that it looks up itself (dlsym; ctypes in Python) are seen with "
		         "--audit only: gpushim run --audit -- PROGRAM");
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

static void doctor_program_list(struct loaded_objects *objects, const char *file)
{
	struct elf_file elf;
	elf_file_open(&elf, file);
	const int error = doctor_program_knows_loader(elf.interpreter)
	                          ? loaded_objects_list(objects, elf.interpreter, file)
	                          : ENOEXEC;
	elf_file_close(&elf);
	if (error != 0)
		say_fact("its loader cannot be asked for its libraries: %s", say_error(error));
}

static void doctor_program_print_objects(struct doctor *doctor, const struct program_file *program)
{
	struct loaded_objects objects = {0};
	if (doctor_program_is_foreign(program->file))
		say_fact("it belongs to another user, so root does not list its libraries; run "
		         "the doctor as that user");
	else
		doctor_program_list(&objects, program->file);
	for (size_t i = 0; i < objects.missing_count; i++)
		say_fact("library %s: not found by the loader", objects.missing[i]);
	doctor_program_examine(doctor, program->file, true);
	for (size_t i = 0; i < objects.path_count; i++)
		doctor_program_examine(doctor, objects.paths[i], false);
	loaded_objects_free(&objects);
	doctor_program_print_opened(doctor, program->file);
	if (!doctor->program_sees_calls)
		say_fact("neither it nor a library that it is linked with wants an intercepted "
		         "routine");
}

void doctor_program_print(struct doctor *doctor, const char *name)
{
	static struct program_file program;
	say_section("program");
	program_file_inspect(&program, name);
	if (program.error != 0) {
		say_fact("'%s' cannot be run: %s", name, say_error(program.error));
		doctor->program_missing = true;
		return;
	}
	say_fact("file: %s", program.path);
	if (program.is_script)
		say_fact("a script for %s", program.file);
	if (program.sentence[0] != '\0') {
		say_fact("%s", program.sentence);
		doctor->program_unreachable = true;
		return;
	}
	say_fact("a dynamic 64-bit program for glibc: the shim can be preloaded");
	doctor_program_print_objects(doctor, &program);
}
