/* arithmetic.c - calls in each floating-point environment, which they keep: arithmetic WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <fenv.h>
#include <fftw3.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc);

enum { ORDER = 70, LENGTH = 480 };

/* -- the environment -- */

struct registers {
	unsigned sse;
	unsigned short x87;
};

static struct registers read_registers(void)
{
	struct registers now = {0, 0};
#if defined(__x86_64__)
	now.sse = __builtin_ia32_stmxcsr() & ~0x3fu; /* without the flags */
	__asm__ volatile("fnstcw %0" : "=m"(now.x87));
#else
	now.sse = (unsigned)fegetround();
#endif
	return now;
}

static void set_registers(struct registers to)
{
#if defined(__x86_64__)
	__builtin_ia32_ldmxcsr(to.sse);
	__asm__ volatile("fldcw %0" : : "m"(to.x87));
#else
	(void)to;
#endif
}

static int keeps_flags; /* raised before the first call, and never cleared */

/* One line: the environment and the flags raised since the last line. Unbuffered, for forks. */
static void say(const char *step)
{
	char line[120];
	const struct registers now = read_registers();
	const int flags = fetestexcept(FE_ALL_EXCEPT);
	const int length = snprintf(line, sizeof line, "%-16s sse %04x x87 %04x flags %02x\n", step,
	                            now.sse, now.x87, (unsigned)flags);
	if (write(1, line, (size_t)length) != length)
		_exit(9);
	if (!keeps_flags)
		feclearexcept(FE_ALL_EXCEPT);
}

static void say_at_exit(void)
{
	say("exit handler");
}

/* -- calls -- */

static double a[ORDER * ORDER], b[ORDER * ORDER], c[ORDER * ORDER];

/* Results are compared bit by bit where only the CPU has the arithmetic. */
static int shows_results;

static void say_result(const char *step, const double *result, size_t count)
{
	unsigned long long sum = 0;
	char line[80];
	for (size_t i = 0; i < count; i++) {
		unsigned long long bits;
		memcpy(&bits, &result[i], sizeof bits);
		sum = sum * 31 + bits;
	}
	snprintf(line, sizeof line, "%s %llx", step, shows_results ? sum : 0);
	say(line);
}

static void fill(void)
{
	for (int i = 0; i < ORDER * ORDER; i++) {
		a[i] = (i * 7919 % 1000) / 1000.0 - 0.4;
		b[i] = (i * 104729 % 1000) / 1000.0 - 0.6;
		c[i] = (i % 17) / 16.0;
	}
	for (int i = 0; i < ORDER; i++)
		a[i * (ORDER + 1)] = ORDER;
}

static void multiply(double beta)
{
	const int n = ORDER;
	const double alpha = 0.7;
	dgemm_("N", "T", &n, &n, &n, &alpha, a, &n, b, &n, &beta, c, &n);
}

static void products(void)
{
	const int n = ORDER;
	const double one = 1.1;
	multiply(0);
	say_result("dgemm", c, ORDER * ORDER);
	multiply(0.3);
	say_result("dgemm beta", c, ORDER * ORDER);
	dsyrk_("U", "N", &n, &n, &one, a, &n, &one, c, &n);
	say_result("dsyrk", c, ORDER * ORDER);
	dtrsm_("L", "U", "N", "N", &n, &n, &one, a, &n, c, &n);
	say_result("dtrsm", c, ORDER * ORDER);
}

static void (*before_execution)(void);

static void transform(unsigned flags)
{
	fftw_complex *x = fftw_malloc(2 * sizeof *x * LENGTH), *y = x + LENGTH;
	say("malloc");
	fftw_plan plan = fftw_plan_dft_1d(LENGTH, x, y, FFTW_FORWARD, flags);
	feclearexcept(FE_INEXACT | FE_UNDERFLOW); /* a planner measures what it likes */
	say("plan");
	for (int i = 0; i < LENGTH; i++)
		x[i] = a[i] + b[i] * (double complex)I;
	if (before_execution != NULL)
		before_execution();
	say("filled");
	fftw_execute(plan);
	say_result("execute", (double *)y, 2 * LENGTH);
	for (int i = 0; i < 8; i++)
		fftw_execute_dft(plan, x, y);
	say_result("execute again", (double *)y, 2 * LENGTH);
	fftw_destroy_plan(plan);
	say("destroy");
	fftw_free(x);
	say("free");
}

static void in_handler(int number)
{
	(void)number;
	multiply(0);
	say("handler");
}

static void *in_thread(void *unused)
{
	const int n = ORDER;
	const double alpha = 0.7, beta = 0;
	double *own = malloc(sizeof c);
	const struct registers before = read_registers();
	for (int i = 0; i < 5; i++)
		dgemm_("N", "T", &n, &n, &n, &alpha, a, &n, b, &n, &beta, own, &n);
	const struct registers after = read_registers();
	free(own);
	return memcmp(&before, &after, sizeof before) == 0 ? unused : NULL;
}

static void crowd(void)
{
	pthread_t thread[4];
	int kept = 0;
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, in_thread, a);
	for (int i = 0; i < 4; i++) {
		void *result = NULL;
		pthread_join(thread[i], &result);
		kept += result != NULL;
	}
	feclearexcept(FE_INEXACT);
	say(kept == 4 ? "threads" : "threads differ");
}

static void family(void)
{
	const pid_t child = fork();
	int status = -1;
	if (child == 0) {
		say("child");
		multiply(0);
		say_result("child's dgemm", c, ORDER * ORDER);
		exit(0);
	}
	waitpid(child, &status, 0);
	say(status == 0 ? "child ended" : "child failed");
}

/* -- the ways -- */

static void trap_three(void)
{
	feclearexcept(FE_ALL_EXCEPT);
	feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
}

static void raise_all(void)
{
	feraiseexcept(FE_ALL_EXCEPT);
#if defined(__x86_64__)
	/* In x87 too. */
	__asm__ volatile("fldz\n\tfld1\n\tfdivp\n\tfstp %%st(0)" : : : "st", "st(1)");
#endif
	keeps_flags = 1;
}

static int prepare(const char *way)
{
	const struct registers now = read_registers();
	static const struct {
		const char *name;
		int round, trap;
		unsigned sse;
		unsigned short x87;
	} ways[] = {{"nearest", FE_TONEAREST, 0, 0, 0},
	            {"upward", FE_UPWARD, 0, 0, 0},
	            {"downward", FE_DOWNWARD, 0, 0, 0},
	            {"towardzero", FE_TOWARDZERO, 0, 0, 0},
	            {"flush", FE_TONEAREST, 0, 0x8040, 0},
	            {"x87-double", FE_TONEAREST, 0, 0, 0x0100},
	            {"x87-upward", FE_TONEAREST, 0, 0, 0x0800},
	            {"trap-invalid", FE_TONEAREST, FE_INVALID, 0, 0},
	            {"trap-zero", FE_TONEAREST, FE_DIVBYZERO, 0, 0},
	            {"trap-overflow", FE_TONEAREST, FE_OVERFLOW, 0, 0},
	            {"trap-underflow", FE_TONEAREST, FE_UNDERFLOW, 0, 0},
	            {"trap-inexact", FE_TONEAREST, FE_INEXACT, 0, 0},
	            {"trap-upward", FE_UPWARD, FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW, 0, 0}};
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
		if (strcmp(way, ways[i].name) == 0) {
			shows_results = ways[i].round != FE_TONEAREST || ways[i].x87 == 0x0800 ||
			                ways[i].trap == FE_UNDERFLOW;
			feclearexcept(FE_ALL_EXCEPT);
			set_registers((struct registers){
				now.sse | ways[i].sse,
				(unsigned short)(ways[i].x87 == 0x0100 ? 0x027f
			                                               : now.x87 | ways[i].x87)});
			if (ways[i].round != FE_TONEAREST)
				fesetround(ways[i].round);
			feenableexcept(ways[i].trap);
			return 0;
		}
	return 1;
}

int main(int count, char **arguments)
{
	const char *way = count > 1 ? arguments[1] : "nearest";
	fill();
	feclearexcept(FE_ALL_EXCEPT);
	atexit(say_at_exit);
	if (strcmp(way, "flags") == 0)
		raise_all();
	else if (strcmp(way, "trap-late") == 0)
		before_execution = trap_three;
	else if (prepare(way) != 0)
		return 2;
	const int bitwise = shows_results;
	say("begin");
	products();
	transform(FFTW_ESTIMATE);
	shows_results = 0; /* a measured plan is another one in each run */
	transform(FFTW_MEASURE);
	shows_results = bitwise;
	signal(SIGUSR1, in_handler);
	raise(SIGUSR1);
	feclearexcept(FE_INEXACT);
	crowd();
	family();
	products();
	return 0;
}
