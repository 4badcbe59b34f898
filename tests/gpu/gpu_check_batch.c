/* gpu_check_batch.c - batches of multiplications between canaries */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_batch.h"

#include <math.h>
#include <string.h>

#include "shim/execute/gpu/blas/gpu_blas.h"

/* The arrays that a caller passes, in either integer width and with either kind of flags. */
struct listing {
	char letters[2][CHECK_GROUPS];
	int flags[2][CHECK_GROUPS];
	int32_t narrow[7][CHECK_GROUPS];
	int64_t wide[7][CHECK_GROUPS];
	double scalars[2][2 * CHECK_GROUPS];
	const void *operands[OPERAND_COUNT][CHECK_PROBLEMS];
};

/*
 * One problem: its operands, some of which may be shared with other problems, and C before the
 * call.
 */
struct problem {
	struct gpu_check_blas blas;
	struct check_matrix operand[OPERAND_COUNT], before;
	bool owns[OPERAND_COUNT];
};

static struct matrix shape_of(const struct gpu_check_blas *w, enum operand name)
{
	struct matrix shape = {.rows = 0};
	const struct call call = gpu_check_describe_blas(w);
	operand_find(FAMILY_GEMM, &call.blas, name, &shape);
	return shape;
}

static void problem_make(struct problem *problem, const struct gpu_check_group *group,
                         const struct problem *first)
{
	problem->blas = gpu_check_settle_blas(&group->blas);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		const bool shared = (name == OPERAND_A && group->shares_a) ||
		                    (name == OPERAND_B && group->shares_b);
		const struct matrix shape = shape_of(&problem->blas, (enum operand)name);
		struct check_matrix *matrix = &problem->operand[name];
		problem->owns[name] = !shared || first == problem;
		if (!problem->owns[name]) {
			*matrix = first->operand[name];
			continue;
		}
		const bool moved = group->mixes && group->mixed == (enum operand)name &&
		                   (problem - first) % 2 != 0;
		*matrix = check_matrix_make(problem->blas.element, shape.rows, shape.columns,
		                            shape.rows + problem->blas.gap,
		                            problem->blas.offset_bytes,
		                            moved ? PLACE_DEVICE : problem->blas.place[name]);
		check_matrix_fill(matrix, name == OPERAND_C && problem->blas.beta == 0);
		check_matrix_send(matrix);
	}
	problem->before = check_matrix_copy(&problem->operand[OPERAND_C]);
}

static void problem_judge(struct problem *problem, enum reason reason, bool finished)
{
	struct check_matrix *operand = problem->operand;
	check_matrix_receive(&operand[OPERAND_C]);
	const double error = !finished
	                             ? 0
	                             : gpu_check_compare_blas(&problem->blas, &operand[OPERAND_A],
	                                                      &operand[OPERAND_B], &problem->before,
	                                                      &operand[OPERAND_C]);
	EXPECT(error <= 1, "%c %ld x %ld x %ld: error %g times what rounding allows",
	       "sdcz"[problem->blas.element], (long)problem -> blas.m, (long)problem->blas.n,
	       (long)problem->blas.k, error);
	EXPECT(check_matrix_same_bytes(&operand[OPERAND_C], &problem->before),
	       "beside the result was written (%s)", reason_name(reason));
}

static void problem_free(struct problem *problem)
{
	check_matrix_free(&problem->before);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		if (problem->owns[name])
			check_matrix_free(&problem->operand[name]);
}

static void listing_fill_group(struct listing *listing, int g, const struct gpu_check_group *group)
{
	const struct gpu_check_blas w = gpu_check_settle_blas(&group->blas);
	const int64_t number[7] = {w.m,
	                           w.n,
	                           w.k,
	                           shape_of(&w, OPERAND_A).rows + w.gap,
	                           shape_of(&w, OPERAND_B).rows + w.gap,
	                           w.m + w.gap,
	                           group->count};
	for (int i = 0; i < 7; i++) {
		listing->wide[i][g] = number[i];
		listing->narrow[i][g] = (int32_t)number[i];
	}
	listing->letters[0][g] = "nTc"[w.transa];
	listing->letters[1][g] = "NtC"[w.transb];
	listing->flags[0][g] = 111 + (int)w.transa;
	listing->flags[1][g] = 111 + (int)w.transb;
	gpu_check_store(listing->scalars[0], g, w.element, false, w.alpha);
	gpu_check_store(listing->scalars[1], g, w.element, false, w.beta);
}

static struct batch_call listing_describe(const struct listing *listing,
                                          const struct gpu_check_groups *wanted, int problems)
{
	const void *number[7];
	for (int i = 0; i < 7; i++)
		number[i] = wanted->wide ? (const void *)listing->wide[i] : listing->narrow[i];
	return (struct batch_call){
		.wide = wanted->wide,
		.letters = wanted->letters,
		.groups = wanted->groups,
		.problems = problems,
		.transa = wanted->letters ? (const void *)listing->letters[0] : listing->flags[0],
		.transb = wanted->letters ? (const void *)listing->letters[1] : listing->flags[1],
		.m = number[0],
		.n = number[1],
		.k = number[2],
		.lda = number[3],
		.ldb = number[4],
		.ldc = number[5],
		.group_size = number[6],
		.alpha = listing->scalars[0],
		.beta = listing->scalars[1],
		.a = listing->operands[OPERAND_A],
		.b = listing->operands[OPERAND_B],
		.c = listing->operands[OPERAND_C],
	};
}

enum reason gpu_check_run_groups(const struct gpu_check_groups *wanted, int device)
{
	struct problem problem[CHECK_PROBLEMS];
	struct listing listing;
	int count = 0;
	for (int g = 0; g < wanted->groups; g++) {
		const int first = count;
		for (int i = 0; i < wanted->group[g].count; i++, count++) {
			problem_make(&problem[count], &wanted->group[g], &problem[first]);
			for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
				listing.operands[name][count] = problem[count].operand[name].data;
		}
		listing_fill_group(&listing, g, &wanted->group[g]);
	}
	const struct call call = {.family = FAMILY_GEMM_BATCH,
	                          .element = wanted->group[0].blas.element,
	                          .batch = listing_describe(&listing, wanted, count)};
	bool finished;
	const enum reason reason = gpu_check_call_blas(&call, device, &finished);
	for (int i = 0; i < count; i++)
		problem_judge(&problem[i], reason, finished);
	for (int i = 0; i < count; i++)
		problem_free(&problem[i]);
	return reason;
}

/*
 * One matrix that contains the matrices of all problems, and the distance in elements from one to
 * the next.
 */
struct stack {
	struct check_matrix whole;
	int64_t first, stride;
};

static struct stack stack_make(const struct gpu_check_group *group, enum operand name, bool beside,
                               int apart)
{
	const struct gpu_check_blas *w = &group->blas;
	const struct matrix shape = shape_of(w, name);
	const bool shared =
		(name == OPERAND_A && group->shares_a) || (name == OPERAND_B && group->shares_b);
	const int64_t count = shared ? 1 : group->count;
	const int64_t rows = beside ? shape.rows : shape.rows * count;
	const int64_t columns = beside ? (shape.columns + apart) * count : shape.columns;
	struct stack stack = {check_matrix_make(w->element, rows, columns, rows + w->gap,
	                                        w->offset_bytes, w->place[name]),
	                      0, 0};
	if (!shared)
		stack.stride = beside ? stack.whole.ld * (shape.columns + apart) : shape.rows;
	if (group->backward) {
		stack.first = (count - 1) * stack.stride;
		stack.stride = -stack.stride;
	}
	check_matrix_fill(&stack.whole, name == OPERAND_C && w->beta == 0);
	check_matrix_send(&stack.whole);
	return stack;
}

/* The matrix of one problem, inside the matrix that contains all. */
static struct check_matrix stack_view(const struct stack *stack, const struct check_matrix *whole,
                                      struct matrix shape, int problem)
{
	struct check_matrix view = *whole;
	view.base += (stack->first + problem * stack->stride) *
	             (int64_t)element_size_bytes(whole->element);
	view.rows = shape.rows;
	view.columns = shape.columns;
	return view;
}

static void stack_judge(const struct gpu_check_group *group, struct stack stack[OPERAND_COUNT],
                        const struct check_matrix *before)
{
	for (int i = 0; i < group->count; i++) {
		struct check_matrix view[OPERAND_COUNT];
		for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
			view[name] = stack_view(&stack[name], &stack[name].whole,
			                        shape_of(&group->blas, (enum operand)name), i);
		const struct check_matrix old =
			stack_view(&stack[OPERAND_C], before, shape_of(&group->blas, OPERAND_C), i);
		const double error = gpu_check_compare_blas(
			&group->blas, &view[OPERAND_A], &view[OPERAND_B], &old, &view[OPERAND_C]);
		EXPECT(error <= 1, "%c, problem %d: error %g times what rounding allows",
		       "sdcz"[group->blas.element], i, error);
	}
}

enum reason gpu_check_run_strided(const struct gpu_check_group *wanted, bool beside, int apart,
                                  int device)
{
	struct gpu_check_group group = *wanted;
	struct stack stack[OPERAND_COUNT];
	group.blas = gpu_check_settle_blas(&wanted->blas);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		stack[name] = stack_make(&group, (enum operand)name, beside, apart);
	struct check_matrix before = check_matrix_copy(&stack[OPERAND_C].whole);
	struct call call = gpu_check_describe_blas(&group.blas);
	call.family = FAMILY_GEMM_BATCH_STRIDED;
	call.blas.lda = stack[OPERAND_A].whole.ld;
	call.blas.ldb = stack[OPERAND_B].whole.ld;
	call.blas.ldc = stack[OPERAND_C].whole.ld;
	const char *first[OPERAND_COUNT];
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		first[name] = stack[name].whole.data +
		              stack[name].first * (int64_t)element_size_bytes(group.blas.element);
	call.batch = (struct batch_call){.strided = true,
	                                 .groups = 1,
	                                 .problems = group.count,
	                                 .a = first[OPERAND_A],
	                                 .b = first[OPERAND_B],
	                                 .c = first[OPERAND_C],
	                                 .stridea = stack[OPERAND_A].stride,
	                                 .strideb = stack[OPERAND_B].stride,
	                                 .stridec = stack[OPERAND_C].stride,
	                                 .first = call.blas};
	bool finished;
	const enum reason reason = gpu_check_call_blas(&call, device, &finished);
	check_matrix_receive(&stack[OPERAND_C].whole);
	if (finished)
		stack_judge(&group, stack, &before);
	EXPECT(check_matrix_same_bytes(&stack[OPERAND_C].whole, &before),
	       "beside the results was written (%s)", reason_name(reason));
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		check_matrix_free(&stack[name].whole);
	check_matrix_free(&before);
	return reason;
}
