/* resident_beside.c - a call is proven late, and another one has found what changed meanwhile */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "card.h"
#include "chance.h"
#include "kernel_probe.h"

/* The operand begins and ends within pages that it shares with other memory. */
enum { PAGES = 16, FROM = 528, SETTLING_CALLS = 8 };

static char *memory;
static size_t bytes;

static void call(void)
{
	const size_t count = bytes - 2 * (size_t)FROM;
	card_call(memory + FROM, count, count, 1, RESIDENT_READ, CARD_ENDS, NULL, NULL);
}

/*
 * A byte changes. A call begins that takes the operand for unchanged, and its kernel may read the
 * mirror at once; another call finds the change, and sends it. The first one's proof must fail.
 */
static bool is_refuted(size_t at, const char *where)
{
	struct host_view view;
	struct resident_call late;
	const size_t count = bytes - 2 * (size_t)FROM;
	for (int i = 0; i < SETTLING_CALLS; i++)
		call();
	memory[at]++;
	resident_begin(&late);
	late.defers = true;
	if (!host_view_make(&view, memory + FROM, count, count, 1))
		return false;
	struct resident_operand *operand = resident_plan(&late, &view, RESIDENT_READ);
	const bool unproven = operand->is_unproven;
	call();
	enum resident_proof proof;
	while ((proof = resident_prove(operand)) == RESIDENT_PENDING)
		continue;
	resident_end(&late);
	if (unproven && proof == RESIDENT_REFUTED)
		return true;
	printf("FAIL %s: %s\n", where,
	       unproven ? "proven, though another call has sent what changed"
	                : "the call asks at once, and tells nothing");
	return false;
}

int main(void)
{
	const char *why = kernel_probe_find_missing();
	if (why != NULL) {
		printf("skipped: %s\n", why);
		return 77;
	}
	bytes = PAGES * pages_size();
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	memset(memory, 1, bytes);
	if (!card_open())
		return 1;
	chance_step = "a call beside a late one";
	bool fine = true;
	/* The second time, the window stops keeping pages that it shares. */
	for (int i = 0; i < 3 && fine; i++)
		fine = is_refuted(bytes / 2, "a page of its own");
	for (int i = 0; i < 2 && fine; i++)
		fine = is_refuted(FROM, "a page that it shares");
	printf("%llu operands compared\n", (unsigned long long)card_counts.checks);
	resident_close();
	card_free_retired();
	return fine ? 0 : 1;
}
