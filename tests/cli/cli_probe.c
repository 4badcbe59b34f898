/* cli_probe.c - a program whose first argument selects its behaviour, for the tests of the tool */
/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/cli/cli_fake.h"
#include "tests/driver/acts.h"

enum { PROBE_LARGE = 1000, PROBE_SMALL = 8 };

static double probe_a[PROBE_LARGE * PROBE_LARGE], probe_b[PROBE_LARGE * PROBE_LARGE],
	probe_c[PROBE_LARGE * PROBE_LARGE];

static void probe_multiply(int n, int times)
{
	const double one = 1, zero = 0;
	while (times-- > 0)
		dgemm_("N", "N", &n, &n, &n, &one, probe_a, &n, probe_b, &n, &zero, probe_c, &n, 1,
		       1);
}

/* 3 large and 5 small products. */
static int probe_calls(void)
{
	probe_multiply(PROBE_LARGE, 3);
	probe_multiply(PROBE_SMALL, 5);
	printf("sum %.12f\n", probe_c[0]);
	return 0;
}

/* One large product, after which the program lives until threads made by it have ended. */
static int probe_outlive(void)
{
	probe_multiply(PROBE_LARGE, 1);
	fake_outlive_threads();
	return 0;
}

static int probe_fork(void)
{
	probe_multiply(PROBE_SMALL, 2);
	if (fork() == 0) {
		probe_multiply(PROBE_SMALL, 4);
		exit(0);
	}
	wait(NULL);
	return 3;
}

static int probe_killed(void)
{
	probe_multiply(PROBE_SMALL, 7);
	raise(SIGKILL);
	return 0;
}

/* Counts the signals that it receives, and ends at the first. */
static void probe_catch(int signal)
{
	static const char said[] = "caught\n";
	(void)signal;
	if (write(STDOUT_FILENO, said, strlen(said)) > 0)
		_exit(9);
}

static int probe_wait(void)
{
	signal(SIGTERM, probe_catch);
	puts("ready");
	fflush(stdout);
	sleep(30);
	return 0;
}

static int probe_is_shimmed(void)
{
	const char *preload = getenv("LD_PRELOAD");
	return preload != NULL && strstr(preload, "libgpushim.so") != NULL;
}

static int probe_differ(void)
{
	printf("first line\nenergy %s\n", probe_is_shimmed() ? "1.25" : "1.5");
	return 0;
}

static int probe_nearly(void)
{
	printf("step 3 energy %s overlap %s\n", probe_is_shimmed() ? "1.5000000000001" : "1.5",
	       probe_is_shimmed() ? "-1e-16" : " 2e-17");
	return 0;
}

static int probe_whole(void)
{
	printf("1000000000000 iterations %d\n", probe_is_shimmed() ? 18 : 17);
	return 0;
}

/* A slow-down so large that the noise of a busy machine cannot hide it. */
static int probe_slower(void)
{
	nanosleep(&(struct timespec){.tv_nsec = probe_is_shimmed() ? 150000000 : 5000000}, NULL);
	return 0;
}

/* More output than compare keeps, equal except for the last line. */
static int probe_huge(void)
{
	char line[1000];
	memset(line, 'x', sizeof line - 1);
	line[sizeof line - 1] = '\n';
	for (int i = 0; i < 280000; i++)
		fwrite(line, 1, sizeof line, stdout);
	puts(getenv("PROBE_DIFFERS") != NULL && probe_is_shimmed() ? "other" : "the end");
	return 0;
}

static int probe_status(void)
{
	fprintf(stderr, "probe: I end with a status\n");
	return probe_is_shimmed() ? 4 : 0;
}

static int probe_unstable(void)
{
	printf("process number %d\n", (int)getpid());
	return 0;
}

/* A file of counters that ends too early, and a log with lines that are no records. */
static int probe_truncate(void)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/gpushim-1-1.counters", getenv("EPOCHLY_GPU_COUNTERS"));
	FILE *file = fopen(path, "w");
	if (file == NULL)
		return 1;
	fputs("gpushim", file);
	return fclose(file);
}

static int probe_garble(void)
{
	const char *path = getenv("EPOCHLY_GPU_LOG");
	FILE *file = path != NULL ? fopen(path, "a") : NULL;
	if (file != NULL) {
		fputs("no record\n{\"symbol\":\"dgemm_\",\"bytes\":\n\n", file);
		fclose(file);
	}
	return probe_calls();
}

static int probe_echo(void)
{
	for (int letter; (letter = getchar()) != EOF;)
		putchar(letter);
	return 0;
}

static int probe_environment(void)
{
	const char *preload = getenv("LD_PRELOAD"),
		   *threshold = getenv("EPOCHLY_GPU_WORKLOAD_THRESHOLD");
	printf("LD_PRELOAD %s\nthreshold %s\n", preload != NULL ? preload : "-",
	       threshold != NULL ? threshold : "-");
	return 0;
}

int main(int count, char **words)
{
	static const struct act acts[] = {
		{"calls", probe_calls},       {"outlive", probe_outlive},
		{"fork", probe_fork},         {"killed", probe_killed},
		{"wait", probe_wait},         {"differ", probe_differ},
		{"nearly", probe_nearly},     {"whole", probe_whole},
		{"status", probe_status},     {"slower", probe_slower},
		{"huge", probe_huge},         {"echo", probe_echo},
		{"garble", probe_garble},     {"unstable", probe_unstable},
		{"truncate", probe_truncate}, {"environment", probe_environment},
	};
	return acts_run(acts, sizeof acts / sizeof acts[0], count, words);
}
