/* cuda_solver.c - the file of cuSOLVER beside the cuBLAS in use, and its release */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/cuda/cuda_solver.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shim/base/library_path.h"
#include "shim/execute/gpu/cuda/cuda_beside.h"
#include "shim/execute/gpu/cuda/cuda_exit.h"

/*
 * least, end: releases that belong to this CUDA. needs: libraries that this one opens by their bare
 * names. CUDA 11.8 has 11.4.1, and 12.0 has 11.4.2.
 */
struct cuda_solver_major {
	int major, least, end;
	char soname[CUDA_SONAME_BYTES], needs[2][CUDA_SONAME_BYTES];
};

static const struct cuda_solver_major cuda_solver_majors[] = {
	{13, 120000, 130000, "libcusolver.so.12", {"libcusparse.so.12", "libnvJitLink.so.13"}},
	{12, 110402, 120000, "libcusolver.so.11", {"libcusparse.so.12", "libnvJitLink.so.12"}},
	{11, 110000, 110402, "libcusolver.so.11", {""}},
};

enum { CUDA_SOLVER_MAJORS = sizeof cuda_solver_majors / sizeof cuda_solver_majors[0] };

static const struct {
	size_t offset;
	char name[CUDA_FUNCTION_BYTES];
} cuda_solver_symbols[] = {
#define SOLVER(field, name, parameters) {offsetof(struct cuda_solver, field), #name},
#include "shim/execute/gpu/cuda/cuda_solver.def"
};

/* One search: the libraries wanted, and what is said if none is found. */
struct cuda_solver_search {
	const struct cuda_solver_major *major;
	const struct cuda_set *set;
	struct cuda_solver *solver;
	char *sentence;
};

static void cuda_solver_bind(struct cuda_solver *solver, void *library)
{
	memset(solver, 0, sizeof *solver);
	for (size_t i = 0; i < sizeof cuda_solver_symbols / sizeof cuda_solver_symbols[0]; i++) {
		void *symbol = dlsym(library, cuda_solver_symbols[i].name);
		memcpy((char *)solver + cuda_solver_symbols[i].offset, &symbol, sizeof symbol);
	}
}

/* 0: the library does not tell. */
static int cuda_solver_read_version(const struct cuda_solver *solver)
{
	static const int properties[] = {CUSOLVER_PROPERTY_MAJOR, CUSOLVER_PROPERTY_MINOR,
	                                 CUSOLVER_PROPERTY_PATCH};
	int version = 0;
	for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++) {
		int value = 0;
		if (solver->get_property == NULL ||
		    solver->get_property(properties[i], &value) != CUSOLVER_SUCCESS)
			return 0;
		version = 100 * version + value;
	}
	return version;
}

static void cuda_solver_note_path(struct cuda_solver *solver, const char *file)
{
	Dl_info info;
	void *symbol;
	memcpy(&symbol, &solver->get_property, sizeof symbol);
	const bool known = dladdr(symbol, &info) != 0 && info.dli_fname != NULL;
	snprintf(solver->path, sizeof solver->path, "%s", known ? info.dli_fname : file);
}

/* The first obstacle is kept. */
__attribute__((format(printf, 2, 3))) static void cuda_solver_say(
	const struct cuda_solver_search *search, const char *format, ...)
{
	va_list arguments;
	if (search->sentence[0] != '\0')
		return;
	va_start(arguments, format);
	vsnprintf(search->sentence, CUDA_SENTENCE_BYTES, format, arguments);
	va_end(arguments);
}

/* NULL: there is no such file, or it does not load. A bare name that is not found is no failure. */
static void *cuda_solver_load(const struct cuda_solver_search *search, const char *file)
{
	const bool bare = strchr(file, '/') == NULL;
	if (!bare && access(file, F_OK) != 0)
		return NULL;
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	const char *why = library == NULL ? dlerror() : NULL;
	if (library != NULL)
		cuda_exit_register();
	if (why != NULL && !bare)
		cuda_solver_say(search, "cannot load %s: %s", search->major->soname, why);
	return library;
}

/* Whether the file is there, loads, and is of the set's CUDA. */
static bool cuda_solver_try(const struct cuda_solver_search *search, const char *file)
{
	struct cuda_solver *solver = search->solver;
	void *library = cuda_solver_load(search, file);
	if (library == NULL)
		return false;
	cuda_solver_bind(solver, library);
	solver->version = cuda_solver_read_version(solver);
	if (solver->version >= search->major->least && solver->version < search->major->end) {
		cuda_solver_note_path(solver, file);
		return true;
	}
	cuda_solver_say(search, "%s is release %d.%d.%d, and no part of CUDA %d", file,
	                solver->version / 10000, solver->version / 100 % 100, solver->version % 100,
	                search->set->major);
	return false;
}

static bool cuda_solver_try_folder(const struct cuda_solver_search *search, const char *folder)
{
	char file[CUDA_PATH_BYTES];
	return cuda_beside_format(file, "%s/%s", folder, search->major->soname) &&
	       cuda_solver_try(search, file);
}

/* pip installs each library in its own folder: nvidia/cusolver/lib beside nvidia/cublas/lib. */
static bool cuda_solver_try_pip(const struct cuda_solver_search *search, const char *folder)
{
	const char *end = strstr(folder, "/nvidia/cublas/lib");
	char other[CUDA_PATH_BYTES];
	return end != NULL &&
	       cuda_beside_format(other, "%.*s/nvidia/cusolver/lib", (int)(end - folder), folder) &&
	       cuda_solver_try_folder(search, other);
}

static bool cuda_solver_try_beside(const struct cuda_solver_search *search,
                                   enum cuda_library library)
{
	struct cuda_beside beside;
	cuda_beside_list(search->set->path[library], CUDA_LIBRARY_CUBLAS, &beside);
	for (int i = 0; i < beside.count; i++)
		if (cuda_solver_try_folder(search, beside.folder[i]) ||
		    cuda_solver_try_pip(search, beside.folder[i]))
			return true;
	return false;
}

/* Whether the loader would take one of the libraries from the working directory. */
static bool cuda_solver_is_planted(const struct cuda_solver_major *major)
{
	bool planted = library_path_is_relative(major->soname);
	for (int i = 0; i < 2; i++)
		planted = planted ||
		          (major->needs[i][0] != '\0' && library_path_is_relative(major->needs[i]));
	return planted;
}

static const struct cuda_solver_major *cuda_solver_find_major(int major)
{
	for (int i = 0; i < CUDA_SOLVER_MAJORS; i++)
		if (cuda_solver_majors[i].major == major)
			return &cuda_solver_majors[i];
	return NULL;
}

bool cuda_solver_open(const struct cuda_set *set, struct cuda_solver *solver,
                      char sentence[CUDA_SENTENCE_BYTES])
{
	const struct cuda_solver_search search = {cuda_solver_find_major(set->major), set, solver,
	                                          sentence};
	sentence[0] = '\0';
	if (search.major == NULL || cuda_solver_is_planted(search.major)) {
		cuda_solver_say(&search, "LD_LIBRARY_PATH leads to cuSOLVER in the working "
		                         "directory, which is not searched");
		return false;
	}
	if (cuda_solver_try_beside(&search, CUDA_LIBRARY_CUBLAS) ||
	    cuda_solver_try_beside(&search, CUDA_LIBRARY_CUDART) ||
	    cuda_solver_try(&search, search.major->soname))
		return true;
	cuda_solver_say(&search, "there is no %s to go with %s", search.major->soname,
	                set->path[CUDA_LIBRARY_CUBLAS]);
	return false;
}
