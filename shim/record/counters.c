/* counters.c - makes and fills the memory of the counters */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/counters.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "policy/decide/launch.h"
#include "policy/decide/predict_gate.h"
#include "policy/text/sentence.h"
#include "shim/base/clock.h"
#include "shim/base/diag.h"
#include "shim/base/variables.h"
#include "shim/libc/program.h"
#include "shim/record/backing.h"
#include "shim/record/pool.h"
#include "shim/record/signal_shield.h"
#include "shim/record/sink.h"

enum {
	COUNTERS_SHARED_SLOT = COUNTERS_SLOTS - 1,
	/* The thread's value is its slot + 1, plus this for each run of its destructor. */
	COUNTERS_ROUND = 256,
	/* The third of libc's four rounds: in the fourth, sanitizers end their own thread state. */
	COUNTERS_LAST_ROUND = 2 * COUNTERS_ROUND
};

/* Nobody else can read the counts; others can; a fork child has not made its memory yet. */
enum counters_state { COUNTERS_PRIVATE, COUNTERS_SHOWN, COUNTERS_PENDING };

/* Counts before counters_open, and for the whole process where no memory could be mapped. */
static struct counters_file counters_spare;
static struct counters_file *_Atomic counters = &counters_spare;

/* The lock guards making the memory; signals are blocked while it is held. */
static struct {
	pthread_mutex_t lock;
	atomic_int state;
	struct gate_reasons gate_reasons;
	struct backing backing;
} counting = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_bool counters_key_made;
static pthread_key_t counters_key;

static struct counters_file *counters_get(void)
{
	return atomic_load_explicit(&counters, memory_order_acquire);
}

/*
 * Memory full of zeros at the same address as before, if there was one: threads keep pointers to
 * their rows. What was mapped there may be the parent's memory, which must not be touched.
 */
static struct counters_file *counters_clear(void)
{
	struct counters_file *file = counters_get();
	const bool spare = file == &counters_spare;
	void *map = mmap(spare ? NULL : file, SEGMENT_BYTES(sizeof(*file)), PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | (spare ? 0 : MAP_FIXED), -1, 0);
	if (map != MAP_FAILED)
		return map;
	memset((void *)&counters_spare, 0, sizeof(counters_spare));
	return &counters_spare;
}

static uint64_t counters_hash(uint64_t hash, const char *text)
{
	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

static void counters_describe_launch(struct counters_file *file)
{
	const struct launch_world world = launch_describe_world(variables_find);
	file->rank = world.rank;
	file->ranks = world.size;
	file->launch = counters_hash(counters_hash(0, world.job), world.step);
}

static void counters_describe_process(struct counters_file *file)
{
	memcpy(file->magic, "gpushim", sizeof(file->magic));
	file->version = COUNTERS_VERSION;
	file->symbols = SYMBOL_COUNT;
	file->reasons = REASON_COUNT;
	file->slots = COUNTERS_SLOTS;
	file->gate_reasons = counting.gate_reasons;
	counters_describe_launch(file);
	file->pid = getpid();
	file->start_realtime_ns = clock_realtime_ns();
	if (readlink("/proc/self/exe", file->program, sizeof(file->program) - 1) < 0)
		file->program[0] = '\0';
}

/* Under the lock. used_bytes: as much as may hold counts already. */
static void counters_back(struct counters_file *file, size_t used_bytes)
{
	const struct segment_memory memory = {file, sizeof(*file), used_bytes};
	int error = ENOMEM;
	if (file != &counters_spare)
		error = backing_show(&counting.backing, file->pid, file->start_realtime_ns,
		                     &memory);
	/* Of a rank that is not counted the summary tells. */
	const bool told = pool_is_name(counting.backing.place) && file->rank >= 0;
	if (error != 0 && counting.backing.named && !told)
		diag_warn("cannot keep counters in '%s': %s; the counts end with the process",
		          counting.backing.place, sink_describe_error(error));
	atomic_store(&counting.state, error == 0 ? COUNTERS_SHOWN : COUNTERS_PRIVATE);
}

static __attribute__((noinline, cold)) void counters_back_child(void)
{
	const int saved_errno = errno;
	struct signal_shield shield;
	signal_shield_all(&shield);
	pthread_mutex_lock(&counting.lock);
	if (atomic_load(&counting.state) == COUNTERS_PENDING)
		counters_back(counters_get(), sizeof(struct counters_file));
	pthread_mutex_unlock(&counting.lock);
	signal_shield_restore(&shield);
	errno = saved_errno;
}

static void counters_need_memory(void)
{
	if (__builtin_expect(atomic_load_explicit(&counting.state, memory_order_acquire) ==
	                             COUNTERS_PENDING,
	                     0))
		counters_back_child();
}

/*
 * At the end of a thread. Destructors of other libraries may still make calls, so the slot is given
 * back in a late one of the rounds in which libc runs destructors.
 */
static void counters_release(void *value)
{
	const uintptr_t slot = (uintptr_t)value % COUNTERS_ROUND - 1;
	if ((uintptr_t)value < COUNTERS_LAST_ROUND)
		pthread_setspecific(counters_key, (char *)value + COUNTERS_ROUND);
	else if (slot < COUNTERS_SHARED_SLOT)
		atomic_store_explicit(&counters_get()->slot_owner[slot], 0, memory_order_release);
}

static void counters_make_key(void)
{
	if (!atomic_load(&counters_key_made))
		atomic_store(&counters_key_made,
		             pthread_key_create(&counters_key, counters_release) == 0);
}

void counters_open(const struct options *options, bool program_excluded)
{
	const int saved_errno = errno;
	struct signal_shield shield;
	signal_shield_all(&shield);
	pthread_mutex_lock(&counting.lock);
	backing_choose(&counting.backing, options->counters);
	gate_reason_find_all(options, program_excluded, &counting.gate_reasons);
	struct counters_file *file = counters_clear();
	counters_describe_process(file);
	counters_back(file, offsetof(struct counters_file, decided));
	counters_make_key();
	atomic_store(&counters, file);
	pthread_mutex_unlock(&counting.lock);
	signal_shield_restore(&shield);
	errno = saved_errno;
}

/* The slot of the calling thread, -1 before it has one. */
static int counters_find_slot(void)
{
	if (!atomic_load_explicit(&counters_key_made, memory_order_acquire))
		return COUNTERS_SHARED_SLOT;
	return (int)((uintptr_t)pthread_getspecific(counters_key) % COUNTERS_ROUND) - 1;
}

/* Before the row is handed out: readers skip rows that were never taken. */
static int counters_note_slot(struct counters_file *file, int slot)
{
	uint32_t used = atomic_load_explicit(&file->slots_used, memory_order_relaxed);
	while (used <= (uint32_t)slot &&
	       !atomic_compare_exchange_weak(&file->slots_used, &used, (uint32_t)slot + 1))
		;
	return slot;
}

static int counters_take_slot(struct counters_file *file)
{
	int slot = 0;
	const uint32_t tid = (uint32_t)gettid();
	for (; slot < COUNTERS_SHARED_SLOT; slot++) {
		uint32_t free = 0;
		if (atomic_compare_exchange_strong(&file->slot_owner[slot], &free, tid))
			break;
	}
	if (pthread_setspecific(counters_key, (void *)(uintptr_t)(slot + 1)) == 0)
		return slot;
	if (slot < COUNTERS_SHARED_SLOT)
		atomic_store(&file->slot_owner[slot], 0);
	return COUNTERS_SHARED_SLOT;
}

_Atomic uint64_t *counters_claim_slot(bool *shared)
{
	counters_need_memory();
	struct counters_file *file = counters_get();
	int slot = counters_find_slot();
	if (slot < 0)
		slot = counters_take_slot(file);
	*shared = slot == COUNTERS_SHARED_SLOT;
	return file->forwarded[counters_note_slot(file, slot)];
}

struct counters_cell *counters_take_cell(struct counters_file *file, int symbol, enum reason reason)
{
	const uint64_t key = counters_name_row(symbol, reason);
	for (size_t attempt = 0; attempt < COUNTERS_PROBES; attempt++) {
		struct counters_row *row = &file->decided[counters_probe(key, attempt)];
		if (attempt == COUNTERS_NEAR)
			atomic_store_explicit(&file->spilled, 1, memory_order_relaxed);
		uint64_t found = atomic_load_explicit(&row->key, memory_order_acquire);
		if (found == 0 && atomic_compare_exchange_strong(&row->key, &found, key))
			return &row->cell;
		if (found == key)
			return &row->cell;
	}
	return &file->undecided;
}

void counters_add(int symbol, enum reason reason, int64_t elapsed_ns, uint64_t size_bytes)
{
	if (symbol < 0 || symbol >= SYMBOL_COUNT || (unsigned)reason >= REASON_COUNT)
		return;
	counters_need_memory();
	struct counters_cell *cell = counters_take_cell(counters_get(), symbol, reason);
	atomic_fetch_add_explicit(&cell->calls, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&cell->size_bytes, size_bytes, memory_order_relaxed);
	if (elapsed_ns > 0)
		atomic_fetch_add_explicit(&cell->elapsed_ns, (uint64_t)elapsed_ns,
		                          memory_order_relaxed);
}

static void counters_set_ns(_Atomic int64_t *to, const _Atomic double *from)
{
	atomic_store_explicit(to, (int64_t)atomic_load_explicit(from, memory_order_relaxed),
	                      memory_order_relaxed);
}

void counters_set_totals(const struct learn_totals *totals)
{
	struct counters_totals *to = &counters_get()->totals;
	atomic_store_explicit(&to->looks,
	                      atomic_load_explicit(&totals->looks, memory_order_relaxed),
	                      memory_order_relaxed);
	atomic_store_explicit(&to->offloads,
	                      atomic_load_explicit(&totals->offloads, memory_order_relaxed),
	                      memory_order_relaxed);
	counters_set_ns(&to->gain_ns, &totals->gain_ns);
	counters_set_ns(&to->look_loss_ns, &totals->look_loss_ns);
	counters_set_ns(&to->regret_ns, &totals->regret_ns);
}

static void counters_store_ns(_Atomic int64_t *to, double time_ns)
{
	atomic_store_explicit(to, (int64_t)predict_round(time_ns), memory_order_relaxed);
}

/* Before other threads know of the dry run. */
void counters_begin_dry(const char *machine, double start_ns, uint64_t gate)
{
	struct counters_dry *to = &counters_get()->dry;
	struct sentence sentence = sentence_start(to->machine, sizeof to->machine);
	sentence_add(&sentence, machine);
	counters_store_ns(&to->start_ns, start_ns);
	atomic_store_explicit(&to->gate, gate, memory_order_relaxed);
}

/* One thread at a time. */
void counters_set_dry(const struct predict_totals *totals)
{
	struct counters_dry *to = &counters_get()->dry;
	atomic_store_explicit(&to->calls, totals->calls, memory_order_relaxed);
	atomic_store_explicit(&to->gpu_calls, totals->gpu_calls, memory_order_relaxed);
	atomic_store_explicit(&to->starts, totals->starts, memory_order_relaxed);
	atomic_store_explicit(&to->plans, totals->plans, memory_order_relaxed);
	atomic_store_explicit(&to->solvers, totals->solvers, memory_order_relaxed);
	counters_store_ns(&to->cpu_ns, totals->cpu_ns);
	counters_store_ns(&to->auto_ns, totals->auto_ns);
	counters_store_ns(&to->waited_ns, totals->waited_ns);
}

/*
 * A ratio and its symbol in one word: the bits of a float in front, which grow as the float does,
 * so that the larger word has the larger ratio.
 */
static uint64_t counters_pack_worst(int symbol, double ratio)
{
	const float cut = (float)ratio;
	uint32_t bits;
	memcpy(&bits, &cut, sizeof(bits));
	return (uint64_t)bits << 32 | ((uint64_t)symbol + 1);
}

struct counters_worst counters_read_worst(const struct counters_file *file)
{
	const uint64_t word = atomic_load_explicit(&file->totals.worst, memory_order_relaxed);
	const uint32_t bits = (uint32_t)(word >> 32), symbol = (uint32_t)word;
	float ratio;
	memcpy(&ratio, &bits, sizeof(ratio));
	if (symbol == 0 || symbol > SYMBOL_COUNT || !(ratio >= 0 && ratio <= 1))
		return (struct counters_worst){.symbol = -1};
	return (struct counters_worst){ratio, (int)symbol - 1};
}

struct predict_totals counters_read_dry(const struct counters_dry *dry)
{
#define READ(member) atomic_load_explicit(&dry->member, memory_order_relaxed)
	return (struct predict_totals){.calls = READ(calls),
	                               .gpu_calls = READ(gpu_calls),
	                               .starts = READ(starts),
	                               .plans = READ(plans),
	                               .solvers = READ(solvers),
	                               .cpu_ns = (double)READ(cpu_ns),
	                               .auto_ns = (double)READ(auto_ns),
	                               .waited_ns = (double)READ(waited_ns)};
#undef READ
}

const struct counters_dry *counters_sum_dry(const struct counters_file *const files[], size_t count,
                                            struct predict_totals *sum, uint64_t *gate)
{
	const struct counters_dry *last = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct counters_dry *dry = &files[i]->dry;
		const struct predict_totals one = counters_read_dry(dry);
		if (dry->machine[0] == '\0')
			continue;
		const uint64_t own = atomic_load_explicit(&dry->gate, memory_order_relaxed);
		*gate = last == NULL ? own : predict_gate_join(*gate, own);
		last = dry;
		predict_add_totals(sum, &one);
	}
	return last;
}

void counters_add_verified(int symbol, double ratio, bool agrees)
{
	struct counters_totals *totals = &counters_get()->totals;
	const uint64_t word = counters_pack_worst(symbol, ratio);
	uint64_t worst = atomic_load_explicit(&totals->worst, memory_order_relaxed);
	atomic_fetch_add_explicit(&totals->verified, 1, memory_order_relaxed);
	if (!agrees)
		atomic_fetch_add_explicit(&totals->disagreed, 1, memory_order_relaxed);
	while (agrees && word > worst &&
	       !atomic_compare_exchange_weak(&totals->worst, &worst, word))
		;
}

void counters_add_traffic(uint64_t sent_bytes, uint64_t kept_bytes)
{
	struct counters_traffic *traffic = &counters_get()->traffic;
	atomic_fetch_add_explicit(&traffic->sent_bytes, sent_bytes, memory_order_relaxed);
	atomic_fetch_add_explicit(&traffic->kept_bytes, kept_bytes, memory_order_relaxed);
}

void counters_set_tracking(uint64_t faults, uint64_t fault_ns, enum track_reason untracked)
{
	struct counters_traffic *traffic = &counters_get()->traffic;
	atomic_store_explicit(&traffic->faults, faults, memory_order_relaxed);
	atomic_store_explicit(&traffic->fault_ns, fault_ns, memory_order_relaxed);
	atomic_store_explicit(&traffic->untracked, (uint64_t)untracked, memory_order_relaxed);
}

void counters_set_moves(uint64_t moved_bytes, enum migration_reason unmoved)
{
	struct counters_traffic *traffic = &counters_get()->traffic;
	atomic_store_explicit(&traffic->moved_bytes, moved_bytes, memory_order_relaxed);
	atomic_store_explicit(&traffic->unmoved, (uint64_t)unmoved, memory_order_relaxed);
}

void counters_note_loss(enum reason reason)
{
	atomic_store_explicit(&counters_get()->gpu_lost, (uint32_t)reason, memory_order_relaxed);
}

static bool counters_has_reason(const struct counters_file *file, enum reason reason)
{
	for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++)
		if (atomic_load_explicit(&counters_find_cell(file, symbol, reason)->calls,
		                         memory_order_relaxed) > 0)
			return true;
	return false;
}

enum reason counters_find_failed_start(const struct counters_file *const files[], size_t count)
{
	enum reason failure = REASON_NONE;
	for (size_t i = 0; i < count; i++) {
		if (!counters_has_reason(files[i], REASON_WARMING_UP))
			continue;
		const enum reason loss = counters_find_loss(files[i]);
		if (!reason_is_absence(loss))
			return REASON_NONE;
		failure = loss;
	}
	return failure;
}

void counters_add_device_bytes(int64_t difference)
{
	struct counters_file *file = counters_get();
	const int64_t now =
		atomic_fetch_add_explicit(&file->device_bytes, difference, memory_order_relaxed) +
		difference;
	int64_t peak = atomic_load_explicit(&file->device_bytes_peak, memory_order_relaxed);
	while (now > peak && !atomic_compare_exchange_weak(&file->device_bytes_peak, &peak, now))
		;
}

const struct counters_file *counters_view(void)
{
	return counters_get();
}

void counters_renew(void)
{
	counting.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* The lock may have been held by a thread that does not exist in the child. */
void counters_after_fork_child(void)
{
	const int saved_errno = errno, slot = counters_find_slot();
	counters_renew();
	struct counters_file *file = counters_clear();
	counters_describe_process(file);
	atomic_store(&counters, file);
	if (slot >= 0 && slot < COUNTERS_SHARED_SLOT)
		atomic_store(&file->slot_owner[counters_note_slot(file, slot)], (uint32_t)gettid());
	atomic_store(&counting.state, COUNTERS_PENDING);
	errno = saved_errno;
}

/* Rows of threads behind the last one in use hold zeros. */
static void counters_leave(const struct counters_file *file)
{
	const uint32_t slots = atomic_load(&file->slots_used);
	const size_t rows = slots < COUNTERS_SLOTS ? slots : COUNTERS_SLOTS;
	const struct segment_memory memory = {(void *)file, sizeof(*file),
	                                      offsetof(struct counters_file, forwarded) +
	                                              rows * sizeof(file->forwarded[0])};
	const int error =
		backing_leave(&counting.backing, file->pid, file->start_realtime_ns, &memory);
	if (error != 0)
		diag_warn("cannot keep counters in '%s': %s; the counts are lost",
		          pool_find_folder(counting.backing.place), sink_describe_error(error));
}

void counters_close(void)
{
	struct counters_file *file = counters_get();
	const int saved_errno = errno;
	if (file->pid == getpid()) {
		atomic_store(&file->end_realtime_ns, clock_realtime_ns());
		if (counting.backing.away)
			counters_leave(file);
	}
	errno = saved_errno;
}

void counters_note_presence(void)
{
	const int saved_errno = errno;
	variables_keep();
	const char *place = variables_find("EPOCHLY_GPU_COUNTERS");
	if (place != NULL && pool_is_name(place) && !launch_is_daemon(program_name())) {
		const struct launch_world world = launch_describe_world(variables_find);
		if (world.rank >= 0)
			backing_note_rank(place, sizeof(struct counters_file), world.rank,
			                  world.size);
	}
	errno = saved_errno;
}
