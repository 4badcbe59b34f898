/* stack.c - switches to another stack by a few instructions, with unwind information */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/stack.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Sanitizers know the thread's own stack only. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STACK_STAYS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define STACK_STAYS
#endif
#endif
#if !defined(__x86_64__) && !defined(__aarch64__)
#define STACK_STAYS
#endif

enum {
	STACK_PAGE_BYTES = 1 << 16, /* the largest page of any kernel for these processors */
	STACK_SPARE_BYTES = 1 << 16,
	STACK_KEPT = 8,
	STACK_ALIGNMENT = 64
};

#ifndef STACK_STAYS
/*
 * least: a thread's stack with so many bytes left is used. own: the size of the shim's. A signal of
 * the program may arrive on it, whose frame takes up to 11 KiB.
 */
static const struct {
	size_t least_bytes, own_bytes;
} stack_sizes[STACK_NEEDS] = {
	[STACK_FOR_CPU] = {1 << 16, 1 << 18}, [STACK_FOR_GPU] = {1 << 18, 1 << 20}};
#endif

/* Lies at the upper end of its stack. outer: the one that the thread was on before. */
struct stack_own {
	uintptr_t low;
	size_t map_bytes;
	const struct stack_own *outer;
};

/* The thread's stack, as libc knows it; stack_high is 0 until it was asked. inner: it is on. */
static _Thread_local uintptr_t stack_low, stack_high;
static _Thread_local const struct stack_own *stack_inner;

static size_t stack_left_of(uintptr_t here, uintptr_t low, uintptr_t high)
{
	return here > low && here < high ? here - low : 0;
}

size_t stack_find_left(void)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	const struct stack_own *own = stack_inner;
	const size_t left = own != NULL ? stack_left_of(here, own->low, (uintptr_t)own) : 0;
	return left != 0 ? left : stack_left_of(here, stack_low, stack_high);
}

bool stack_has(const void *address, const void *other)
{
	return stack_left_of((uintptr_t)address, stack_low, stack_high) != 0 &&
	       stack_left_of((uintptr_t)other, stack_low, stack_high) != 0;
}

/*
 * The first thread's stack ends above the program's path, and may grow down to the limit. libc
 * would read /proc and allocate memory to tell that. Where the limit was raised later, other
 * memory may lie in front of it: only the part is believed that every program has by default.
 */
enum { STACK_FIRST_BYTES = 8 << 20 };

static void stack_find_first(void)
{
	struct rlimit limit;
	const uintptr_t path = (uintptr_t)getauxval(AT_EXECFN);
	const uintptr_t high = (path / STACK_PAGE_BYTES + 1) * STACK_PAGE_BYTES;
	if (path == 0 || getrlimit(RLIMIT_STACK, &limit) != 0)
		return;
	stack_high = high;
	stack_low =
		high - (limit.rlim_cur < STACK_FIRST_BYTES ? limit.rlim_cur : STACK_FIRST_BYTES);
}

static void stack_find_other(void)
{
	pthread_attr_t attributes;
	void *start;
	size_t size_bytes;
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	if (pthread_attr_getstack(&attributes, &start, &size_bytes) == 0) {
		stack_low = (uintptr_t)start;
		stack_high = (uintptr_t)start + size_bytes;
	}
	pthread_attr_destroy(&attributes);
}

/* Where nothing is told, no address lies between the bounds. */
static void stack_find_bounds(void *unused)
{
	const int saved_errno = errno;
	(void)unused;
	stack_low = stack_high = 1;
	if (gettid() == getpid())
		stack_find_first();
	else
		stack_find_other();
	errno = saved_errno;
}

#ifdef STACK_STAYS

bool stack_run(enum stack_need need, void (*work)(void *argument), void *argument)
{
	(void)need;
	if (stack_high == 0)
		stack_find_bounds(NULL);
	work(argument);
	return true;
}

#else

/* Calls work(argument) with the stack pointer at top, which is aligned. */
void stack_switch(void (*work)(void *argument), void *argument, void *top);

#if defined(__x86_64__)
__asm__(".text\n"
        ".hidden stack_switch\n"
        ".globl stack_switch\n"
        ".type stack_switch, @function\n"
        "stack_switch:\n"
        "	.cfi_startproc\n"
        "	pushq %rbp\n"
        "	.cfi_def_cfa_offset 16\n"
        "	.cfi_offset %rbp, -16\n"
        "	movq %rsp, %rbp\n"
        "	.cfi_def_cfa_register %rbp\n"
        "	movq %rdi, %rax\n"
        "	movq %rsi, %rdi\n"
        "	movq %rdx, %rsp\n"
        "	call *%rax\n"
        "	movq %rbp, %rsp\n"
        "	popq %rbp\n"
        "	.cfi_def_cfa %rsp, 8\n"
        "	ret\n"
        "	.cfi_endproc\n"
        ".size stack_switch, . - stack_switch\n");
#else
__asm__(".text\n"
        ".hidden stack_switch\n"
        ".globl stack_switch\n"
        ".type stack_switch, %function\n"
        "stack_switch:\n"
        "	.cfi_startproc\n"
        "	stp x29, x30, [sp, #-16]!\n"
        "	.cfi_def_cfa_offset 16\n"
        "	.cfi_offset x29, -16\n"
        "	.cfi_offset x30, -8\n"
        "	mov x29, sp\n"
        "	.cfi_def_cfa_register x29\n"
        "	mov x3, x0\n"
        "	mov x0, x1\n"
        "	mov sp, x2\n"
        "	blr x3\n"
        "	mov sp, x29\n"
        "	ldp x29, x30, [sp], #16\n"
        "	.cfi_def_cfa sp, 0\n"
        "	ret\n"
        "	.cfi_endproc\n"
        ".size stack_switch, . - stack_switch\n");
#endif

/* The kernel's own calls: finding a function of libc takes most of 1 KiB of stack. */
static long stack_call_kernel(long number, long first, long second, long third)
{
#if defined(__x86_64__)
	register long flags __asm__("r10") =
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
	register long file __asm__("r8") = -1;
	register long offset __asm__("r9") = 0;
	long result;
	__asm__ volatile("syscall"
	                 : "=a"(result)
	                 : "a"(number), "D"(first), "S"(second), "d"(third), "r"(flags), "r"(file),
	                   "r"(offset)
	                 : "rcx", "r11", "memory");
	return result;
#else
	register long result __asm__("x0") = first;
	register long x1 __asm__("x1") = second;
	register long x2 __asm__("x2") = third;
	register long flags __asm__("x3") = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
	register long file __asm__("x4") = -1;
	register long offset __asm__("x5") = 0;
	register long call __asm__("x8") = number;
	__asm__ volatile("svc 0"
	                 : "+r"(result)
	                 : "r"(x1), "r"(x2), "r"(flags), "r"(file), "r"(offset), "r"(call)
	                 : "memory");
	return result;
#endif
}

static _Atomic(struct stack_own *) stack_kept[STACK_NEEDS][STACK_KEPT];

static struct stack_own *stack_place(uintptr_t low, size_t size_bytes, size_t map_bytes)
{
	const uintptr_t end = low + size_bytes - sizeof(struct stack_own);
	struct stack_own *own = (struct stack_own *)(end / STACK_ALIGNMENT * STACK_ALIGNMENT);
	own->low = low;
	own->map_bytes = map_bytes;
	return own;
}

/* The lowest part stays inaccessible. */
static struct stack_own *stack_make(enum stack_need need)
{
	const size_t size_bytes = stack_sizes[need].own_bytes;
	const size_t map_bytes = size_bytes + STACK_PAGE_BYTES;
	const long map = stack_call_kernel(SYS_mmap, 0, (long)map_bytes, PROT_NONE);
	if (map < 0 && map >= -4095)
		return NULL;
	const long low = map + STACK_PAGE_BYTES;
	if (stack_call_kernel(SYS_mprotect, low, (long)size_bytes, PROT_READ | PROT_WRITE) != 0) {
		stack_call_kernel(SYS_munmap, map, (long)map_bytes, 0);
		return NULL;
	}
	return stack_place((uintptr_t)low, size_bytes, map_bytes);
}

/* One stack without guard, for a process that gets no more memory. */
static char stack_spare[STACK_SPARE_BYTES] __attribute__((aligned(STACK_ALIGNMENT)));
static atomic_flag stack_spare_is_used = ATOMIC_FLAG_INIT;

static struct stack_own *stack_take_spare(enum stack_need need)
{
	if (need != STACK_FOR_CPU || atomic_flag_test_and_set(&stack_spare_is_used))
		return NULL;
	return stack_place((uintptr_t)stack_spare, sizeof stack_spare, 0);
}

static struct stack_own *stack_take(enum stack_need need)
{
	for (int i = 0; i < STACK_KEPT; i++) {
		struct stack_own *own = atomic_exchange(&stack_kept[need][i], NULL);
		if (own != NULL)
			return own;
	}
	struct stack_own *own = stack_make(need);
	return own != NULL ? own : stack_take_spare(need);
}

/* Keeps it for the next, if there is room. */
static void stack_give_back(enum stack_need need, struct stack_own *own)
{
	if (own->map_bytes == 0) {
		atomic_flag_clear(&stack_spare_is_used);
		return;
	}
	for (int i = 0; i < STACK_KEPT; i++) {
		struct stack_own *none = NULL;
		if (atomic_compare_exchange_strong(&stack_kept[need][i], &none, own))
			return;
	}
	stack_call_kernel(SYS_munmap, (long)own->low - STACK_PAGE_BYTES, (long)own->map_bytes, 0);
}

static bool stack_run_on_own(enum stack_need need, void (*work)(void *argument), void *argument)
{
	struct stack_own *own = stack_take(need);
	if (own == NULL)
		return false;
	own->outer = stack_inner;
	stack_inner = own;
	stack_switch(work, argument, own);
	stack_inner = own->outer;
	stack_give_back(need, own);
	return true;
}

/* The bounds are asked for on another stack, because that takes some of it. */
bool stack_run(enum stack_need need, void (*work)(void *argument), void *argument)
{
	if (stack_high == 0 && !stack_run_on_own(STACK_FOR_CPU, stack_find_bounds, NULL))
		return false;
	if (stack_find_left() < stack_sizes[need].least_bytes)
		return stack_run_on_own(need, work, argument);
	work(argument);
	return true;
}

#endif
