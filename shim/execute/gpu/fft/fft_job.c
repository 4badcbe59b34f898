/* fft_job.c - where each group is in the program's memory, in our copies and on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/fft/fft_job.h"

#include "policy/call/fft_extent.h"
#include "shim/execute/gpu/fft/fft_symmetrise.h"

/* The alignment of cudaMalloc, for slots and their outputs. */
enum { FFT_JOB_ALIGNMENT_BYTES = 256 };

static uint64_t fft_job_round(uint64_t size_bytes)
{
	return (size_bytes + FFT_JOB_ALIGNMENT_BYTES - 1) / FFT_JOB_ALIGNMENT_BYTES *
	       FFT_JOB_ALIGNMENT_BYTES;
}

static enum fft_job_kind fft_job_find_kind(const struct fft_job *job, int64_t group)
{
	return group == job->groups - 1 && job->cut.count % job->group != 0 ? FFT_JOB_REST
	                                                                    : FFT_JOB_FULL;
}

static bool fft_job_has_rest(const struct fft_job *job)
{
	return fft_job_find_kind(job, job->groups - 1) == FFT_JOB_REST;
}

/* Whether that side of a group is scattered, or (scattered = false) is not. */
static bool fft_job_has_side(const struct fft_job *job, bool output, bool scattered)
{
	const int kinds = fft_job_has_rest(job) ? FFT_JOB_KINDS : FFT_JOB_REST;
	for (int kind = FFT_JOB_FULL; kind < kinds; kind++) {
		const struct fft_map *map = &job->map[kind];
		const struct fft_layout *side = output ? &map->output : &map->input;
		if ((side->kind == FFT_LAYOUT_SCATTERED) == scattered)
			return true;
	}
	return false;
}

enum reason fft_job_begin(struct fft_job *job, const struct fft_call *call)
{
	*job = (struct fft_job){.call = call, .shares = fft_extent_overlap(call)};
	return fft_cut_find(call, job->shares, &job->cut) ? REASON_NONE : REASON_UNSUPPORTED_LAYOUT;
}

static uint64_t fft_job_divide_up(uint64_t size_bytes, int64_t count)
{
	return (size_bytes - 1) / (uint64_t)count + 1;
}

/*
 * cuFFT's work area is usually as large as the data. A single piece needs no estimate: it is not
 * cut.
 */
struct fft_batch fft_job_batch(const struct fft_job *job)
{
	const struct fft_cut *cut = &job->cut;
	const uint64_t input_bytes =
		fft_job_divide_up(fft_layout_size_bytes(&cut->whole.input), cut->count);
	const uint64_t output_bytes =
		fft_job_divide_up(fft_layout_size_bytes(&cut->whole.output), cut->count);
	struct fft_batch batch = {cut->count,
	                          cut->least,
	                          input_bytes,
	                          output_bytes,
	                          input_bytes,
	                          0,
	                          fft_map_count_operations(job->call->problem)};
	if (cut->count > 1)
		batch.work_bytes = input_bytes > output_bytes ? input_bytes : output_bytes;
	if (!cut->whole.in_place &&
	    __builtin_add_overflow(input_bytes, output_bytes, &batch.device_bytes))
		batch.device_bytes = UINT64_MAX;
	return batch;
}

static void fft_job_place(struct fft_job *job)
{
	const struct fft_map *full = &job->map[FFT_JOB_FULL];
	const bool in_place =
		full->in_place && (!fft_job_has_rest(job) || job->map[FFT_JOB_REST].in_place);
	const uint64_t input_bytes = fft_job_round(fft_layout_size_bytes(&full->input));
	job->slots = job->groups < FFT_GROUPS_SLOTS ? (int)job->groups : FFT_GROUPS_SLOTS;
	job->output_bytes = in_place ? 0 : input_bytes;
	job->slot_bytes = job->output_bytes + fft_job_round(fft_layout_size_bytes(&full->output));
	if (in_place && input_bytes > job->slot_bytes)
		job->slot_bytes = input_bytes;
}

bool fft_job_cut(struct fft_job *job, int64_t group)
{
	const int64_t rest = job->cut.count % group;
	job->group = group;
	job->groups = (job->cut.count - 1) / group + 1;
	if (!fft_cut_describe(&job->cut, group, &job->map[FFT_JOB_FULL]) ||
	    (rest > 0 && !fft_cut_describe(&job->cut, rest, &job->map[FFT_JOB_REST])))
		return false;
	for (int kind = FFT_JOB_FULL; kind < FFT_JOB_KINDS; kind++)
		fft_map_find_planes(&job->map[kind], CUDA_PITCH_MAX_BYTES, &job->planes[kind]);
	fft_job_place(job);
	/* Results that are not scattered enter the program's memory while the flow is running. */
	job->shadows = job->shares && fft_job_has_side(job, true, false);
	return true;
}

uint64_t fft_job_arena_bytes(const struct fft_job *job)
{
	return (uint64_t)job->slots * job->slot_bytes;
}

uint64_t fft_job_input_copy_bytes(const struct fft_job *job)
{
	const bool wanted = job->shadows || fft_job_has_side(job, false, true);
	return wanted ? fft_layout_size_bytes(&job->cut.whole.input) : 0;
}

uint64_t fft_job_output_copy_bytes(const struct fft_job *job)
{
	return fft_job_has_side(job, true, true) ? fft_layout_size_bytes(&job->cut.whole.output)
	                                         : 0;
}

/* -- one group -- */

/*
 * One side of a group: layout, place in the program's memory, and tight copy on the host or NULL.
 */
struct fft_job_side {
	const struct fft_layout *layout;
	char *program, *copy;
};

static struct fft_job_side fft_job_find_side(const struct fft_job *job, int64_t group, bool output)
{
	const struct fft_map *map = &job->map[fft_job_find_kind(job, group)];
	const struct fft_map *full = &job->map[FFT_JOB_FULL];
	const int64_t piece = group * job->group;
	char *copy = output ? job->output_copy : job->input_copy;
	if (copy != NULL)
		copy += (uint64_t)group *
		        fft_layout_size_bytes(output ? &full->output : &full->input);
	if (output)
		return (struct fft_job_side){
			&map->output, (char *)job->call->out + piece * job->cut.output_bytes, copy};
	return (struct fft_job_side){&map->input,
	                             (char *)job->call->in + piece * job->cut.input_bytes, copy};
}

/* The area that the flow copies: of scattered sides the tight copy. */
static struct pack_area fft_job_find_area(const struct fft_job_side *side)
{
	const struct fft_layout *layout = side->layout;
	const uint64_t size_bytes = fft_layout_size_bytes(layout);
	if (layout->kind == FFT_LAYOUT_SCATTERED)
		return (struct pack_area){side->copy, size_bytes, 1, size_bytes};
	if (layout->kind == FFT_LAYOUT_TIGHT)
		return (struct pack_area){side->program, size_bytes, 1, size_bytes};
	return (struct pack_area){
		side->program, (uint64_t)layout->axis[1].n * layout->element_bytes,
		(uint64_t)layout->axis[0].n, (uint64_t)layout->axis[0].stride_bytes};
}

static bool fft_job_may_pass(const struct pack_area *area)
{
	return area->count == 1 || area->pitch_bytes <= CUDA_PITCH_MAX_BYTES;
}

bool fft_job_find_whole(const struct fft_job *job, bool output, struct pack_area *area)
{
	const struct fft_map *whole = &job->cut.whole;
	const struct fft_job_side side = {output ? &whole->output : &whole->input,
	                                  output ? job->call->out : job->call->in, NULL};
	const struct fft_job_side first = fft_job_find_side(job, 0, output);
	const struct pack_area part = fft_job_find_area(&first);
	*area = fft_job_find_area(&side);
	return side.layout->kind != FFT_LAYOUT_SCATTERED && !fft_job_has_side(job, output, true) &&
	       fft_job_may_pass(area) && fft_job_may_pass(&part);
}

static void fft_job_copy_scattered(const struct fft_job *job, bool output)
{
	for (int64_t group = 0; group < job->groups; group++) {
		const struct fft_job_side side = fft_job_find_side(job, group, output);
		if (side.layout->kind != FFT_LAYOUT_SCATTERED)
			continue;
		if (output)
			fft_layout_scatter(side.layout, side.program, side.copy);
		else
			fft_layout_gather(side.layout, side.copy, side.program);
	}
}

void fft_job_gather(const struct fft_job *job)
{
	fft_job_copy_scattered(job, false);
}

void fft_job_scatter(const struct fft_job *job)
{
	fft_job_copy_scattered(job, true);
}

/*
 * A group whose store has begun was loaded completely, so its copy is whole. Its results overwrite
 * no other group's input.
 */
void fft_job_restore(const struct fft_job *job, const struct flow_progress *progress)
{
	const bool begun = progress->runs > 0 || progress->bytes > 0;
	const int64_t groups = (int64_t)progress->stores + begun;
	for (int64_t group = 0; group < groups && job->shadows; group++) {
		const struct fft_job_side side = fft_job_find_side(job, group, false);
		const struct pack_area area = fft_job_find_area(&side);
		if (side.layout->kind == FFT_LAYOUT_SCATTERED)
			fft_layout_scatter(side.layout, side.program, side.copy);
		else
			pack_scatter(&area, side.copy, NULL);
	}
}

/* -- the flow -- */

static char *fft_job_find_slot(const struct fft_job *job, int64_t group)
{
	return job->arena + (uint64_t)(group % job->slots) * job->slot_bytes;
}

/* The place of a group's area in the mirror of its side; the pitch is that of the area. */
static char *fft_job_find_mirror(const struct fft_job_mirror *mirror, const struct pack_area *area)
{
	return mirror->mirror->device + (area->host - mirror->whole.host);
}

static void fft_job_fill_copy(const struct fft_job *job, int64_t group, bool output,
                              struct flow_copy *copy)
{
	const struct fft_job_side side = fft_job_find_side(job, group, output);
	const bool scattered = side.layout->kind == FFT_LAYOUT_SCATTERED;
	*copy = (struct flow_copy){.area = fft_job_find_area(&side),
	                           .device = fft_job_find_slot(job, group)};
	copy->device_pitch = copy->area.run_bytes;
	if (output) {
		copy->device += job->output_bytes;
		return;
	}
	copy->locked = job->locked && !scattered;
	copy->shadow = job->shadows && !scattered ? side.copy : NULL;
	if (job->in.mirror == NULL)
		return;
	copy->device = fft_job_find_mirror(&job->in, &copy->area);
	copy->device_pitch = copy->area.pitch_bytes;
	copy->only_shadow = job->in.held;
}

/* What a mirror lacks comes first. */
static uint32_t fft_job_count_areas(const struct fft_job *job)
{
	return job->in.held ? job->in.mirror->areas : 0;
}

/* Groups of an input that is held have no loads, or fill the shadow only. */
static uint32_t fft_job_count_kinds(const struct fft_job *job)
{
	return job->in.held && !job->shadows ? FLOW_KINDS - 1 : FLOW_KINDS;
}

static void fft_job_read_area(const struct fft_job *job, uint32_t number, struct flow_step *step)
{
	const struct mirror_area *area = &job->in.mirror->area[number];
	*step = (struct flow_step){.kind = FLOW_LOAD};
	step->copy = (struct flow_copy){.area = area->area,
	                                .device = area->device,
	                                .device_pitch = area->device_pitch,
	                                .locked = job->locked};
}

static uint32_t fft_job_find_group(const struct fft_job *job, uint32_t number)
{
	return (number - fft_job_count_areas(job)) / fft_job_count_kinds(job);
}

/* Without loads of groups the first kind is work. */
static enum flow_kind fft_job_find_step(const struct fft_job *job, uint32_t number)
{
	const uint32_t kinds = fft_job_count_kinds(job);
	return (enum flow_kind)((number - fft_job_count_areas(job)) % kinds + FLOW_KINDS - kinds);
}

/*
 * A group reuses the slot of an earlier one: its load waits until that group's work (in place: its
 * store) is complete, its work until that group's store is. A load to a mirror waits for nothing.
 */
static void fft_job_read(const void *self, uint32_t number, struct flow_step *step)
{
	const struct fft_job *job = self;
	const uint32_t areas = fft_job_count_areas(job), slots = (uint32_t)job->slots;
	if (number < areas) {
		fft_job_read_area(job, number, step);
		return;
	}
	const uint32_t group = fft_job_find_group(job, number);
	const uint32_t before = group >= slots ? group - slots + 1 : 0;
	*step = (struct flow_step){.kind = fft_job_find_step(job, number)};
	switch (step->kind) {
	case FLOW_LOAD:
		if (job->in.mirror == NULL)
			step->after[job->output_bytes == 0 ? FLOW_STORE : FLOW_WORK] = before;
		fft_job_fill_copy(job, group, false, &step->copy);
		break;
	case FLOW_WORK:
		step->after[FLOW_LOAD] = job->in.held ? areas : group + 1;
		step->after[FLOW_STORE] = before;
		break;
	default:
		step->after[FLOW_WORK] = group + 1;
		if (job->shadows)
			step->after[FLOW_LOAD] = areas + group + 1;
		fft_job_fill_copy(job, group, true, &step->copy);
	}
}

/* A copy on the device between a group's slot and the mirror of its side, in the kernels' order. */
static enum reason fft_job_pass(const struct fft_job *job, const struct lane *lane, int64_t group,
                                bool output, char *slot)
{
	const struct fft_job_mirror *mirror = output ? &job->out : &job->in;
	if (mirror->mirror == NULL)
		return REASON_NONE;
	const struct fft_job_side side = fft_job_find_side(job, group, output);
	const struct pack_area area = fft_job_find_area(&side);
	char *there = fft_job_find_mirror(mirror, &area);
	void *to = output ? there : slot, *from = output ? slot : there;
	const uint64_t width = area.run_bytes, pitch = area.pitch_bytes;
	const int error =
		area.count == 1
			? lane->api->memcpy_async(to, from, width, CUDA_COPY_BY_ADDRESS,
	                                          lane->stream)
			: lane->api->memcpy_2d_async(to, output ? pitch : width, from,
	                                             output ? width : pitch, width, area.count,
	                                             CUDA_COPY_BY_ADDRESS, lane->stream);
	return error == CUDA_SUCCESS ? REASON_NONE : REASON_TRANSFER_FAILED;
}

static int fft_job_execute(const struct cuda_api *api, const struct fft_problem *problem,
                           int handle, void *in, void *out)
{
	const bool single = problem->element == ELEMENT_C;
	switch (problem->family) {
	case FAMILY_FFT_R2C:
		return (single ? api->fft_exec_r2c : api->fft_exec_d2z)(handle, in, out);
	case FAMILY_FFT_C2R:
		return (single ? api->fft_exec_c2r : api->fft_exec_z2d)(handle, in, out);
	default:
		return (single ? api->fft_exec_c2c : api->fft_exec_z2z)(handle, in, out,
		                                                        problem->sign);
	}
}

/* Makes the input Hermitian where cuFFT needs that. */
static enum reason fft_job_prepare(const struct fft_job *job, struct lane *lane,
                                   enum fft_job_kind kind, char *in)
{
	const struct fft_plan *plan = job->planes_plan[kind];
	const struct fft_symmetrise work = {&job->map[kind], &job->planes[kind],
	                                    plan != NULL ? plan->handle : 0};
	return fft_symmetrise_launch(&work, lane, in);
}

/* cuFFT may overwrite its input, which is the device's copy. */
static enum reason fft_job_launch(const void *self, struct lane *lane, uint32_t number)
{
	const struct fft_job *job = self;
	const int64_t group = fft_job_find_group(job, number);
	const enum fft_job_kind kind = fft_job_find_kind(job, group);
	struct fft_map_place place = {{0}, 0, 0};
	char *in = fft_job_find_slot(job, group), *out = in + job->output_bytes;
	enum reason reason = fft_job_pass(job, lane, group, false, in);
	if (reason == REASON_NONE)
		reason = fft_job_prepare(job, lane, kind, in);
	int status;
	if (reason != REASON_NONE)
		return reason;
	do
		status = fft_job_execute(lane->api, job->call->problem, job->plan[kind]->handle,
		                         in + place.input_bytes, out + place.output_bytes);
	while (status == CUFFT_FINE && fft_map_advance(&job->map[kind], &place));
	return status == CUFFT_FINE ? fft_job_pass(job, lane, group, true, out)
	                            : REASON_LIBRARY_FAILED;
}

struct flow_program fft_job_program(const struct fft_job *job)
{
	return (struct flow_program){.self = job,
	                             .count = fft_job_count_areas(job) +
	                                      (uint32_t)job->groups * fft_job_count_kinds(job),
	                             .read = fft_job_read,
	                             .launch = fft_job_launch,
	                             .watch = pack_find_watch(job->call->problem->element)};
}
