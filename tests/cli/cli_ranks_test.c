/* cli_ranks_test.c - sums by rank and GPU, and the thresholds from which findings are told */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cli/report/report_ranks.h"

static int failures;

#define expect(fact, ...)                                                                          \
	do {                                                                                       \
		if (!(fact)) {                                                                     \
			failures++;                                                                \
			printf("FAIL %s:%d: ", __FILE__, __LINE__);                                \
			printf(__VA_ARGS__);                                                       \
			printf("\n");                                                              \
		}                                                                                  \
	} while (0)

/* A call of dgemm. begin_ms: since the log's first second. head: keys of the first record. */
struct ranks_call {
	int pid;
	const char *head;
	int64_t m, n, k;
	int device; /* -1: on the CPU */
	const char *pci;
	int begin_ms;
	int64_t elapsed_ms, expected_gpu_ms;
};

static void ranks_add(struct log_sum *sum, const struct ranks_call *call)
{
	char line[1024], pci[64] = "";
	struct log_record record;
	if (call->pci != NULL)
		snprintf(pci, sizeof pci, "\"pci\":\"%s\",", call->pci);
	snprintf(
		line, sizeof line,
		"{\"time\":\"2026-11-21T10:00:%02d.%03d000Z\",\"pid\":%d,\"tid\":1,%s\"object\":\"x\","
		"\"symbol\":\"dgemm_\",\"routine\":\"dgemm\",\"sizes\":{\"m\":%lld,\"n\":%lld,"
		"\"k\":%lld},\"bytes\":1000,\"flops\":2000,\"target\":\"%s\",\"reason\":\"%s\","
		"\"device\":%d,\"math\":\"-\",\"predicted_cpu_ns\":%lld,\"predicted_gpu_ns\":%lld,"
		"%s\"elapsed_ns\":%lld}",
		call->begin_ms / 1000, call->begin_ms % 1000, call->pid,
		call->head != NULL ? call->head : "", (long long)call->m, (long long)call->n,
		(long long)call->k, call->device >= 0 ? "gpu" : "cpu",
		call->device >= 0 ? "predicted_faster" : "predicted_slower", call->device,
		(long long)call->expected_gpu_ms * 2000000,
		(long long)call->expected_gpu_ms * 1000000, pci,
		(long long)call->elapsed_ms * 1000000);
	expect(log_parse(line, strlen(line), &record, NULL), "not a record: %s", line);
	record.file = 0;
	log_sum_add(sum, &record);
}

static void ranks_head(char out[256], int rank, int size, const char *host, const char *step)
{
	snprintf(
		out, 256,
		"\"program\":\"x\",\"host\":\"%s\",\"machine\":\"\",\"measured\":\"\",\"rank\":\"%d\","
		"\"size\":\"%d\",\"launcher\":\"Slurm\",\"job\":\"7\",\"step\":\"%s\",",
		host, rank, size, step);
}

/* Two calls of a rank on one GPU, of elapsed_ms together; cubes, which no finding is about. */
static void ranks_add_rank(struct log_sum *sum, int rank, int size, int begin_ms, int elapsed_ms)
{
	char head[256];
	ranks_head(head, rank, size, "n", "0");
	struct ranks_call call = {100 + rank, head,           500,      500, 500,
	                          0,          "0000:01:00.0", begin_ms, 1,   1};
	ranks_add(sum, &call);
	call.head = call.pci = NULL;
	call.begin_ms++;
	call.elapsed_ms = elapsed_ms - 1;
	ranks_add(sum, &call);
}

static const struct report_finding *ranks_find(struct log_sum *sum, const char *name)
{
	static struct report_finding rows[REPORT_FINDINGS];
	log_sum_end(sum);
	const size_t count = report_finding_list(sum, rows);
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

static void test_one_rank_has_no_findings(void)
{
	struct log_sum *sum = log_sum_make();
	ranks_add(sum, &(struct ranks_call){1, NULL, 5000, 5000, 80, -1, NULL, 0, 1000, 10});
	expect(ranks_find(sum, "small_blocks") == NULL, "a process without a rank");
	expect(!report_ranks_are_shown(sum) && !report_ranks_show_cards(sum), "no table");
	log_sum_free(sum);
	sum = log_sum_make();
	ranks_add_rank(sum, 0, 1, 0, 100);
	expect(ranks_find(sum, "imbalance") == NULL && !report_ranks_are_shown(sum), "one rank");
	log_sum_free(sum);
}

/* One after the other, so that the GPU is not crowded. */
static bool is_imbalanced(int first_ms, int second_ms, int span_ms)
{
	struct log_sum *sum = log_sum_make();
	ranks_add_rank(sum, 0, 2, 0, first_ms);
	ranks_add_rank(sum, 1, 2, span_ms - second_ms, second_ms);
	const bool found = ranks_find(sum, "imbalance") != NULL;
	log_sum_free(sum);
	return found;
}

static void test_imbalance(void)
{
	expect(is_imbalanced(500, 300, 800), "1.25 times the mean");
	expect(!is_imbalanced(490, 310, 800), "1.225 times the mean");
	expect(!is_imbalanced(400, 400, 800), "equal ranks");
	expect(is_imbalanced(100, 500, 9000), "6 %% of the time");
	expect(!is_imbalanced(100, 400, 9000), "4 %% of the time");
}

static void test_balance_is_that_of_one_launch(void)
{
	struct log_sum *sum = log_sum_make();
	char head[256];
	for (int rank = 0; rank < 2; rank++) {
		for (int step = 0; step < 2; step++) {
			ranks_head(head, rank, 3, "n", step == 0 ? "0" : "1");
			ranks_add(sum, &(struct ranks_call){rank + 10 * step, head, 500, 500, 500,
			                                    -1, NULL, 0, step == 0 ? 100 : 900, 1});
		}
	}
	log_sum_end(sum);
	const struct report_balance balance = report_ranks_balance(sum);
	expect(sum->ranks.rank_count == 4, "two ranks of two launches: %zu", sum->ranks.rank_count);
	expect(balance.ranks == 2 && balance.size == 3 && balance.longest_ns == 9e8 &&
	               balance.mean_ns == 9e8,
	       "the launch with the longest rank: %g", balance.longest_ns);
	log_sum_free(sum);
}

/* count processes that begin together and compute for elapsed_ms in a time of 900 ms. */
static const char *crowd(int count, int elapsed_ms)
{
	static char sentence[REPORT_FINDING_BYTES];
	struct log_sum *sum = log_sum_make();
	for (int rank = 0; rank < count; rank++)
		ranks_add_rank(sum, rank, count, rank == 0 ? 0 : 899 - elapsed_ms, elapsed_ms);
	const struct report_finding *found = ranks_find(sum, "crowd");
	snprintf(sentence, sizeof sentence, "%s", found != NULL ? found->sentence : "");
	log_sum_free(sum);
	return sentence;
}

static void test_crowd(void)
{
	expect(strstr(crowd(3, 600), "GPU n 0000:01:00.0 works for 3 processes, on 2.00 of") !=
	               NULL,
	       "two calls at a time: %s", crowd(3, 600));
	expect(crowd(3, 590)[0] == '\0', "fewer than two calls at a time");
	expect(crowd(2, 899)[0] == '\0', "two processes");
	expect(crowd(8, 100)[0] == '\0', "eight processes that leave it idle");
}

static const char *small_blocks(int64_t m, int64_t k, int small_ms, int other_ms)
{
	static char sentence[REPORT_FINDING_BYTES];
	struct log_sum *sum = log_sum_make();
	char head[256];
	ranks_head(head, 0, 2, "n", "0");
	ranks_add(sum, &(struct ranks_call){1, head, m, m, k, -1, NULL, 0, small_ms, 1});
	ranks_head(head, 1, 2, "n", "0");
	ranks_add(sum, &(struct ranks_call){2, head, 900, 900, 900, -1, NULL, 0, other_ms, 1});
	const struct report_finding *found = ranks_find(sum, "small_blocks");
	snprintf(sentence, sizeof sentence, "%s", found != NULL ? found->sentence : "");
	log_sum_free(sum);
	return sentence;
}

static void test_small_blocks(void)
{
	const char *told = small_blocks(4000, 80, 630, 370);
	expect(strstr(told, "most of them with k = 80, are 63 % of the time") != NULL, "%s", told);
	expect(small_blocks(4000, 255, 50, 950)[0] != '\0', "k = 255, 5 %% of the time");
	expect(small_blocks(4000, 255, 49, 951)[0] == '\0', "4.9 %% of the time");
	expect(small_blocks(4000, 256, 630, 370)[0] == '\0', "k = 256");
	expect(small_blocks(319, 80, 630, 370)[0] == '\0', "no larger matrix that is updated");
	expect(small_blocks(4000, 15, 630, 370)[0] == '\0', "no block size");
}

static void test_ranks_and_cards(void)
{
	struct log_sum *sum = log_sum_make();
	char head[256], name[REPORT_RANK_BYTES];
	/* Rank 1 on two GPUs, of which no record of the second says the bus id; it has a helper. */
	ranks_head(head, 1, 2, "b", "0");
	ranks_add(sum, &(struct ranks_call){5, head, 9, 9, 9, 0, "0000:0a:00.0", 10, 50, 20});
	ranks_add(sum, &(struct ranks_call){5, NULL, 9, 9, 9, 1, NULL, 60, 10, 20});
	ranks_add(sum, &(struct ranks_call){6, head, 9, 9, 9, -1, NULL, 70, 30, 20});
	/* Of rank 0 another thread writes the first line, and the head comes later. */
	ranks_add(sum, &(struct ranks_call){7, NULL, 9, 9, 9, 0, NULL, 10, 40, 20});
	ranks_head(head, 0, 2, "a", "0");
	ranks_add(sum, &(struct ranks_call){7, head, 9, 9, 9, 0, "0000:0a:00.0", 60, 5, 20});
	/* Bad numbers are no ranks. */
	ranks_head(head, 5, 2, "c", "0");
	ranks_add(sum, &(struct ranks_call){8, head, 9, 9, 9, -1, NULL, 70, 30, 20});
	log_sum_end(sum);
	const struct log_ranks *ranks = &sum->ranks;
	expect(ranks->rank_count == 2 && ranks->card_count == 2, "%zu ranks, %zu GPUs",
	       ranks->rank_count, ranks->card_count);
	const struct log_rank *one = &ranks->ranks[1];
	expect(ranks->ranks[0].rank == 0 && ranks->ranks[0].sides.side[TARGET_GPU].calls == 2 &&
	               ranks->ranks[0].sides.side[TARGET_GPU].wait_ns == 20e6,
	       "all calls of rank 0: %g", ranks->ranks[0].sides.side[TARGET_GPU].wait_ns);
	expect(one->rank == 1 && one->processes == 2 && strcmp(one->card, "0000:0a:00.0") == 0 &&
	               one->sides.side[TARGET_CPU].elapsed_ns == 30e6,
	       "both processes of rank 1");
	report_ranks_name_card(sum, &ranks->cards[1], name);
	expect(strcmp(name, "b 0000:0a:00.0") == 0, "%s", name);
	expect(ranks->cards[0].tally.elapsed_ns == 45e6 && ranks->cards[0].processes == 1,
	       "GPUs of two hosts with one bus id");
	log_sum_free(sum);
}

static void test_many_ranks(void)
{
	struct log_sum *sum = log_sum_make();
	const struct log_rank *rows[REPORT_RANK_ROWS];
	struct log_sides rest;
	enum { RANKS = 3000 };
	for (int rank = 0; rank < RANKS; rank++)
		ranks_add_rank(sum, rank, RANKS, 0, rank + 2);
	log_sum_end(sum);
	expect(report_ranks_choose(sum, rows, &rest) == REPORT_RANK_ROWS &&
	               rows[0]->rank == RANKS - 1 && rows[1]->rank == RANKS - 2,
	       "the longest first");
	expect(rest.side[TARGET_GPU].calls == 2 * (RANKS - REPORT_RANK_ROWS), "and the others");
	log_sum_free(sum);
}

int main(void)
{
	test_one_rank_has_no_findings();
	test_imbalance();
	test_balance_is_that_of_one_launch();
	test_crowd();
	test_small_blocks();
	test_ranks_and_cards();
	test_many_ranks();
	printf("%d failures\n", failures);
	return failures != 0;
}
