/* admission.h - which operands are worth tracking: those that were seen unchanged; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_RESIDENT_ADMISSION_H
#define GPUSHIM_POLICY_RESIDENT_ADMISSION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The first write to a tracked page is a page fault. A program that rewrites a tracked operand pays
 * about ten times what it costs to send the operand again, so an operand is tracked only once two
 * calls have found the same sample of its bytes. If it is rewritten after all, it is left alone for
 * 1, 2, 4, ... calls: the number of wrong guesses grows with the logarithm of that of the calls.
 * The sample decides what is tracked, never what is sent. It costs 4 to 30 microseconds, so that
 * an operand whose samples always differ, and a result that nobody reads, or that the program
 * rewrites before a call reads it, are sampled less and less often, each 64 calls in the end.
 */
enum admission_state { ADMISSION_NEW, ADMISSION_SEEN, ADMISSION_TRACKED, ADMISSION_RESTING };

/* What is known of one operand; zeros at first. */
struct admission {
	enum admission_state state;
	uint64_t sample;
	uint32_t rest, exponent; /* calls to leave out; the last rest was 2^(exponent - 1) */
	uint32_t hits;           /* since it was tracked */
	uint32_t changes;        /* samples in a row that differed from the one before */
	uint32_t unread;         /* results in a row of which no call has read the one before */
	bool is_reused;          /* as a result it was read again, unchanged */
	bool has_result;         /* the sample is that of a result */
	bool is_last;            /* and that was the last one */
	bool was_result;         /* and was when it was judged last */
	bool was_rewritten;      /* by the program, once it was tracked: too soon */
	bool is_announced;       /* kept for its call's sake, and no call has read it yet */
	/* Whether tracking takes less time than sending, as an input and as a result. */
	bool knows_cost, pays_input, pays_result;
	uint32_t paid_hits; /* so many pay for one rewriting by the program, and ten at least */
};

enum admission_step {
	ADMISSION_SKIP,   /* send it */
	ADMISSION_SAMPLE, /* take a sample, and ask admission_judge_sample */
	ADMISSION_LOOK    /* ask the kernel which pages are clean, and then admission_judge_look */
};

/* For each call that reads the operand. */
enum admission_step admission_next(struct admission *admission);
/* Whether the operand is to be tracked from this call on. */
bool admission_judge_sample(struct admission *admission, uint64_t sample);
/*
 * After that, once knows_cost and what depends on it are set: whether it is. A result that is
 * not worth keeping has to be read twice unchanged, because the program may rewrite it next; so has
 * one that it did rewrite, and one whose page faults would be too many (may_risk false).
 */
bool admission_judge_cost(struct admission *admission, bool may_risk);
/* Whether it stays tracked, where so many of all its bytes need not be sent. */
bool admission_judge_look(struct admission *admission, uint64_t clean_bytes, uint64_t all_bytes);

/* Whether so many parts of all are enough for that. */
bool admission_is_hit(uint64_t clean, uint64_t all);

/* Its memory cannot be tracked. */
void admission_note_refused(struct admission *admission);

/*
 * For each call that writes it, before: an input that is written too soon after it was tracked is
 * left alone for a while, unless the result is kept. Then its sample afterwards, and whether the
 * result is to be tracked.
 */
void admission_note_overwritten(struct admission *admission);
bool admission_takes_result(struct admission *admission); /* whether a sample is wanted */
void admission_note_result(struct admission *admission, uint64_t sample);
/*
 * Instead of that, where the result's pages are tracked: no sample is needed. Results that no call
 * has read for eight of them are not kept any more.
 */
void admission_note_kept(struct admission *admission);
bool admission_keeps_result(const struct admission *admission);

/* Of a process: results that were kept for their calls' sake, and those of them that were read. */
struct admission_announced {
	uint32_t kept, read;
};

/*
 * Before a call writes the operand whose results other calls read as a rule: factors are read by
 * solves. Its result is kept from the first one on, as long as every second one was read, the
 * program has not rewritten this one, and its page faults would not be too many (may_risk).
 */
void admission_announce(struct admission *admission, struct admission_announced *announced,
                        bool may_risk);
/* A call has found it unchanged. */
void admission_note_read(struct admission *admission, struct admission_announced *announced);

/*
 * For each call that reads what it then overwrites, before that: whether a sample is wanted; the
 * sample. Unchanged since the last result, the operand counts as a result that was read again.
 */
bool admission_takes_update(struct admission *admission);
bool admission_judge_update(struct admission *admission, uint64_t sample);
/*
 * The same for a result that is kept, where so many of all its bytes need not be sent. faults:
 * writes of the program were page faults.
 */
void admission_note_update(struct admission *admission, uint64_t clean_bytes, uint64_t all_bytes,
                           bool faults);
/*
 * For each call that overwrites a result without reading it, before that, where no page of it is
 * tracked: whether a sample is wanted, since the next result is to be kept; the sample. If the last
 * one was changed by something else than such a call, the next one will be, too.
 */
bool admission_takes_overwritten(const struct admission *admission);
void admission_judge_overwritten(struct admission *admission, uint64_t sample);
/*
 * For such a call too: the program has written much of a result that was kept, with page faults. It
 * is left alone for a while, unless the calls that have read it before have paid for that.
 */
void admission_note_rewritten(struct admission *admission);
/* Whether the calls that did not need it sent have saved what page faults for all of it cost. */
bool admission_is_paid(const struct admission *admission);

/* Its copy was given up for others. */
void admission_note_disarmed(struct admission *admission);

/*
 * Whether page faults that nothing has paid for took more than 1 % of the process's time, and
 * enough to matter.
 */
bool admission_is_costly(uint64_t lost_ns, uint64_t process_ns);

#endif
