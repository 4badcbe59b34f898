/* heap_stack.c - a library to preload behind the shim: main runs on a stack that mmap has given */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

/*
 * The Fortran testers keep their matrices on the stack, which the shim does not track. This one is
 * private anonymous memory like malloc's.
 */
enum { HEAP_STACK_BYTES = 64 << 20 };

typedef int heap_stack_main(int argc, char **argv, char **environment);
typedef int heap_stack_start(heap_stack_main *begin, int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

static struct {
	heap_stack_main *main;
	int argc, status;
	char **argv, **environment;
	ucontext_t before, inside;
} heap_stack;

static void heap_stack_call(void)
{
	heap_stack.status =
		heap_stack.main(heap_stack.argc, heap_stack.argv, heap_stack.environment);
}

static int heap_stack_run(int argc, char **argv, char **environment)
{
	void *stack = mmap(NULL, HEAP_STACK_BYTES, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack == MAP_FAILED || getcontext(&heap_stack.inside) != 0)
		abort();
	heap_stack.argc = argc;
	heap_stack.argv = argv;
	heap_stack.environment = environment;
	heap_stack.inside.uc_stack = (stack_t){.ss_sp = stack, .ss_size = HEAP_STACK_BYTES};
	heap_stack.inside.uc_link = &heap_stack.before;
	makecontext(&heap_stack.inside, heap_stack_call, 0);
	if (swapcontext(&heap_stack.before, &heap_stack.inside) != 0)
		abort();
	return heap_stack.status;
}

/* The C library's, which starts every program. */
int __libc_start_main(heap_stack_main *begin, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

int __libc_start_main(heap_stack_main *begin, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	heap_stack_start *next =
		(heap_stack_start *)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main");
	if (next == NULL)
		abort();
	heap_stack.main = begin;
	return next(heap_stack_run, argc, argv, init, fini, rtld_fini, stack_end);
}
