/* libc_dlsym.c - the one reference to dlsym, which loaders of every glibc and of musl accept */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/libc/libc_dlsym.h"

#include <features.h>
#include <stddef.h>

/*
 * Weak, since glibc before 2.34 has it in another library. With 2.34 or newer the linker would bind
 * a version that the loaders of older ones refuse, therefore the first version by its name.
 * __real_dlsym is the linker's name for dlsym itself, not its stub.
 */
#if defined(__x86_64__)
#define DLSYM_FIRST "dlsym@GLIBC_2.2.5"
#elif defined(__aarch64__)
#define DLSYM_FIRST "dlsym@GLIBC_2.17"
#endif
#if defined(DLSYM_FIRST) && __GLIBC_PREREQ(2, 34)
extern void *libc_dlsym_real(void *scope, const char *name) __attribute__((weak));
__asm__(".symver libc_dlsym_real, " DLSYM_FIRST);
#if defined(__clang__)
__asm__(".weak \"" DLSYM_FIRST "\""); /* .symver gives the name alone */
#endif
#else
extern void *__real_dlsym(void *scope, const char *name) __attribute__((weak));
#define libc_dlsym_real __real_dlsym
#endif

void *libc_dlsym_call(void *scope, const char *name)
{
	void *(*volatile real)(void *, const char *) = libc_dlsym_real;
	return real != NULL ? real(scope, name) : NULL;
}
