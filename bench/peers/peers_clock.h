/* peers_clock.h - the card's clock and power during a case, as nvidia-smi tells them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_PEERS_PEERS_CLOCK_H
#define GPUSHIM_BENCH_PEERS_PEERS_CLOCK_H

#include <stdbool.h>
#include <sys/types.h>

struct peers_clock {
	pid_t pid; /* of nvidia-smi; 0: it does not run */
	int from;
};

/* samples: 0 where there is no nvidia-smi. The least clock is of samples while the card is busy. */
struct peers_clock_figures {
	int samples;
	double least_mhz, most_mhz, most_watts, most_celsius;
};

/* Starts sampling the card with this PCI address. */
void peers_clock_start(struct peers_clock *clock, const char *pci_bus_id);
void peers_clock_stop(struct peers_clock *clock, struct peers_clock_figures *figures);

#endif
