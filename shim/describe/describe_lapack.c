/* describe_lapack.c - LAPACK arguments -> struct call */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/describe_lapack.h"

#include <stddef.h>

#include "policy/call/argument.h"
#include "shim/describe/describe_solver.h"

static int64_t describe_lapack_integer(const void *address, bool wide)
{
	return address != NULL ? argument_read_integer(address, 0, wide) : 0;
}

static int describe_lapack_letter(const char *letter, const char *letters)
{
	return letter != NULL ? argument_read_letter(letter, letters) : 0;
}

/* A job as its capital, '?' if it is none of letters; 0 where the routine has no such argument. */
static char describe_lapack_job(const char *job, const char *letters)
{
	if (job == NULL)
		return '\0';
	const int index = argument_read_letter(job, letters);
	return index == ARGUMENT_ILLEGAL ? '?' : letters[index];
}

static double describe_lapack_real(const struct call *call, const void *address)
{
	if (address == NULL)
		return 0;
	const bool single = call->element == ELEMENT_S || call->element == ELEMENT_C;
	return single ? (double)*(const float *)address : *(const double *)address;
}

static void describe_lapack_letters(struct call *call, const struct lapack_arguments *with)
{
	struct lapack_call *lapack = &call->lapack;
	const bool singular = call->family == FAMILY_GESDD || call->family == FAMILY_GESVD;
	const char *jobs = singular ? "ASON" : "NV";
	lapack->side = (enum side)describe_lapack_letter(with->side, "LR");
	lapack->uplo = (enum uplo)describe_lapack_letter(with->uplo, "UL");
	lapack->trans = (enum transpose)describe_lapack_letter(with->trans, "NTC");
	lapack->diag = (enum diag)describe_lapack_letter(with->diag, "NU");
	lapack->jobs[0] = describe_lapack_job(with->job, jobs);
	lapack->jobs[1] = describe_lapack_job(with->job2, jobs);
	lapack->range = describe_lapack_job(with->range, "AVI");
}

/* A routine of square matrices has n alone; that of the eigenvalues in a range reads vl to iu. */
static void describe_lapack_sizes(struct call *call, bool wide, const struct lapack_arguments *with)
{
	struct lapack_call *lapack = &call->lapack;
	const char range = lapack->range;
	lapack->itype = (int)describe_lapack_integer(with->itype, wide);
	lapack->n = describe_lapack_integer(with->n, wide);
	lapack->m = with->m != NULL ? describe_lapack_integer(with->m, wide) : lapack->n;
	lapack->k = describe_lapack_integer(with->k, wide);
	lapack->nrhs = describe_lapack_integer(with->nrhs, wide);
	lapack->lda = describe_lapack_integer(with->lda, wide);
	lapack->ldb = describe_lapack_integer(with->ldb, wide);
	lapack->ldu = describe_lapack_integer(with->ldu, wide);
	lapack->ldvt = describe_lapack_integer(with->ldvt, wide);
	lapack->vl = describe_lapack_real(call, range == 'V' ? with->vl : NULL);
	lapack->vu = describe_lapack_real(call, range == 'V' ? with->vu : NULL);
	lapack->il = describe_lapack_integer(range == 'I' ? with->il : NULL, wide);
	lapack->iu = describe_lapack_integer(range == 'I' ? with->iu : NULL, wide);
	lapack->abstol = describe_lapack_real(call, with->abstol);
	lapack->lwork = describe_lapack_integer(with->lwork, wide);
	lapack->lrwork = describe_lapack_integer(with->lrwork, wide);
	lapack->liwork = describe_lapack_integer(with->liwork, wide);
}

static void describe_lapack_addresses(struct lapack_call *lapack,
                                      const struct lapack_arguments *with)
{
	lapack->a = with->a;
	lapack->b = with->b;
	lapack->u = with->u;
	lapack->vt = with->vt;
	lapack->w = with->w;
	lapack->wi = with->wi;
	lapack->tau = with->tau;
	lapack->ipiv = with->ipiv;
	lapack->isuppz = with->isuppz;
	lapack->found = with->found;
	lapack->work = with->work;
	lapack->rwork = with->rwork;
	lapack->iwork = with->iwork;
	lapack->info = with->info;
}

static void describe_lapack_call(struct call *call, bool wide, const struct lapack_arguments *with)
{
	struct lapack_call *lapack = &call->lapack;
	*lapack = (struct lapack_call){.wide = wide};
	describe_lapack_letters(call, with);
	describe_lapack_sizes(call, wide, with);
	describe_lapack_addresses(lapack, with);
	const struct describe_lengths lengths = {
		.query = lapack->lwork == -1 || lapack->lrwork == -1 || lapack->liwork == -1,
		.work = with->lwork != NULL,
		.rwork = with->lrwork != NULL,
		.iwork = with->liwork != NULL,
	};
	describe_solver_end(call, &lengths);
}

#define FIELD(name) .name = (void *)(uintptr_t)name
#define SHAPE(shape)                                                                               \
	void describe_f77_##shape(struct call *call, bool wide, DESCRIBE_PARAMS_f77(shape))        \
	{                                                                                          \
		const struct lapack_arguments with = {                                             \
			LIST_f77_##shape(FIELD, FIELD, FIELD, LIST_NO_LENGTHS)};                   \
		describe_lapack_call(call, wide, &with);                                           \
	}
#include "shim/table/lapack_shape.def"
