/* pager.c - operands in memory that the program's own handlers manage: pager WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <fftw3.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void dsymm_(const char *side, const char *uplo, const int *m, const int *n, const double *alpha,
            const double *a, const int *lda, const double *b, const int *ldb, const double *beta,
            double *c, const int *ldc);
void dtrmm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc);

/* KEPT: pages that the evicting handler leaves accessible. */
enum { ORDER = 640, MATRICES = 3, KEPT = 800, CALLS = 5 };

static const size_t matrix_bytes = sizeof(double) * ORDER * ORDER;
static size_t page_bytes;
static char *memory; /* of all matrices */
static double *a, *b, *c;
static fftw_plan plan;

/* -- handlers -- */

static atomic_int faults, foreign;
static pid_t caller;
static char *kept[KEPT];
static int kept_next, kept_most;
static sigjmp_buf away;
static volatile sig_atomic_t jumps;

static char *find_page(const siginfo_t *information)
{
	char *at = information->si_addr;
	return at - ((uintptr_t)at & (page_bytes - 1));
}

static void note_fault(void)
{
	atomic_fetch_add(&faults, 1);
	if (syscall(SYS_gettid) != caller)
		atomic_fetch_add(&foreign, 1);
}

/* Makes the page accessible, where few may be so at the expense of the oldest. */
static void handle_protection(int number, siginfo_t *information, void *context)
{
	(void)number, (void)context;
	char *page = find_page(information);
	if (page < memory || page >= memory + MATRICES * matrix_bytes)
		_exit(3);
	note_fault();
	if (kept_most > 0) {
		if (kept[kept_next] != NULL)
			mprotect(kept[kept_next], page_bytes, PROT_NONE);
		kept[kept_next] = page;
		kept_next = (kept_next + 1) % kept_most;
	}
	mprotect(page, page_bytes, PROT_READ | PROT_WRITE);
}

/* Puts a page in place of what the file has lost, or leaves the call. */
static void handle_loss(int number, siginfo_t *information, void *context)
{
	(void)number, (void)context;
	note_fault();
	if (jumps)
		siglongjmp(away, 1);
	mmap(find_page(information), page_bytes, PROT_READ | PROT_WRITE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

/* -- calls, of whole numbers: every order of summation gives the same bits -- */

/* The transform is that of an impulse. */
static void fill(int round)
{
	for (int i = 0; i < ORDER * ORDER; i++) {
		a[i] = i * 7919L % 17 - 8;
		b[i] = i * 104729L % 13 - 6;
		c[i] = i % 11;
		if (round == CALLS - 1)
			a[i] = i == 0;
	}
}

static void call(int round)
{
	const int n = ORDER;
	const double one = 1, beta = round % 2;
	switch (round) {
	case 0: dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &beta, c, &n); break;
	case 1: dsymm_("L", "U", &n, &n, &one, a, &n, b, &n, &beta, c, &n); break;
	case 2: dtrmm_("L", "L", "N", "N", &n, &n, &one, a, &n, c, &n); break;
	case 3: dsyrk_("U", "N", &n, &n, &one, a, &n, &beta, c, &n); break;
	default: fftw_execute(plan);
	}
}

static unsigned long long digest(void)
{
	unsigned long long sum = 1469598103934665603ULL, bits;
	for (int i = 0; i < ORDER * ORDER; i++) {
		const double number = c[i] + 0.0; /* of -0 too */
		memcpy(&bits, &number, sizeof bits);
		sum = (sum ^ bits) * 1099511628211ULL;
	}
	return sum;
}

static void say(const char *what)
{
	mprotect(memory, MATRICES * matrix_bytes, PROT_READ | PROT_WRITE);
	printf("%s: result %016llx, faults %s, on other threads %d\n", what, digest(),
	       atomic_load(&faults) > 0 ? "some" : "none", atomic_load(&foreign));
	atomic_store(&faults, 0);
}

static void take_memory(int flags, int file)
{
	memory = mmap(NULL, MATRICES * matrix_bytes, PROT_READ | PROT_WRITE, flags, file, 0);
	if (memory == MAP_FAILED)
		exit(2);
	a = (double *)(void *)memory;
	b = a + ORDER * ORDER;
	c = b + ORDER * ORDER;
	plan = fftw_plan_dft_1d(ORDER * ORDER / 2, (fftw_complex *)a, (fftw_complex *)c,
	                        FFTW_FORWARD, FFTW_ESTIMATE);
	fill(0);
}

/* -- ways -- */

static void page_lazily(int most)
{
	take_memory(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	handle(SIGSEGV, handle_protection);
	for (int round = 0; round < CALLS; round++) {
		fill(round);
		memset(kept, 0, sizeof kept);
		kept_most = most;
		mprotect(memory, MATRICES * matrix_bytes, PROT_NONE);
		call(round);
		kept_most = 0;
		say("paged");
	}
}

/* Only stores to the result fault, as where a garbage collector notes what changes. */
static void note_writes(void)
{
	take_memory(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	handle(SIGSEGV, handle_protection);
	for (int round = 0; round < CALLS; round++) {
		fill(round);
		mprotect(c, matrix_bytes, PROT_READ);
		call(round);
		say("noted");
	}
}

static int make_file(void)
{
	char name[] = "cut.XXXXXX";
	const int file = mkstemp(name);
	unlink(name);
	if (file < 0 || ftruncate(file, (off_t)(MATRICES * matrix_bytes)) != 0)
		exit(2);
	return file;
}

/* The second half of A is no longer in the file. */
static void lose_pages(bool leaves)
{
	const int file = make_file();
	take_memory(MAP_SHARED, file);
	memset(a + ORDER * ORDER / 2, 0, matrix_bytes / 2);
	char *lost = memory + (matrix_bytes / 2 + page_bytes) / page_bytes * page_bytes;
	char *next = memory + matrix_bytes;
	mmap(next, 2 * matrix_bytes, PROT_READ | PROT_WRITE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	fill(0);
	memset(a + ORDER * ORDER / 2, 0, matrix_bytes / 2);
	if (ftruncate(file, lost - memory) != 0)
		exit(2);
	handle(SIGBUS, handle_loss);
	jumps = leaves;
	if (sigsetjmp(away, 1) == 0)
		call(0);
	else
		puts("left the call");
	if (!leaves)
		say("lost");
	else
		printf("on other threads %d\n", atomic_load(&foreign));
	fflush(stdout);
	_exit(0);
}

/* -- protection keys -- */

/* Rights that the thread got after the copy threads were made. */
static void lock_pages(void)
{
	take_memory(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	call(0);
	const int key = pkey_alloc(0, 0);
	if (key < 0)
		puts("skipped: no protection keys");
	else
		pkey_mprotect(memory, MATRICES * matrix_bytes, PROT_READ | PROT_WRITE, key);
	for (int round = 0; round < CALLS; round++) {
		fill(round);
		call(round);
		printf("locked: result %016llx\n", digest());
	}
}

/* -- userfaultfd -- */

static char *source;

static void *serve_pages(void *argument)
{
	const int faulted = *(int *)argument;
	struct uffd_msg message;
	while (read(faulted, &message, sizeof message) == sizeof message) {
		const size_t at = (size_t)(message.arg.pagefault.address - (uintptr_t)memory) /
		                  page_bytes * page_bytes;
		struct uffdio_copy copy = {.dst = (uintptr_t)memory + at,
		                           .src = (uintptr_t)source + at,
		                           .len = page_bytes};
		ioctl(faulted, UFFDIO_COPY, &copy);
		atomic_fetch_add(&faults, 1);
	}
	return NULL;
}

static void serve(void)
{
	static int faulted;
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register range = {.mode = UFFDIO_REGISTER_MODE_MISSING};
	pthread_t thread;
	faulted = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (faulted < 0 || ioctl(faulted, UFFDIO_API, &api) != 0) {
		puts("skipped: no userfaultfd");
		return;
	}
	take_memory(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	source = malloc(MATRICES * matrix_bytes);
	memcpy(source, memory, MATRICES * matrix_bytes);
	range.range.start = (uintptr_t)memory;
	range.range.len = MATRICES * matrix_bytes;
	ioctl(faulted, UFFDIO_REGISTER, &range);
	pthread_create(&thread, NULL, serve_pages, &faulted);
	for (int round = 0; round < CALLS - 1; round++) {
		madvise(memory, MATRICES * matrix_bytes, MADV_DONTNEED);
		call(round);
		printf("served: result %016llx, faults %s\n", digest(),
		       atomic_load(&faults) > 0 ? "some" : "none");
		atomic_store(&faults, 0);
	}
}

int main(int count, char **arguments)
{
	const char *way = count > 1 ? arguments[1] : "";
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	caller = (pid_t)syscall(SYS_gettid);
	if (strcmp(way, "lazy") == 0)
		page_lazily(0);
	if (strcmp(way, "evicting") == 0)
		page_lazily(KEPT);
	if (strcmp(way, "barrier") == 0)
		note_writes();
	if (strcmp(way, "cut") == 0)
		lose_pages(false);
	if (strcmp(way, "leaving") == 0)
		lose_pages(true);
	if (strcmp(way, "keys") == 0)
		lock_pages();
	if (strcmp(way, "userfaultfd") == 0)
		serve();
	return 0;
}
