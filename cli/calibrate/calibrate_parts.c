/* calibrate_parts.c - runs the parts in child processes and shows the progress */
/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/calibrate/calibrate.h"
#include "cli/common/progress_bar.h"
#include "cli/common/say.h"

/* PARTS_UNUSED: the status of a part whose sentence on the board says why it has no figures. */
enum { PARTS_PAUSE_NS = 100000000, PARTS_UNUSED = 77 };

void calibrate_tell(const struct calibrate *calibrate, double done, const char *now)
{
	atomic_store(&calibrate->board->done, done);
	atomic_store(&calibrate->board->now, now);
}

static void calibrate_parts_draw(const struct calibrate *calibrate, double done, const char *name)
{
	const char *now = atomic_load(&calibrate->board->now);
	progress_bar_draw(done, "%3.0f %%  %s%s%s", done * 100, name, now != NULL ? ": " : "",
	                  now != NULL ? now : "");
}

/* The share of the time budgets that is done. */
static double calibrate_parts_sum(const struct calibrate *calibrate,
                                  const struct calibrate_part *parts, int count, int part)
{
	double before_s = 0, whole_s = 0;
	for (int i = 0; i < count; i++) {
		before_s += i < part ? parts[i].budget_s : 0;
		whole_s += parts[i].budget_s;
	}
	return (before_s + parts[part].budget_s * atomic_load(&calibrate->board->done)) / whole_s;
}

/* In the child. The figures are copied to the shared memory only when all are measured. */
static void calibrate_parts_become_part(const struct calibrate *calibrate,
                                        const struct calibrate_part *part, pid_t parent)
{
	static struct machine machine;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	machine = calibrate->board->machine;
	const bool fine = part->measure(calibrate, part, &machine);
	if (fine)
		calibrate->board->machine = machine;
	_exit(fine ? 0 : PARTS_UNUSED);
}

static int calibrate_parts_wait(const struct calibrate *calibrate,
                                const struct calibrate_part *parts, int count, int part,
                                pid_t child)
{
	int status = 0;
	while (waitpid(child, &status, progress_bar_is_seen() ? WNOHANG : 0) == 0) {
		calibrate_parts_draw(calibrate, calibrate_parts_sum(calibrate, parts, count, part),
		                     parts[part].name);
		nanosleep(&(struct timespec){0, PARTS_PAUSE_NS}, NULL);
	}
	progress_bar_clear();
	return status;
}

/* A library that is missing is missing in each part: its message is printed once. */
static void calibrate_parts_say_sentences(struct calibrate_board *board,
                                          char said[CALIBRATE_LIBRARIES][MEASURE_SENTENCE_BYTES])
{
	for (int i = 0; i < CALIBRATE_LIBRARIES; i++) {
		if (board->sentences[i][0] != '\0' && strcmp(board->sentences[i], said[i]) != 0)
			say("%s", board->sentences[i]);
		strcpy(said[i], board->sentences[i]);
		board->sentences[i][0] = '\0';
	}
}

/* The figures of a part that failed are left out, and what was noted of them. */
static void calibrate_parts_judge(struct calibrate_board *board, int figures,
                                  const struct calibrate_part *part, int status)
{
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		board->figure_count = figures;
	if (WIFSIGNALED(status))
		say("%s: signal %d ended the measurement; its figures are left out", part->name,
		    WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != PARTS_UNUSED)
		say("%s: the measurement failed; its figures are left out", part->name);
}

void calibrate_run_parts(struct calibrate *calibrate, const struct calibrate_part *parts, int count)
{
	char said[CALIBRATE_LIBRARIES][MEASURE_SENTENCE_BYTES] = {"", "", "", ""};
	const struct calibrate_moment first = calibrate_load_look("");
	for (int i = 0; i < count; i++) {
		if (parts[i].needs_gpu && !(calibrate->board->machine.gpu_count > 0))
			continue;
		calibrate_tell(calibrate, 0, NULL);
		if (!progress_bar_is_seen() && !progress_bar_is_hidden())
			say("measuring %s", parts[i].name);
		fflush(NULL);
		const int figures = calibrate->board->figure_count;
		const pid_t parent = getpid(), child = fork();
		if (child == 0)
			calibrate_parts_become_part(calibrate, &parts[i], parent);
		if (child < 0) {
			say("%s: no process can be made to measure it; its figures are left out",
			    parts[i].name);
			continue;
		}
		calibrate_parts_judge(calibrate->board, figures, &parts[i],
		                      calibrate_parts_wait(calibrate, parts, count, i, child));
		calibrate_parts_say_sentences(calibrate->board, said);
	}
	const struct calibrate_moment last = calibrate_load_look("");
	calibrate->load = calibrate_load_between(&first, &last);
}
