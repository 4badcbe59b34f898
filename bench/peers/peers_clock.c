/* peers_clock.c - the card's clock and power during a case, as nvidia-smi tells them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/peers_clock.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CLOCK_BUSY_PERCENT = 20, CLOCK_FIELDS = 4, CLOCK_PIPE_BYTES = 1 << 20 };

static void peers_clock_become(const char *pci_bus_id, int to)
{
	char select[64];
	const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	snprintf(select, sizeof select, "--id=%.40s", pci_bus_id);
	dup2(nowhere, 0);
	dup2(to, 1);
	dup2(nowhere, 2);
	execlp("nvidia-smi", "nvidia-smi",
	       "--query-gpu=clocks.sm,power.draw,temperature.gpu,utilization.gpu",
	       "--format=csv,noheader,nounits", "-lms", "200",
	       pci_bus_id[0] != '\0' ? select : (char *)NULL, (char *)NULL);
	_exit(127);
}

/* The pipe holds the samples of a case: nothing reads it meanwhile. */
void peers_clock_start(struct peers_clock *clock, const char *pci_bus_id)
{
	int ends[2];
	clock->pid = 0;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return;
	fcntl(ends[1], F_SETPIPE_SZ, CLOCK_PIPE_BYTES);
	clock->pid = fork();
	if (clock->pid == 0)
		peers_clock_become(pci_bus_id, ends[1]);
	close(ends[1]);
	clock->from = ends[0];
	if (clock->pid > 0)
		return;
	close(ends[0]);
	clock->pid = 0;
}

static void peers_clock_add(const char *line, struct peers_clock_figures *figures)
{
	double mhz, watts, celsius, percent;
	if (sscanf(line, "%lf, %lf, %lf, %lf", &mhz, &watts, &celsius, &percent) != CLOCK_FIELDS)
		return;
	if (percent >= CLOCK_BUSY_PERCENT)
		figures->least_mhz = figures->least_mhz > 0 ? fmin(figures->least_mhz, mhz) : mhz;
	figures->most_mhz = fmax(figures->most_mhz, mhz);
	figures->most_watts = fmax(figures->most_watts, watts);
	figures->most_celsius = fmax(figures->most_celsius, celsius);
	figures->samples++;
}

void peers_clock_stop(struct peers_clock *clock, struct peers_clock_figures *figures)
{
	char line[256];
	memset(figures, 0, sizeof *figures);
	if (clock->pid == 0)
		return;
	kill(clock->pid, SIGKILL);
	waitpid(clock->pid, NULL, 0);
	clock->pid = 0;
	FILE *file = fdopen(clock->from, "r");
	while (file != NULL && fgets(line, sizeof line, file) != NULL)
		peers_clock_add(line, figures);
	if (file != NULL)
		fclose(file);
}
