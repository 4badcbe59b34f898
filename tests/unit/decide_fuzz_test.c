/* decide_fuzz_test.c - decide, learn and cost together, on random machines, options and calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <float.h>
#include <limits.h>

#include "policy/decide/decide.h"
#include "tests/unit/cost_lapack.h"
#include "tests/unit/machine_random.h"

/* A life: one machine, one set of options, and calls from which the policy learns. */
enum { LIVES = 500, CALLS = 400, CHECK_EVERY = 40 };

static struct machine_random chance;
static struct machine machine;
static struct learn learn;
static struct options options;
static struct experience experience;
static struct situation situation;
static struct fft_problem problem;
static struct call call;
static struct decision decision;
static int life, step;
static bool sober; /* times are near the expected ones */
static int seen[REASON_COUNT];

static void expect(bool sound, const char *what)
{
	cr_assert(sound, "life %d, call %d: %s (%s, predicted %g and %g, model %g and %g)", life,
	          step, what, reason_name(decision.reason), decision.predicted_cpu_ns,
	          decision.predicted_gpu_ns, decision.model_cpu_ns, decision.model_gpu_ns);
}

static uint64_t draw(uint64_t count)
{
	return machine_random_below(&chance, count);
}

static int64_t draw_size(int bits)
{
	return (int64_t)machine_random_real(&chance, 1, ldexp(1, bits));
}

/* From 0 to more than any clock shows. */
static double draw_ns(void)
{
	switch (draw(4)) {
	case 0: return 0;
	case 1: return machine_random_real(&chance, 1, 1e300);
	default: return machine_random_real(&chance, 1, 1e12);
	}
}

/* One half measured, the rest assumed. */
static void draw_machine(void)
{
	machine_random_make(&chance, &machine);
#define MACHINE_TEXT(field)
#define MACHINE_NUMBER(key, field) machine.field = draw(2) == 0 ? 0 : machine.field;
#include "policy/machine/machine.def"
	machine_assume(&machine, (int)draw(130), (int)draw(200));
	memset(&learn, 0, sizeof learn);
	experience = (struct experience){.machine = draw(10) == 0 ? NULL : &machine,
	                                 .learn = draw(10) == 0 ? NULL : &learn,
	                                 .source = (enum experience_source)draw(3)};
}

static void draw_options(void)
{
	options_set_defaults(&options);
	options.enabled = draw(20) != 0;
	options.policy = draw(2) == 0 ? POLICY_AUTO : (int)draw(POLICY_DRY + 1);
	if (draw(3) == 0) {
		options.workload_threshold = (uint64_t)draw_size(62);
		options.workload_threshold_given = true;
	}
	options.work_threshold = draw(4) == 0 ? (uint64_t)draw_size(40) : 0;
	options.k_threshold = draw(4) == 0 ? (uint64_t)draw_size(10) : 0;
	for (uint64_t count = draw(8); count > 0; count--) {
		const uint64_t family = draw(FAMILY_COUNT), element = draw(ELEMENT_COUNT);
		options.policies.family[draw(FAMILY_COUNT)] = (int)draw(POLICY_DRY + 1);
		options.policies.routine[family][element] = (int)draw(POLICY_DRY + 1);
		options.thresholds.family[draw(FAMILY_COUNT)] = (uint64_t)draw_size(40);
		options.thresholds.routine[family][element] = (uint64_t)draw_size(40);
	}
}

static void draw_situation(void)
{
	static const enum reason off[] = {
		REASON_FORKED,    REASON_EXITING,           REASON_NO_CUDA,
		REASON_NO_DEVICE, REASON_CUDA_START_FAILED, REASON_BREAKER_OPEN};
	static const int threads[] = {0, -1, 1, 7, 256, INT_MAX}, sharers[] = {0, 1, 2, 9, INT_MAX};
	situation = (struct situation){.gpu = draw(2) == 0 ? GPU_READY
	                                                   : (enum gpu_state)draw(GPU_OFF + 1),
	                               .off_reason = off[draw(sizeof off / sizeof off[0])],
	                               .device = (int)draw(16),
	                               .program_excluded = draw(30) == 0,
	                               .setting = {.cpu_threads = threads[draw(6)],
	                                           .gpu_sharers = sharers[draw(5)],
	                                           .queue_ns = draw_ns(),
	                                           .setup_ns = draw_ns()},
	                               .setup_saved_ns = draw_ns(),
	                               .host_arithmetic = draw(20) == 0,
	                               .device_only = draw(20) == 0,
	                               .start_is_free = draw(4) == 0};
	for (int name = 0; name < OPERAND_COUNT; name++)
		situation.setting.place[name] =
			draw(2) == 0 ? COST_PAGEABLE : (enum cost_place)draw(COST_DEVICE + 1);
}

static uint64_t multiply_bytes(uint64_t bytes, uint64_t count)
{
	return __builtin_mul_overflow(bytes, count, &bytes) ? UINT64_MAX : bytes;
}

/* Sizes and operands as the describe functions give them. */
static void draw_blas(int bits)
{
	const int64_t m = draw_size(bits), n = draw_size(bits), k = draw_size(bits);
	const enum side side = (enum side)draw(2);
	const bool triangle = operand_is_triangle(call.family);
	struct matrix matrix;
	call.element = (enum element)draw(ELEMENT_BLAS_COUNT);
	call.blas = (struct blas_call){
		.side = side, .m = triangle ? n : m, .n = n, .k = k, .alpha = {1}};
	if (call.family >= FAMILY_SYMM && !triangle && !family_is_batch(call.family))
		call.blas.k = side == SIDE_LEFT ? m : n;
	call.blas.transa = (enum transpose)draw(3);
	call.blas.beta[0] = (double)draw(2);
	if (family_is_batch(call.family))
		call.batch = (struct batch_call){
			.strided = true, .groups = 1, .problems = draw_size(bits)};
	const uint64_t problems = family_is_batch(call.family) ? (uint64_t)call.batch.problems : 1;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		const bool found =
			operand_find(call.family, &call.blas, (enum operand)name, &matrix);
		const uint64_t one_bytes = found ? operand_size_bytes(&matrix, call.element) : 0;
		const uint64_t bytes = multiply_bytes(one_bytes, problems);
		call.size_bytes = operand_add_bytes(call.size_bytes, bytes);
		if (name != OPERAND_C || family_is_in_place(call.family) || call.blas.beta[0] != 0)
			call.input_bytes = operand_add_bytes(call.input_bytes, bytes);
		if (name == OPERAND_C)
			call.output_bytes = bytes;
	}
	call.work_flops =
		operand_count_flops(call.family, call.element, &call.blas) * (double)problems;
}

/* Orders up to 2^28: the bytes of all matrices fit into 64 bits. */
static void draw_lapack(int bits)
{
	const int most = bits < 28 ? bits : 28;
	const enum family family = call.family;
	const bool has_k = strchr(family_sizes(family), 'k') != NULL,
		   has_m = strchr(family_sizes(family), 'm') != NULL;
	struct cost_solution what = {.family = family,
	                             .element = (enum element)draw(ELEMENT_BLAS_COUNT),
	                             .n = draw_size(most),
	                             .r = draw_size(most),
	                             .jobs = {draw(2) == 0 ? 'N' : 'V', 'N'},
	                             .range = 'A'};
	if (family_prefix(family, what.element) == NULL)
		what.element = cost_lapack_element(family);
	what.m = has_m && !has_k ? draw_size(most) : what.n;
	what.k = has_k ? what.n : 0;
	call = cost_lapack_call(&what);
}

static void draw_fft(int bits)
{
	const int rank = 1 + (int)draw(3);
	uint64_t points = 1;
	call.element = (enum element)(ELEMENT_C + draw(2));
	problem =
		(struct fft_problem){.family = call.family, .element = call.element, .rank = rank};
	for (int i = 0; i < rank; i++) {
		problem.dims[i].n = draw_size(bits / rank);
		points *= (uint64_t)problem.dims[i].n;
	}
	problem.howmany = draw(2) == 0 ? 1 : draw_size(bits);
	call.fft.problem = &problem;
	call.input_bytes = multiply_bytes(multiply_bytes(points, (uint64_t)problem.howmany),
	                                  element_size_bytes(call.element));
	call.output_bytes = call.input_bytes;
	call.size_bytes = operand_add_bytes(call.input_bytes, call.output_bytes);
	call.work_flops = 5 * (double)points * log2((double)points) * (double)problem.howmany;
}

static void draw_call(void)
{
	const int bits = draw(4) == 0 ? 62 : 12;
	call = (struct call){.family = (enum family)draw(FAMILY_COUNT)};
	if (family_is_fft(call.family))
		draw_fft(bits);
	else if (family_is_lapack(call.family))
		draw_lapack(bits);
	else
		draw_blas(bits);
	if (call.family == FAMILY_FFT_R2R)
		call.defect = REASON_REAL_TO_REAL;
	else if (draw(20) == 0)
		call.defect = draw(2) == 0 ? REASON_OVERLAP : REASON_QUICK_RETURN;
}

static bool is_amount(double value)
{
	return value >= 0 && value <= DBL_MAX;
}

static bool is_time(double value)
{
	return value == -1 || is_amount(value);
}

static enum policy find_policy(void)
{
	return (enum policy)routine_policy_get(&options.policies, call.family, call.element,
	                                       options.policy);
}

/* Every decision has one reason that agrees with its other fields. */
static void check_decision(void)
{
	const bool gpu = decision.target == TARGET_GPU;
	const bool look =
		decision.reason == REASON_LOOKED_AT_GPU || decision.reason == REASON_LOOKED_AT_CPU;
	const bool waits = decision.reason == REASON_START_NOT_PAID ||
	                   decision.reason == REASON_SETUP_NOT_PAID;
	expect(decision.reason > REASON_NONE && decision.reason < REASON_COUNT, "a reason");
	expect(reason_outcome(decision.reason) == (gpu ? OUTCOME_GPU : OUTCOME_CPU),
	       "the reason's outcome");
	expect(decision.device == (gpu ? situation.device : -1), "the device");
	expect(decision.looks == look, "looks and their reasons");
	expect(!decision.wakes_gpu || (!gpu && situation.gpu == GPU_ASLEEP),
	       "wakes a GPU that sleeps");
	expect(!gpu || situation.gpu == GPU_READY, "nothing goes to a GPU that is not ready");
	expect(is_amount(decision.saving_ns) && (decision.saving_ns == 0 || waits), "the saving");
	expect(is_time(decision.predicted_cpu_ns) && is_time(decision.predicted_gpu_ns),
	       "what is predicted");
	expect(is_time(decision.model_cpu_ns) && is_time(decision.model_gpu_ns),
	       "what the model says");
}

static void check_policy(void)
{
	const enum policy policy = find_policy();
	const bool gpu = decision.target == TARGET_GPU,
		   timed = policy == POLICY_AUTO || policy == POLICY_DRY;
	const bool allowed = options.enabled && !situation.program_excluded &&
	                     call.defect == REASON_NONE &&
	                     (!situation.host_arithmetic || situation.device_only);
	const uint64_t gate_bytes =
		decide_gate_bytes(&options, &experience, &situation, call.family, call.element);
	expect(!gpu || (allowed && policy != POLICY_NEVER && policy != POLICY_DRY),
	       "never to the GPU");
	expect(!decision.wakes_gpu || policy != POLICY_DRY, "a dry run wakes nothing");
	expect(!decision.looks || policy == POLICY_AUTO, "only auto looks");
	if (policy == POLICY_ALWAYS && allowed) {
		expect(gate_bytes == 0, "no gate holds back what is always to go");
		expect(gpu == (situation.gpu == GPU_READY), "always to the GPU");
	}
	if (allowed && policy != POLICY_NEVER)
		expect(gate_bytes <= routine_threshold_get(&options.thresholds, call.family,
		                                           call.element,
		                                           options.workload_threshold),
		       "no gate is above the threshold");
	expect(!gpu || timed || call.size_bytes >= gate_bytes,
	       "the gate holds back what goes to the GPU");
}

static void check_mean(const struct learn_mean *mean)
{
	const double ratio = atomic_load(&mean->ratio);
	expect(atomic_load(&mean->seen) == 0 || (ratio > 0 && ratio <= DBL_MAX), "a ratio");
}

static void check_learn(void)
{
	const struct learn_totals *totals = &learn.totals;
	for (int side = 0; side < LEARN_SIDES; side++) {
		check_mean(&learn.all[side]);
		for (int i = 0; i < LEARN_CELLS; i++)
			check_mean(&learn.cell[i].mean[side]);
		for (int i = 0; i < FAMILY_COUNT * ELEMENT_COUNT; i++)
			check_mean(&learn.routine[i / ELEMENT_COUNT][i % ELEMENT_COUNT][side]);
	}
	for (int i = 0; i < LEARN_CELLS; i++)
		expect(is_amount(atomic_load(&learn.cell[i].spent_ns)), "time since a look");
	expect(is_amount(atomic_load(&learn.savings_ns)), "what could have been saved");
	expect(fabs(atomic_load(&totals->gain_ns)) <= DBL_MAX, "the gain");
	expect(is_amount(atomic_load(&totals->look_loss_ns)) &&
	               is_amount(atomic_load(&totals->regret_ns)),
	       "the losses");
}

static void check_guess(void)
{
	struct cost cost;
	struct learn_guess guess;
	if (experience.machine == NULL || call.defect != REASON_NONE)
		return;
	cost_predict(&machine, &situation.setting, &call, &cost);
	learn_correct(experience.learn, &call, &cost, 4, &guess);
	for (int side = 0; side < LEARN_SIDES; side++)
		expect(is_time(guess.time_ns[side]) && guess.doubt[side] >= 1 &&
		               guess.doubt[side] <= 4,
		       "a guess");
	expect(is_amount(guess.spent_ns), "the time spent");
}

/* Near the model's time, sometimes a time that no real call takes. */
static double draw_elapsed(void)
{
	static const double odd[] = {0,       -1,           NAN,    INFINITY, 1e300,
	                             DBL_MAX, DBL_TRUE_MIN, 1e-300, 1,        3.2e15};
	const double model_ns =
		decision.target == TARGET_GPU ? decision.model_gpu_ns : decision.model_cpu_ns;
	if (!sober && draw(4) == 0)
		return odd[draw(sizeof odd / sizeof odd[0])];
	return model_ns * machine_random_real(&chance, 1, 1e4) / 1e2;
}

static void take_step(void)
{
	draw_situation();
	/* Half of the values repeat another one, so that means and times add up. */
	if (step == 0 || draw(2) == 0)
		draw_call();
	decide(&options, &experience, &situation, &call, &decision);
	seen[decision.reason]++;
	check_decision();
	check_policy();
	check_guess();
	if (experience.learn == NULL)
		return;
	if (decision.reason == REASON_START_NOT_PAID)
		learn_note_saving(&learn, decision.saving_ns);
	learn_note(&learn, &call, &decision, draw_elapsed());
}

/* Decisions that need no further facts must not ask for any. */
static void check_reach(void)
{
	static const enum reason wanted[] = {
		REASON_BELOW_THRESHOLD, REASON_BELOW_WORK,       REASON_BELOW_K,
		REASON_POLICY_NEVER,    REASON_PREDICTED_SLOWER, REASON_LOOKED_AT_CPU,
		REASON_START_NOT_PAID,  REASON_SETUP_NOT_PAID,   REASON_DRY_FASTER,
		REASON_WARMING_UP,      REASON_BREAKER_OPEN,     REASON_ABOVE_THRESHOLD,
		REASON_POLICY_ALWAYS,   REASON_PREDICTED_FASTER, REASON_LOOKED_AT_GPU,
		REASON_ON_DEVICE};
	for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
		cr_expect(seen[wanted[i]] >= LIVES / 5, "%s: %d times", reason_name(wanted[i]),
		          seen[wanted[i]]);
}

Test(decide_fuzz, nothing_leads_astray)
{
	chance.state = 20;
	for (life = 0; life < LIVES; life++) {
		draw_machine();
		draw_options();
		sober = draw(2) == 0;
		for (step = 0; step < CALLS; step++) {
			take_step();
			if (step % CHECK_EVERY == CHECK_EVERY - 1)
				check_learn();
		}
	}
	check_reach();
}
