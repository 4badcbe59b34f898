/* cpu_planner.c - the shim's own plans of the program's FFTW */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/cpu/cpu_planner.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/base/lifetime.h"
#include "shim/base/loader.h"

/* FFTW's vector code may need the alignment; scratch arrays start at any offset within it. */
enum { ALIGNMENT_BYTES = 64, SCRATCH_PAGE_BYTES = 4096 };

/* Plans and arrays are untyped; struct fft_dim is laid out as FFTW's fftw_iodim64. */
typedef void *planner_c2c(int rank, const struct fft_dim *dims, int loops,
                          const struct fft_dim *loop, void *in, void *out, int sign,
                          unsigned flags);
typedef void *planner_real(int rank, const struct fft_dim *dims, int loops,
                           const struct fft_dim *loop, void *in, void *out, unsigned flags);

struct cpu_plan {
	void *plan;
	void (*execute)(void *plan, void *in, void *out);
	void (*destroy)(void *plan);
	unsigned in_offset, out_offset; /* of the arrays it was made on, modulo ALIGNMENT_BYTES */
	bool in_place, unaligned;
	uint64_t lifetime; /* of the library */
};

/* The bytes of an array before and from its first element. */
struct cpu_extent {
	uint64_t before_bytes, after_bytes;
};

static pthread_mutex_t planner_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int planner_depth; /* how often its thread has locked it */

void cpu_planner_lock(void)
{
	pthread_mutex_lock(&planner_mutex);
	planner_depth++;
}

void cpu_planner_unlock(void)
{
	planner_depth--;
	pthread_mutex_unlock(&planner_mutex);
}

bool cpu_planner_try_lock(void)
{
	if (pthread_mutex_trylock(&planner_mutex) != 0)
		return false;
	planner_depth++;
	if (planner_depth == 1)
		return true;
	cpu_planner_unlock();
	return false;
}

void cpu_planner_after_fork_child(void)
{
	planner_depth = 0;
	planner_mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

static void cpu_planner_extent_add(struct cpu_extent *extent, int64_t n, int64_t stride,
                                   uint64_t element_bytes)
{
	const uint64_t bytes =
		(uint64_t)(n - 1) * (uint64_t)(stride < 0 ? -stride : stride) * element_bytes;
	if (stride < 0)
		extent->before_bytes += bytes;
	else
		extent->after_bytes += bytes;
}

/* Of one side; the halved dimension of a complex one is counted in full, which is enough. */
static struct cpu_extent cpu_planner_extent_of(const struct fft_problem *p, bool output)
{
	const bool real = p->family == (output ? FAMILY_FFT_C2R : FAMILY_FFT_R2C);
	const uint64_t element_bytes = element_size_bytes(p->element) / (real ? 2 : 1);
	struct cpu_extent extent = {0, element_bytes};
	for (int d = 0; d < p->rank; d++)
		cpu_planner_extent_add(&extent, p->dims[d].n,
		                       output ? p->dims[d].output_stride : p->dims[d].input_stride,
		                       element_bytes);
	for (int l = 0; l < p->loops; l++)
		cpu_planner_extent_add(&extent, p->loop[l].n,
		                       output ? p->loop[l].output_stride : p->loop[l].input_stride,
		                       element_bytes);
	return extent;
}

static struct cpu_extent cpu_planner_extent_join(struct cpu_extent a, struct cpu_extent b)
{
	return (struct cpu_extent){a.before_bytes > b.before_bytes ? a.before_bytes
	                                                           : b.before_bytes,
	                           a.after_bytes > b.after_bytes ? a.after_bytes : b.after_bytes};
}

static unsigned cpu_planner_offset(const void *address)
{
	return (unsigned)((uintptr_t)address % ALIGNMENT_BYTES);
}

/* Memory of that extent, to be freed; *first: its first element, aligned as address is. */
static void *cpu_planner_take_scratch(struct cpu_extent extent, const void *address, void **first)
{
	const uint64_t before_bytes = (extent.before_bytes + SCRATCH_PAGE_BYTES - 1) /
	                              SCRATCH_PAGE_BYTES * SCRATCH_PAGE_BYTES;
	const uint64_t size_bytes = before_bytes + extent.after_bytes + SCRATCH_PAGE_BYTES;
	void *memory = NULL;
	/* A program whose arrays fill the memory keeps the plan it has. */
	if (size_bytes > (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2)
		return NULL;
	if (posix_memalign(&memory, SCRATCH_PAGE_BYTES, size_bytes) != 0)
		return NULL;
	memset(memory, 0, size_bytes); /* NaN or denormals would slow the planner's trials */
	*first = (char *)memory + before_bytes + cpu_planner_offset(address);
	return memory;
}

/* fftw_<stem> of the problem's precision and family, in the library that contains beside. */
static void *cpu_planner_find(const struct fft_problem *p, const char *stem, const void *beside)
{
	static const char *const suffix[FAMILY_COUNT] = {
		[FAMILY_FFT_R2C] = "_r2c", [FAMILY_FFT_C2R] = "_c2r"};
	char name[40];
	strcpy(name, p->element == ELEMENT_C ? "fftwf_" : "fftw_");
	strcat(name, stem);
	if (strcmp(stem, "destroy_plan") != 0 && suffix[p->family] != NULL)
		strcat(name, suffix[p->family]);
	return loader_find_beside(beside, name);
}

static void *cpu_planner_plan(const struct fft_problem *p, unsigned flags, void *in, void *out,
                              const void *beside)
{
	void *code = cpu_planner_find(p, "plan_guru64_dft", beside);
	if (code == NULL)
		return NULL;
	if (p->family == FAMILY_FFT_C2C)
		return (__extension__(planner_c2c *) code)(p->rank, p->dims, p->loops, p->loop, in,
		                                           out, p->sign, flags);
	return (__extension__(planner_real *) code)(p->rank, p->dims, p->loops, p->loop, in, out,
	                                            flags);
}

static void cpu_planner_try(struct cpu_plan *made, const struct fft_call *call, unsigned flags,
                            const void *beside)
{
	const struct fft_problem *p = call->problem;
	const struct cpu_extent in = cpu_planner_extent_of(p, false),
				out = cpu_planner_extent_of(p, true);
	void *first = NULL, *second = NULL, *output = NULL;
	void *input = cpu_planner_take_scratch(
		made->in_place ? cpu_planner_extent_join(in, out) : in, call->in, &first);
	if (!made->in_place)
		output = cpu_planner_take_scratch(out, call->out, &second);
	if (input != NULL && (made->in_place || output != NULL))
		made->plan =
			cpu_planner_plan(p, flags, first, made->in_place ? first : second, beside);
	free(input);
	free(output);
}

static void cpu_planner_fill(struct cpu_plan *made, const struct fft_call *call, unsigned flags,
                             const void *beside)
{
	if ((flags & (CPU_PLANNER_ESTIMATE | CPU_PLANNER_WISDOM_ONLY)) == 0)
		cpu_planner_try(made, call, flags, beside);
	else
		made->plan = cpu_planner_plan(call->problem, flags, call->in, call->out, beside);
}

struct cpu_plan *cpu_planner_make(const struct fft_call *call, unsigned flags, const void *beside)
{
	struct cpu_plan *made = calloc(1, sizeof *made);
	if (made == NULL)
		return NULL;
	made->lifetime = lifetime_find(beside);
	made->in_place = call->in == call->out;
	made->unaligned = (flags & CPU_PLANNER_UNALIGNED) != 0;
	made->in_offset = cpu_planner_offset(call->in);
	made->out_offset = cpu_planner_offset(call->out);
	made->execute = __extension__(void (*)(void *, void *, void *))
		cpu_planner_find(call->problem, "execute_dft", beside);
	made->destroy = __extension__(void (*)(void *))
		cpu_planner_find(call->problem, "destroy_plan", beside);
	cpu_planner_lock();
	if (made->execute != NULL && made->destroy != NULL)
		cpu_planner_fill(made, call, flags, beside);
	cpu_planner_unlock();
	if (made->plan == NULL) {
		free(made);
		return NULL;
	}
	return made;
}

bool cpu_planner_fits(const struct cpu_plan *plan, const struct fft_call *call)
{
	const bool aligned = plan->in_offset == cpu_planner_offset(call->in) &&
	                     plan->out_offset == cpu_planner_offset(call->out);
	return plan->in_place == (call->in == call->out) && (plan->unaligned || aligned);
}

bool cpu_planner_run(const struct cpu_plan *plan, const struct fft_call *call)
{
	if (!cpu_planner_fits(plan, call))
		return false;
	plan->execute(plan->plan, call->in, call->out);
	return true;
}

/* The program may have unloaded the library, and its plans with it. */
void cpu_planner_drop(struct cpu_plan *plan)
{
	void *handle = loader_hold(__extension__(void *) plan->destroy);
	cpu_planner_lock();
	if (lifetime_lasts(plan->lifetime))
		plan->destroy(plan->plan);
	cpu_planner_unlock();
	loader_release(handle);
	free(plan);
}
