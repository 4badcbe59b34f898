/* track_proof.c - writes, zeroes, unmaps and moves armed pages, and asks which are clean */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/track_proof.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/base/input_file.h"
#include "shim/execute/gpu/resident/sightings.h"
#include "shim/execute/gpu/resident/track.h"

/* Blocks of the size that the kernel maps by one entry where it uses large pages. */
enum {
	PROOF_BLOCKS = 4,
	PROOF_SMALL = 2,      /* the first ones, in small pages */
	PROOF_SMALL_PART = 4, /* of such a block one part is filled: a page is a fault */
	PROOF_USUAL_PAGE = 4096,
	PROOF_ROUNDS = 3
};
static const uintptr_t proof_block = 2 << 20;

/*
 * area: PROOF_BLOCKS blocks; clean: the last scan of it; hides_losses: see track_scan_trust.
 */
struct track_trial {
	struct pages_span reserved, area;
	struct pages_set clean;
	bool hides_losses;
	uint64_t fault_ns;
	struct tracking_rates rates;
};

static struct pages_span track_proof_whole(const struct track_trial *proof, int block)
{
	const uintptr_t start = proof->area.start + (uintptr_t)block * proof_block;
	return (struct pages_span){start, start + proof_block};
}

/* The part of a block that is filled. */
static struct pages_span track_proof_block(const struct track_trial *proof, int block)
{
	struct pages_span part = track_proof_whole(proof, block);
	if (block < PROOF_SMALL)
		part.end = part.start + proof_block / PROOF_SMALL_PART;
	return part;
}

static uint64_t track_proof_count(struct pages_span span)
{
	return (span.end - span.start) / pages_size();
}

/* Page `page` of a block; pages are counted from its begin. */
static struct pages_span track_proof_page(const struct track_trial *proof, int block, int page)
{
	const uintptr_t start =
		track_proof_block(proof, block).start + (uintptr_t)page * pages_size();
	return (struct pages_span){start, start + pages_size()};
}

static void track_proof_scan(struct track_trial *proof)
{
	memset(proof->clean.bits, 0, (track_proof_count(proof->area) / 64 + 1) * 8);
	track_scan(proof->area, &proof->clean);
}

/* Whether all pages of the span are clean but for `written` of them. */
static bool track_proof_lacks(struct track_trial *proof, struct pages_span span, uint64_t written)
{
	track_proof_scan(proof);
	return pages_count(&proof->clean, span) + written == track_proof_count(span);
}

static bool track_proof_all_lack(struct track_trial *proof, uint64_t written)
{
	uint64_t filled = 0, clean = 0;
	track_proof_scan(proof);
	for (int i = 0; i < PROOF_BLOCKS; i++) {
		const struct pages_span block = track_proof_block(proof, i);
		filled += track_proof_count(block);
		clean += pages_count(&proof->clean, block);
	}
	return clean + written == filled;
}

static bool track_proof_has_none(struct track_trial *proof, struct pages_span span)
{
	return track_proof_lacks(proof, span, track_proof_count(span));
}

/* Beside the proof: whether the kernel names the pages of the span, whose contents are lost. */
static void track_proof_note_loss(struct track_trial *proof, struct pages_span span)
{
	proof->hides_losses |= !track_scan_names_all(span);
}

static void track_proof_write(struct pages_span span)
{
	*(volatile char *)span.start = 1;
}

static bool track_proof_untouched(struct track_trial *proof)
{
	track_proof_note_loss(proof, proof->area);
	return track_proof_has_none(proof, proof->area);
}

/* A byte of each page, which the kernel may have made all at once. */
static void track_proof_fill(struct pages_span span)
{
#ifdef MADV_POPULATE_WRITE
	madvise((void *)span.start, span.end - span.start, MADV_POPULATE_WRITE);
#endif
	for (uintptr_t at = span.start; at < span.end; at += pages_size())
		*(volatile char *)at = 1;
}

static bool track_proof_armed(struct track_trial *proof)
{
	int error = 0;
	for (int i = 0; i < PROOF_BLOCKS; i++)
		track_proof_fill(track_proof_block(proof, i));
	if (!track_proof_has_none(proof, proof->area))
		return false;
	for (int i = 0; i < PROOF_BLOCKS; i++)
		error |= track_arm_as(track_proof_block(proof, i),
		                      i % 2 == 0 ? TRACK_ARM_BY_SCAN : TRACK_ARM_AT_ONCE);
	return error == 0 && track_proof_all_lack(proof, 0);
}

static bool track_proof_read(struct track_trial *proof)
{
	uint64_t sum = 0, pages = 0;
	for (int i = 0; i < PROOF_BLOCKS; i++) {
		const struct pages_span block = track_proof_block(proof, i);
		for (uintptr_t at = block.start; at < block.end; at += pages_size())
			sum += *(volatile unsigned char *)at;
		pages += track_proof_count(block);
	}
	return sum == pages && track_proof_all_lack(proof, 0);
}

static bool track_proof_written(struct track_trial *proof)
{
	const struct pages_span small = track_proof_page(proof, 0, 1);
	const struct pages_span large = track_proof_page(proof, 2, 7);
	track_proof_write(small);
	track_proof_write(large);
	return track_proof_all_lack(proof, 2) && track_proof_has_none(proof, small) &&
	       track_proof_has_none(proof, large);
}

/* A system call's write, over the edge between two pages. */
static bool track_proof_written_by_kernel(struct track_trial *proof)
{
	struct stat status;
	const struct pages_span page = track_proof_page(proof, 0, 3);
	const int file = input_file_open("/proc/self/stat", &status);
	if (file < 0)
		return false;
	const ssize_t bytes = read(file, (char *)page.end - 4, 8);
	close(file);
	return bytes == 8 && track_proof_all_lack(proof, 4) &&
	       track_proof_has_none(proof, (struct pages_span){page.start, page.end + 1});
}

static bool track_proof_disarmed(struct track_trial *proof)
{
	const struct pages_span block = track_proof_block(proof, 0);
	for (int way = TRACK_ARM_BY_SCAN; way <= TRACK_ARM_AT_ONCE; way++)
		if (track_disarm(block) != 0 || !track_proof_has_none(proof, block) ||
		    track_arm_as(block, (enum track_arm_way)way) != 0 ||
		    !track_proof_lacks(proof, block, 0))
			return false;
	return true;
}

static bool track_proof_page_given_back(struct track_trial *proof)
{
	const struct pages_span page = track_proof_page(proof, 0, 5);
	if (madvise((void *)page.start, pages_size(), MADV_DONTNEED) != 0)
		return false;
	track_proof_note_loss(proof, page);
	return track_proof_has_none(proof, page) &&
	       track_proof_lacks(proof, track_proof_block(proof, 0), 1);
}

static bool track_proof_block_given_back(struct track_trial *proof)
{
	const struct pages_span small = track_proof_whole(proof, 0);
	const struct pages_span large = track_proof_whole(proof, 2);
	if (track_arm_as(proof->area, TRACK_ARM_AT_ONCE) != 0)
		return false;
	madvise((void *)small.start, proof_block, MADV_DONTNEED);
	madvise((void *)large.start, proof_block, MADV_DONTNEED);
	track_proof_note_loss(proof, small);
	track_proof_note_loss(proof, large);
	return track_proof_has_none(proof, small) && track_proof_has_none(proof, large) &&
	       *(volatile char *)large.start == 0 && track_proof_has_none(proof, large);
}

/* Armed without contents: the first write is seen; so is the first page that is only read. */
static bool track_proof_empty_armed(struct track_trial *proof)
{
	const struct pages_span page = track_proof_page(proof, 0, 6),
				other = track_proof_page(proof, 2, 6);
	if (track_arm_as(track_proof_block(proof, 0), TRACK_ARM_BY_SCAN) != 0 ||
	    track_arm_as(track_proof_block(proof, 2), TRACK_ARM_AT_ONCE) != 0)
		return false;
	track_proof_write(page);
	track_proof_write(other);
	return track_proof_has_none(proof, page) && track_proof_has_none(proof, other);
}

static bool track_proof_protected(struct track_trial *proof)
{
	const struct pages_span block = track_proof_block(proof, 1),
				page = {block.start, block.start + 1},
				whole = track_proof_whole(proof, 1);
	if (track_arm(block) != 0 ||
	    syscall(SYS_mprotect, whole.start, proof_block, PROT_READ) != 0 ||
	    syscall(SYS_mprotect, whole.start, proof_block, PROT_READ | PROT_WRITE) != 0 ||
	    !track_proof_lacks(proof, block, 0))
		return false;
	track_proof_write(page);
	return track_proof_lacks(proof, block, 1) && track_proof_has_none(proof, page);
}

static void track_proof_keep_least(uint64_t *least_ns, int64_t begin_ns, int64_t end_ns)
{
	const uint64_t time_ns = (uint64_t)(end_ns - begin_ns);
	if (*least_ns == 0 || time_ns < *least_ns)
		*least_ns = time_ns;
}

/* The block is armed before and afterwards. */
static bool track_proof_time_block(struct track_trial *proof, struct pages_span block,
                                   struct tracking_times *times)
{
	for (int i = 0; i < PROOF_ROUNDS; i++) {
		const int64_t begin_ns = clock_monotonic_ns();
		const int disarmed = track_disarm(block);
		const int64_t disarmed_ns = clock_monotonic_ns();
		const int armed = track_arm(block);
		const int64_t armed_ns = clock_monotonic_ns();
		track_scan(block, &proof->clean);
		track_proof_keep_least(&times->disarm_ns, begin_ns, disarmed_ns);
		track_proof_keep_least(&times->arm_ns, disarmed_ns, armed_ns);
		track_proof_keep_least(&times->scan_ns, armed_ns, clock_monotonic_ns());
		if (disarmed != 0 || armed != 0)
			return false;
	}
	return true;
}

static void track_proof_time_sample(struct track_trial *proof, struct pages_span block)
{
	struct host_view view;
	const uint64_t bytes = block.end - block.start;
	if (!host_view_make(&view, (void *)block.start, bytes, bytes, 1))
		return;
	for (int i = 0; i < PROOF_ROUNDS; i++) {
		const int64_t begin_ns = clock_monotonic_ns();
		sightings_sample(&view);
		track_proof_keep_least(&proof->rates.sample_ns, begin_ns, clock_monotonic_ns());
	}
}

/* What a scan takes, however few its pages. */
static void track_proof_time_look(struct track_trial *proof, struct pages_span block)
{
	const struct pages_span page = {block.start, block.start + pages_size()};
	for (int i = 0; i < PROOF_ROUNDS; i++) {
		const int64_t begin_ns = clock_monotonic_ns();
		track_scan(page, &proof->clean);
		track_proof_keep_least(&proof->rates.look_ns, begin_ns, clock_monotonic_ns());
	}
}

/* What TRACKING_BLOCK pages take, and add to a scan. */
static void track_proof_scale(struct tracking_times *times, uint64_t pages, uint64_t look_ns)
{
	times->scan_ns = times->scan_ns > look_ns ? times->scan_ns - look_ns : 0;
	times->scan_ns = times->scan_ns * TRACKING_BLOCK / pages;
	times->arm_ns = times->arm_ns * TRACKING_BLOCK / pages;
	times->disarm_ns = times->disarm_ns * TRACKING_BLOCK / pages;
}

/*
 * Beside the proof: what tracking costs here, by the scan that is trusted so far. Of block 3 no
 * page was written.
 */
static bool track_proof_clocked(struct track_trial *proof)
{
	const struct pages_span small = track_proof_block(proof, 1);
	const struct pages_span large = track_proof_block(proof, 3);
	struct tracking_rates *rates = &proof->rates;
	track_scan_trust(!proof->hides_losses);
	track_proof_time_look(proof, small);
	track_proof_time_sample(proof, small);
	if (!track_proof_time_block(proof, small, &rates->small))
		return false;
	track_proof_scale(&rates->small, track_proof_count(small), rates->look_ns);
	rates->large = rates->small;
	if (track_count_large(large) != TRACKING_BLOCK)
		return true;
	rates->large = (struct tracking_times){.scan_ns = 0};
	const bool timed = track_proof_time_block(proof, large, &rates->large);
	track_proof_scale(&rates->large, TRACKING_BLOCK, rates->look_ns);
	return timed;
}

/* linux/mman.h; kernels that pass the statements before this one have it. */
enum { PROOF_DONT_UNMAP = 4 };

/*
 * The pages move away. What is left in their place is not clean, nor is where they went. The place
 * stays mapped: another thread's mapping must not come there, it would be unmapped with the rest.
 * Not by libc's mremap: UCX replaces it by one that loses the address.
 */
static bool track_proof_moved(struct track_trial *proof)
{
	const struct pages_span from = track_proof_whole(proof, 1);
	const struct pages_span to = track_proof_whole(proof, 3);
	if (track_arm(from) != 0 ||
	    syscall(SYS_mremap, from.start, proof_block, proof_block,
	            MREMAP_MAYMOVE | MREMAP_FIXED | PROOF_DONT_UNMAP, to.start) != (long)to.start)
		return false;
	track_proof_note_loss(proof, from);
	return track_proof_has_none(proof, from) && track_proof_has_none(proof, to);
}

/* Another thread may take the place before this one: its mapping is not clean either. */
static bool track_proof_replaced(struct track_trial *proof)
{
	const struct pages_span block = track_proof_whole(proof, 0);
	if (track_arm(block) != 0)
		return false;
	(void)mmap((void *)block.start, proof_block, PROT_READ | PROT_WRITE,
	           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	return track_proof_has_none(proof, block) && track_arm(block) != 0;
}

/* Of the block, whose large page was split, as many pages are filled as of a small one. */
static bool track_proof_ended(struct track_trial *proof)
{
	struct pages_span part = track_proof_whole(proof, 2);
	part.end = part.start + proof_block / PROOF_SMALL_PART;
	track_proof_fill(part);
	return track_arm(part) == 0 && track_proof_lacks(proof, part, 0) &&
	       track_unregister(part) == 0 && track_proof_has_none(proof, part);
}

/*
 * In a large operand a fault takes longer than in this block, whose pages the cache holds: of
 * 304,707 faults one took 770 ns of its thread's time, where the block had 480 (Linux 6.18).
 */
enum { PROOF_COLD_PERCENT = 160 };

/* Beside the proof: what a fault costs here. Other programs may have the processor meanwhile. */
static bool track_proof_timed(struct track_trial *proof)
{
	const struct pages_span block = track_proof_block(proof, 0);
	const uint64_t pages = track_proof_count(block);
	if (pages == 0)
		return false;
	const int64_t begin_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
	for (uint64_t i = 0; i < pages; i++)
		track_proof_write(track_proof_page(proof, 0, (int)i));
	const int64_t took_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
	proof->fault_ns = (uint64_t)took_ns * PROOF_COLD_PERCENT / 100 / pages;
	return track_proof_lacks(proof, block, pages) && track_arm(block) == 0;
}

/* In the order in which they are tried: each builds on those before. */
static const struct {
	char words[56];
	bool (*holds)(struct track_trial *proof);
} track_proof_statements[] = {
	{"untouched pages are not clean", track_proof_untouched},
	{"armed pages are clean", track_proof_armed},
	{"pages that are read stay clean", track_proof_read},
	{"a written page is not clean, and all others are", track_proof_written},
	{"pages that a system call writes are not clean", track_proof_written_by_kernel},
	{"disarmed pages are not clean, until armed again", track_proof_disarmed},
	{"a first write to each page is seen", track_proof_timed},
	{"a page given back is not clean", track_proof_page_given_back},
	{"a block given back is not clean", track_proof_block_given_back},
	{"pages armed while empty are seen written", track_proof_empty_armed},
	{"protection leaves pages clean, writes after it do not", track_proof_protected},
	{"pages can be disarmed and armed again and again", track_proof_clocked},
	{"moved pages are clean in neither place", track_proof_moved},
	{"a new mapping is neither clean nor armed", track_proof_replaced},
	{"pages that are no longer registered are not clean", track_proof_ended},
};

/*
 * Address space without any page table, as wide as one table of the third level. Where pages have
 * another size, blocks and tables have others too, and what was seen of these says nothing.
 */
static void track_proof_look_at_hole(struct track_trial *proof)
{
	const uintptr_t bytes = proof_block * 512;
	proof->hides_losses |= pages_size() != PROOF_USUAL_PAGE;
	void *memory = mmap(NULL, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) {
		proof->hides_losses = true;
		return;
	}
	const uintptr_t start = ((uintptr_t)memory + bytes - 1) & ~(bytes - 1);
	const struct pages_span hole = {start, start + bytes};
	proof->hides_losses |= track_register(hole) != 0;
	track_proof_note_loss(proof, hole);
	munmap(memory, 2 * bytes);
}

/* Blocks 2 and 3 have large pages where the system allows it. */
static bool track_proof_map(struct track_trial *proof)
{
	const size_t bytes = (PROOF_BLOCKS + 1) * proof_block;
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	const uintptr_t start = (uintptr_t)memory;
	proof->reserved = (struct pages_span){start, start + bytes};
	proof->area.start = (start + proof_block - 1) & ~(proof_block - 1);
	proof->area.end = proof->area.start + PROOF_BLOCKS * proof_block;
	/* A program may have all that is mapped locked, which fills it, and refuses to lose it. */
	syscall(SYS_munlock, memory, bytes);
	madvise(memory, bytes, MADV_DONTNEED);
#ifdef MADV_HUGEPAGE
	madvise((void *)proof->area.start, 2 * proof_block, MADV_NOHUGEPAGE);
	madvise((void *)(proof->area.start + 2 * proof_block), 2 * proof_block, MADV_HUGEPAGE);
#endif
	return pages_begin(&proof->clean, proof->area);
}

static const char *track_proof_try(struct track_trial *proof)
{
	const size_t count = sizeof track_proof_statements / sizeof *track_proof_statements;
	if (track_register(proof->area) != 0)
		return "private memory can be registered";
	for (size_t i = 0; i < count; i++)
		if (!track_proof_statements[i].holds(proof))
			return track_proof_statements[i].words;
	track_proof_look_at_hole(proof);
	track_scan_trust(!proof->hides_losses);
	return NULL;
}

const char *track_proof_find_fault(uint64_t *fault_ns, struct tracking_rates *rates)
{
	const int error = errno;
	struct track_trial proof = {.fault_ns = 0};
	const char *fault = "there is memory for the test";
	track_scan_trust(false);
	if (track_proof_map(&proof))
		fault = track_proof_try(&proof);
	if (proof.reserved.end != 0)
		munmap((void *)proof.reserved.start, proof.reserved.end - proof.reserved.start);
	pages_end(&proof.clean);
	*fault_ns = proof.fault_ns;
	rates->small = proof.rates.small;
	rates->large = proof.rates.large;
	rates->look_ns = proof.rates.look_ns;
	rates->sample_ns = proof.rates.sample_ns;
	errno = error;
	return fault;
}
