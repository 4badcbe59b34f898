/* schedule_check_test.c - the checker takes right events, and refuses each kind of error */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/common/spawn.h"
#include "tests/schedule/schedule_check.h"

enum { LINES = 24, EDITS = 4, WORDS = 10, LINE_BYTES = 400 };

/*
 * One byte per ns each way, half of that while both ways move; one flop per ns; 1 us per operation.
 */
static const char clock_text[] =
	"# for these events\nup_gbytes_s = 1\ndown_gbytes_s = 1\nduplex = 0.5\n"
	"operation_us = 1\ndgemm_tflops_s = 0.001\ntile = 16\nunits = 2\n"
	"memory_gbytes_s = 2\nfft_passes = 3\nsolver_lu_us = 2\n";

struct events_example {
	const char *name;
	char *call[WORDS];
	const char *line[LINES];
};

/*
 * C := A B, 32 x 32 x 32: A at 10000, two panels of B at 20000 and 21000, of C at 30000 and 31000.
 * The first panel in two slices of k; it is stored while the second panel of B is loaded.
 */
static struct events_example product = {
	"gemm",
	{"routine=gemm", "element=D", "m=32", "n=32", "k=32", "order=columns", "group=16",
         "width=16", "slice=16"},
	{
		"op=1 kind=h2d device=0 stream=1 engine=up issue_ns=0 start_ns=0 end_ns=9192 "
		"bytes=8192 writes=10000:8192:8192:1 host=7f0000000000",
		"op=2 kind=h2d device=0 stream=1 engine=up issue_ns=0 start_ns=9192 end_ns=14288 "
		"bytes=4096 writes=20000:4096:4096:1",
		"op=3 kind=record device=0 stream=1 engine=none issue_ns=0 start_ns=14288 "
		"end_ns=14288 mark=1",
		"op=4 kind=wait device=0 stream=2 engine=none issue_ns=0 start_ns=14288 "
		"end_ns=14288 mark=1",
		"op=5 kind=kernel device=0 stream=2 engine=work issue_ns=0 start_ns=14288 "
		"end_ns=31672 flops=16384 area=512 name=cublasDgemm_v2 "
		"reads=10000:256:256:16,20000:256:128:16 writes=30000:256:256:16",
		"op=6 kind=kernel device=0 stream=2 engine=work issue_ns=0 start_ns=31672 "
		"end_ns=49056 flops=16384 area=512 name=cublasDgemm_v2 "
		"reads=11000:256:256:16,20080:256:128:16,30000:256:256:16 writes=30000:256:256:16",
		"op=7 kind=record device=0 stream=2 engine=none issue_ns=0 start_ns=49056 "
		"end_ns=49056 mark=2",
		"op=8 kind=wait device=0 stream=3 engine=none issue_ns=0 start_ns=49056 "
		"end_ns=49056 mark=2",
		"op=9 kind=d2h device=0 stream=3 engine=down issue_ns=49056 start_ns=49056 "
		"end_ns=58248 bytes=4096 reads=30000:4096:4096:1",
		"op=10 kind=h2d device=0 stream=1 engine=up issue_ns=49056 start_ns=49056 "
		"end_ns=58248 bytes=4096 writes=21000:4096:4096:1",
		"op=11 kind=record device=0 stream=1 engine=none issue_ns=49056 start_ns=58248 "
		"end_ns=58248 mark=3",
		"op=12 kind=wait device=0 stream=2 engine=none issue_ns=49056 start_ns=58248 "
		"end_ns=58248 mark=3",
		"op=13 kind=kernel device=0 stream=2 engine=work issue_ns=49056 start_ns=58248 "
		"end_ns=92016 flops=32768 area=512 name=cublasDgemm_v2 "
		"reads=10000:256:256:32,21000:256:256:16 writes=31000:256:256:16",
		"op=14 kind=record device=0 stream=2 engine=none issue_ns=49056 start_ns=92016 "
		"end_ns=92016 mark=4",
		"op=15 kind=wait device=0 stream=3 engine=none issue_ns=49056 start_ns=92016 "
		"end_ns=92016 mark=4",
		"op=16 kind=d2h device=0 stream=3 engine=down issue_ns=49056 start_ns=92016 "
		"end_ns=97112 bytes=4096 reads=31000:4096:4096:1",
	},
};

/*
 * A X = B, A lower of order 32 in two strips, of which the second lacks its upper half; all in one
 * stream.
 */
static struct events_example solution = {
	"trsm",
	{"routine=trsm", "element=D", "side=L", "uplo=L", "m=32", "n=16", "k=32", "order=columns",
         "slice=16", "memory_mb=1"},
	{
		"op=1 kind=h2d device=0 stream=1 engine=up issue_ns=0 start_ns=0 end_ns=5096 "
		"bytes=4096 writes=10000:256:256:16",
		"op=2 kind=h2d device=0 stream=1 engine=up issue_ns=0 start_ns=5096 end_ns=8144 "
		"bytes=2048 writes=11080:256:128:16",
		"op=3 kind=h2d device=0 stream=1 engine=up issue_ns=0 start_ns=8144 end_ns=13240 "
		"bytes=4096 writes=20000:256:256:16",
		"op=4 kind=kernel device=0 stream=1 engine=work issue_ns=0 start_ns=13240 "
		"end_ns=30624 flops=16384 area=512 name=cublasDtrsm_v2 "
		"reads=10000:256:256:32,20000:256:256:16 writes=20000:256:256:16",
		"op=5 kind=d2h device=0 stream=1 engine=down issue_ns=0 start_ns=30624 "
		"end_ns=35720 bytes=4096 reads=20000:4096:4096:1",
	},
};

/* One triangle of A A', in one kernel; two strips are stored, the second without its upper half. */
static struct events_example update = {
	"syrk",
	{"routine=syrk", "element=D", "uplo=L", "m=32", "n=32", "k=16", "order=columns",
         "width=16"},
	{
		"op=1 kind=h2d device=0 stream=1 engine=up issue_ns=0 start_ns=0 end_ns=5096 "
		"bytes=4096 writes=10000:4096:4096:1",
		"op=2 kind=kernel device=0 stream=1 engine=work issue_ns=0 start_ns=5096 "
		"end_ns=38864 flops=16896 area=528 name=cublasDsyrk_v2 reads=10000:256:256:16 "
		"writes=20000:256:256:32",
		"op=3 kind=d2h device=0 stream=1 engine=down issue_ns=0 start_ns=38864 "
		"end_ns=43960 bytes=4096 reads=20000:256:256:16",
		"op=4 kind=d2h device=0 stream=1 engine=down issue_ns=0 start_ns=43960 "
		"end_ns=47008 bytes=2048 reads=21080:256:128:16",
	},
};

/*
 * Four transforms of 64 points in two pairs, in place: 2048 bytes each, which 3 passes read and
 * write.
 */
static struct events_example transforms = {
	"fft",
	{"routine=fft", "element=Z", "n=64", "howmany=4", "in_place=1"},
	{
		"op=1 kind=h2d device=0 stream=1 engine=up issue_ns=0 start_ns=0 end_ns=3048 "
		"bytes=2048 writes=10000:2048:2048:1",
		"op=2 kind=kernel device=0 stream=1 engine=work issue_ns=0 start_ns=3048 "
		"end_ns=10192 name=cufftExecZ2Z reads=10000:2048:2048:1 writes=10000:2048:2048:1",
		"op=3 kind=h2d device=0 stream=2 engine=up issue_ns=0 start_ns=3048 end_ns=6096 "
		"bytes=2048 writes=11000:2048:2048:1",
		"op=4 kind=kernel device=0 stream=2 engine=work issue_ns=0 start_ns=10192 "
		"end_ns=17336 name=cufftExecZ2Z reads=11000:2048:2048:1 writes=11000:2048:2048:1",
		"op=5 kind=d2h device=0 stream=1 engine=down issue_ns=0 start_ns=10192 "
		"end_ns=13240 bytes=2048 reads=10000:2048:2048:1",
		"op=6 kind=d2h device=0 stream=2 engine=down issue_ns=0 start_ns=17336 "
		"end_ns=20384 bytes=2048 reads=11000:2048:2048:1",
	},
};

/*
 * LU of order 512 in two panels, at 100000; pivots at 900000 and 901000. The rows of the first
 * panel are exchanged last: the first row is named, all below it may be meant.
 */
static struct events_example factorization = {
	"getrf",
	{"routine=getrf", "element=D", "m=512", "n=512", "order=panels"},
	{
		"op=1 kind=h2d device=0 stream=1 engine=up issue_ns=0 start_ns=0 "
		"end_ns=1049576 bytes=1048576 writes=100000:4096:4096:256",
		"op=2 kind=record device=0 stream=1 engine=none issue_ns=0 start_ns=1049576 "
		"end_ns=1049576 mark=1",
		"op=3 kind=wait device=0 stream=2 engine=none issue_ns=0 start_ns=1049576 "
		"end_ns=1049576 mark=1",
		"op=4 kind=kernel device=0 stream=2 engine=work issue_ns=0 start_ns=1049576 "
		"end_ns=29524603 flops=27962027 area=131072 name=cusolverDnXgetrf reads=100000:4096:4096:256 writes=100000:4096:4096:256",
		"op=5 kind=h2d device=0 stream=1 engine=up issue_ns=0 start_ns=1049576 "
		"end_ns=2099152 bytes=1048576 writes=200000:4096:4096:256",
		"op=6 kind=record device=0 stream=1 engine=none issue_ns=0 start_ns=2099152 "
		"end_ns=2099152 mark=2",
		"op=7 kind=d2h device=0 stream=2 engine=down issue_ns=0 start_ns=29524603 "
		"end_ns=29526603 bytes=2048 reads=900000:2048:2048:1",
		"op=8 kind=h2d device=0 stream=2 engine=up issue_ns=29526603 start_ns=29526603 "
		"end_ns=29528603 bytes=1024 writes=901000:1024:1024:1",
		"op=9 kind=wait device=0 stream=2 engine=none issue_ns=29526603 start_ns=29528603 "
		"end_ns=29528603 mark=2",
		"op=10 kind=kernel device=0 stream=2 engine=work issue_ns=29526603 start_ns=29528603 "
		"end_ns=29531603 area=65536 name=cusolverDnDlaswp reads=200000:4096:2048:256 writes=200000:4096:2048:256",
		"op=11 kind=kernel device=0 stream=2 engine=work issue_ns=29526603 start_ns=29531603 "
		"end_ns=46309819 flops=16777216 area=65536 name=cublasDtrsm_v2 reads=100000:4096:2048:256,200000:4096:2048:256 writes=200000:4096:2048:256",
		"op=12 kind=kernel device=0 stream=2 engine=work issue_ns=29526603 start_ns=46309819 "
		"end_ns=79865251 flops=33554432 area=65536 name=cublasDgemm_v2 reads=100800:4096:2048:256,200000:4096:2048:256,200800:4096:2048:256 writes=200800:4096:2048:256",
		"op=13 kind=kernel device=0 stream=2 engine=work issue_ns=29526603 start_ns=79865251 "
		"end_ns=91563062 flops=11184811 area=65536 name=cusolverDnXgetrf reads=200800:4096:2048:256 writes=200800:4096:2048:256",
		"op=14 kind=d2h device=0 stream=2 engine=down issue_ns=29526603 start_ns=91563062 "
		"end_ns=91565062 bytes=2048 reads=900000:2048:2048:1",
		"op=15 kind=h2d device=0 stream=2 engine=up issue_ns=91565062 start_ns=91565062 "
		"end_ns=91567062 bytes=1024 writes=901000:1024:1024:1",
		"op=16 kind=kernel device=0 stream=2 engine=work issue_ns=91565062 start_ns=91567062 "
		"end_ns=91570062 area=256 name=cusolverDnDlaswp reads=100800:4096:8:256 writes=100800:4096:8:256",
		"op=17 kind=record device=0 stream=2 engine=none issue_ns=91565062 start_ns=91570062 "
		"end_ns=91570062 mark=3",
		"op=18 kind=wait device=0 stream=3 engine=none issue_ns=91565062 start_ns=91570062 "
		"end_ns=91570062 mark=3",
		"op=19 kind=d2h device=0 stream=3 engine=down issue_ns=91565062 start_ns=91570062 "
		"end_ns=92623734 bytes=1052672 reads=100000:4096:2056:512",
		"op=20 kind=d2h device=0 stream=3 engine=down issue_ns=91565062 start_ns=92623734 "
		"end_ns=93669214 bytes=1044480 reads=100808:4096:2040:512",
	},
};

/*
 * In the line of this event the word with the same key becomes this one; word NULL: the line is
 * left out.
 */
struct edit {
	int event;
	const char *word;
};

/* What the checker must say of an example with these edits. */
struct error_case {
	struct events_example *example;
	const char *says;
	struct edit edit[EDITS];
};

/* clang-format off */
static const struct error_case error_cases[] = {
	{&product, "begins while its engine is busy with 1",
	 {{2, "start_ns=9000"}, {2, "end_ns=14096"}}},
	{&product, "is on the wrong engine", {{16, "engine=up"}}},
	{&product, "issued, begins and ends in another order", {{9, "issue_ns=50000"}}},
	{&product, "is issued before the one in front of it", {{10, "issue_ns=1000"}}},
	{&product, "(cublasDgemm_v2) takes 33000 ns instead of 33768", {{13, "end_ns=91248"}}},
	{&product, "takes 33768 ns instead of 62681",
	 {{13, "area=1024"}, {13, "writes=31000:256:256:17"}}},
	{&product, "is none that the checker knows", {{13, "name=cublasDgemv_v2"}}},
	{&product, "copy 16 of 4096 bytes takes 4984 ns, in which 3984 bytes move",
	 {{16, "end_ns=97000"}}},
	{&product, "copy 10 of 4096 bytes takes 5096 ns",
	 {{9, "end_ns=54152"}, {10, "end_ns=54152"}}},
	{&product, "copy 1 of 8192 bytes takes 8192 ns", {{1, "end_ns=8192"}}},
	{&product, "5 reads what is written by 2, which has not ended",
	 {{5, "start_ns=14000"}, {5, "end_ns=31384"}}},
	{&product, "5 reads what is written by 1, and nothing makes it wait", {{4, NULL}}},
	{&product, "5 reads what is written by 2, and nothing makes it wait",
	 {{3, "op=1"}, {1, "op=3"}}},
	{&product, "4 waits for a mark that nothing set", {{4, "mark=7"}}},
	{&product, "9 reads what is written by 6, and nothing makes it wait",
	 {{8, NULL}, {9, "issue_ns=0"}}},
	{&product, "10 overwrites what is read by 6, and nothing makes it wait",
	 {{9, "issue_ns=0"}, {10, "issue_ns=0"}, {10, "writes=20000:4096:4096:1"}}},
	{&product, "10 overwrites what is read by 9, which has not ended",
	 {{10, "writes=30f00:4096:4096:1"}}},
	{&product, "5 overwrites what is written by 2, and nothing makes it wait",
	 {{4, NULL}, {5, "reads=10000:256:256:16,30000:256:128:16"},
	  {5, "writes=20000:256:256:16"}}},
	{&product, "13 reads what nothing wrote at 21000", {{10, "writes=21010:4096:4096:1"}}},
	{&product, "9 stores a result that is not final", {{6, NULL}}},
	{&product, "16 stores a result that is not final",
	 {{13, "flops=65536"}, {13, "end_ns=124784"}}},
	{&product, "16 stores a result a second time at 30000", {{16, "reads=30000:4096:4096:1"}}},
	{&product, "16 stores what no kernel computed at 21000", {{16, "reads=21000:4096:4096:1"}}},
	{&product, "6 overwrites a result that was not stored",
	 {{6, "reads=11000:256:256:16,20080:256:128:16"}}},
	{&product, "13 changes what was stored already at 30000",
	 {{13, "reads=10000:256:256:32,21000:256:256:16,30000:256:256:16"},
	  {13, "writes=30000:256:256:16"}}},
	{&product, "4096 bytes of results were never stored", {{16, NULL}}},
	{&product, "bytes down: 4096 instead of 8192", {{16, NULL}}},
	{&product, "bytes up: 12288 instead of 16384", {{10, NULL}}},
	{&product, "multiplications: 16384 instead of 32768", {{13, NULL}}},
	{&product, "1 does not say what it uses", {{1, "bytes=8000"}}},
	{&product, "10 does not say what it uses, or copies within", {{10, "kind=d2d"}}},
	{&solution, "4 reads what nothing wrote at 11080", {{2, "writes=11088:256:128:16"}}},
	{&solution, "bytes up: 8192 instead of", {{2, NULL}}},
	{&solution, "bytes up: 12288 instead of",
	 {{2, "bytes=4096"}, {2, "writes=11000:256:256:16"}, {2, "end_ns=10192"}}},
	{&solution, "multiplications: 16384 instead of 8192",
	 {{4, "flops=32768"}, {4, "end_ns=47008"}}},
	{&solution, "2035712 bytes of memory are in use, the limit is 1 MB",
	 {{3, "writes=200000:256:256:16"}, {4, "reads=10000:256:256:32,200000:256:256:16"},
	  {4, "writes=200000:256:256:16"}, {5, "reads=200000:4096:4096:1"}}},
	{&update, "2 (cublasDsyrk_v2) takes 17384 ns instead of 33768", {{2, "end_ns=22480"}}},
	{&update, "0 final bytes of the triangle's 4224 were stored",
	 {{2, "flops=8448"}, {2, "end_ns=22480"}}},
	{&update, "1088 bytes of results were never stored", {{4, NULL}}},
	{&update, "bytes down: 8192 instead of 4224 to 6144",
	 {{4, "bytes=4096"}, {4, "reads=21000:256:256:16"}}},
	{&transforms, "2 (cufftExecZ2Z) takes 7000 ns instead of 7144", {{2, "end_ns=10048"}}},
	{&transforms, "4 reads what is written by 3, which has not ended",
	 {{3, "stream=3"}, {3, "end_ns=11000"}}},
	{&transforms, "5 stores what no kernel computed", {{2, NULL}}},
	{&transforms, "bytes down: 2048 instead of 4096", {{6, NULL}}},
	{&transforms, "5 stores a result that is not final",
	 {{4, "reads=10000:2048:2048:1"}, {4, "writes=10000:2048:2048:1"}}},
	{&factorization, "11 reads what is written by 10, which has not ended",
	 {{10, "end_ns=46309719"}}},
	{&factorization, "19 reads what is written by 16, and nothing makes it wait", {{18, NULL}}},
	{&factorization, "20 reads what is written by 16, and nothing makes it wait",
	 {{20, "stream=4"}}},
	{&factorization, "4 (cusolverDnXgetrf) takes", {{4, "flops=27000000"}}},
	{&factorization, "bytes down: 1056768 instead of", {{20, NULL}}},
	{&factorization, "bytes up: 1050624 instead of", {{5, NULL}}},
	{&factorization, "bytes up: 3147776 instead of 2097152 to",
	 {{5, "bytes=2097152"}, {5, "writes=200000:4096:4096:512"}}},
	{&factorization, "operations: 55924054 instead of 89478485", {{12, NULL}}},
	{&product, "16 failed with 700", {{16, "bytes=4096 error=700"}}},
};
/* clang-format on */

static char folder[] = "/tmp/gpushim-schedule-XXXXXX", events_path[64], clock_path[64];
static int failures, held;

static void expect(bool holds, const struct events_example *example, const char *wanted,
                   const char *got)
{
	held += holds;
	failures += !holds;
	if (!holds)
		printf("%s: expected '%s', the checker says:\n%s\n", example->name, wanted, got);
}

static FILE *open_file(const char *path)
{
	FILE *file = fopen(path, "w");
	if (file != NULL)
		return file;
	printf("%s: %s\n", path, strerror(errno));
	exit(1);
}

static bool is_same_key(const char *word, const char *other)
{
	const size_t length = strcspn(other, "=") + 1;
	return strncmp(word, other, length) == 0;
}

static void write_line(FILE *file, const char *line, int event, const struct edit edit[EDITS])
{
	char copy[LINE_BYTES], *rest = NULL;
	snprintf(copy, sizeof copy, "%s", line);
	for (int i = 0; i < EDITS; i++)
		if (edit[i].event == event && edit[i].word == NULL)
			return;
	for (char *word = strtok_r(copy, " ", &rest); word != NULL;
	     word = strtok_r(NULL, " ", &rest)) {
		const char *now = word;
		for (int i = 0; i < EDITS; i++)
			if (edit[i].event == event && is_same_key(word, edit[i].word))
				now = edit[i].word;
		fprintf(file, "%s ", now);
	}
	fprintf(file, "\n");
}

static const struct spawn_result *run_checker(char *checker, const struct events_example *example,
                                              const struct edit edit[EDITS], const char *more)
{
	static struct spawn_result result;
	char *arguments[WORDS + 4] = {checker, events_path, clock_path};
	FILE *file = open_file(events_path);
	for (int i = 0; i < LINES && example->line[i] != NULL; i++)
		write_line(file, example->line[i], i + 1, edit);
	fprintf(file, "%s", more);
	fclose(file);
	for (int i = 0; i < WORDS && example->call[i] != NULL; i++)
		arguments[i + 3] = example->call[i];
	spawn_run(arguments, NULL, true, &result);
	return &result;
}

static void expect_accepted(char *checker, const struct events_example *example, const char *line)
{
	const struct edit none[EDITS] = {{0, NULL}};
	const struct spawn_result *result = run_checker(checker, example, none, "");
	expect(result->status == 0 && strcmp(result->output, line) == 0, example, line,
	       result->output);
}

static void expect_refused(char *checker, const struct error_case *error)
{
	const struct spawn_result *result = run_checker(checker, error->example, error->edit, "");
	const bool refused = WIFEXITED(result->status) && WEXITSTATUS(result->status) == 1;
	expect(refused && strstr(result->output, error->says) != NULL, error->example, error->says,
	       result->output);
}

/* A file that is no list of events must not pass for one without errors. */
static void expect_not_understood(char *checker, const char *line)
{
	const struct edit none[EDITS] = {{0, NULL}};
	const struct spawn_result *result = run_checker(checker, &product, none, line);
	const bool stopped = WIFEXITED(result->status) && WEXITSTATUS(result->status) == 2;
	expect(stopped && strstr(result->output, ":17: not an operation") != NULL, &product, line,
	       result->output);
}

/*
 * Counted by hand: blocks row by row and back again, slices of k likewise, with a given number of
 * slices of A and B kept.
 */
static void expect_counts(void)
{
	const struct schedule_call square = {
		.m = 32, .n = 32, .k = 32, .group = 16, .width = 16, .slice = 16};
	const struct schedule_call ragged = {
		.m = 40, .n = 16, .k = 20, .group = 16, .width = 16, .slice = 16};
	const double got[] = {schedule_blocks_count(&square, 1, 1),
	                      schedule_blocks_count(&square, 2, 2),
	                      schedule_blocks_count(&ragged, 1, 1)};
	const double wanted[] = {(6 + 7) * 256, (4 + 6) * 256, 40 * 20 + (20 + 16 + 4) * 16};
	for (int i = 0; i < 3; i++) {
		held += got[i] == wanted[i];
		failures += got[i] != wanted[i];
		if (got[i] != wanted[i])
			printf("blocks: %.0f elements instead of %.0f\n", got[i], wanted[i]);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2 || mkdtemp(folder) == NULL) {
		printf("usage: schedule_check_test CHECKER\n");
		return 2;
	}
	snprintf(events_path, sizeof events_path, "%s/events", folder);
	snprintf(clock_path, sizeof clock_path, "%s/clock", folder);
	FILE *file = open_file(clock_path);
	fprintf(file, "%s", clock_text);
	fclose(file);
	expect_accepted(
		argv[1], &product,
		"time_ms=0.0971 bound_ms=0.0655 ratio=1.4818 up_bytes=16384 down_bytes=8192 "
		"loads=3 kernels=3 "
		"stores=2\n");
	expect_accepted(
		argv[1], &solution,
		"time_ms=0.0357 bound_ms=0.0166 ratio=2.1466 up_bytes=10240 down_bytes=4096 "
		"loads=3 kernels=1 "
		"stores=1\n");
	expect_accepted(argv[1], &transforms,
	                "time_ms=0.0204 bound_ms=0.0082 ratio=2.4883 up_bytes=4096 "
	                "down_bytes=4096 loads=2 kernels=2 "
	                "stores=2\n");
	expect_accepted(argv[1], &factorization,
	                "time_ms=93.6692 bound_ms=90.5025 ratio=1.0350 up_bytes=2099200 "
	                "down_bytes=2101248 loads=4 kernels=6 "
	                "stores=4\n");
	expect_accepted(argv[1], &update,
	                "time_ms=0.0470 bound_ms=0.0169 ratio=2.7822 up_bytes=4096 "
	                "down_bytes=6144 loads=1 kernels=1 "
	                "stores=2\n");
	expect_counts();
	for (size_t i = 0; i < sizeof error_cases / sizeof error_cases[0]; i++)
		expect_refused(argv[1], &error_cases[i]);
	expect_not_understood(argv[1], "op=17 kind=kernel engine=work reads=1:2:3\n");
	expect_not_understood(argv[1], "op=17 kind=swap\n");
	expect_not_understood(argv[1], "garbage\n");
	unlink(events_path);
	unlink(clock_path);
	rmdir(folder);
	printf("schedule_check: %d expectations held, %d failed\n", held, failures);
	return failures == 0 ? 0 : 1;
}
