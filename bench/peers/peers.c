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
#include "bench/peers/peers_figures.h"
#include "bench/peers/peers_round.h"
#include "measure/device.h"

enum { PEERS_SKIPPED = 77 };

/* The tuned NVBLAS and each of its tile sizes may take this long. */
static const double TILE_SECONDS = 6;

/* Of a case's time, for one answer: a contestant that hangs leaves the others the rest. */
static const double ANSWER_SHARE = 0.4;

struct peers {
	struct peers_setup setup;
	struct machine machine;
	const char *group;    /* only its cases; NULL: all */
	const char *figures;  /* file to which figures are appended; NULL: none */
	double until_seconds; /* no case begins after this */
	double case_seconds;  /* of all contestants together */
	bool simulated;
	char pci_bus_id[64];
	struct cuda_search search;
	struct peers_contestant list[PEERS_COUNT];
};

static bool peers_is_wanted(const struct peers *peers, const struct peers_case *run)
{
	return peers->group == NULL || strcmp(peers->group, run->group) == 0;
}

/* The first product of this run is what the tile sizes are compared by. */
static size_t peers_find_tuning_case(const struct peers *peers, const struct peers_case *cases,
                                     size_t count)
{
	size_t number = 0;
	while (number < count &&
	       (!peers_is_wanted(peers, &cases[number]) ||
	        !peers_round_takes_part(&peers->list[PEERS_NVBLAS_TUNED], &cases[number])))
		number++;
	return number;
}

/* Chooses the tile size with which the tuned NVBLAS is fastest, unless an earlier run has. */
static void peers_tune_nvblas(struct peers *peers, const struct peers_case *cases, size_t count)
{
	struct peers_contestant *nvblas = &peers->list[PEERS_NVBLAS_TUNED];
	struct peers_round round = {.number = peers_find_tuning_case(peers, cases, count),
	                            .answer_seconds = TILE_SECONDS};
	char sentence[PEERS_SENTENCE_BYTES] = "";
	double best = 0;
	if (round.number == count || peers->setup.tile_size > 0)
		return;
	for (int i = 0; i < PEERS_TILE_SIZES; i++) {
		double seconds = 0;
		round.until_seconds = device_seconds() + TILE_SECONDS;
		peers_contestant_tune(&peers->setup, nvblas, peers_tile_sizes[i]);
		const bool ran = peers_round_try(&round, nvblas, &seconds, sentence);
		if (ran)
			printf("   NVBLAS, tiles of %d: %.1f ms\n", peers_tile_sizes[i],
			       seconds * 1e3);
		else
			printf("   NVBLAS, tiles of %d: %s\n", peers_tile_sizes[i], sentence);
		if (ran && (best == 0 || seconds < best)) {
			best = seconds;
			peers->setup.tile_size = peers_tile_sizes[i];
		}
	}
	if (peers->setup.tile_size > 0)
		peers_figures_append_tile(peers->figures, peers->setup.tile_size);
	else
		peers->setup.tile_size = peers_tile_sizes[0];
	peers_contestant_tune(&peers->setup, nvblas, peers->setup.tile_size);
}

static void peers_print_contestants(const struct peers *peers)
{
	printf("contestants\n");
	for (int who = 0; who < PEERS_COUNT; who++)
		printf("   %-14s %s%s%s\n", peers->list[who].name, peers->list[who].meaning,
		       peers->list[who].missing[0] != '\0' ? "; MISSING: " : "",
		       peers->list[who].missing);
}

/* Whether the memory that is free now does not hold the operands of all contestants. */
static bool peers_is_large(const struct peers_case *run)
{
	const double free_bytes = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
	return 1.5 * PEERS_COUNT * peers_case_bytes(run) > free_bytes;
}

static void peers_run_case(struct peers *peers, size_t number, const struct peers_case *run,
                           struct peers_goals *goals)
{
	static struct peers_score scores[PEERS_COUNT];
	struct peers_clock clock;
	struct peers_clock_figures figures;
	const double cpu_flops =
		run->routine == PEERS_FFT ? 0 : peers->machine.cpu_gemm_flops[run->element];
	const struct peers_round round = {
		.run = run,
		.number = number,
		.apart = peers_is_large(run),
		.until_seconds = device_seconds() + peers->case_seconds,
		.answer_seconds = ANSWER_SHARE * peers->case_seconds,
		.cpu_seconds = cpu_flops > 0 ? peers_case_flops(run) / cpu_flops : 0};
	peers_clock_start(&clock, peers->pci_bus_id);
	peers_round_run(&round, peers->list, scores);
	peers_clock_stop(&clock, &figures);
	peers_score_print(run, &peers->machine, peers->list, scores, goals);
	if (figures.samples > 0)
		printf("   the card: %.0f to %.0f MHz while busy, at most %.0f W, %.0f C\n",
		       figures.least_mhz, figures.most_mhz, figures.most_watts,
		       figures.most_celsius);
	else
		printf("   the card's clock and power: not known, nvidia-smi tells nothing\n");
	peers_figures_append(peers->figures, run, &peers->machine, peers->list, scores, &figures);
	fflush(stdout);
}

static int peers_run_cases(struct peers *peers)
{
	struct peers_goals goals = {.simulated = peers->simulated || peers->setup.quick};
	size_t count;
	const struct peers_case *cases = peers_case_list(peers->setup.quick, &count);
	peers_print_contestants(peers);
	peers_tune_nvblas(peers, cases, count);
	for (size_t i = 0; i < count; i++) {
		if (!peers_is_wanted(peers, &cases[i]))
			continue;
		if (device_seconds() > peers->until_seconds)
			printf("\n%s: left out, the time is up\n", cases[i].name);
		else
			peers_run_case(peers, i, &cases[i], &goals);
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
	snprintf(peers->pci_bus_id, sizeof peers->pci_bus_id, "%.60s", set.devices[0].pci_bus_id);
	/* The folders of cuBLAS and cuFFT go first: the libraries beside them match them. */
	for (int i = CUDA_LIBRARY_CUBLAS; i <= CUDA_LIBRARY_CUFFT; i++) {
		*strrchr(set.path[i], '/') = '\0';
		peers->setup.cuda_folders[count++] = set.path[i];
	}
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
	fprintf(stderr, "usage: peers --profile FILE [--quick] [--group NAME] [--figures FILE] "
	                "[--seconds N] [--case-seconds N]\n"
	                "--profile: what link wrote; --group: goals, products, others, break-even\n"
	                "--figures: gets a line for each result; --seconds: no case begins later "
	                "(240)\n--case-seconds: of all contestants of a case together (20)\n");
	return 2;
}

static bool peers_read_arguments(struct peers *peers, int argc, char **argv)
{
	double seconds = 240;
	peers->case_seconds = 20;
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : NULL;
		if (strcmp(argv[i], "--quick") == 0) {
			peers->setup.quick = true;
			continue;
		}
		if (value == NULL)
			return false;
		if (strcmp(argv[i], "--profile") == 0)
			peers->setup.profile = value;
		else if (strcmp(argv[i], "--group") == 0)
			peers->group = value;
		else if (strcmp(argv[i], "--figures") == 0)
			peers->figures = value;
		else if (strcmp(argv[i], "--seconds") == 0)
			seconds = strtod(value, NULL);
		else if (strcmp(argv[i], "--case-seconds") == 0)
			peers->case_seconds = strtod(value, NULL);
		else
			return false;
		i++;
	}
	peers->until_seconds = device_seconds() + seconds;
	return peers->setup.profile != NULL && peers->case_seconds > 0;
}

static bool peers_make_folder(struct peers *peers)
{
	const char *temporary = getenv("TMPDIR");
	snprintf(peers->setup.folder, sizeof peers->setup.folder, "%.900s/peers-XXXXXX",
	         temporary == NULL ? "/tmp" : temporary);
	if (mkdtemp(peers->setup.folder) != NULL)
		return true;
	perror(peers->setup.folder);
	return false;
}

int main(int argc, char **argv)
{
	static struct peers peers;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!peers_read_arguments(&peers, argc, argv))
		return peers_refuse_arguments();
	if (!machine_file_read(peers.setup.profile, &peers.machine))
		return 1;
	if (!peers_find_cuda(&peers))
		return PEERS_SKIPPED;
	if (!peers_make_folder(&peers))
		return 1;
	signal(SIGPIPE, SIG_IGN);
	if (peers.simulated)
		printf("SIMULATED: this is the CUDA of the tests; no time below is a speed\n");
	peers.setup.tile_size = peers_figures_read_tile(peers.figures);
	peers_contestant_list(&peers.setup, peers.list);
	const int status = peers_run_cases(&peers);
	peers_remove_folder(peers.setup.folder);
	return status;
}
