/* bind.c - an audit library of the loader: offers bindings that no preload sees to the shim */
/* SPDX-License-Identifier: Apache-2.0 */
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit/core/image.h"

/*
 * The loader puts this library into a namespace of its own, which has no libc: nothing here
 * allocates, prints, or calls anything but the shim. Without a preloaded shim every binding stays
 * as it is.
 */
#define BIND_EXPORT __attribute__((visibility("default")))

/* A bit of an object's cookie, beside its link map: the object's bindings stay as they are. */
enum { BIND_APART = 1 };

/*
 * The preloaded shim and its function gpushim_bind. Both are written while the program's own
 * objects are opened, when the process has one thread.
 */
static struct image bind_shim;
static void *(*bind_bind)(const char *symbol, void *real, void *thunk);

/*
 * opened: the program's own objects are all mapped. running: they are relocated too, so that the
 * shim can be called.
 */
static bool bind_opened;
static atomic_bool bind_running;

/*
 * NVIDIA's libraries, and the simulated ones of the same names. A program that links NVBLAS or
 * cuFFTW calls the GPU's routines already.
 */
static bool bind_is_nvidia(const char *path)
{
	static const char starts[][16] = {"libcuda",     "libcublas", "libcufft", "libcusolver",
	                                  "libcusparse", "libcudnn",  "libnvrtc", "libnvJitLink",
	                                  "libnvidia-",  "libnvblas"};
	const char *name = path;
	for (; *path != '\0'; path++)
		if (*path == '/')
			name = path + 1;
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
		if (image_starts_with(name, starts[i]))
			return true;
	return false;
}

/* Whether the object defines BLAS (dgemm, under all names that blas.def has for it) or FFTW. */
static bool bind_is_provider(const struct image *image)
{
	static const char telltales[][24] = {"dgemm_",          "DGEMM_",
	                                     "dgemm",           "DGEMM",
	                                     "cblas_dgemm",     "dgemm_64_",
	                                     "dgemm_64",        "dgemm64_",
	                                     "cblas_dgemm_64",  "cblas_dgemm64_",
	                                     "scipy_dgemm_",    "scipy_cblas_dgemm",
	                                     "scipy_dgemm_64_", "scipy_cblas_dgemm64_",
	                                     "fftw_execute",    "fftwf_execute"};
	for (size_t i = 0; i < sizeof telltales / sizeof telltales[0]; i++)
		if (image_find(image, telltales[i]) != NULL)
			return true;
	return false;
}

/*
 * Whether the object that asks for the name also defines it. Such an object hands calls on
 * (FlexiBLAS, libblastrampoline, a tracing tool). Its callers' bindings are redirected, so that
 * redirecting its own binding would count each call twice.
 */
static bool bind_is_forwarder(uintptr_t from, uintptr_t to, const char *name)
{
	struct image image;
	if (from == to)
		return false;
	image_read(&image, (const struct link_map *)from);
	return image_find(&image, name) != NULL;
}

static bool bind_find_shim(const struct image *image)
{
	void *found = image_find(image, "gpushim_bind");
	if (found == NULL)
		return false;
	bind_shim = *image;
	bind_bind = __extension__(void *(*)(const char *, void *, void *)) found;
	return true;
}

BIND_EXPORT unsigned int la_version(unsigned int version)
{
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

BIND_EXPORT unsigned int la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
	struct image image;
	image_read(&image, map);
	*cookie = (uintptr_t)map;
	if (bind_is_nvidia(map->l_name) ||
	    (!bind_opened && bind_bind == NULL && space == LM_ID_BASE && bind_find_shim(&image))) {
		*cookie |= BIND_APART;
		return 0;
	}
	if (bind_opened && bind_bind == NULL)
		return 0;
	return LA_FLG_BINDFROM | (bind_is_provider(&image) ? LA_FLG_BINDTO : 0);
}

/*
 * A change after the program's objects were opened comes from a dlopen, which running code called:
 * before la_preinit that code is a constructor.
 */
BIND_EXPORT void la_activity(uintptr_t *cookie, unsigned int flag)
{
	(void)cookie;
	if (flag == LA_ACT_CONSISTENT)
		bind_opened = true;
	else if (bind_opened)
		atomic_store_explicit(&bind_running, true, memory_order_relaxed);
}

BIND_EXPORT void la_preinit(uintptr_t *cookie)
{
	(void)cookie;
	atomic_store_explicit(&bind_running, true, memory_order_relaxed);
}

static uintptr_t bind_symbind(uintptr_t real, uintptr_t from, uintptr_t to, unsigned int flags,
                              const char *name)
{
	/* A dlsym, too, is called by running code. */
	const bool running = (flags & LA_SYMB_DLSYM) != 0 ||
	                     atomic_load_explicit(&bind_running, memory_order_relaxed);
	if (bind_bind == NULL || !running || ((from | to) & BIND_APART) != 0)
		return real;
	void *thunk = image_find(&bind_shim, name);
	if (thunk == NULL || bind_is_forwarder(from, to, name))
		return real;
	return (uintptr_t)bind_bind(name, (void *)real, thunk);
}

/* The loader calls the function for the class of its objects: 32 or 64 bits. */
BIND_EXPORT uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned int index, uintptr_t *from,
                                   uintptr_t *to, unsigned int *flags, const char *name)
{
	(void)index;
	return bind_symbind(symbol->st_value, *from, *to, *flags, name);
}
