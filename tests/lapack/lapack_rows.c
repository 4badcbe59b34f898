/* lapack_rows.c - argument lists of LAPACK's routines, and calls made by them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lapack_trial.h"

#define BOTH(text)                                                                                 \
	{                                                                                          \
		text, text                                                                         \
	}
#define VALUES "jobz range uplo n a lda vl vu il iu abstol found w u ldu "
#define VALUES_OF_PAIR "itype jobz range uplo n a lda b ldb vl vu il iu abstol found w u ldu "

const struct row rows[FAMILY_COUNT] = {
	[GETRF] = {BOTH("getrf"), BOTH("m n a lda ipiv info")},
	[GETRS] = {BOTH("getrs"), BOTH("trans n nrhs a lda ipiv b ldb info")},
	[GESV] = {BOTH("gesv"), BOTH("n nrhs a lda ipiv b ldb info")},
	[GETRI] = {BOTH("getri"), BOTH("n a lda ipiv work lwork info")},
	[POTRF] = {BOTH("potrf"), BOTH("uplo n a lda info")},
	[POTRS] = {BOTH("potrs"), BOTH("uplo n nrhs a lda b ldb info")},
	[POSV] = {BOTH("posv"), BOTH("uplo n nrhs a lda b ldb info")},
	[POTRI] = {BOTH("potri"), BOTH("uplo n a lda info")},
	[TRTRI] = {BOTH("trtri"), BOTH("uplo diag n a lda info")},
	[GEQRF] = {BOTH("geqrf"), BOTH("m n a lda tau work lwork info")},
	[ORGQR] = {{"orgqr", "ungqr"}, BOTH("m n k a lda tau work lwork info")},
	[ORMQR] = {{"ormqr", "unmqr"}, BOTH("side trans m n k a lda tau b ldb work lwork info")},
	[GELS] = {BOTH("gels"), BOTH("trans m n nrhs a lda b ldb work lwork info")},
	[SYEV] = {{"syev", "heev"},
                  {"jobz uplo n a lda w work lwork info",
                   "jobz uplo n a lda w work lwork rwork info"}},
	[SYEVD] = {{"syevd", "heevd"},
                   {"jobz uplo n a lda w work lwork iwork liwork info",
                    "jobz uplo n a lda w work lwork rwork lrwork iwork liwork info"}},
	[SYEVR] = {{"syevr", "heevr"},
                   {VALUES "fail work lwork iwork liwork info",
                    VALUES "fail work lwork rwork lrwork iwork liwork info"}},
	[SYEVX] = {{"syevx", "heevx"},
                   {VALUES "work lwork iwork fail info",
                    VALUES "work lwork rwork iwork fail info"}},
	[SYGV] = {{"sygv", "hegv"},
                  {"itype jobz uplo n a lda b ldb w work lwork info",
                   "itype jobz uplo n a lda b ldb w work lwork rwork info"}},
	[SYGVD] = {{"sygvd", "hegvd"},
                   {"itype jobz uplo n a lda b ldb w work lwork iwork liwork info",
                    "itype jobz uplo n a lda b ldb w work lwork rwork lrwork iwork liwork info"}},
	[SYGVX] = {{"sygvx", "hegvx"},
                   {VALUES_OF_PAIR "work lwork iwork fail info",
                    VALUES_OF_PAIR "work lwork rwork iwork fail info"}},
	[GESDD] = {BOTH("gesdd"),
                   {"jobz m n a lda w u ldu v ldv work lwork iwork info",
                    "jobz m n a lda w u ldu v ldv work lwork rwork iwork info"}},
	[GESVD] = {BOTH("gesvd"),
                   {"jobz jobv m n a lda w u ldu v ldv work lwork info",
                    "jobz jobv m n a lda w u ldu v ldv work lwork rwork info"}},
	[GEEV] = {BOTH("geev"),
                  {"jobz jobv n a lda w wi u ldu v ldv work lwork info",
                   "jobz jobv n a lda w u ldu v ldv work lwork rwork info"}},
};

static const struct {
	const char *text;
	enum word word;
	int slot;
} words_known[] = {
	{"jobz", WORD_JOB, -1},
	{"jobv", WORD_JOB2, -1},
	{"range", WORD_RANGE, -1},
	{"uplo", WORD_UPLO, -1},
	{"side", WORD_SIDE, -1},
	{"trans", WORD_TRANS, -1},
	{"diag", WORD_DIAG, -1},
	{"itype", WORD_ITYPE, -1},
	{"m", WORD_M, -1},
	{"n", WORD_N, -1},
	{"k", WORD_K, -1},
	{"nrhs", WORD_NRHS, -1},
	{"a", WORD_A, SLOT_A},
	{"lda", WORD_LDA, -1},
	{"b", WORD_B, SLOT_B},
	{"ldb", WORD_LDB, -1},
	{"u", WORD_U, SLOT_U},
	{"ldu", WORD_LDU, -1},
	{"v", WORD_V, SLOT_V},
	{"ldv", WORD_LDV, -1},
	{"w", WORD_W, SLOT_W},
	{"wi", WORD_WI, SLOT_WI},
	{"tau", WORD_TAU, SLOT_TAU},
	{"ipiv", WORD_IPIV, SLOT_IPIV},
	{"fail", WORD_FAIL, SLOT_FAIL},
	{"vl", WORD_VL, -1},
	{"vu", WORD_VU, -1},
	{"il", WORD_IL, -1},
	{"iu", WORD_IU, -1},
	{"abstol", WORD_ABSTOL, -1},
	{"found", WORD_FOUND, -1},
	{"work", WORD_WORK, SLOT_WORK},
	{"lwork", WORD_LWORK, -1},
	{"rwork", WORD_RWORK, SLOT_RWORK},
	{"lrwork", WORD_LRWORK, -1},
	{"iwork", WORD_IWORK, SLOT_IWORK},
	{"liwork", WORD_LIWORK, -1},
	{"info", WORD_INFO, -1},
};
enum { WORDS_KNOWN = sizeof words_known / sizeof words_known[0] };

static int words_find(const char *text)
{
	for (int i = 0; i < WORDS_KNOWN; i++)
		if (strcmp(words_known[i].text, text) == 0)
			return i;
	fprintf(stderr, "lapack_rows.c: there is no word %s\n", text);
	exit(3);
}

int trial_words(enum family family, enum type type, enum word *words)
{
	char text[200];
	int count = 0;
	snprintf(text, sizeof text, "%s", rows[family].words[type_is_complex(type)]);
	for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
		words[count++] = words_known[words_find(word)].word;
	return count;
}

bool word_is_slot(enum word word, enum slot *slot)
{
	for (int i = 0; i < WORDS_KNOWN; i++)
		if (words_known[i].word == word && words_known[i].slot >= 0) {
			*slot = (enum slot)words_known[i].slot;
			return true;
		}
	return false;
}

const char *trial_name(enum family family, enum type type, char *text, size_t size)
{
	snprintf(text, size, "%c%s_", "sdcz"[type], rows[family].name[type_is_complex(type)]);
	return text;
}

/* A call's scalar arguments in memory of its own: the library may write none but the last two. */
struct scalars {
	char letter[7];
	lapack_int itype, m, n, k, nrhs, lda, ldb, ldu, ldv, il, iu, lwork, lrwork, liwork;
	float single[3];
	double real[3];
	struct outcome outcome;
};

static struct scalars scalars_of(const struct trial *t)
{
	struct scalars s = {
		.letter = {t->job, t->job2, t->range, t->uplo, t->side, t->trans, t->diag},
		.itype = t->itype,
		.m = t->m,
		.n = t->n,
		.k = t->k,
		.nrhs = t->nrhs,
		.lda = (lapack_int)t->operand[SLOT_A].ld,
		.ldb = (lapack_int)t->operand[SLOT_B].ld,
		.ldu = (lapack_int)t->operand[SLOT_U].ld,
		.ldv = (lapack_int)t->operand[SLOT_V].ld,
		.il = t->il,
		.iu = t->iu,
		.lwork = t->lwork,
		.lrwork = t->lrwork,
		.liwork = t->liwork,
		.single = {(float)t->vl, (float)t->vu, (float)t->abstol},
		.real = {t->vl, t->vu, t->abstol},
		.outcome = {-999, -999},
	};
	for (size_t i = 0; i < sizeof s.letter && t->small_letters; i++)
		s.letter[i] = (char)tolower(s.letter[i]);
	return s;
}

static void *scalars_find(struct scalars *s, enum word word, bool single)
{
	switch (word) {
	case WORD_ITYPE: return &s->itype;
	case WORD_M: return &s->m;
	case WORD_N: return &s->n;
	case WORD_K: return &s->k;
	case WORD_NRHS: return &s->nrhs;
	case WORD_LDA: return &s->lda;
	case WORD_LDB: return &s->ldb;
	case WORD_LDU: return &s->ldu;
	case WORD_LDV: return &s->ldv;
	case WORD_IL: return &s->il;
	case WORD_IU: return &s->iu;
	case WORD_LWORK: return &s->lwork;
	case WORD_LRWORK: return &s->lrwork;
	case WORD_LIWORK: return &s->liwork;
	case WORD_FOUND: return &s->outcome.found;
	case WORD_INFO: return &s->outcome.info;
	case WORD_VL: return single ? (void *)&s->single[0] : (void *)&s->real[0];
	case WORD_VU: return single ? (void *)&s->single[1] : (void *)&s->real[1];
	case WORD_ABSTOL: return single ? (void *)&s->single[2] : (void *)&s->real[2];
	default: return &s->letter[word - WORD_JOB];
	}
}

/*
 * All of a routine's arguments are pointers, followed by the lengths of its strings. In the calling
 * conventions of Linux a function ignores arguments behind its own.
 */
typedef void routine(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                     void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                     void *, void *, void *, void *, void *, void *, void *, void *);

void trial_call(struct trial *t, enum copy copy, void *code)
{
	enum word word[WORDS_MAX];
	void *p[28] = {NULL};
	struct scalars s = scalars_of(t);
	const struct scalars before = s;
	routine *call;
	const int count = trial_words(t->family, t->type, word);
	int lengths = count;
	for (int i = 0; i < count; i++) {
		enum slot slot;
		p[i] = word_is_slot(word[i], &slot)
		               ? memory_at(t, copy, slot)
		               : scalars_find(&s, word[i], type_is_single(t->type));
		if (word[i] >= WORD_JOB && word[i] <= WORD_DIAG)
			p[lengths++] = (void *)1;
	}
	memcpy(&call, &code, sizeof call);
	call(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13],
	     p[14], p[15], p[16], p[17], p[18], p[19], p[20], p[21], p[22], p[23], p[24], p[25],
	     p[26], p[27]);
	t->outcome[copy] = s.outcome;
	s.outcome = before.outcome;
	if (memcmp(&s, &before, sizeof s) != 0)
		t->outcome[copy].info = -998;
}

/* The library answers as a number of the routine's type, or as an integer. */
static lapack_int query_answer(const struct trial *t, enum copy copy, enum slot slot)
{
	return (lapack_int)creal(memory_get(t, copy, slot, 0, 0));
}

void trial_query(struct trial *t, enum copy copy, void *code)
{
	enum word word[WORDS_MAX];
	const int count = trial_words(t->family, t->type, word);
	t->lwork = t->lrwork = t->liwork = -1;
	trial_call(t, copy, code);
	for (int i = 0; i < count; i++) {
		if (word[i] == WORD_LWORK)
			t->lwork = query_answer(t, copy, SLOT_WORK);
		if (word[i] == WORD_LRWORK)
			t->lrwork = query_answer(t, copy, SLOT_RWORK);
		if (word[i] == WORD_LIWORK)
			t->liwork = query_answer(t, copy, SLOT_IWORK);
	}
}

void trial_tell(const struct trial *t)
{
	static const char *const contents[CONTENT_COUNT] = {
		"random",   "graded", "clustered", "of deficient rank",
		"singular", "zero",   "identity",  "with NaN or Inf"};
	enum word word[WORDS_MAX];
	char name[16];
	struct scalars s = scalars_of(t);
	const int count = trial_words(t->family, t->type, word);
	printf("  %s(", trial_name(t->family, t->type, name, sizeof name));
	for (int i = 0; i < count; i++) {
		enum slot slot;
		const char *text = "";
		for (int w = 0; w < WORDS_KNOWN; w++)
			if (words_known[w].word == word[i])
				text = words_known[w].text;
		if (word_is_slot(word[i], &slot))
			continue;
		const void *at = scalars_find(&s, word[i], false);
		if (word[i] <= WORD_DIAG)
			printf("%s %c, ", text, *(const char *)at);
		else if (word[i] == WORD_VL || word[i] == WORD_VU || word[i] == WORD_ABSTOL)
			printf("%s %.17g, ", text, *(const double *)at);
		else if (word[i] != WORD_INFO && word[i] != WORD_FOUND)
			printf("%s %lld, ", text, (long long)*(const lapack_int *)at);
	}
	printf("info %lld and %lld), matrix %s, scale %g\n", (long long)t->outcome[COPY_SHIM].info,
	       (long long)t->outcome[COPY_LIBRARY].info, contents[t->content], t->scale);
}
