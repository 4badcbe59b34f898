/* cli_log_test.c - lines of logs, good, odd and mutated, and files of them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/log/log.h"
#include "cli/log/log_sum.h"
#include "shim/record/format.h"
#include "tests/cli/cli_log_check.h"

#define WHOLE                                                                                      \
	"{\"time\":\"2026-11-21T02:10:25.123456Z\",\"pid\":71,\"tid\":72,"                         \
	"\"object\":\"libsolver.so.2\",\"symbol\":\"dgemm_\",\"routine\":\"dgemm\","               \
	"\"sizes\":{\"m\":4096,\"n\":4095,\"k\":4094},"                                            \
	"\"bytes\":402653184,\"flops\":137438953472,\"target\":\"gpu\","                           \
	"\"reason\":\"predicted_faster\",\"device\":1,"                                            \
	"\"math\":\"native\",\"predicted_cpu_ns\":2100000000,\"dry_machine\":\"A100\","            \
	"\"predicted_gpu_ns\":94000000,"                                                           \
	"\"elapsed_ns\":97120345}"

static bool parse(const char *line, struct log_record *record)
{
	return log_parse(line, strlen(line), record, NULL);
}

static bool is_word(struct words words, const char *text)
{
	return words.length == strlen(text) && memcmp(words.text, text, words.length) == 0;
}

static void test_whole_record(void)
{
	struct log_record record;
	expect(parse(WHOLE, &record), "a whole record");
	const unsigned lapack = 1u << LOG_KEY_jobs | 1u << LOG_KEY_info | 1u << LOG_KEY_recipe |
	                        1u << LOG_KEY_workspace | 1u << LOG_KEY_nested;
	const unsigned rare = 1u << LOG_KEY_verify_ratio | 1u << LOG_KEY_calls | 1u << LOG_KEY_pci |
	                      1u << LOG_KEY_cpu_part | 1u << LOG_KEY_cpu_part_ns |
	                      1u << LOG_KEY_gpu_part_ns | 1u << LOG_KEY_sharers |
	                      1u << LOG_KEY_sent | 1u << LOG_KEY_kept | lapack;
	expect((record.seen | rare) == (1u << LOG_KEYS) - 1 && (record.seen & rare) == 0,
	       "it has all keys that every record has");
	expect(record.verify_ratio < 0 && record.total_calls == 0, "one call, not verified");
	expect(record.time_ns == 1795227025123456000 && record.pid == 71 && record.tid == 72,
	       "when and who");
	expect(record.symbol == SYMBOL_dgemm_ && record.family == FAMILY_GEMM &&
	               record.element == ELEMENT_D && record.reason == REASON_PREDICTED_FASTER &&
	               record.target == TARGET_GPU && record.device == 1,
	       "names are resolved");
	expect(record.m == 4096 && record.n == 4095 && record.k == 4094 && record.rank == 0 &&
	               record.problems == -1,
	       "sizes");
	expect(record.size_bytes == 402653184 && record.work_flops == 137438953472, "work");
	expect(record.predicted_cpu_ns == 2100000000 && record.predicted_gpu_ns == 94000000 &&
	               record.elapsed_ns == 97120345,
	       "times");
	expect(is_word(record.object, "libsolver.so.2") && is_word(record.symbol_name, "dgemm_") &&
	               is_word(record.math, "native") && is_word(record.dry_machine, "A100") &&
	               is_word(record.symbol_name_routine, "dgemm"),
	       "words");
}

static void test_odd_records(void)
{
	struct log_record record;
	struct words unknown = {NULL, 0};
	const char newer[] =
		"{\"symbol\":\"dgemm_\",\"lanes\":[1,{\"a\":[true,null,-1.5e3]},\"\\\"\"],\"target\":\"cpu\"}";
	expect(parse("{\"target\":\"cpu\",\"symbol\":\"cblas_zherk\"}", &record),
	       "a record of two keys");
	expect(record.time_ns == -1 && record.pid == -1 && record.elapsed_ns == -1 &&
	               record.predicted_cpu_ns == -1 && record.size_bytes == -1 &&
	               record.reason == -1 && record.object.text == NULL && record.math.length == 0,
	       "what is missing is -1");
	expect(record.family == FAMILY_HERK && record.element == ELEMENT_Z,
	       "a symbol alone tells its routine");
	expect(log_parse(newer, strlen(newer), &record, &unknown) && is_word(unknown, "lanes"),
	       "a newer record");
	expect(parse("{\"symbol\":\"fftw_execute\",\"routine\":\"fftwf_r2c\",\"target\":\"cpu\",\"sizes\":{\"n0\":8,"
	             "\"n1\":9,\"howmany\":3,\"later\":\"x\"}}",
	             &record) &&
	               record.family == FAMILY_FFT_R2C && record.element == ELEMENT_C &&
	               record.rank == 2 && record.dims[0] == 8 && record.dims[1] == 9 &&
	               record.howmany == 3,
	       "a transform's routine and sizes");
	expect(parse(" { \"symbol\" : \"dnew\" , \"target\" : \"gpu\" , \"reason\":\"moon\", \"elapsed_ns\" : 2.5e3 } \r",
	             &record) &&
	               record.symbol == -1 && record.family == -1 && record.reason == -1 &&
	               record.elapsed_ns == 2500 && is_word(record.reason_name, "moon"),
	       "blanks, reals and unknown names");
	expect(parse("{\"symbol\":\"dgemm_\",\"target\":\"cpu\",\"bytes\":9223372036854775807,\"flops\":1e300,"
	             "\"elapsed_ns\":-1,\"time\":\"1677-09-21T00:12:43.145224Z\"}",
	             &record) &&
	               record.size_bytes == INT64_MAX && record.work_flops == INT64_MAX &&
	               record.elapsed_ns == -1 && record.time_ns == -1,
	       "extremes");
}

static void test_no_records(void)
{
	static const char *const broken[] = {
		"",
		" ",
		"{}",
		"{",
		"x",
		"[1]",
		"{\"symbol\":\"dgemm_\"}",
		"{\"target\":\"cpu\"}",
		WHOLE "x",
		WHOLE ",",
		"{\"symbol\":\"dgemm_\",\"target\":\"tpu\"}",
		"{\"symbol\":\"dgemm_\",\"target\":1}",
		"{\"symbol\":7,\"target\":\"cpu\"}",
		"{\"symbol\":\"dgemm_\",\"target\":\"cpu\",\"bytes\":\"1\"}",
		"{\"symbol\":\"dgemm_\",\"target\":\"cpu\",\"bytes\":}",
		"{\"symbol\":\"dgemm_\",\"target\":\"cpu\",}",
		"{\"symbol\":\"dgemm_\",\"target\":\"cpu\",\"bytes\":-}",
		"{\"symbol\":\"dgemm_\",\"target\":\"cpu\",\"pid\":1-2}",
		"{\"symbol\":\"dgemm_\",\"symbol\":\"dgemm_\",\"target\":\"cpu\"}",
		"{\"symbol\" \"dgemm_\",\"target\":\"cpu\"}",
		"{\"symbol\":\"dgemm_\",\"target\":\"cpu\",\"time\":\"yesterday\"}",
		"{\"symbol\":\"dgemm_\",\"target\":\"cpu\",\"time\":\"2026-13-21T02:10:25.123456Z\"}",
		"{\"symbol\":\"dgemm_\",\"target\":\"cpu\",\"sizes\":{\"m\":\"1\"}}",
		"{\"symbol\":\"dgemm_\",\"target\":\"cpu\",\"sizes\":[1]}",
		"{\"symbol\":\"dge\tmm_\",\"target\":\"cpu\"}",
		"{\"symbol\":\"dgemm_\",\"target\":\"cpu\",\"x\":[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}",
		"{\"symbol\":\"dgemm_\",\"target\":\"cpu\",\"x\":tru}",
		"{\"symbol\":\"dgemm_\\"};
	struct log_record record;
	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
		expect(!parse(broken[i], &record), broken[i]);
	for (size_t length = 0; length < strlen(WHOLE); length++)
		expect(!log_parse(WHOLE, length, &record, NULL), "a part of a record is none");
}

/* A line as the shim writes it, of a random call. Returns its length, with its newline. */
static size_t write_random(char out[FORMAT_LINE_BYTES], struct call *call, struct record *record,
                           struct decision *decision)
{
	static struct fft_problem problem;
	static const char *const objects[] = {NULL, "/lib/libsolver.so", "/opt/x/libtwo.so",
	                                      "a\"b\\c"};
	const struct format_author author = {(int64_t)random_below(5), (int64_t)random_below(9),
	                                     objects[random_below(4)]};
	*call = (struct call){.symbol = (int)random_below(SYMBOL_COUNT)};
	call->family = symbol_table[call->symbol].family;
	call->element = symbol_table[call->symbol].element;
	call->size_bytes = random_below(1u << 30) >> random_below(30);
	call->work_flops = (double)random_below(1u << 30) * 100;
	problem = (struct fft_problem){.rank = (int)random_below(9),
	                               .howmany = (int64_t)random_below(9)};
	for (int i = 0; i < FFT_RANK_MAX; i++)
		problem.dims[i].n = (int64_t)random_below(1000);
	if (family_is_fft(call->family))
		call->fft.problem = &problem;
	else
		call->blas = (struct blas_call){
			.m = (int64_t)random_below(5000), .n = 7, .k = (int64_t)random_below(99)};
	const double expected_ns = (double)random_below(1000000) - 1;
	*decision = (struct decision){.target = random_below(2) ? TARGET_GPU : TARGET_CPU,
	                              .reason = (enum reason)random_below(REASON_COUNT),
	                              .device = (int)random_below(4),
	                              .predicted_cpu_ns = expected_ns,
	                              .predicted_gpu_ns =
	                                      expected_ns < 0 ? -1 : (double)random_below(1000000)};
	*record = (struct record){.call = call,
	                          .decision = decision,
	                          .start_ns = 1795227025123456000 +
	                                      (int64_t)random_below(1u << 30) * 1000,
	                          .elapsed_ns = (int64_t)random_below(1u << 30) - 1};
	static double ratio;
	ratio = (double)random_below(1u << 30) / (1u << 20);
	if (random_below(3) == 0)
		record->verify_ratio = &ratio;
	return format_write_record(record, &author, out);
}

static void test_round_trip(void)
{
	char line[FORMAT_LINE_BYTES];
	struct call call;
	struct record wrote;
	struct decision decision;
	struct log_record record;
	for (int i = 0; i < 20000; i++) {
		const size_t length = write_random(line, &call, &wrote, &decision);
		if (!log_parse(line, length - 1, &record, NULL)) {
			expect(false, "the shim's own line is a record");
			return;
		}
		const bool fft = family_is_fft(call.family);
		expect(record.symbol == call.symbol && record.family == (int)call.family &&
		               record.element == (int)call.element &&
		               record.target == decision.target &&
		               record.reason == (int)decision.reason &&
		               record.time_ns == wrote.start_ns &&
		               record.elapsed_ns == wrote.elapsed_ns &&
		               record.size_bytes == (int64_t)call.size_bytes &&
		               record.predicted_cpu_ns == (int64_t)decision.predicted_cpu_ns,
		       "what was written is read");
		const double ratio = wrote.verify_ratio != NULL ? *wrote.verify_ratio : -1;
		expect(record.verify_ratio >= ratio - 1e-5 && record.verify_ratio <= ratio + 1e-5,
		       "a ratio that was written is read");
		expect(fft ? record.rank == call.fft.problem->rank &&
		                       record.howmany == call.fft.problem->howmany
		           : record.n == 7,
		       "sizes that were written are read");
	}
}

/* Damages a file in one way: a byte changed, a cut, a repetition. Returns the new length. */
static size_t mutate(char *line, size_t length, size_t room)
{
	static const char letters[] = "{}[]\":,\\0-9.eE \n\t\x7f\xff";
	const size_t at = random_below(length), part = random_below(length - at);
	switch (random_below(5)) {
	case 0: line[at] = (char)random_below(256); return length;
	case 1: line[at] = letters[random_below(sizeof letters)]; return length;
	case 2: return at + 1;
	case 3: memmove(line + at, line + at + part, length - at - part); return length - part;
	default:
		if (length + part > room)
			return length;
		memmove(line + at + part, line + at, length - at);
		return length + part;
	}
}

static bool is_within(struct words words, const char *line, size_t length)
{
	return words.text == NULL
	               ? words.length == 0
	               : words.text >= line && words.text + words.length <= line + length;
}

/* The line ends where its memory ends, so that a sanitizer detects a read beyond it. */
static void test_mutated_lines(void)
{
	struct call call;
	struct record wrote;
	struct decision decision;
	struct log_record record;
	int records = 0;
	for (int i = 0; i < 200000; i++) {
		char line[2 * FORMAT_LINE_BYTES];
		struct words unknown = {NULL, 0};
		size_t length = write_random(line, &call, &wrote, &decision) - 1;
		for (uint64_t left = 1 + random_below(4); left > 0 && length > 0; left--)
			length = mutate(line, length, sizeof line);
		char *tight = malloc(length > 0 ? length : 1);
		memcpy(tight, line, length);
		if (log_parse(tight, length, &record, &unknown)) {
			records++;
			expect(is_within(record.symbol_name, tight, length) &&
			               is_within(record.object, tight, length) &&
			               is_within(record.math, tight, length) &&
			               is_within(unknown, tight, length) &&
			               is_within(record.reason_name, tight, length),
			       "words lie in the line");
			expect(record.symbol >= -1 && record.symbol < SYMBOL_COUNT &&
			               record.family >= -1 && record.family < FAMILY_COUNT &&
			               record.reason >= -1 && record.reason < REASON_COUNT &&
			               record.rank <= FFT_RANK_MAX,
			       "numbers are those of the tables");
		}
		free(tight);
	}
	expect(records > 10000 && records < 190000,
	       "some mutated lines are still records, others are not");
}

static char folder[4096];

static const char *write_file(const char *name, const char *bytes, size_t size)
{
	static char path[4200];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
		expect(false, "a file could be written");
	return path;
}

/* The number of records that the reader finds in a file; their sums in *sum (may be NULL). */
static struct log_file read_file(const char *path, struct log_sum *sum)
{
	const char *const paths[] = {path};
	struct log *log = log_open(paths, 1);
	struct log_record record;
	uint64_t records = 0;
	for (; log_next(log, &record); records++)
		if (sum != NULL)
			log_sum_add(sum, &record);
	expect(!log_next(log, &record), "after the last there is none");
	const struct log_file file = *log_file(log, 0);
	expect(file.records == records, "records are counted");
	log_close(log);
	return file;
}

static void test_files(void)
{
	static const char two[] = WHOLE "\nnoise\n" WHOLE "\n", cut[] = WHOLE "\n{\"time\":\"2026",
			  open_end[] = WHOLE;
	struct log_file file = read_file(write_file("log", two, sizeof two - 1), NULL);
	expect(file.lines == 3 && file.records == 2 && file.other_lines == 1 &&
	               file.first_other_line == 2 && !file.cut,
	       "noise between records");
	file = read_file(write_file("log", cut, sizeof cut - 1), NULL);
	expect(file.records == 1 && file.other_lines == 0 && file.cut, "a cut last line");
	file = read_file(write_file("log", open_end, sizeof open_end - 1), NULL);
	expect(file.records == 1 && !file.cut, "a last line without its newline");
	file = read_file(write_file("log", "", 0), NULL);
	expect(file.trouble == LOG_FINE && file.read_bytes == 0 && file.lines == 0,
	       "an empty file");
	file = read_file(write_file("log", "\x1f\x8b\x08 rest", 8), NULL);
	expect(file.trouble == LOG_COMPRESSED, "a compressed file");
	file = read_file(folder, NULL);
	expect(file.trouble == LOG_NO_FILE, "a folder");
	file = read_file("/nowhere/at/all", NULL);
	expect(file.trouble == LOG_UNREADABLE && file.error != 0, "no file");
}

/* Lines longer than a block, and lines across its end: 3 MB of one letter between records. */
static void test_long_lines(void)
{
	const size_t letters = 3u << 20, used = sizeof WHOLE;
	char *bytes = malloc(letters + 4 * used);
	size_t size = 0;
	for (int i = 0; i < 3; i++) {
		memcpy(bytes + size, WHOLE "\n", used);
		size += used;
		if (i != 1)
			continue;
		memset(bytes + size, 'x', letters);
		bytes[size + letters - 1] = '\n';
		size += letters;
	}
	struct log_file file = read_file(write_file("log", bytes, size), NULL);
	expect(file.lines == 4 && file.records == 3 && file.other_lines == 1 &&
	               file.first_other_line == 3,
	       "a line that is longer than a block");
	file = read_file(write_file("log", bytes, 2 * used + letters - 1), NULL);
	expect(file.lines == 3 && file.records == 2 && file.other_lines == 1,
	       "such a line at the end");
	free(bytes);
}

/* A program may append while its log is read: only what was written before is counted. */
static void test_growing_file(void)
{
	char *bytes = malloc(4000 * sizeof WHOLE);
	size_t size = 0;
	for (int i = 0; i < 4000; i++, size += sizeof WHOLE)
		memcpy(bytes + size, WHOLE "\n", sizeof WHOLE);
	const char *path = write_file("log", bytes, size - 10);
	struct log *log = log_open(&path, 1);
	struct log_record record;
	uint64_t records = 0;
	while (log_next(log, &record))
		if (records++ == 0) {
			FILE *file = fopen(path, "a");
			expect(file != NULL && fwrite(bytes, 1, size, file) == size &&
			               fclose(file) == 0,
			       "it grows");
		}
	expect(records == 3999 && log_file(log, 0)->grows && log_file(log, 0)->cut,
	       "a growing file");
	log_close(log);
	free(bytes);
}

/*
 * Mutated logs of several blocks: the reader finds the same records as the parser of single lines.
 */
static void test_mutated_files(void)
{
	enum { ROOM = 3 << 20 };
	char *bytes = malloc(ROOM);
	struct call call;
	struct record wrote;
	struct decision decision;
	struct log_record record;
	for (int round = 0; round < 12; round++) {
		size_t size = 0;
		uint64_t lines = 0, records = 0;
		while (size + 4 * FORMAT_LINE_BYTES < ROOM - random_below(100000)) {
			size_t length = write_random(bytes + size, &call, &wrote, &decision);
			for (uint64_t left = random_below(12) == 0 ? 3 : 0; left > 0 && length > 0;
			     left--)
				length = mutate(bytes + size, length, 2 * FORMAT_LINE_BYTES);
			size += length;
		}
		for (const char *at = bytes; at < bytes + size; lines++) {
			const char *end = memchr(at, '\n', (size_t)(bytes + size - at));
			end = end != NULL ? end : bytes + size;
			records += log_parse(at, (size_t)(end - at), &record, NULL);
			at = end + 1;
		}
		struct log_sum *sum = log_sum_make();
		const struct log_file file = read_file(write_file("log", bytes, size), sum);
		log_sum_end(sum);
		expect(file.lines == lines && file.records == records &&
		               file.records + file.other_lines + file.cut == lines,
		       "each line is a record or another one");
		expect(sum->total.side[0].calls + sum->total.side[1].calls == records,
		       "each record is added once");
		log_sum_free(sum);
	}
	free(bytes);
}

int main(void)
{
	const char *place = getenv("TMPDIR");
	snprintf(folder, sizeof folder, "%.4000s/gpushim-log-test-XXXXXX",
	         place != NULL ? place : "/tmp");
	if (mkdtemp(folder) == NULL) {
		printf("FAIL no folder of its own in %s\n", folder);
		return 1;
	}
	test_whole_record();
	test_odd_records();
	test_no_records();
	test_round_trip();
	test_mutated_lines();
	test_files();
	test_long_lines();
	test_growing_file();
	test_mutated_files();
	unlink(write_file("log", "", 0));
	rmdir(folder);
	printf(expect_failures == 0 ? "log lines: all fine\n" : "log lines: %d failures\n",
	       expect_failures);
	return expect_failures != 0;
}
