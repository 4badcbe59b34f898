/* pack.c - gather and scatter of runs, and the rules by which results enter C */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/copy/pack.h"

#include <string.h>

#include "shim/base/fp_environment.h"
#include "shim/execute/gpu/copy/pack_copy.h"

/*
 * Shorter runs are written through the cache: streaming stores are slow at the partial lines of
 * their ends.
 */
enum { PACK_STREAM_BYTES = 8192, PACK_RUNS_AHEAD = 64, PACK_SUMS = 1024 };

/* Makes one run of an area without gaps. */
static struct pack_area pack_merge(const struct pack_area *area)
{
	if (area->count > 1 && area->run_bytes != area->pitch_bytes)
		return *area;
	const uint64_t size_bytes = area->run_bytes * area->count;
	return (struct pack_area){area->host, size_bytes, size_bytes > 0, size_bytes};
}

/* The address PACK_COPY_LEAD_BYTES further on in the area: some runs ahead, or the next run. */
static char *pack_look_ahead(char *run, const struct pack_area *runs)
{
	const uint64_t steps = PACK_COPY_LEAD_BYTES / (runs->run_bytes + 1) + 1;
	return run + (steps < PACK_RUNS_AHEAD ? steps : PACK_RUNS_AHEAD) * runs->pitch_bytes;
}

static void pack_gather_run(char *to, const char *from, uint64_t run_bytes, const char *ahead)
{
	const uint64_t end_bytes =
		run_bytes < PACK_COPY_LEAD_BYTES ? run_bytes : PACK_COPY_LEAD_BYTES;
	const uint64_t begin_bytes = run_bytes - end_bytes;
	pack_copy(to, from, begin_bytes, from + PACK_COPY_LEAD_BYTES);
	pack_copy(to + begin_bytes, from + begin_bytes, end_bytes, ahead);
}

void pack_gather(void *staging, const struct pack_area *area)
{
	const struct pack_area runs = pack_merge(area);
	char *to = staging, *from = runs.host;
	for (uint64_t i = 0; i < runs.count; i++, to += runs.run_bytes, from += runs.pitch_bytes)
		pack_gather_run(to, from, runs.run_bytes, pack_look_ahead(from, &runs));
}

/* -- a triangle -- */

static void pack_make_real(char *c, enum element element)
{
	const uint64_t half_bytes = element_size_bytes(element) / 2;
	memset(c + half_bytes, 0, half_bytes);
}

/* A run, of which only the bytes from begin_bytes to end_bytes are read. */
static void pack_gather_reach(char *to, const char *from, uint64_t run_bytes, uint64_t begin_bytes,
                              uint64_t end_bytes, const char *ahead)
{
	memset(to, 0, begin_bytes);
	pack_gather_run(to + begin_bytes, from + begin_bytes, end_bytes - begin_bytes, ahead);
	memset(to + end_bytes, 0, run_bytes - end_bytes);
}

void pack_gather_part(void *staging, const struct pack_area *area, const struct pack_rule *rule)
{
	if (rule == NULL || (rule->part == PACK_WHOLE && !rule->hermitian)) {
		pack_gather(staging, area);
		return;
	}
	const uint64_t size_bytes = element_size_bytes(rule->element);
	const int64_t count = (int64_t)(area->run_bytes / size_bytes);
	char *to = staging, *from = area->host;
	for (uint64_t i = 0; i < area->count;
	     i++, to += area->run_bytes, from += area->pitch_bytes) {
		const struct pack_reach reach =
			pack_rule_reach(rule, rule->column + (int64_t)i, count);
		const uint64_t begin_bytes = (uint64_t)reach.begin * size_bytes;
		pack_gather_reach(to, from, area->run_bytes, begin_bytes,
		                  (uint64_t)reach.end * size_bytes,
		                  pack_look_ahead(from, area) + begin_bytes);
		if (rule->hermitian && reach.diagonal >= 0 && reach.diagonal < count)
			pack_make_real(to + (uint64_t)reach.diagonal * size_bytes, rule->element);
	}
}

/* What does not belong to the part is 0 there, so that only a part of the whole is cut out. */
bool pack_is_special(const void *staging, const struct pack_area *area,
                     const struct pack_rule *rule)
{
	const uint64_t size_bytes = element_size_bytes(rule->element);
	const int64_t count = (int64_t)(area->run_bytes / size_bytes);
	struct pack_rule watched = *rule;
	const char *run = staging;
	bool special = false;
	watched.part = rule->watched;
	if (rule->part == rule->watched || rule->watched == PACK_WHOLE)
		return pack_copy_is_special(staging, area->run_bytes * area->count, rule->watch);
	for (uint64_t i = 0; i < area->count && !special; i++, run += area->run_bytes) {
		const int64_t column = rule->column + (int64_t)i;
		const struct pack_reach reach = pack_rule_reach(&watched, column, count);
		if (column >= rule->watched_columns)
			break;
		special = reach.end > reach.begin &&
		          pack_copy_is_special(run + (uint64_t)reach.begin * size_bytes,
		                               (uint64_t)(reach.end - reach.begin) * size_bytes,
		                               rule->watch);
	}
	return special;
}

/* -- results -- */

/*
 * For and after writing results: the numbers that are watched, whether one was special, and whether
 * a fence is due.
 */
struct pack_passage {
	enum pack_watch watch;
	bool special, streamed;
};

/* Copies plain bytes. */
static void pack_write(char *to, const char *from, uint64_t size_bytes, const char *ahead,
                       struct pack_passage *passage)
{
	const enum pack_watch watch = passage->watch;
	if (size_bytes < PACK_STREAM_BYTES) {
		pack_copy(to, from, size_bytes, ahead);
		passage->special |= pack_copy_is_special(from, size_bytes, watch);
		return;
	}
	const uint64_t begin_bytes = size_bytes - PACK_COPY_LEAD_BYTES;
	passage->special |=
		pack_copy_stream(to, from, begin_bytes, to + PACK_COPY_LEAD_BYTES, watch);
	passage->special |= pack_copy_stream(to + begin_bytes, from + begin_bytes,
	                                     PACK_COPY_LEAD_BYTES, ahead, watch);
	passage->streamed = true;
}

static void pack_scatter_bytes(const struct pack_area *area, const char *staging,
                               struct pack_passage *passage)
{
	const struct pack_area runs = pack_merge(area);
	const char *from = staging;
	char *to = runs.host;
	for (uint64_t i = 0; i < runs.count; i++, to += runs.pitch_bytes, from += runs.run_bytes)
		pack_write(to, from, runs.run_bytes, pack_look_ahead(to, &runs), passage);
}

static bool pack_is_zero(const struct pack_rule *rule)
{
	return rule->beta[0] == 0 && rule->beta[1] == 0;
}

/*
 * Whether complex numbers are treated as pairs of real ones: BLAS ignores the imaginary part of
 * beta in Hermitian updates and skips the product for beta = 1. Otherwise it does multiply by an
 * imaginary part of 0, which matters for infinities.
 */
static bool pack_is_pairwise(const struct pack_rule *rule)
{
	return rule->hermitian || (rule->beta[0] == 1 && rule->beta[1] == 0);
}

/* C := z + beta C for count adjacent elements. */
static void pack_add(char *c, const char *z, uint64_t count, const struct pack_rule *rule)
{
	const bool turned = element_is_complex(rule->element) && !pack_is_pairwise(rule);
	const uint64_t numbers = element_is_complex(rule->element) ? 2 * count : count;
	const bool single = rule->element == ELEMENT_S || rule->element == ELEMENT_C;
	if (turned && single)
		pack_copy_turn_c(c, z, count, rule->beta);
	else if (turned)
		pack_copy_turn_z(c, z, count, rule->beta);
	else if (single)
		pack_copy_scale_s(c, z, numbers, rule->beta[0]);
	else
		pack_copy_scale_d(c, z, numbers, rule->beta[0]);
}

/* Commits count adjacent elements. Sums are looked at in pieces that are still in the cache. */
static void pack_commit(char *c, const char *z, uint64_t count, const struct pack_rule *rule,
                        struct pack_passage *passage)
{
	const uint64_t size_bytes = element_size_bytes(rule->element);
	if (pack_is_zero(rule)) {
		pack_write(c, z, count * size_bytes, c, passage);
		return;
	}
	for (uint64_t i = 0; i < count; i += PACK_SUMS) {
		const uint64_t sums = count - i < PACK_SUMS ? count - i : PACK_SUMS;
		pack_add(c + i * size_bytes, z + i * size_bytes, sums, rule);
		passage->special |=
			pack_copy_is_special(c + i * size_bytes, sums * size_bytes, passage->watch);
	}
}

/* Commits count elements of a column from row rule->row on. */
static void pack_commit_column(char *c, const char *z, int64_t count, int64_t column,
                               const struct pack_rule *rule, struct pack_passage *passage)
{
	const uint64_t size_bytes = element_size_bytes(rule->element);
	const struct pack_reach reach = pack_rule_reach(rule, column, count);
	const uint64_t skip_bytes = (uint64_t)reach.begin * size_bytes;
	if (reach.end > reach.begin)
		pack_commit(c + skip_bytes, z + skip_bytes, (uint64_t)(reach.end - reach.begin),
		            rule, passage);
	if (rule->hermitian && reach.diagonal >= 0 && reach.diagonal < count)
		pack_make_real(c + (uint64_t)reach.diagonal * size_bytes, rule->element);
}

static void pack_scatter_columns(const struct pack_area *area, const char *staging,
                                 const struct pack_rule *rule, struct pack_passage *passage)
{
	const int64_t elements = (int64_t)(area->run_bytes / element_size_bytes(rule->element));
	for (uint64_t i = 0; i < area->count; i++)
		pack_commit_column(area->host + i * area->pitch_bytes,
		                   staging + i * area->run_bytes, elements,
		                   rule->column + (int64_t)i, rule, passage);
}

/* The flags of the sums are read only where a number is special: a finite one raised none. */
static unsigned pack_scatter_ruled(const struct pack_area *area, const char *staging,
                                   const struct pack_rule *rule, struct pack_passage *passage)
{
	struct fp_environment before;
	unsigned raised = 0;
	fp_environment_enter(&before);
	pack_scatter_columns(area, staging, rule, passage);
	if (passage->special)
		raised = fp_environment_read_raised() & (FP_INVALID | FP_OVERFLOW);
	fp_environment_leave(&before);
	return raised;
}

unsigned pack_scatter_watched(const struct pack_area *area, const void *staging,
                              const struct pack_rule *rule, enum pack_watch watch)
{
	struct pack_passage passage = {.watch = watch};
	unsigned raised = 0;
	if (rule == NULL || (pack_is_zero(rule) && rule->part == PACK_WHOLE && !rule->hermitian))
		pack_scatter_bytes(area, staging, &passage);
	else
		raised = pack_scatter_ruled(area, staging, rule, &passage);
	if (passage.streamed)
		pack_copy_fence();
	return passage.special ? FP_SPECIAL | raised : 0;
}

void pack_scatter(const struct pack_area *area, const void *staging, const struct pack_rule *rule)
{
	pack_scatter_watched(area, staging, rule, PACK_WATCH_NONE);
}
