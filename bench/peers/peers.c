/* peers.c - the shim and its peers in one run: the same calls in turns, results compared */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/common/machine_file.h"
#include "bench/common/spawn.h"
#include "bench/peers/peers_score.h"
#include "measure/device.h"

enum { PEERS_SKIPPED = 77, ANSWER_BYTES = 512 };

/*
 * A contestant that does not answer for PATIENCE_SECONDS is killed. One that has spent
 * TURNS_SECONDS gets no more turns.
 */
static const double PATIENCE_SECONDS = 120, TURNS_SECONDS = 4;

struct peers {
	struct peers_setup setup;
	struct machine machine;
	double until_seconds; /* no case begins after this */
	bool simulated;
	struct cuda_search search;
	struct peers_contestant list[PEERS_COUNT];
};

static bool peers_ask(struct peers_contestant *contestant, const char *command,
                      char answer[ANSWER_BYTES], char *sentence)
{
	return peers_child_ask(&contestant->child, command, PATIENCE_SECONDS, answer, ANSWER_BYTES,
	                       sentence);
}

static bool peers_takes_part(const struct peers_contestant *contestant,
                             const struct peers_case *run)
{
	return contestant->missing[0] == '\0' &&
	       (run->routine == PEERS_FFT ? contestant->fft : contestant->blas);
}

/* A child that died in the last case is started again. */
static bool peers_prepare(struct peers_contestant *contestant, size_t number, char *sentence)
{
	char command[64], answer[ANSWER_BYTES];
	snprintf(command, sizeof command, "prepare %zu\n", number);
	if (contestant->child.pid == 0 && !peers_child_start(&contestant->child, sentence))
		return false;
	return peers_ask(contestant, command, answer, sentence);
}

static bool peers_run_once(struct peers_contestant *contestant, double *seconds, char *sentence)
{
	char answer[ANSWER_BYTES];
	if (!peers_ask(contestant, "run\n", answer, sentence))
		return false;
	*seconds = strtod(answer, NULL) / 1e9;
	return true;
}

/* The first run, in which CUDA starts and kernels are loaded. Its result is fetched. */
static bool peers_run_first(struct peers_contestant *contestant, struct peers_score *score)
{
	char answer[ANSWER_BYTES], *next = answer;
	if (!peers_run_once(contestant, &score->first_seconds, score->refusal) ||
	    !peers_ask(contestant, "print\n", answer, score->refusal))
		return false;
	for (int i = 0; i < RANDOM_SUMS; i++)
		score->print.sum[i] = strtod(next, &next);
	score->print.squares = strtod(next, &next);
	if (!contestant->tells_late)
		peers_contestant_read_log(contestant, score->log_words);
	return true;
}

static void peers_finish(struct peers_contestant *contestant, struct peers_score *score)
{
	char answer[ANSWER_BYTES], sentence[PEERS_SENTENCE_BYTES];
	if (contestant->child.pid != 0)
		peers_ask(contestant, "release\n", answer, sentence);
	if (!contestant->tells_late)
		return;
	peers_child_stop(&contestant->child);
	if (score->ran)
		peers_contestant_read_log(contestant, score->log_words);
}

static void peers_run_case(struct peers *peers, size_t number, const struct peers_case *run,
                           struct peers_score scores[PEERS_COUNT])
{
	memset(scores, 0, PEERS_COUNT * sizeof *scores);
	for (int who = 0; who < PEERS_COUNT; who++) {
		struct peers_contestant *contestant = &peers->list[who];
		scores[who].takes_part = peers_takes_part(contestant, run);
		scores[who].ran = scores[who].takes_part &&
		                  peers_prepare(contestant, number, scores[who].refusal) &&
		                  peers_run_first(contestant, &scores[who]);
	}
	for (int turn = 0; turn < PEERS_TURNS; turn++)
		for (int who = 0; who < PEERS_COUNT; who++) {
			struct peers_score *score = &scores[who];
			if (!score->ran ||
			    score->spent_seconds + score->first_seconds > TURNS_SECONDS)
				continue;
			score->ran = peers_run_once(&peers->list[who],
			                            &score->seconds[score->turns], score->refusal);
			if (score->ran)
				score->spent_seconds += score->seconds[score->turns++];
		}
	for (int who = 0; who < PEERS_COUNT; who++)
		if (scores[who].takes_part)
			peers_finish(&peers->list[who], &scores[who]);
}

/* Chooses the tile size with which the tuned NVBLAS is fastest in the first of its cases. */
static void peers_tune_nvblas(struct peers *peers, const struct peers_case *cases, size_t count)
{
	struct peers_contestant *nvblas = &peers->list[PEERS_NVBLAS_TUNED];
	char sentence[PEERS_SENTENCE_BYTES] = "", answer[ANSWER_BYTES];
	double best = 0;
	size_t number = 0;
	int chosen = peers_tile_sizes[0];
	while (number < count && !peers_takes_part(nvblas, &cases[number]))
		number++;
	for (int i = 0; i < PEERS_TILE_SIZES && number < count; i++) {
		double seconds = 0;
		peers_contestant_tune(&peers->setup, nvblas, peers_tile_sizes[i]);
		const bool ran = peers_prepare(nvblas, number, sentence) &&
		                 peers_run_once(nvblas, &seconds, sentence) &&
		                 peers_run_once(nvblas, &seconds, sentence) &&
		                 peers_ask(nvblas, "release\n", answer, sentence);
		peers_child_stop(&nvblas->child);
		if (ran)
			printf("   NVBLAS, tiles of %d: %.1f ms\n", peers_tile_sizes[i],
			       seconds * 1e3);
		else
			printf("   NVBLAS, tiles of %d: %s\n", peers_tile_sizes[i], sentence);
		if (ran && (best == 0 || seconds < best)) {
			best = seconds;
			chosen = peers_tile_sizes[i];
		}
	}
	if (number < count)
		peers_contestant_tune(&peers->setup, nvblas, chosen);
}

static void peers_print_contestants(const struct peers *peers)
{
	printf("contestants\n");
	for (int who = 0; who < PEERS_COUNT; who++)
		printf("   %-14s %s%s%s\n", peers->list[who].name, peers->list[who].meaning,
		       peers->list[who].missing[0] != '\0' ? "; MISSING: " : "",
		       peers->list[who].missing);
}

static int peers_run_cases(struct peers *peers)
{
	static struct peers_score scores[PEERS_COUNT];
	struct peers_goals goals = {.simulated = peers->simulated || peers->setup.quick};
	size_t count;
	const struct peers_case *cases = peers_case_list(peers->setup.quick, &count);
	peers_print_contestants(peers);
	peers_tune_nvblas(peers, cases, count);
	for (size_t i = 0; i < count; i++) {
		if (device_seconds() > peers->until_seconds) {
			printf("\n%s: left out, the time is up\n", cases[i].name);
			continue;
		}
		peers_run_case(peers, i, &cases[i], scores);
		peers_score_print(&cases[i], &peers->machine, peers->list, scores, &goals);
		fflush(stdout);
	}
	for (int who = 0; who < PEERS_COUNT; who++)
		peers_child_stop(&peers->list[who].child);
	return peers_score_end(&goals);
}

static bool peers_find_cuda(struct peers *peers)
{
	static struct cuda_set set;
	const char *cuda_path = getenv("EPOCHLY_GPU_CUDA_PATH");
	size_t count = 0;
	if (cuda_open(cuda_path == NULL ? "" : cuda_path, "all", NULL, &set, &peers->search) !=
	    REASON_NONE) {
		const struct cuda_refusal *refusal = cuda_find_refusal(&peers->search);
		printf("peers: skipped, %s\n",
		       refusal == NULL ? "there are no CUDA libraries" : refusal->sentence);
		return false;
	}
	peers->simulated = device_is_simulated(&set);
	/* The folder that cuBLAS came from goes first: the libraries beside it match it. */
	*strrchr(set.path[CUDA_LIBRARY_CUBLAS], '/') = '\0';
	peers->setup.cuda_folders[count++] = set.path[CUDA_LIBRARY_CUBLAS];
	for (int i = 0; i < peers->search.place_count; i++)
		peers->setup.cuda_folders[count++] = peers->search.place[i];
	return true;
}

static void peers_remove_folder(const char *folder)
{
	char *const argv[] = {"/bin/rm", "-rf", (char *)folder, NULL};
	static struct spawn_result result;
	spawn_run(argv, NULL, false, &result);
}

static int peers_refuse_arguments(void)
{
	fprintf(stderr, "usage: peers --profile FILE [--quick] [--seconds N]\n"
	                "FILE: what link wrote; --seconds: no case begins later (240)\n");
	return 2;
}

int main(int argc, char **argv)
{
	static struct peers peers;
	double seconds = 240;
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--quick") == 0)
			peers.setup.quick = true;
		else if (strcmp(argv[i], "--profile") == 0 && i + 1 < argc)
			peers.setup.profile = argv[++i];
		else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
			seconds = strtod(argv[++i], NULL);
		else
			return peers_refuse_arguments();
	if (peers.setup.profile == NULL)
		return peers_refuse_arguments();
	if (!machine_file_read(peers.setup.profile, &peers.machine))
		return 1;
	if (!peers_find_cuda(&peers))
		return PEERS_SKIPPED;
	const char *temporary = getenv("TMPDIR");
	snprintf(peers.setup.folder, sizeof peers.setup.folder, "%.900s/peers-XXXXXX",
	         temporary == NULL ? "/tmp" : temporary);
	if (mkdtemp(peers.setup.folder) == NULL) {
		perror(peers.setup.folder);
		return 1;
	}
	signal(SIGPIPE, SIG_IGN);
	peers.until_seconds = device_seconds() + seconds;
	if (peers.simulated)
		printf("SIMULATED: this is the CUDA of the tests; no time below is a speed\n");
	peers_contestant_list(&peers.setup, peers.list);
	const int status = peers_run_cases(&peers);
	peers_remove_folder(peers.setup.folder);
	return status;
}
