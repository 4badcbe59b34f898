/* cli_compare_export.c - a comparison as one object of JSON: settings, machine, every run, results */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli_compare.h"
#include "cli/cli_say.h"
#include "shim/execute/gpu/processors.h"
#include "shim/settings_machine.h"

enum { EXPORT_MODE = 0666, EXPORT_VERSION = 1, EXPORT_TIME_BYTES = 32 };

bool cli_compare_export_open(struct cli_compare *compare)
{
	if (compare->export == NULL)
		return true;
	compare->export_file = open(compare->export, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, EXPORT_MODE);
	compare->export_is_new = compare->export_file >= 0;
	if (compare->export_file < 0 && errno == EEXIST)
		compare->export_file = open(compare->export, O_WRONLY | O_CLOEXEC);
	if (compare->export_file < 0)
		cli_say("cannot write '%s': %s", compare->export, cli_say_error(errno));
	return compare->export_file >= 0;
}

static void cli_compare_export_text(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(file, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			fprintf(file, "\\u%04x", (unsigned)(unsigned char)*text);
		else
			fputc(*text, file);
	}
	fputc('"', file);
}

static void cli_compare_export_settings(FILE *file, const struct cli_compare *compare)
{
	const struct cli_trial *trial = &compare->trial;
	fprintf(file, "{\"version\":%d,\"gpushim\":\"%s\",\n\"command\":[", EXPORT_VERSION, GPUSHIM_VERSION);
	for (char **word = trial->words; *word != NULL; word++) {
		fputs(word == trial->words ? "" : ",", file);
		cli_compare_export_text(file, *word);
	}
	fprintf(file,
	        "],\n\"settings\":{\"runs\":%zu,\"seconds\":%g,\"warmup_runs\":%zu,\"seed\":%llu,\"tolerance\":%g,"
	        "\"audit\":%s,\"fail_if_slower_percent\":",
	        trial->runs, trial->seconds, trial->warmup_runs, (unsigned long long)trial->seed, trial->tolerance,
	        compare->audited ? "true" : "false");
	if (compare->slower_percent < 0)
		fputs("null},\n", file);
	else
		fprintf(file, "%g},\n", compare->slower_percent);
}

static void cli_compare_export_machine(FILE *file)
{
	static struct machine machine;
	char measured[EXPORT_TIME_BYTES] = "";
	const time_t now = time(NULL);
	struct tm utc;
	settings_describe_machine(&machine);
	if (gmtime_r(&now, &utc) != NULL)
		strftime(measured, sizeof measured, "%Y-%m-%dT%H:%M:%SZ", &utc);
	fputs("\"machine\":{\"host\":", file);
	cli_compare_export_text(file, machine.host);
	fputs(",\"cpu\":", file);
	cli_compare_export_text(file, machine.cpu);
	fprintf(file, ",\"processors\":%d,\"measured\":\"%s\"},\n", processors_count(""), measured);
}

static void cli_compare_export_order(FILE *file, const struct cli_trial *trial)
{
	size_t order[CLI_ORDER_SIDES];
	fputs("\"order\":[", file);
	for (size_t round = 0; round < trial->rounds; round++) {
		cli_trial_find_order(trial, round, order);
		for (size_t i = 0; i < trial->sides; i++)
			fprintf(file, "%s%zu", i > 0 ? "," : round > 0 ? ",[" : "[", order[i]);
		fputs("]", file);
	}
	fputs("],\n", file);
}

enum export_column { EXPORT_WALL, EXPORT_USER, EXPORT_SYSTEM, EXPORT_STATUS, EXPORT_COLUMNS };

static void cli_compare_export_column(FILE *file, const struct cli_trial *trial, size_t side, enum export_column column)
{
	static const char *const name[EXPORT_COLUMNS] = {"wall_ns", "user_ns", "system_ns", "status"};
	fprintf(file, ",\n \"%s\":[", name[column]);
	for (size_t round = 0; round < trial->rounds; round++) {
		const struct cli_outcome *outcome = &trial->outcomes[round * trial->sides + side];
		const int64_t value[EXPORT_COLUMNS] = {outcome->wall_ns, outcome->user_ns, outcome->system_ns,
		                                       cli_launch_status(outcome)};
		fprintf(file, "%s%lld", round > 0 ? "," : "", (long long)value[column]);
	}
	fputs("]", file);
}

static void cli_compare_export_result(FILE *file, const struct cli_compare *compare, size_t side)
{
	static const char *const outputs[] = {"equal", "within_tolerance", "different"};
	const struct cli_compare_result *result = &compare->result[side];
	const struct cli_harvest *harvest = &compare->trial.side[side].harvest;
	char words[CLI_COMPARE_WORDS_BYTES];
	cli_compare_result_tell(result, words);
	fprintf(file, ",\n \"ratio\":%.9g,\"low\":%.9g,\"high\":%.9g,\"confidence\":%.9g,\"verdict\":\"%s\",\"words\":",
	        result->ratio, result->low, result->high, result->confidence, cli_compare_result_name(result->verdict));
	cli_compare_export_text(file, words);
	fprintf(file, ",\n \"output\":\"%s\",\"deviation\":%.9g,\"calls\":%llu,\"gpu_calls\":%llu",
	        outputs[compare->trial.side[side].difference.kind], compare->trial.side[side].difference.deviation,
	        (unsigned long long)cli_harvest_count_calls(harvest),
	        (unsigned long long)cli_compare_decisions_count_gpu(harvest));
}

static void cli_compare_export_sides(FILE *file, const struct cli_compare *compare)
{
	const struct cli_trial *trial = &compare->trial;
	size_t quickest = 0, rival = 0;
	fputs("\"sides\":[\n", file);
	for (size_t side = 0; side < trial->sides; side++) {
		fputs(side > 0 ? ",\n{\"name\":" : "{\"name\":", file);
		cli_compare_export_text(file, trial->side[side].name);
		for (int column = 0; column < EXPORT_COLUMNS; column++)
			cli_compare_export_column(file, trial, side, (enum export_column)column);
		if (side != CLI_TRIAL_OFF)
			cli_compare_export_result(file, compare, side);
		fputs("}", file);
	}
	const int best = cli_compare_result_find_best(trial, &quickest, &rival);
	fputs("],\n\"best\":", file);
	if (best >= 0)
		cli_compare_export_text(file, trial->side[best].name);
	else
		fputs("null", file);
	fputs("}\n", file);
}

bool cli_compare_export_write(struct cli_compare *compare)
{
	if (compare->export == NULL)
		return true;
	FILE *file = fdopen(compare->export_file, "w");
	if (file == NULL || (ftruncate(compare->export_file, 0) != 0 && errno != EINVAL)) {
		cli_say("cannot write '%s': %s", compare->export, cli_say_error(errno));
		return false;
	}
	compare->export_file = -1;
	cli_compare_export_settings(file, compare);
	cli_compare_export_machine(file);
	cli_compare_export_order(file, &compare->trial);
	cli_compare_export_sides(file, compare);
	errno = 0;
	const bool flushed = fflush(file) == 0 && ferror(file) == 0;
	const int error = errno != 0 ? errno : EIO;
	if (fclose(file) == 0 && flushed) {
		compare->export_is_new = false;
		return true;
	}
	cli_say("cannot write '%s': %s; the report above is all there is", compare->export, cli_say_error(error));
	return false;
}

/* An empty file of ours, or a part of one, helps nobody. */
void cli_compare_export_close(struct cli_compare *compare)
{
	if (compare->export_file >= 0)
		close(compare->export_file);
	if (compare->export_is_new)
		unlink(compare->export);
	compare->export_file = -1;
	compare->export_is_new = false;
}
