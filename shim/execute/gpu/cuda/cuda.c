/* cuda.c - opens one set of CUDA libraries that fits the driver and the device */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/cuda/cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shim/base/library_path.h"
#include "shim/execute/gpu/cuda/cuda_beside.h"
#include "shim/execute/gpu/cuda/cuda_check.h"
#include "shim/execute/gpu/cuda/cuda_exit.h"

static const struct cuda_major cuda_majors[] = {
	{13, 75, {"libcudart.so.13", "libcublas.so.13", "libcufft.so.12"}},
	{12, 50, {"libcudart.so.12", "libcublas.so.12", "libcufft.so.11"}},
	{11, 35, {"libcudart.so.11.0", "libcublas.so.11", "libcufft.so.10"}},
};

enum { CUDA_MAJORS = sizeof cuda_majors / sizeof cuda_majors[0] };

struct cuda_symbol {
	enum cuda_library library;
	bool required;
	size_t offset;
	char name[CUDA_FUNCTION_BYTES];
};

enum { CUDA_NEED_REQUIRED = true, CUDA_NEED_OPTIONAL = false };

static const struct cuda_symbol cuda_symbols[] = {
#define CUDA(library, field, name, need, result, parameters)                                       \
	{CUDA_LIBRARY_##library, CUDA_NEED_##need, offsetof(struct cuda_api, field), #name},
#include "shim/execute/gpu/cuda/cuda_api.def"
};

/* NULL where file does not exist (*why NULL) or does not load (*why: the loader's message). */
static void *cuda_load(const struct cuda_attempt *attempt, const char *file, int flags,
                       const char **why)
{
	*why = NULL;
	if (strchr(file, '/') != NULL && access(file, F_OK) != 0)
		return NULL;
	if (!cuda_api_enter_load(attempt->guard))
		return NULL;
	void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL | flags);
	if (handle == NULL && (flags & RTLD_NOLOAD) == 0)
		*why = dlerror();
	if (handle != NULL)
		cuda_exit_register();
	cuda_api_leave(attempt->guard);
	/*
	 * A bare name that the loader does not find is no failure; its message begins with that
	 * name.
	 */
	if (*why != NULL && strchr(file, '/') == NULL && strncmp(*why, file, strlen(file)) == 0 &&
	    strstr(*why, "No such file") != NULL)
		*why = NULL;
	return handle;
}

static void cuda_note_path(struct cuda_attempt *attempt, enum cuda_library library)
{
	Dl_info info;
	void *handle = attempt->set->library[library];
	char *path = attempt->set->path[library];
	void *symbol = NULL;
	for (size_t i = 0; i < sizeof cuda_symbols / sizeof cuda_symbols[0] && symbol == NULL; i++)
		if (cuda_symbols[i].library == library)
			symbol = dlsym(handle, cuda_symbols[i].name);
	if (symbol != NULL && dladdr(symbol, &info) != 0 && info.dli_fname != NULL)
		snprintf(path, CUDA_PATH_BYTES, "%s", info.dli_fname);
	else
		snprintf(path, CUDA_PATH_BYTES, "%s", attempt->major->soname[library]);
}

/* Fills the pointers of one library. The first missing required function is named. */
static enum reason cuda_bind(struct cuda_attempt *attempt, enum cuda_library library)
{
	if (!cuda_api_enter_load(attempt->guard))
		return REASON_EXITING;
	const char *missing = NULL;
	cuda_note_path(attempt, library);
	for (size_t i = 0; i < sizeof cuda_symbols / sizeof cuda_symbols[0]; i++) {
		const struct cuda_symbol *row = &cuda_symbols[i];
		if (row->library != library)
			continue;
		void *symbol = dlsym(attempt->set->library[library], row->name);
		memcpy((char *)&attempt->set->api + row->offset, &symbol, sizeof symbol);
		if (symbol == NULL && row->required && missing == NULL)
			missing = row->name;
	}
	cuda_api_leave(attempt->guard);
	if (missing == NULL)
		return REASON_NONE;
	return cuda_check_refuse(attempt, REASON_SYMBOL_MISSING, false, "%s lacks %s",
	                         attempt->set->path[library], missing);
}

/* The library in the folder place; "" is the loader's own search path. */
static bool cuda_take(struct cuda_attempt *attempt, enum cuda_library library, const char *place,
                      const char **why)
{
	char file[2 * CUDA_PATH_BYTES];
	const char *soname = attempt->major->soname[library];
	if (place[0] == '\0')
		snprintf(file, sizeof file, "%s", soname);
	else
		snprintf(file, sizeof file, "%s/%s", place, soname);
	attempt->set->library[library] = cuda_load(attempt, file, 0, why);
	return attempt->set->library[library] != NULL;
}

/*
 * Tries the folders in their order. *why: the first library that is there and cannot be loaded;
 * kept if it is set already.
 */
static bool cuda_take_from(struct cuda_attempt *attempt, enum cuda_library library,
                           const struct cuda_beside *beside, const char **why)
{
	for (int i = 0; i < beside->count; i++) {
		const char *this_why = NULL;
		if (cuda_take(attempt, library, beside->folder[i], &this_why))
			return true;
		if (*why == NULL)
			*why = this_why;
	}
	return false;
}

/* Searches the folders of cudart's installation, then as far as the reach goes. */
static bool cuda_take_beside(struct cuda_attempt *attempt, enum cuda_library library,
                             const char **why)
{
	struct cuda_beside beside;
	const char *loader_why = NULL;
	cuda_beside_list(attempt->set->path[CUDA_LIBRARY_CUDART], library, &beside);
	if (cuda_take_from(attempt, library, &beside, why))
		return true;
	if (attempt->reach == CUDA_REACH_PATH) {
		cuda_beside_list_path(&beside);
		return cuda_take_from(attempt, library, &beside, why);
	}
	return attempt->reach == CUDA_REACH_LOADER &&
	       cuda_take(attempt, library, "", *why == NULL ? why : &loader_why);
}

static enum reason cuda_take_companion(struct cuda_attempt *attempt, enum cuda_library library)
{
	const char *soname = attempt->major->soname[library], *why = NULL;
	if (cuda_take_beside(attempt, library, &why))
		return cuda_bind(attempt, library);
	attempt->incomplete = true;
	if (why != NULL)
		return cuda_check_refuse(attempt, REASON_NO_CUDA, false, "cannot load %s: %s",
		                         soname, why);
	return cuda_check_refuse(attempt, REASON_NO_CUDA, false, "there is no %s to go with %s",
	                         soname, attempt->set->path[CUDA_LIBRARY_CUDART]);
}

/* cudart is open. cuBLAS is opened last: that takes 40 ms and 150 MB. */
static enum reason cuda_try_set(struct cuda_attempt *attempt)
{
	static enum reason (*const check[])(struct cuda_attempt *) = {
		cuda_check_driver, cuda_check_count, cuda_devices_check};
	attempt->set->major = attempt->major->major;
	enum reason reason = cuda_bind(attempt, CUDA_LIBRARY_CUDART);
	for (size_t i = 0; i < sizeof check / sizeof check[0] && reason == REASON_NONE; i++)
		reason = check[i](attempt);
	if (reason == REASON_NONE)
		reason = cuda_take_companion(attempt, CUDA_LIBRARY_CUBLAS);
	if (reason == REASON_NONE)
		reason = cuda_take_companion(attempt, CUDA_LIBRARY_CUFFT);
	return reason;
}

/* Whether no other CUDA major could give another result. */
static bool cuda_is_final(enum reason reason)
{
	return reason == REASON_NONE || reason == REASON_EXITING || reason == REASON_NO_DRIVER ||
	       reason == REASON_NO_DEVICE;
}

/*
 * A bare soname finds a library that is already loaded, even one of a set that was refused. If that
 * set was incomplete, LD_LIBRARY_PATH may have what no folder beside cudart has; the rest of the
 * loader's path may belong to another installation, and comes last.
 */
static bool cuda_is_new(struct cuda_attempt *attempt, const void *runtime)
{
	for (int i = 0; i < attempt->tried_count; i++) {
		struct cuda_tried *tried = &attempt->tried[i];
		if (tried->runtime != runtime)
			continue;
		if (attempt->reach == CUDA_REACH_LOADER && !attempt->last)
			attempt->reach = CUDA_REACH_PATH;
		const bool again = tried->incomplete && attempt->reach > tried->reach;
		if (again)
			tried->reach = attempt->reach;
		return again;
	}
	if (attempt->tried_count < CUDA_TRIED)
		attempt->tried[attempt->tried_count++] =
			(struct cuda_tried){runtime, attempt->reach, false};
	return true;
}

static void cuda_note_incomplete(struct cuda_attempt *attempt, const void *runtime)
{
	for (int i = 0; i < attempt->tried_count; i++)
		if (attempt->tried[i].runtime == runtime)
			attempt->tried[i].incomplete = attempt->incomplete;
}

/* Opens cudart. place NULL: only one that the process has loaded already. */
static enum reason cuda_try_place(struct cuda_attempt *attempt, const char *place)
{
	const char *why = NULL;
	void **runtime = &attempt->set->library[CUDA_LIBRARY_CUDART];
	const char *soname = attempt->major->soname[CUDA_LIBRARY_CUDART];
	memset(attempt->set, 0, sizeof *attempt->set);
	attempt->reach = place == NULL || place[0] == '\0' ? CUDA_REACH_LOADER : CUDA_REACH_FOLDERS;
	attempt->incomplete = false;
	if (place == NULL)
		*runtime = cuda_load(attempt, soname, RTLD_NOLOAD, &why);
	else
		cuda_take(attempt, CUDA_LIBRARY_CUDART, place, &why);
	if (*runtime != NULL && !cuda_is_new(attempt, *runtime))
		return REASON_NO_CUDA;
	if (*runtime != NULL) {
		const void *tried = *runtime;
		const enum reason reason = cuda_try_set(attempt);
		cuda_note_incomplete(attempt, tried);
		return reason;
	}
	if (why != NULL)
		cuda_check_refuse(attempt, REASON_NO_CUDA, false, "cannot load %s: %s", soname,
		                  why);
	return REASON_NO_CUDA;
}

static enum reason cuda_try_majors(struct cuda_attempt *attempt, const char *place)
{
	enum reason reason = REASON_NO_CUDA;
	for (int i = 0; i < CUDA_MAJORS && !cuda_is_final(reason); i++) {
		attempt->major = &cuda_majors[i];
		reason = cuda_try_place(attempt, place);
	}
	return reason;
}

/*
 * Report the highest-ranked refusal; order = usefulness to the user. A refusal of a set that showed
 * a GPU ranks above all others: there only the libraries are at fault.
 */
static int cuda_rank_refusal(const struct cuda_refusal *refusal)
{
	static const enum reason order[] = {
		REASON_NO_CUDA,          REASON_NO_DRIVER,          REASON_NO_DEVICE,
		REASON_SYMBOL_MISSING,   REASON_DEVICE_UNSUPPORTED, REASON_DRIVER_TOO_OLD,
		REASON_CUDA_START_FAILED};
	for (int i = 0; i < (int)(sizeof order / sizeof order[0]); i++)
		if (order[i] == refusal->reason)
			return refusal->capability > 0 ? i + 100 : i;
	return -1;
}

const struct cuda_refusal *cuda_find_refusal(const struct cuda_search *search)
{
	const struct cuda_refusal *best = NULL;
	for (int i = 0; i < search->refusal_count; i++)
		if (search->refusal[i].device < 0 &&
		    (best == NULL ||
		     cuda_rank_refusal(&search->refusal[i]) > cuda_rank_refusal(best)))
			best = &search->refusal[i];
	return best;
}

static bool cuda_list_places(const struct cuda_guard *guard, const char *cuda_path,
                             struct cuda_search *search)
{
	if (!cuda_api_enter_load(guard))
		return false;
	cuda_places_list(cuda_path, search);
	cuda_api_leave(guard);
	return true;
}

/*
 * Whether the loader would take one of these from the working directory; CUDA's libraries open each
 * other, and the driver, by their bare names.
 */
static bool cuda_is_planted(void)
{
	static const char others[][CUDA_SONAME_BYTES] = {
		"libcuda.so.1", "libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11",
		"libdl.so.2",   "libpthread.so.0",   "librt.so.1"};
	bool planted = false;
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		planted = planted || library_path_is_relative(others[i]);
	for (int i = 0; i < CUDA_MAJORS * CUDA_LIBRARY_COUNT; i++)
		planted =
			planted ||
			library_path_is_relative(
				cuda_majors[i / CUDA_LIBRARY_COUNT].soname[i % CUDA_LIBRARY_COUNT]);
	return planted;
}

enum reason cuda_open(const char *cuda_path, const char *devices, const struct cuda_guard *guard,
                      struct cuda_set *set, struct cuda_search *search)
{
	struct cuda_attempt attempt = {
		.devices = devices, .device = -1, .guard = guard, .search = search, .set = set};
	search->refusal_count = search->refusals_dropped = 0;
	if (!cuda_list_places(guard, cuda_path, search))
		return REASON_EXITING;
	search->planted = cuda_is_planted();
	if (search->planted)
		return REASON_NO_CUDA;
	enum reason reason = cuda_try_majors(&attempt, NULL);
	for (int i = 0; i < search->place_count && !cuda_is_final(reason); i++)
		reason = cuda_try_majors(&attempt, search->place[i]);
	attempt.last = true;
	if (!cuda_is_final(reason))
		reason = cuda_try_majors(&attempt, "");
	if (reason == REASON_NONE)
		return reason;
	if (!cuda_api_enter(guard))
		return REASON_EXITING;
	cuda_api_leave(guard);
	const struct cuda_refusal *refusal = cuda_find_refusal(search);
	return refusal == NULL ? REASON_NO_CUDA : refusal->reason;
}

bool cuda_is_fatal(int error)
{
	switch (error) {
	case 3:   /* initialisation failed, also in a fork child */
	case 4:   /* the runtime is being unloaded */
	case 214: /* uncorrectable memory error */
	case 220: /* uncorrectable error of NVLink */
	case 226: /* memory error, contained in the process */
	case 700: /* illegal address */
	case 702: /* launch timeout */
	case 709: /* context destroyed */
	case 710: /* assertion in a kernel */
	case 714: /* hardware stack error */
	case 715: /* illegal instruction */
	case 716: /* misaligned address */
	case 717: /* invalid address space */
	case 718: /* invalid program counter */
	case 719: /* launch failure */
	case 721: /* tensor memory left allocated */
	case 810: /* the MPS server has ended this client */
	case 911: /* an external device failed */ return true;
	default: return false;
	}
}
