/* mirror_areas.h - an operand with a mirror; the bytes that the mirror lacks, as a few areas */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_MIRROR_AREAS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_MIRROR_AREAS_H

#include "shim/execute/gpu/copy/pack.h"
#include "shim/execute/gpu/resident/resident.h"

/*
 * A piece of an operand that its mirror lacks: to be copied to device, runs device_pitch apart. One
 * of a triangle is copied by its rule; row, column: the matrix indices of its first element.
 */
struct mirror_area {
	struct pack_area area;
	char *device;
	uint64_t device_pitch;
	int64_t row, column;
};

/* The square that a triangle is part of: columns of run_bytes, pitch_bytes apart. */
struct mirror_triangle {
	enum pack_part part; /* PACK_WHOLE: the operand is no triangle */
	uint64_t element_bytes, run_bytes, pitch_bytes;
};

/*
 * An operand with a mirror: its copy on the device, which has the layout of the program's memory.
 * device: the operand's first byte there; NULL: there is none, the call has to send all of it to
 * memory of its own. held: the mirror has most of it. area: what it lacks, at least all of that; if
 * not held, the whole operand, which may as well be sent in other pieces. commits: of a result, the
 * mirror is to be kept. note: see mirror_numbers.h. What a mirror of a triangle has beside it is
 * undefined.
 */
struct mirror {
	struct resident_operand *operand;
	char *device;
	bool held, commits;
	struct mirror_area *area;
	uint32_t areas, room;
	uint64_t read_bytes, sent_bytes; /* of an input */
	uint64_t note;
	struct mirror_triangle triangle;
};

/*
 * Lists the areas of a mirror whose operand and device are set, and sets held and sent_bytes. A few
 * runs are an area each. Many runs at the ends of rows are two areas, which have a whole page of
 * each row: a copy for each run would take longer. Otherwise, and where nothing may be left out,
 * all of the operand is one area. A run of a triangle is up to three areas, without what lies
 * beside it. false: no memory.
 */
bool mirror_areas_list(struct mirror *mirror, bool leaves_out);

#endif
