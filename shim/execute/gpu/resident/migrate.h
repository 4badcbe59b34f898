/* migrate.h - moves operands that calls read again to the memory of a coherent device */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_MIGRATE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_MIGRATE_H

#include "policy/resident/migration.h"
#include "policy/resident/migration_reason.h"
#include "shim/execute/gpu/pages/host_view.h"

/*
 * The pages keep their addresses and contents; the processor reads and writes them as before, over
 * the link. So a move can fail at any page without harm. Only whole pages of private anonymous
 * memory that hold nothing but bytes of the operand are moved, and never a stack. Not together with
 * resident.h, whose tracking the option residency chooses instead.
 */

/* Where to, and what bounds a move (migration.h). */
struct migrate_target {
	int node;
	uint64_t limit_bytes;
	double link_bytes_s;
};

/* calls: that read or wrote operands while moves were on. */
struct migrate_stats {
	uint64_t calls, moves, moved_pages, refused_pages, move_ns;
	int page_error; /* of the page that was refused last, as in errno.h; 0: none was */
};

/* From now on operands are moved, in this process; root: "" but in tests. */
void migrate_open(const char *root);
/* Why nothing is moved any more; the first reason stays. */
void migrate_close(enum migration_reason reason);
enum migration_reason migrate_reason(void);

/* A few loads. */
bool migrate_is_on(void);

/*
 * A call reads or writes the operand. Reading may move it, which takes time. From any thread; while
 * another one moves an operand, nothing is noted.
 */
void migrate_note_read(const struct host_view *view, const struct migrate_target *target);
void migrate_note_written(const struct host_view *view);

struct migrate_stats migrate_stats_get(void);
/* Bytes of the pages that were moved so far; does not wait for a move. */
uint64_t migrate_count_moved(void);

#endif
