/* peers_contestant.h - who runs in bench/peers: the CPU library, the shim, NVIDIA's preloads, plain CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_PEERS_PEERS_CONTESTANT_H
#define GPUSHIM_BENCH_PEERS_PEERS_CONTESTANT_H

#include "bench/peers/peers_case.h"
#include "bench/peers/peers_child.h"

enum peers_who {
	PEERS_CPU, /* the first: the others' results are compared with its */
	PEERS_SHIM,
	PEERS_NVBLAS,       /* with the CPU library as its only setting */
	PEERS_NVBLAS_TUNED, /* with the best of some tile sizes, and with operands page-locked by it */
	PEERS_CUFFTW,
	PEERS_NAIVE,
	PEERS_RESIDENT,
	PEERS_COUNT
};

struct peers_contestant {
	const char *name, *meaning;
	bool blas, fft;                     /* what it takes part in */
	bool free_of_link;                  /* its data are on the device: the bound is not its */
	bool tells_late;                    /* its log is complete when it has ended */
	char missing[PEERS_SENTENCE_BYTES]; /* why it does not run; empty: it does */
	char log[PEERS_PATH_BYTES]; /* where the shim or NVBLAS say what ran on the GPU, or empty */
	struct peers_child child;
};

/* What all of them are made from. */
struct peers_setup {
	bool quick;
	char folder[PEERS_PATH_BYTES]; /* of this run's files */
	const char *profile;           /* of the machine, for the shim; NULL: none */
	const char *cuda_folders
		[64]; /* where CUDA libraries may lie, NULL-terminated; "" is the loader's path */
};

/* The sizes of tiles among which the tuned NVBLAS is chosen. */
enum { PEERS_TILE_SIZES = 3 };
extern const int peers_tile_sizes[PEERS_TILE_SIZES];

/*
 * Fills the list, of which none runs yet. What is not on this machine is missing, with the reason.
 */
void peers_contestant_list(const struct peers_setup *setup,
                           struct peers_contestant list[PEERS_COUNT]);

/* Rewrites the tuned NVBLAS's settings; to be called while it does not run. */
void peers_contestant_tune(const struct peers_setup *setup, struct peers_contestant *nvblas,
                           int tile_size);

/*
 * Looks into the log whether the last call ran on the GPU: empty where it did, else a few words,
 * such as "on the CPU".
 */
void peers_contestant_confess(const struct peers_contestant *contestant,
                              char words[PEERS_SENTENCE_BYTES]);

#endif
