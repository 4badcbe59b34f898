/* peers_figures.c - the figures of all cases as lines of a file, for the table of run.sh */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/peers_figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *peers_figures_open(const char *path)
{
	FILE *file = fopen(path, "ae");
	if (file == NULL) {
		perror(path);
		exit(1);
	}
	return file;
}

static const char *peers_figures_tell_result(const struct peers_score *score,
                                             char words[PEERS_SENTENCE_BYTES])
{
	snprintf(words, PEERS_SENTENCE_BYTES, "%s",
	         !score->ran                     ? score->refusal
	         : score->wrong                  ? "WRONG"
	         : score->log_words[0] != '\0'   ? score->log_words
	         : !score->compared              ? "not compared"
	         : score->reference == PEERS_CPU ? "alike"
	                                         : "as plain CUDA");
	for (char *at = words; *at != '\0'; at++)
		if (*at == ',' || *at == '\n')
			*at = ';';
	return words;
}

static void peers_figures_append_row(FILE *file, const struct peers_case *run, double bound_ns,
                                     const struct peers_contestant *contestant,
                                     const struct peers_score *score,
                                     const struct peers_clock_figures *clock)
{
	char words[PEERS_SENTENCE_BYTES];
	const double bytes = peers_case_up_bytes(run) + peers_case_down_bytes(run);
	const struct spread *spread = &score->spread;
	const double median = score->ran ? spread->median : 0;
	fprintf(file, "%s,%s,%.6g,%.6g,%.6g,%d,%.4g,%.5g,%.6g,%.6g,%s,%.0f,%.0f,%.0f\n", run->name,
	        contestant->name, median, score->ran ? spread->least : 0,
	        score->ran ? spread->most : 0, score->turns, median > 0 ? bytes / median / 1e9 : 0,
	        median > 0 ? peers_case_flops(run) / median / 1e9 : 0,
	        contestant->free_of_link ? 0 : bound_ns / 1e9, score->first_seconds,
	        peers_figures_tell_result(score, words), clock->least_mhz, clock->most_mhz,
	        clock->most_watts);
}

void peers_figures_append(const char *path, const struct peers_case *run,
                          const struct machine *machine,
                          const struct peers_contestant list[PEERS_COUNT],
                          const struct peers_score scores[PEERS_COUNT],
                          const struct peers_clock_figures *clock)
{
	FILE *file = path == NULL ? NULL : peers_figures_open(path);
	if (file == NULL)
		return;
	for (int who = 0; who < PEERS_COUNT; who++)
		if (scores[who].takes_part)
			peers_figures_append_row(file, run, peers_case_bound_ns(run, machine),
			                         &list[who], &scores[who], clock);
	fclose(file);
}

int peers_figures_read_tile(const char *path)
{
	char line[1024];
	int tile_size = 0;
	FILE *file = path == NULL ? NULL : fopen(path, "re");
	while (file != NULL && fgets(line, sizeof line, file) != NULL)
		sscanf(line, "# NVBLAS tuned: tiles of %d", &tile_size);
	if (file != NULL)
		fclose(file);
	return tile_size;
}

void peers_figures_append_tile(const char *path, int tile_size)
{
	FILE *file = path == NULL ? NULL : peers_figures_open(path);
	if (file == NULL)
		return;
	fprintf(file, "# NVBLAS tuned: tiles of %d\n", tile_size);
	fclose(file);
}
