/* peers_contestant.h - the contestants: CPU library, shim, NVIDIA's preloads, plain CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_PEERS_PEERS_CONTESTANT_H
#define GPUSHIM_BENCH_PEERS_PEERS_CONTESTANT_H

#include "bench/peers/peers_case.h"
#include "bench/peers/peers_child.h"

enum peers_who {
	PEERS_CPU, /* first: the others' results are compared with this one's */
	PEERS_SHIM,
	PEERS_NVBLAS, /* with only the CPU library set */
	/* with the best of some tile sizes, and with page-locking of operands */
	PEERS_NVBLAS_TUNED,
	PEERS_CUFFTW,
	PEERS_NAIVE,  /* operands in ordinary memory, as the others have them */
	PEERS_PINNED, /* operands in page-locked memory */
	PEERS_RESIDENT,
	PEERS_COUNT
};

struct peers_contestant {
	const char *name, *meaning;
	bool blas, fft; /* the cases in which it takes part */
	/* its data are on the device: the bound does not apply */
	bool free_of_link;
	bool tells_late;                    /* its log is complete only after its end */
	char missing[PEERS_SENTENCE_BYTES]; /* why it cannot run; empty where it can */
	/* the log in which the shim or NVBLAS says what ran on the GPU, or empty */
	char log[PEERS_PATH_BYTES];
	struct peers_child child;
};

/* What contestants are made from. */
struct peers_setup {
	bool quick;
	char folder[PEERS_PATH_BYTES]; /* for this run's files */
	const char *profile;           /* of the machine, for the shim; NULL: none */
	/* where CUDA libraries may be, NULL-terminated; "" is the loader's path */
	const char *cuda_folders[64];
	/* the tuned NVBLAS's tile size as found earlier; 0: not yet */
	int tile_size;
};

/* The tile sizes among which that of the tuned NVBLAS is chosen. */
enum { PEERS_TILE_SIZES = 3 };
extern const int peers_tile_sizes[PEERS_TILE_SIZES];

/*
 * Fills the list; no contestant runs yet. One whose program or library is not on this machine is
 * missing, with the reason.
 */
void peers_contestant_list(const struct peers_setup *setup,
                           struct peers_contestant list[PEERS_COUNT]);

/* Rewrites the settings of the tuned NVBLAS, which must not run. */
void peers_contestant_tune(const struct peers_setup *setup, struct peers_contestant *nvblas,
                           int tile_size);

/*
 * Reads from the log whether the last call ran on the GPU. words: empty where it did, else a few
 * words, such as "ran on the CPU".
 */
void peers_contestant_read_log(const struct peers_contestant *contestant,
                               char words[PEERS_SENTENCE_BYTES]);

#endif
