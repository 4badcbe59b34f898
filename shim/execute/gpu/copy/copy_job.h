/* copy_job.h - one copy between the program's memory and staging, and whom its end wakes */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_COPY_COPY_JOB_H
#define GPUSHIM_SHIM_EXECUTE_GPU_COPY_COPY_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "shim/execute/gpu/copy/pack.h"

/*
 * Wakes the owner of jobs; zero it first. rings is incremented just before a job's done is set, so
 * that the bell may be freed with the job. An owner that looks in between sleeps for its whole
 * timeout, which should therefore be short.
 */
struct copy_bell {
	_Atomic uint32_t rings;
	_Atomic uint32_t sleeper;
	uint64_t call; /* the listener's number of the owner's call; 0: none */
	/* Of what numbers results are; what pack_scatter_watched found in those committed. */
	enum pack_watch watch;
	atomic_uint found;
	/*
	 * Jobs are refused whose memory cannot be copied without a signal (probes), or by a thread
	 * without the owner's rights to memory (compares). refused: one was.
	 */
	bool probes, compares;
	uint32_t rights;
	atomic_bool refused;
	/* An input that pack_rule.watch is about is not finite. */
	atomic_bool special;
};

enum copy_kind { COPY_GATHER, COPY_SCATTER, COPY_POPULATE, COPY_BOTH, COPY_KEEP, COPY_ASK };

/*
 * One copy. COPY_BOTH gathers into staging and into shadow, both tight. COPY_KEEP copies staging to
 * shadow, and COPY_ASK copies nothing: it calls ask(question), behind all copies, or before them
 * where it is urgent; both touch no memory of the program's. The job, its rule and the bell belong
 * to the owner and must stay until done is set (release order). refused: nothing was copied, and
 * the owner has to copy itself.
 */
struct copy_job {
	enum copy_kind kind;
	struct pack_area area;
	void *staging, *shadow;
	const struct pack_rule *rule;
	void (*ask)(void *question);
	void *question;
	bool is_urgent;
	struct copy_bell *bell;
	struct copy_job *next; /* the queue's */
	bool refused;
	atomic_bool done;
};

#endif
